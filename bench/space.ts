/** A stand-in Space in a process of its own, so that its work is not measured as the caller's. */
import { startSpace, text } from '../e2e/servers/space.ts'

/** Starts it and answers its MCP address. */
export async function start(): Promise<string> {
  const space = await startSpace({
    id: 'bench/space',
    tools: [
      {
        name: 'bench_greet',
        description: 'Greets.',
        inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        run: ({ name }) => text(`Hello, ${JSON.stringify(name)}`),
      },
    ],
  })
  return new URL('/gradio_api/mcp/', space.url).href
}
