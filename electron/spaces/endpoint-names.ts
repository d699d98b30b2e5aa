import type { JsonValue } from '../contract/index.ts'

const MAX_BYTES = 2 * 1024 * 1024
const MAX_NAME = 200

export interface EndpointNamesDeps {
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/**
 * Gradio's own names of the functions behind the tools (`endpoint_name` of `/gradio_api/mcp/schema`, Gradio 5.36 and later),
 * by tool name. They tell a renamed tool from a new one, and nothing else depends on them: an answer that is missing,
 * too large or of another shape gives an empty map.
 *
 * @param mcpUrl checked address of the Space's MCP server; redirects are not followed
 * @throws the reason of `signal`.
 */
export async function readEndpointNames(
  mcpUrl: string,
  deps: EndpointNamesDeps,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.timeoutMs)])
  try {
    const { headers } = deps
    const response = await deps.fetch(new URL('schema', mcpUrl), { redirect: 'manual', headers, signal: limit })
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      return new Map()
    }
    return parseEndpointNames(JSON.parse(await readCapped(response.body)) as JsonValue)
  } catch (error) {
    signal.throwIfAborted()
    // Unreachable, too slow, too large, not JSON: all the same to the caller.
    if (error instanceof Error) return new Map()
    throw error
  }
}

/** @param answer of the schema route; older versions answer an object, which knows no endpoints */
export function parseEndpointNames(answer: JsonValue): Map<string, string> {
  const names = new Map<string, string>()
  for (const entry of Array.isArray(answer) ? answer.slice(0, 1_000) : []) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) continue
    const { name, meta } = entry
    if (typeof name !== 'string' || typeof meta !== 'object' || meta === null || Array.isArray(meta)) continue
    const endpoint = meta.endpoint_name
    if (typeof endpoint !== 'string' || endpoint === '' || endpoint.length > MAX_NAME || names.has(name)) continue
    if (meta.mcp_type === undefined || meta.mcp_type === 'tool') names.set(name, endpoint)
  }
  return names
}

async function readCapped(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let total = 0
  for await (const chunk of body) {
    total += chunk.byteLength
    if (total > MAX_BYTES) throw new Error('too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
