import { afterEach, describe, expect, it } from 'vitest'

import { startSpace, text } from '../../e2e/servers/space.ts'
import { CompanionError } from '../contract/index.ts'

import { createMcp } from './connector.ts'

import type { SpaceOptions, SpaceTool, StandInSpace } from '../../e2e/servers/space.ts'
import type { Details, Log } from '../contract/index.ts'
import type { McpDeps } from './connector.ts'
import type { HttpEndpoint, Mcp, McpProgress } from './types.ts'

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

function mcp(limits: McpDeps['limits'] = {}, more: Partial<McpDeps> = {}): Mcp {
  const room = createMcp({ fetch: globalThis.fetch, version: '0.0.0', log: silent, limits, ...more })
  opened.push(() => room.dispose())
  return room
}

const endpointOf = (server: StandInSpace, key = 'acme/space'): HttpEndpoint => ({
  key,
  url: server.mcpUrl,
  sseUrl: `${server.url}/gradio_api/mcp/sse`,
  gradio: true,
})

async function failure(work: Promise<unknown>): Promise<{ code: string; details: Details; ms: number }> {
  const started = performance.now()
  try {
    await work
  } catch (error) {
    if (error instanceof CompanionError)
      return { code: error.code, details: error.details, ms: performance.now() - started }
    throw error
  }
  throw new Error('it did not fail')
}

async function until(condition: () => boolean, ms = 2_000): Promise<void> {
  const started = performance.now()
  while (!condition()) {
    if (performance.now() - started > ms) throw new Error(`not within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const tool = (name: string, run: SpaceTool['run'] = () => text(name)): SpaceTool => ({
  name,
  description: `Tool ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  run,
})

describe('a Gradio Space', () => {
  it('is listed as captured, each tool judged', async () => {
    const server = await space()
    const listing = await mcp().list(endpointOf(server))
    expect(listing).toMatchObject({
      transport: 'streamable-http',
      serverName: 'Demo App',
      protocolVersion: '2025-11-25',
    })
    const rejected = listing.tools.filter(({ status }) => status === 'rejected').map(({ remoteName }) => remoteName)
    expect(rejected).toContain('My_Cool_Space_1_j')
    expect(listing.tools.find(({ remoteName }) => remoteName === 'My_Cool_Space_1_letter_counter')?.status).toBe(
      'usable',
    )
  })

  it('answers calls as captured', async () => {
    const server = await space()
    const room = mcp()
    const call = (name: string, args = {}): ReturnType<Mcp['call']> =>
      room.call(endpointOf(server), `My_Cool_Space_1_${name}`, args)
    expect(await call('letter_counter', { word: 'strawberry', letter: 'r' })).toEqual({
      content: [{ type: 'text', text: '3' }],
      isError: false,
    })
    const image = await call('make_image', { prompt: 'x' })
    expect(image.content[0]).toMatchObject({ type: 'image', mimeType: 'image/webp' })
    expect(image.content[1]).toMatchObject({
      type: 'text',
      text: expect.stringContaining(`Image URL: ${server.url}/gradio_api/file=`) as string,
    })
    expect(await call('letter_counter', { word: 5 })).toMatchObject({
      content: [{ text: "Input validation error: 5 is not of type 'string'" }],
      isError: true,
    })
    expect(await call('boom', { x: 'q' })).toMatchObject({
      content: [{ text: 'Oh no: Something broke: q' }],
      isError: true,
    })
    expect(await call('structured', { x: 'a' })).toMatchObject({ structured: { result: expect.any(Array) as unknown } })
    expect(await call('nope')).toMatchObject({ isError: true })
  })

  it('hears nothing but the five methods, and no cancellation of what was not cancelled', async () => {
    const server = await space()
    const room = mcp()
    await room.list(endpointOf(server))
    await room.call(endpointOf(server), 'My_Cool_Space_1_letter_counter', {})
    expect(server.methods).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call'])
  })

  it('tells progress while a tool runs', async () => {
    const server = await space()
    const seen: McpProgress[] = []
    await mcp().call(
      endpointOf(server),
      'My_Cool_Space_1_slow',
      { n: 3 },
      { onProgress: (progress) => seen.push(progress) },
    )
    expect(seen.map(({ message }) => message)).toContain('Progress Counting: Step 1 of 3')
    expect(seen.at(-1)).toEqual({ progress: seen.length - 1 })
  })

  it('sends headers to that server, asked anew for each connection', async () => {
    const server = await space({ token: 'hf_secret' })
    let asked = 0
    const room = mcp()
    const endpoint: HttpEndpoint = {
      ...endpointOf(server),
      headers: async () => ({ 'X-HF-Authorization': `Bearer ${++asked === 1 ? 'hf_old' : 'hf_secret'}` }),
    }
    expect((await failure(room.list(endpoint))).code).toBe('space/unauthorized')
    expect((await room.list(endpoint)).tools.length).toBeGreaterThan(0)
    expect(asked).toBe(2)
    expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  it('is asked for all pages', async () => {
    const server = await space({ tools: ['a', 'b', 'c', 'd', 'e'].map((name) => tool(name)), pageSize: 2 })
    expect((await mcp().list(endpointOf(server))).tools.map(({ remoteName }) => remoteName)).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ])
  })

  it('with too many tools is listed up to the limit, the rest counted', async () => {
    const server = await space({ tools: ['a', 'b', 'c'].map((name) => tool(name)) })
    const listing = await mcp({ tools: 2 }).list(endpointOf(server))
    expect([listing.tools.length, listing.leftOut]).toEqual([2, 1])
  })
})

describe('limits of one client', () => {
  it('two calls to two Spaces overlap, and two to one', async () => {
    const run: SpaceTool['run'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return text('done')
    }
    const [one, two] = [await space({ tools: [tool('x', run)] }), await space({ tools: [tool('x', run)] })]
    const room = mcp()
    await Promise.all([room.list(endpointOf(one, 'a/one')), room.list(endpointOf(two, 'a/two'))])
    const started = performance.now()
    await Promise.all([
      room.call(endpointOf(one, 'a/one'), 'x', {}),
      room.call(endpointOf(one, 'a/one'), 'x', {}),
      room.call(endpointOf(two, 'a/two'), 'x', {}),
    ])
    expect(performance.now() - started).toBeLessThan(590)
    expect(two.calls[0]?.startedAt).toBeLessThan(one.calls[0]?.endedAt ?? 0)
  })

  it('a third call to one Space waits', async () => {
    let running = 0
    let most = 0
    const run: SpaceTool['run'] = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 60))
      running -= 1
      return text('done')
    }
    const server = await space({ tools: [tool('x', run)] })
    const room = mcp()
    await Promise.all([1, 2, 3, 4, 5].map(() => room.call(endpointOf(server), 'x', {})))
    expect(most).toBe(2)
  })

  it('callers share one connect', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp()
    await Promise.all([
      room.list(endpointOf(server)),
      room.list(endpointOf(server)),
      room.call(endpointOf(server), 'x', {}),
    ])
    expect(server.methods.filter((method) => method === 'initialize')).toHaveLength(1)
  })

  it('one caller leaving does not stop the others, the last one does', async () => {
    const server = await space()
    server.fault('stallNoPing', 'initialize')
    const room = mcp({ connectMs: 700 })
    const leaving = new AbortController()
    const first = failure(room.list(endpointOf(server), { signal: leaving.signal }))
    const second = failure(room.list(endpointOf(server)))
    setTimeout(() => leaving.abort(), 50)
    expect((await first).code).toBe('app/cancelled')
    expect(await second).toMatchObject({ code: 'space/timeout', details: { seconds: 0.7, step: 'connect' } })

    const joined = new AbortController()
    const stays = failure(room.list(endpointOf(server)))
    const leaves = failure(room.list(endpointOf(server), { signal: joined.signal }))
    setTimeout(() => joined.abort(), 20)
    const left = await leaves
    expect(left.code).toBe('app/cancelled')
    expect(left.ms).toBeLessThan(400)
    expect((await stays).code).toBe('space/timeout')

    const last = new AbortController()
    const alone = failure(room.list(endpointOf(server), { signal: last.signal }))
    await until(() => server.openStreams > 0)
    last.abort()
    expect((await alone).code).toBe('app/cancelled')
    await until(() => server.openStreams === 0)
  })

  it('an idle client is closed and made anew', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp({ idleClientMs: 60 })
    await room.list(endpointOf(server))
    await until(() => server.openStreams === 0)
    await room.call(endpointOf(server), 'x', {})
    expect(server.methods.filter((method) => method === 'initialize')).toHaveLength(2)
  })

  it('drop and dropAll close; a new address of the same key connects anew', async () => {
    const [one, two] = [await space({ tools: [tool('x')] }), await space({ tools: [tool('x')] })]
    const room = mcp()
    await room.list(endpointOf(one))
    await room.list(endpointOf(two))
    await until(() => one.openStreams === 0)
    await room.drop('acme/space')
    await until(() => two.openStreams === 0)
    await room.list(endpointOf(one))
    await room.dropAll()
    await until(() => one.openStreams === 0)
    expect((await room.list(endpointOf(one))).tools).toHaveLength(1)
  })

  it('dispose cancels what runs and refuses the rest', async () => {
    const server = await space({ tools: [tool('x', (_, { signal }) => waitFor(signal))] })
    const room = mcp()
    const running = failure(room.call(endpointOf(server), 'x', {}))
    await until(() => server.calls.length === 1)
    await room.dispose()
    expect((await running).code).toBe('tools/cancelled')
    await until(() => server.openStreams === 0)
    expect((await failure(room.list(endpointOf(server)))).code).toBe('app/cancelled')
  })
})

const waitFor = async (signal: AbortSignal): Promise<ReturnType<typeof text>> => {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  return text('late')
}

describe('cancelling and time-outs of a call', () => {
  it('cancel closes the stream within 100 ms, tells the server, and nothing comes late', async () => {
    const server = await space({ tools: [tool('x', (_, { signal }) => waitFor(signal))] })
    const room = mcp()
    const controller = new AbortController()
    const call = failure(room.call(endpointOf(server), 'x', {}, { signal: controller.signal }))
    await until(() => server.calls.length === 1)
    controller.abort()
    const started = performance.now()
    expect(await call).toMatchObject({ code: 'tools/cancelled', details: { id: 'x', slug: 'acme/space' } })
    await until(() => server.calls[0]?.cancelled === true)
    expect(performance.now() - started).toBeLessThan(100)
    await until(() => server.methods.at(-1) === 'notifications/cancelled')
    expect((await room.list(endpointOf(server))).tools).toHaveLength(1)
  })

  it('an aborted signal sends nothing', async () => {
    const server = await space()
    expect((await failure(mcp().call(endpointOf(server), 'x', {}, { signal: AbortSignal.abort() }))).code).toBe(
      'tools/cancelled',
    )
    expect(server.requests).toHaveLength(0)
  })

  it('a silent tool times out, and its stream is closed', async () => {
    const server = await space({ tools: [tool('x', (_, { signal }) => waitFor(signal))] })
    const result = await failure(mcp({ callMs: 150 }).call(endpointOf(server), 'x', {}))
    expect(result).toMatchObject({ code: 'tools/timeout', details: { id: 'x', seconds: 0.15 } })
    await until(() => server.calls[0]?.cancelled === true)
  })

  it('progress extends the limit, up to the total', async () => {
    const steps: SpaceTool['run'] = async (_, { progress, signal }) => {
      for (let step = 0; step < 8 && !signal.aborted; step++) {
        await new Promise((resolve) => setTimeout(resolve, 60))
        progress(`Step ${step}`)
      }
      return text('done')
    }
    const server = await space({ tools: [tool('x', steps)] })
    expect(await mcp({ callMs: 200 }).call(endpointOf(server), 'x', {})).toMatchObject({ content: [{ text: 'done' }] })
    const total = await failure(mcp({ callMs: 200, callTotalMs: 250 }).call(endpointOf(server), 'x', {}))
    expect(total).toMatchObject({ code: 'tools/timeout', details: { seconds: 0.25 } })
    await until(() => server.calls[1]?.cancelled === true)
    await until(() => server.methods.at(-1) === 'notifications/cancelled')
  })
})

describe('back-off and Retry-After', () => {
  it('a server that says 429 is not asked again before its time, by anyone', async () => {
    const server = await space()
    server.fault('429', 30)
    let now = 1_000_000
    const room = mcp({}, { now: () => now })
    const first = await failure(room.list(endpointOf(server)))
    expect(first).toMatchObject({ code: 'space/rate-limited', details: { seconds: 30 } })
    const asked = server.requests.length
    now += 10_000
    expect(await failure(room.call(endpointOf(server), 'x', {}))).toMatchObject({
      code: 'space/rate-limited',
      details: { seconds: 20 },
    })
    expect(server.requests).toHaveLength(asked)
    now += 20_001
    server.clearFaults()
    expect((await room.list(endpointOf(server))).tools.length).toBeGreaterThan(0)
  })

  it('background use waits after failures, a person does not', async () => {
    const server = await space()
    server.fault('crashed')
    let now = 1_000_000
    const room = mcp({}, { now: () => now, random: () => 0.999 })
    await failure(room.list(endpointOf(server), { background: true }))
    const asked = server.requests.length
    expect((await failure(room.list(endpointOf(server), { background: true }))).code).toBe('space/crashed')
    expect(server.requests).toHaveLength(asked)
    await failure(room.list(endpointOf(server)))
    expect(server.requests.length).toBeGreaterThan(asked)
    server.clearFaults()
    now += 2_001
    expect((await room.list(endpointOf(server), { background: true })).tools.length).toBeGreaterThan(0)
  })
})

describe('faults of a Space: a code, promptly, and no stream left open', () => {
  const fast = { connectMs: 400, pageMs: 400, callMs: 400, idleStreamMs: 200 }

  it.each<[string, (server: StandInSpace) => void, string]>([
    ['a page instead of an answer', (server) => server.fault('html200'), 'space/not-running'],
    ['paused (503 page)', (server) => server.fault('paused'), 'space/not-running'],
    ['no MCP', (server) => server.fault('noMcp404'), 'space/no-mcp'],
    ['401', (server) => server.fault('401'), 'space/unauthorized'],
    ['403', (server) => server.fault('403'), 'space/unauthorized'],
    ['413', (server) => server.fault('413'), 'space/too-large'],
    ['429', (server) => server.fault('429', 5), 'space/rate-limited'],
    ['crashed', (server) => server.fault('crashed'), 'space/crashed'],
    [
      'redirect to another host',
      (server) => server.fault('redirectOtherHost', 'https://elsewhere.invalid/x'),
      'space/protocol',
    ],
    ['redirect to another spelling of the host', (server) => server.fault('redirectHttp'), 'space/protocol'],
    ['handshake dropped', (server) => server.fault('dropAfterHeaders', 'initialize'), 'space/dropped'],
    ['reset before headers', (server) => server.fault('resetBeforeHeaders', 'initialize'), 'space/unreachable'],
    ['handshake silent', (server) => server.fault('stallNoPing', 'initialize'), 'space/dropped'],
    ['list dropped', (server) => server.fault('dropAfterHeaders', 'tools/list'), 'space/dropped'],
    ['list cut', (server) => server.fault('dropMidStream', 'tools/list'), 'space/dropped'],
    ['list reset', (server) => server.fault('resetBeforeHeaders', 'tools/list'), 'space/unreachable'],
    ['list silent', (server) => server.fault('stallNoPing', 'tools/list'), 'space/dropped'],
  ])('while listing: %s', async (_, spoil, code) => {
    const server = await space()
    spoil(server)
    const result = await failure(mcp(fast).list(endpointOf(server)))
    expect(result.code).toBe(code)
    expect(result.details.slug).toBe('acme/space')
    expect(result.ms).toBeLessThan(1_500)
    await until(() => server.openStreams === 0)
  })

  it.each<[string, string]>([
    ['dropAfterHeaders', 'space/dropped'],
    ['dropMidStream', 'space/dropped'],
    ['stallNoPing', 'space/dropped'],
    ['resetBeforeHeaders', 'space/unreachable'],
  ])('while calling: %s, without repeating the call', async (fault, code) => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp(fast)
    await room.list(endpointOf(server))
    server.fault(fault as 'dropMidStream')
    const result = await failure(room.call(endpointOf(server), 'x', {}))
    expect(result.code).toBe(code)
    expect(result.ms).toBeLessThan(1_000)
    expect(server.methods.filter((method) => method === 'tools/call').length).toBeLessThanOrEqual(1)
    server.clearFaults()
    expect(await room.call(endpointOf(server), 'x', {})).toMatchObject({ isError: false })
  })

  it('offline', async () => {
    const server = await space()
    await server.close()
    const result = await failure(mcp(fast).list(endpointOf(server)))
    expect(result).toMatchObject({ code: 'space/unreachable', details: { reason: 'ECONNREFUSED' } })
  })

  it('an answer over the limit is refused, one below is taken', async () => {
    const server = await space({ tools: [tool('x')] })
    server.fault('hugeImage', 3)
    const small = await mcp().call(endpointOf(server), 'x', {})
    expect(small.content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' })
    expect((await failure(mcp({ responseBytes: 1_000_000 }).call(endpointOf(server), 'x', {}))).code).toBe(
      'space/too-large',
    )
  })

  it.each([
    'loopingCursor',
    'dupNames',
    'longName',
    'typeObj',
    'enumEmpty',
    'danglingRef',
    'remoteRef',
    'badToolInList',
  ] as const)('lists the rest in spite of %s', async (fault) => {
    const server = await space({ tools: [tool('x')] })
    server.fault(fault)
    const { tools } = await mcp().list(endpointOf(server))
    expect(tools.find(({ remoteName }) => remoteName === 'x')?.status).toBe('usable')
    const rejected = tools.filter(({ status }) => status === 'rejected').length
    expect(rejected).toBe(['dupNames', 'typeObj', 'badToolInList', 'loopingCursor'].includes(fault) ? 1 : 0)
    expect(server.methods.filter((method) => method === 'tools/list').length).toBeLessThanOrEqual(2)
  })

  it('odd contents are named, not thrown', async () => {
    const server = await space({ tools: [tool('x')] })
    const room = mcp()
    server.fault('unknownContent')
    expect((await room.call(endpointOf(server), 'x', {})).content[0]).toEqual({ type: 'unsupported', what: 'hologram' })
    server.clearFaults()
    server.fault('badBase64')
    expect((await room.call(endpointOf(server), 'x', {})).content[0]).toMatchObject({ type: 'unsupported' })
  })
})

describe('older Gradio', () => {
  it('5.28: SSE only, lists and calls', async () => {
    const server = await space()
    server.fault('oldGradio', '5.28')
    const room = mcp()
    const listing = await room.list(endpointOf(server))
    expect(listing.transport).toBe('sse')
    expect(listing.tools.length).toBeGreaterThan(5)
    expect(
      await room.call(endpointOf(server), 'My_Cool_Space_1_letter_counter', { word: 'strawberry', letter: 'r' }),
    ).toMatchObject({
      content: [{ text: '3' }],
    })
  })

  it('5.32: no streamable address of ours, SSE instead, and it survives', async () => {
    const server = await space()
    server.fault('oldGradio', '5.32')
    const room = mcp()
    expect((await room.list(endpointOf(server))).transport).toBe('sse')
    expect((await room.list(endpointOf(server))).tools.length).toBeGreaterThan(5)
  })

  it('a lost SSE stream ends the call at once, and the next use connects anew', async () => {
    const server = await space({ tools: [tool('x')] })
    server.fault('oldGradio', '5.28')
    const room = mcp()
    await room.list(endpointOf(server))
    server.fault('dropAfterHeaders')
    const result = await failure(room.call(endpointOf(server), 'x', {}))
    expect(result.code).toBe('space/dropped')
    expect(result.ms).toBeLessThan(1_000)
    server.fault('dropAfterHeaders', false)
    expect(await room.call(endpointOf(server), 'x', {})).toMatchObject({ content: [{ text: 'x' }] })
  })

  it('without an SSE address there is no second try', async () => {
    const server = await space()
    server.fault('oldGradio', '5.28')
    const { sseUrl: _, ...endpoint } = endpointOf(server)
    expect((await failure(mcp().list(endpoint))).code).toBe('space/no-mcp')
    expect(server.requests).toHaveLength(1)
  })
})
