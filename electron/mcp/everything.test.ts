import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createMcp } from './connector.ts'

import type { Log } from '../contract/index.ts'
import type { Mcp, McpEndpoint, McpProgress } from './types.ts'
import type { ChildProcess } from 'node:child_process'

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const servers = path.resolve(import.meta.dirname, '../../e2e/servers')

/** `@modelcontextprotocol/server-everything` on loopback with an empty environment, in either HTTP mode. */
async function start(mode: 'streamableHttp' | 'sse'): Promise<{ child: ChildProcess; port: number }> {
  const packageJson = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
  const preload = pathToFileURL(path.join(servers, 'loopback-only.mjs')).href
  const entry = path.join(path.dirname(packageJson), 'dist/index.js')
  const child = spawn(process.execPath, ['--import', preload, entry, mode], {
    env: { PORT: '0' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('server-everything ended')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = /^LISTENING (\d+)$/.exec(line)?.[1]
      if (told !== undefined) resolve(Number(told))
    })
  })
  return { child, port }
}

describe.each(['streamableHttp', 'sse'] as const)('server-everything over %s', (mode) => {
  let child: ChildProcess
  let room: Mcp
  let endpoint: McpEndpoint

  beforeAll(async () => {
    const started = await start(mode)
    child = started.child
    const origin = `http://127.0.0.1:${started.port}`
    room = createMcp({ fetch: globalThis.fetch, version: '0.0.0', log: silent })
    endpoint =
      mode === 'sse'
        ? { key: 'everything', url: `${origin}/mcp`, sseUrl: `${origin}/sse` }
        : { key: 'everything', url: `${origin}/mcp` }
  })
  afterAll(async () => {
    await room.dispose()
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  })

  it('lists 13 tools; the one that needs tasks is rejected', async () => {
    const listing = await room.list(endpoint)
    expect(listing.transport).toBe(mode === 'sse' ? 'sse' : 'streamable-http')
    expect(listing.tools).toHaveLength(13)
    expect(listing.tools.filter(({ status }) => status === 'rejected').map(({ remoteName }) => remoteName)).toEqual([
      'simulate-research-query',
    ])
  })

  it('echoes, adds, and draws', async () => {
    expect(await room.call(endpoint, 'echo', { message: 'hi' })).toMatchObject({
      content: [{ text: 'Echo: hi' }],
      isError: false,
    })
    expect(await room.call(endpoint, 'get-sum', { a: 2, b: 3 })).toMatchObject({
      content: [{ text: 'The sum of 2 and 3 is 5.' }],
    })
    const image = await room.call(endpoint, 'get-tiny-image', {})
    expect(image.content.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
    expect(image.content[1]).toMatchObject({ mimeType: 'image/png' })
  })

  it('gives structured content, links, resources and its own errors', async () => {
    const structured = await room.call(endpoint, 'get-structured-content', { location: 'New York' })
    expect(structured.structured).toMatchObject({ temperature: expect.any(Number) as unknown })
    const links = await room.call(endpoint, 'get-resource-links', { count: 2 })
    expect(links.content.filter(({ type }) => type === 'link')).toHaveLength(2)
    expect(await room.call(endpoint, 'get-sum', { a: 'x', b: 3 })).toMatchObject({ isError: true })
    expect(await room.call(endpoint, 'no-such-tool', {})).toMatchObject({ isError: true })
  })

  it('tells progress', async () => {
    const seen: McpProgress[] = []
    await room.call(
      endpoint,
      'trigger-long-running-operation',
      { duration: 0.4, steps: 4 },
      { onProgress: (one) => seen.push(one) },
    )
    // The last one may come in the same breath as the result, after which the SDK no longer passes progress on.
    expect(seen.slice(0, 3)).toEqual([1, 2, 3].map((progress) => ({ progress, total: 4 })))
  })
})
