import { randomBytes } from 'node:crypto'

import { pause, plainHeaders, sendHtml, sendJson, sendText } from './http.ts'
import { isUnknown, KNOWN_VERSIONS, respond, schemaAnswer } from './space-rpc.ts'
import { olderThan, oldVersion, type State } from './space-state.ts'
import { isObject } from './space-tools.ts'

import type { JsonValue } from '../../electron/contract/index.ts'
import type { Channel, RpcMessage } from './space-wire.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

export const BODY_LIMIT = 4 * 1024 * 1024
const CRASHED = 'Task group is not initialized. Make sure to use run().'

/** Everything below `/gradio_api/mcp`. */
export async function mcp(
  state: State,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const { faults } = state
  const rest = url.pathname.slice('/gradio_api/mcp'.length)
  if (rest === '') {
    return void response
      .writeHead(307, { location: `${state.url}/gradio_api/mcp/${url.search}`, 'content-length': '0' })
      .end()
  }
  if (rest === '/schema') return sendJson(response, 200, schemaAnswer(state))
  if (rest === '/sse') return openSession(state, response)
  if (rest === '/messages/') return sessionMessage(state, url, request, response, body)
  const main = rest === '/' && !olderThan(faults, 5, 39)
  const http = rest === '/http/' && !olderThan(faults, 5, 32) && !(oldVersion(faults)?.[0] === 6)
  if (!main && !http) {
    if (olderThan(faults, 5, 39)) return sendText(response, 404, 'Not Found')
    return sendText(
      response,
      404,
      `Path ${url.pathname} not found. The MCP HTTP transport is available at /gradio_api/mcp.`,
    )
  }
  await streamable(state, request, response, body)
}

async function streamable(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const { faults } = state
  const accept = request.headers.accept ?? ''
  if (state.crashed || faults.on('crashed')) return sendText(response, 500, CRASHED)
  if (request.method === 'GET') {
    if (!accept.includes('text/event-stream')) return sendHtml(response, 200, 'MCP server')
    return void state.streams.open(response)
  }
  if (request.method === 'DELETE')
    return rpcRefusal(response, 405, -32_600, 'Method Not Allowed: Session termination not supported')
  if (request.method !== 'POST') return sendText(response, 405, 'Method Not Allowed', { allow: 'GET, POST, DELETE' })
  if (faults.on('redirectHttp'))
    return redirect(response, `http://localhost:${new URL(state.url).port}/gradio_api/mcp/`)
  if (faults.on('redirectOtherHost')) {
    return redirect(response, faults.text('redirectOtherHost', 'https://elsewhere.invalid/gradio_api/mcp/'))
  }
  if (faults.on('413') || body.length > BODY_LIMIT) return sendText(response, 413, 'Request body too large')
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    return rpcRefusal(
      response,
      406,
      -32_600,
      'Not Acceptable: Client must accept both application/json and text/event-stream',
    )
  }
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    return sendText(response, 400, 'Invalid Content-Type header')
  }
  const message = parse(body)
  if (message === 'bad-json') return rpcRefusal(response, 400, -32_700, 'Parse error: Invalid JSON')
  if (message === 'no-message') return rpcRefusal(response, 400, -32_602, 'Validation error: no JSON-RPC message')
  const version = request.headers['mcp-protocol-version']
  if (typeof version === 'string' && !KNOWN_VERSIONS.includes(version)) {
    const known = KNOWN_VERSIONS.join(', ')
    return rpcRefusal(
      response,
      400,
      -32_600,
      `Bad Request: Unsupported protocol version: ${version}. Supported versions: ${known}`,
    )
  }
  if (message.method !== undefined) state.methods.push(message.method)
  if (message.id === undefined || message.id === null || message.method === undefined) {
    return void response.writeHead(202, { 'content-type': 'application/json' }).end()
  }
  if (faults.hits('resetBeforeHeaders', message.method)) return void response.destroy()
  if (olderThan(faults, 5, 38) && isUnknown(message.method)) state.crashed = true
  const channel = state.streams.open(response, faults.hits('stallNoPing', message.method))
  if (state.crashed || faults.hits('dropAfterHeaders', message.method)) return channel.end()
  if (faults.hits('stallNoPing', message.method)) return void pause(600_000, channel.signal)
  await respond(state, message.id, message, channel, plainHeaders(request))
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(307, { location, 'content-length': '0' }).end()
}

function rpcRefusal(response: ServerResponse, status: number, code: number, message: string): void {
  const headers = status === 405 ? { allow: 'GET, POST, DELETE' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 'server-error', error: { code, message } }))
}

function parse(body: Buffer): RpcMessage | 'bad-json' | 'no-message' {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return 'bad-json'
    throw error
  }
  const message = value as JsonValue
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return 'no-message'
  const { id, method, params } = message
  return {
    ...(id === undefined ? {} : { id }),
    ...(typeof method === 'string' ? { method } : {}),
    params: isObject(params) ? params : {},
  }
}

function openSession(state: State, response: ServerResponse): void {
  const channel = state.streams.open(response)
  const session = randomBytes(16).toString('hex')
  state.sessions.set(session, channel)
  channel.signal.addEventListener('abort', () => state.sessions.delete(session))
  response.write(`event: endpoint\r\ndata: /gradio_api/mcp/messages/?session_id=${session}\r\n\r\n`)
}

function sessionMessage(
  state: State,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  const channel = state.sessions.get(url.searchParams.get('session_id') ?? '')
  if (channel === undefined) return sendText(response, 404, 'Could not find session')
  const message = parse(body)
  if (message === 'bad-json' || message === 'no-message') return sendText(response, 400, 'Could not parse message')
  sendText(response, 202, 'Accepted')
  if (message.method !== undefined) state.methods.push(message.method)
  if (message.id === undefined || message.id === null || message.method === undefined) return
  if (state.faults.hits('dropAfterHeaders', message.method)) return void channel.response.destroy()
  const shared: Channel = { ...channel, end: () => undefined }
  void respond(state, message.id, message, shared, plainHeaders(request))
}
