import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

export interface EverythingServer {
  /** `http://127.0.0.1:PORT/mcp`, or `/sse` for the older transport. */
  readonly url: string
  readonly pid: number
  close(): Promise<void>
}

/**
 * Starts `@modelcontextprotocol/server-everything` in a process of its own: on 127.0.0.1, on a free port, with an empty
 * environment (its `get-env` tool returns all of it). SIGTERM does not end it once a client was there, so `close` kills.
 * @throws Error when it does not listen within 20 s.
 */
export async function startEverything(mode: 'streamableHttp' | 'sse' = 'streamableHttp'): Promise<EverythingServer> {
  const require = createRequire(import.meta.url)
  const packageJson = require.resolve('@modelcontextprotocol/server-everything/package.json')
  const entry = path.join(path.dirname(packageJson), 'dist/index.js')
  const preload = pathToFileURL(path.join(import.meta.dirname, 'loopback-only.mjs')).href
  const child = spawn(process.execPath, ['--import', preload, entry, mode], {
    env: { PORT: '0' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('server-everything did not listen within 20 s')), 20_000)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`server-everything ended with ${code ?? 'a signal'}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = /^LISTENING (\d+)$/.exec(line)?.[1]
      if (told === undefined) return
      clearTimeout(timer)
      resolve(Number(told))
    })
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`, pid: child.pid ?? 0, close }
}
