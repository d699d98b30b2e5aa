import { afterEach, describe, expect, it } from 'vitest'

import { listenOnLoopback, readBody } from '../../e2e/servers/http.ts'
import { CompanionError } from '../contract/index.ts'

import { createMcp } from './connector.ts'

import type { Log } from '../contract/index.ts'
import type { McpDeps } from './connector.ts'
import type { HttpEndpoint, Mcp } from './types.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly protocolVersion?: string; readonly _meta?: { readonly progressToken?: number } }
}

interface Exchange {
  readonly message: Message
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Starts an event stream, if need be, and writes to it as it is. */
  readonly raw: (text: string) => void
  /** One event with a JSON-RPC result. */
  readonly result: (value: unknown) => void
  readonly end: () => void
}

interface Scripted {
  readonly url: string
  readonly methods: string[]
  readonly gets: IncomingMessage[]
}

const oneTool = { tools: [{ name: 'x', inputSchema: { type: 'object' } }] }

/** A server whose every answer a test writes byte by byte; what `answer` leaves alone is answered in the usual way. */
async function scripted(
  answer: (exchange: Exchange) => boolean | undefined,
  get: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.writeHead(405).end(),
): Promise<Scripted> {
  const methods: string[] = []
  const gets: IncomingMessage[] = []
  const server = await listenOnLoopback(async (request, response) => {
    if (request.method === 'GET') {
      gets.push(request)
      return get(request, response)
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse((await readBody(request)).toString()) as Message
    methods.push(message.method)
    const raw = (text: string): void => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(text)
    }
    const result = (value: unknown): void =>
      raw(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: value })}\n\n`)
    if (answer({ message, request, response, raw, result, end: () => response.end() }) === true) return
    if (message.id === undefined) return void response.writeHead(202).end()
    if (message.method === 'initialize') {
      result({
        protocolVersion: message.params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      })
    } else result(message.method === 'tools/list' ? oneTool : { content: [{ type: 'text', text: 'ok' }] })
    response.end()
  })
  opened.push(() => server.close())
  return { url: `${server.url}/mcp`, methods, gets }
}

function mcp(limits: McpDeps['limits'] = {}): Mcp {
  const room = createMcp({
    fetch: globalThis.fetch,
    version: '0.0.0',
    log: silent,
    limits: { connectMs: 3_000, pageMs: 500, callMs: 500, ...limits },
  })
  opened.push(() => room.dispose())
  return room
}

const at = ({ url }: Scripted): HttpEndpoint => ({ key: 'o/n', url })

async function codeOf(work: Promise<unknown>): Promise<[string, number]> {
  const started = performance.now()
  try {
    await work
  } catch (error) {
    if (error instanceof CompanionError) return [error.code, performance.now() - started]
    throw error
  }
  throw new Error('it did not fail')
}

const forCalls =
  (answer: (exchange: Exchange) => void) =>
  (exchange: Exchange): boolean => {
    if (exchange.message.method !== 'tools/call') return false
    answer(exchange)
    return true
  }

const forLists =
  (answer: (exchange: Exchange) => void) =>
  (exchange: Exchange): boolean => {
    if (exchange.message.method !== 'tools/list') return false
    answer(exchange)
    return true
  }

describe('streams', () => {
  it.each<[string, (exchange: Exchange) => void, string]>([
    ['empty', ({ raw, end }) => (raw(''), end()), 'space/dropped'],
    ['ended before the answer', ({ raw, end }) => (raw(': hello\n\n'), end()), 'space/dropped'],
    [
      'ended in the middle of the answer',
      ({ raw, end }) => (raw('data: {"jsonrpc":"2.0","id'), end()),
      'space/dropped',
    ],
    ['reset', ({ raw, response }) => (raw(': hello\n\n'), setTimeout(() => response.destroy(), 20)), 'space/dropped'],
    [
      'answer to another id',
      ({ raw, end }) => (raw('data: {"jsonrpc":"2.0","id":999,"result":{}}\n\n'), end()),
      'space/dropped',
    ],
    [
      'malformed answer',
      ({ raw, message, end }) => (raw(`data: {"jsonrpc":"2.0","id":${message.id},"result":{"_meta":null}}\n\n`), end()),
      'space/protocol',
    ],
    ['result that is no object', ({ result, end }) => (result('text'), end()), 'space/protocol'],
  ])('%s: fails at once, not after the time-out', async (_, answer, code) => {
    const server = await scripted(forCalls(answer))
    const [actual, ms] = await codeOf(mcp({ callMs: 5_000 }).call(at(server), 'x', {}))
    expect(actual).toBe(code)
    expect(ms).toBeLessThan(2_500)
  })

  it.each<[string, (exchange: Exchange) => void]>([
    [
      'id as a text',
      ({ raw, message, end }) => (
        raw(`data: {"jsonrpc":"2.0","id":"${message.id}","result":{"content":"ok"}}\n\n`),
        end()
      ),
    ],
    ['a broken line first', ({ raw, result, end }) => (raw('data: {broken\n\n'), result({ content: 'ok' }), end())],
    [
      'carriage returns only',
      ({ raw, message, end }) => (
        raw(`data: {"jsonrpc":"2.0","id":${message.id},"result":{"content":"ok"}}\r\r`),
        end()
      ),
    ],
    [
      'progress nobody asked for in that form',
      ({ raw, result, end }) => (
        raw(
          'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":77,"progress":1,"message":null}}\n\n',
        ),
        result({ content: 'ok' }),
        end()
      ),
    ],
  ])('%s: the answer is taken', async (_, answer) => {
    const server = await scripted(forCalls(answer))
    expect(await mcp().call(at(server), 'x', {})).toEqual({ content: [{ type: 'text', text: 'ok' }], isError: false })
  })

  it('an answer as plain JSON, whole and cut', async () => {
    let cut = false
    const server = await scripted(
      forCalls(({ response, message }) => {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
        const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: 'ok' } })
        if (cut) {
          response.write(body.slice(0, 10))
          setTimeout(() => response.destroy(), 20)
        } else response.end(body)
      }),
    )
    const room = mcp()
    expect(await room.call(at(server), 'x', {})).toMatchObject({ content: [{ text: 'ok' }] })
    cut = true
    expect((await codeOf(room.call(at(server), 'x', {})))[0]).toBe('space/dropped')
  })

  it('a stream that stays open after the answer is closed by us', async () => {
    let closed = 0
    const server = await scripted(
      forCalls(({ result, response }) => {
        response.on('close', () => (closed += 1))
        result({ content: 'ok' })
      }),
    )
    const room = mcp()
    await room.call(at(server), 'x', {})
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(closed).toBe(1)
    expect((await room.list(at(server))).tools).toHaveLength(1)
  })

  it('a stream with event ids is resumed where it broke off', async () => {
    let id = 0
    const server = await scripted(
      forCalls(({ raw, message, end }) => {
        id = message.id ?? 0
        raw('retry: 30\nid: e1\ndata:\n\n')
        end()
      }),
      (request, response) => {
        if (request.headers['last-event-id'] !== 'e1') return void response.writeHead(405).end()
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`id: e2\ndata: {"jsonrpc":"2.0","id":${id},"result":{"content":"resumed"}}\n\n`)
      },
    )
    expect(await mcp({ callMs: 3_000 }).call(at(server), 'x', {})).toMatchObject({ content: [{ text: 'resumed' }] })
  })

  it('cancelling a resumed stream closes it and does not resume it again', async () => {
    let closed = 0
    const server = await scripted(
      forCalls(({ raw, end }) => (raw('retry: 20\nid: e1\ndata:\n\n'), end())),
      (request, response) => {
        if (request.headers['last-event-id'] === undefined) return void response.writeHead(405).end()
        response.on('close', () => (closed += 1))
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('id: e2\ndata:\n\n')
      },
    )
    const controller = new AbortController()
    const resumptions = (): number => server.gets.filter(({ headers }) => headers['last-event-id'] !== undefined).length
    const call = codeOf(mcp({ callMs: 5_000 }).call(at(server), 'x', {}, { signal: controller.signal }))
    while (resumptions() === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    controller.abort()
    expect((await call)[0]).toBe('tools/cancelled')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(closed).toBe(1)
    expect(resumptions()).toBe(1)
  })

  it('a standing stream that keeps ending is not asked for without end', async () => {
    const server = await scripted(
      () => false,
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end('retry: 5\n\n')
      },
    )
    const room = mcp()
    await room.list(at(server))
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(server.gets.length).toBeLessThanOrEqual(4)
    expect(await room.call(at(server), 'x', {})).toMatchObject({ isError: false })
  })

  it('a page instead of a standing stream is no failure', async () => {
    const server = await scripted(
      () => false,
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Landing page</p>'),
    )
    const room = mcp()
    await room.list(at(server))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(server.gets).toHaveLength(1)
    expect(await room.call(at(server), 'x', {})).toMatchObject({ isError: false })
  })
})

describe('handshake', () => {
  it.each<[string, (exchange: Exchange) => void, string]>([
    [
      'answers an error',
      ({ raw, message, end }) => (
        raw(`data: {"jsonrpc":"2.0","id":${message.id},"error":{"code":-32603,"message":"<b>no</b>"}}\n\n`),
        end()
      ),
      'space/protocol',
    ],
    [
      'speaks another version',
      ({ result, end }) => (
        result({ protocolVersion: '2031-01-01', capabilities: {}, serverInfo: { name: 's', version: '1' } }),
        end()
      ),
      'space/protocol',
    ],
    ['never answers', () => undefined, 'space/timeout'],
    ['moves with a 302', ({ response }) => response.writeHead(302, { location: '/other' }).end(), 'space/protocol'],
  ])('%s', async (_, answer, code) => {
    const server = await scripted((exchange) => {
      if (exchange.message.method !== 'initialize') return false
      answer(exchange)
      return true
    })
    const [actual, ms] = await codeOf(mcp({ connectMs: 500 }).list(at(server)))
    expect(actual).toBe(code)
    expect(ms).toBeLessThan(1_200)
    expect(server.methods).toEqual(['initialize'])
  })

  it('a server that never takes `initialized` times out as well', async () => {
    const server = await scripted(({ message }) => message.method === 'notifications/initialized')
    const [code, ms] = await codeOf(mcp({ connectMs: 500 }).list(at(server)))
    expect(code).toBe('space/timeout')
    expect(ms).toBeLessThan(1_200)
  })

  it('a 307 within the origin is followed', async () => {
    const server = await scripted(({ request, response }) => {
      if (request.url !== '/mcp') return false
      response.writeHead(307, { location: '/mcp/' }).end()
      return true
    })
    expect((await mcp().list(at(server))).tools).toHaveLength(1)
  })

  it.each([400, 404, 405])('%i asks for the SSE transport; when that fails too, there is no MCP', async (status) => {
    const server = await scripted(({ response }) => {
      response.writeHead(status).end()
      return true
    })
    const endpoint = { ...at(server), sseUrl: server.url.replace('/mcp', '/sse') }
    const error: unknown = await mcp()
      .list(endpoint)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'space/no-mcp', details: { status } })
    expect(((error as Error).cause as AggregateError).errors).toHaveLength(2)
    expect(server.gets).toHaveLength(1)
  })

  it.each([401, 403, 500, 503])('%i does not', async (status) => {
    const server = await scripted(({ response }) => {
      response.writeHead(status).end()
      return true
    })
    await codeOf(mcp().list({ ...at(server), sseUrl: server.url.replace('/mcp', '/sse') }))
    expect(server.gets).toHaveLength(0)
  })
})

describe('lists', () => {
  it.each<[string, unknown]>([
    ['tools null', { tools: null }],
    ['no tools', {}],
    ['tools that are a text', { tools: 'x' }],
  ])('%s: the list failed', async (_, value) => {
    const server = await scripted(forLists(({ result, end }) => (result(value), end())))
    expect((await codeOf(mcp().list(at(server))))[0]).toBe('space/protocol')
  })

  it('pages without end stop at the limit', async () => {
    let page = 0
    const server = await scripted(
      forLists(({ result, end }) => {
        page += 1
        result({ tools: [{ name: `t${page}`, inputSchema: {} }], nextCursor: `c${page}` })
        end()
      }),
    )
    expect((await mcp({ pages: 5 }).list(at(server))).tools).toHaveLength(5)
  })

  it('a slow page and a slow whole are time-outs of the Space', async () => {
    const slowly = forLists(({ result, end }) =>
      setTimeout(() => (result({ tools: [], nextCursor: String(Math.random()) }), end()), 120),
    )
    const server = await scripted(slowly)
    expect((await codeOf(mcp({ pageMs: 50 }).list(at(server))))[0]).toBe('space/timeout')
    expect((await codeOf(mcp({ listMs: 100, connectMs: 200 }).list(at(server))))[0]).toBe('space/timeout')
  })

  it('one bad tool of each kind costs only itself', async () => {
    const bad = [
      { name: 'a' },
      { name: 'b', inputSchema: null },
      { name: '', inputSchema: {} },
      'x',
      { name: 'c', inputSchema: { type: 'array' } },
    ]
    const server = await scripted(forLists(({ result, end }) => (result({ tools: [...bad, ...oneTool.tools] }), end())))
    const { tools } = await mcp().list(at(server))
    expect(tools.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'usable',
    ])
  })
})

describe('answers of a call that are errors', () => {
  it('a JSON-RPC error of the server is an answer of the tool', async () => {
    const server = await scripted(
      forCalls(
        ({ raw, message, end }) => (
          raw(`data: {"jsonrpc":"2.0","id":${message.id},"error":{"code":-32602,"message":"Unknown tool: x"}}\n\n`),
          end()
        ),
      ),
    )
    expect(await mcp().call(at(server), 'x', {})).toEqual({
      content: [{ type: 'text', text: 'Unknown tool: x' }],
      isError: true,
    })
  })
})

describe('a session that the server has forgotten', () => {
  /** Gives each handshake a new session and knows only the latest; `offered` are the tools of the second one. */
  async function forgetful(
    status: number,
    offered: unknown = oneTool,
  ): Promise<{ server: Scripted; calls: () => number; forget: () => void }> {
    let session = 0
    let known = 0
    let calls = 0
    const server = await scripted(({ message, request, response, result, end }) => {
      if (message.method === 'initialize') {
        known = ++session
        response.setHeader('mcp-session-id', String(session))
        return false
      }
      if (request.headers['mcp-session-id'] !== String(known)) {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}')
        return true
      }
      if (message.method === 'tools/call') calls += 1
      if (message.method === 'tools/list' && session > 1) {
        result(offered)
        end()
        return true
      }
      return false
    })
    return { server, calls: () => calls, forget: () => (known = -1) }
  }

  it.each([404, 400])('%i: connects and lists anew, then calls once', async (status) => {
    const { server, calls, forget } = await forgetful(status)
    const room = mcp()
    await room.list(at(server))
    forget()
    expect(await room.call(at(server), 'x', {})).toMatchObject({ isError: false })
    expect(calls()).toBe(1)
    expect(server.methods.filter((method) => method === 'initialize')).toHaveLength(2)
    expect(server.methods.slice(-2)).toEqual(['tools/list', 'tools/call'])
  })

  it('does not call a tool that is not offered any more', async () => {
    const { server, calls, forget } = await forgetful(404, { tools: [{ name: 'other', inputSchema: {} }] })
    const room = mcp()
    await room.list(at(server))
    forget()
    expect((await codeOf(room.call(at(server), 'x', {})))[0]).toBe('tools/no-longer-offered')
    expect(calls()).toBe(0)
  })

  it('lists on a new session', async () => {
    const { server, forget } = await forgetful(404)
    const room = mcp()
    await room.list(at(server))
    forget()
    expect((await room.list(at(server))).tools).toHaveLength(1)
  })
})
