import { afterEach, describe, expect, it } from 'vitest'

import { startSpace, text } from '../../e2e/servers/space.ts'
import { CompanionError } from '../contract/index.ts'

import { createMcp } from './connector.ts'

import type { SpaceOptions, SpaceTool, StandInSpace } from '../../e2e/servers/space.ts'
import type { Log } from '../contract/index.ts'
import type { McpDeps } from './connector.ts'
import type { HttpEndpoint, Mcp, McpListing } from './types.ts'

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const opened: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function space(options: SpaceOptions = {}): Promise<StandInSpace> {
  const server = await startSpace(options)
  opened.push(() => server.close())
  return server
}

function mcp(limits: McpDeps['limits'] = {}): Mcp {
  const room = createMcp({ fetch: globalThis.fetch, version: '0.0.0', log: silent, limits })
  opened.push(() => room.dispose())
  return room
}

const endpointOf = (server: StandInSpace, more: Partial<HttpEndpoint> = {}): HttpEndpoint => ({
  key: 'acme/space',
  url: server.mcpUrl,
  ...more,
})

const tool = (name: string, run: SpaceTool['run'] = () => text(name)): SpaceTool => ({
  name,
  description: `Tool ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  run,
})

const lists = (server: StandInSpace): number => server.methods.filter((method) => method === 'tools/list').length

/** Remembers what it was shown, and is content. */
function witness(): { seen: McpListing[]; verify: (listing: McpListing) => Promise<void> } {
  const seen: McpListing[] = []
  return { seen, verify: async (listing) => void seen.push(listing) }
}

describe('verify', () => {
  it('sees the tools before the first call of a connection, and costs the warm one nothing', async () => {
    const server = await space({ tools: [tool('x'), tool('y')] })
    const room = mcp()
    const { seen, verify } = witness()
    for (let round = 0; round < 3; round++) await room.call(endpointOf(server), 'x', {}, { verify })
    expect(server.methods).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
      'tools/call',
      'tools/call',
    ])
    expect(seen).toHaveLength(1)
    expect(seen[0]?.tools.map(({ remoteName }) => remoteName)).toEqual(['x', 'y'])
  })

  it('sees the same list before the first call of another tool', async () => {
    const server = await space({ tools: [tool('x'), tool('y')] })
    const room = mcp()
    const { seen, verify } = witness()
    for (const name of ['x', 'y', 'y', 'x']) await room.call(endpointOf(server), name, {}, { verify })
    expect(lists(server)).toBe(1)
    expect(seen).toHaveLength(2)
    expect(seen[1]).toBe(seen[0])
  })

  it('is not asked for by whoever gives none', async () => {
    const server = await space({ tools: [tool('x')] })
    await mcp().call(endpointOf(server), 'x', {})
    expect(lists(server)).toBe(0)
  })

  it('is not satisfied by a list that nobody verified', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp()
    const { seen, verify } = witness()
    await room.list(endpointOf(server))
    server.tools.push(tool('z'))
    await room.call(endpointOf(server), 'x', {}, { verify })
    expect(lists(server)).toBe(2)
    expect(seen[0]?.tools).toHaveLength(2)
  })

  it('throws what it likes: it is thrown as it is, and nothing is called', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp()
    for (const thrown of [
      new CompanionError('space/changed', { slug: 'acme/space' }),
      Object.assign(new TypeError('mine'), { code: 'ECONNREFUSED' }),
    ]) {
      const refuse = async (): Promise<void> => Promise.reject(thrown)
      await expect(room.call(endpointOf(server), 'x', {}, { verify: refuse })).rejects.toBe(thrown)
    }
    expect(server.calls).toEqual([])
    expect(lists(server)).toBe(1)
    expect(server.methods.filter((method) => method === 'initialize')).toHaveLength(1)
    const { seen, verify } = witness()
    expect(await room.call(endpointOf(server), 'x', {}, { verify })).toMatchObject({ isError: false })
    expect([seen.length, lists(server)]).toEqual([1, 1])
  })

  it('shares one list between first calls at the same time', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp({ parallelCalls: 5 })
    const { seen, verify } = witness()
    await Promise.all([1, 2, 3, 4].map(() => room.call(endpointOf(server), 'x', {}, { verify })))
    expect(lists(server)).toBe(1)
    expect(new Set(seen).size).toBe(1)
    expect(server.calls).toHaveLength(4)
  })

  it('sees a new list on each new connection', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp()
    const { seen, verify } = witness()
    await room.call(endpointOf(server), 'x', {}, { verify })
    await room.drop('acme/space')
    server.tools.push(tool('later'))
    await room.call(endpointOf(server), 'x', {}, { verify })
    expect(seen.map(({ tools }) => tools.length)).toEqual([1, 2])
  })

  it('a list that fails ends the call with its own failure; the next call asks again', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp({ pageMs: 300, idleStreamMs: 200 })
    const { seen, verify } = witness()
    server.fault('dropAfterHeaders', 'tools/list')
    await expect(room.call(endpointOf(server), 'x', {}, { verify })).rejects.toMatchObject({ code: 'space/dropped' })
    server.fault('dropAfterHeaders', false)
    server.fault('stallNoPing', 'tools/list')
    const quick = { limits: { requestMs: 400 } }
    await expect(
      mcp({ idleStreamMs: 2_000 }).call(endpointOf(server, quick), 'x', {}, { verify }),
    ).rejects.toMatchObject({ code: 'space/timeout', details: { step: 'list', seconds: 0.4 } })
    expect(server.calls).toEqual([])
    server.clearFaults()
    await room.call(endpointOf(server), 'x', {}, { verify })
    expect(seen).toHaveLength(1)
    // Each room keeps the one standing stream of its connection.
    await expect.poll(() => server.openStreams).toBe(2)
  })

  it('one caller leaving does not take the list from the others; the last one ends it', async () => {
    const server = await space({ tools: [tool('x')] })
    server.fault('stallNoPing', 'tools/list')
    const room = mcp({ parallelCalls: 5, idleStreamMs: 600 })
    const { verify } = witness()
    const leaving = new AbortController()
    const first = room.call(endpointOf(server), 'x', {}, { verify, signal: leaving.signal })
    const second = room.call(endpointOf(server), 'x', {}, { verify })
    const stays = expect(second).rejects.toMatchObject({ code: 'space/dropped' })
    setTimeout(() => leaving.abort(), 50)
    await expect(first).rejects.toMatchObject({ code: 'tools/cancelled' })
    await stays
    expect(lists(server)).toBe(1)

    const last = new AbortController()
    const alone = room.call(endpointOf(server), 'x', {}, { verify, signal: last.signal })
    await expect.poll(() => lists(server)).toBe(2)
    last.abort()
    await expect(alone).rejects.toMatchObject({ code: 'tools/cancelled' })
    await expect.poll(() => server.openStreams).toBeLessThanOrEqual(1)
  })

  it('a call that is cancelled while it is verified ends at once', async () => {
    const server = await space({ tools: [tool('x')] })
    const controller = new AbortController()
    const call = mcp().call(
      endpointOf(server),
      'x',
      {},
      {
        signal: controller.signal,
        verify: () => {
          setTimeout(() => controller.abort(), 10)
          return new Promise(() => undefined)
        },
      },
    )
    await expect(call).rejects.toMatchObject({ code: 'tools/cancelled' })
    expect(server.calls).toEqual([])
  })
})

describe('limits of an endpoint', () => {
  const slowly: SpaceTool['run'] = async () => {
    await new Promise((resolve) => setTimeout(resolve, 250))
    return text('done')
  }

  it('count instead of the connector’s own, for that endpoint alone', async () => {
    const server = await space({ tools: [tool('x', slowly)] })
    const room = mcp({ callMs: 5_000 })
    await expect(room.call(endpointOf(server, { limits: { callMs: 60 } }), 'x', {})).rejects.toMatchObject({
      code: 'tools/timeout',
      details: { seconds: 0.06 },
    })
    expect(await room.call(endpointOf(server), 'x', {})).toMatchObject({ content: [{ text: 'done' }] })
    const patient = mcp({ callMs: 60, callTotalMs: 100 })
    expect(await patient.call(endpointOf(server, { limits: { callMs: 2_000 } }), 'x', {})).toMatchObject({
      content: [{ text: 'done' }],
    })
  })

  it('hold for the handshake and each page', async () => {
    const server = await space({ tools: [tool('x')] })
    server.fault('stallNoPing', 'initialize')
    await expect(mcp().list(endpointOf(server, { limits: { requestMs: 400 } }))).rejects.toMatchObject({
      code: 'space/timeout',
      details: { step: 'connect', seconds: 0.4 },
    })
    server.fault('stallNoPing', 'tools/list')
    await expect(mcp().list(endpointOf(server, { limits: { requestMs: 400 } }))).rejects.toMatchObject({
      code: 'space/timeout',
      details: { step: 'list', seconds: 0.4 },
    })
  })
})
