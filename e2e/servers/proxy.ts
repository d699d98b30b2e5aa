import { request as httpRequest } from 'node:http'

import { listenOnLoopback, logged, sendJson, sendText, type LoggedRequest } from './http.ts'

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface StandInProxy {
  /** Origin; what the Hub tells as `host`. */
  readonly url: string
  /** Heads of the requests; bodies are passed on unread. */
  readonly requests: LoggedRequest[]
  close(): Promise<void>
}

/**
 * Gives any MCP server the address of a Space: `/gradio_api/mcp/` goes to `target` with method, headers, session and
 * streaming bodies untouched, and `/config` says that MCP is on.
 */
export async function startProxy(
  target: string,
  options: { id?: string; title?: string; port?: number } = {},
): Promise<StandInProxy> {
  const requests: LoggedRequest[] = []
  const server = await listenOnLoopback((request, response) => {
    requests.push(logged(request, ''))
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    if (path === '/gradio_api/mcp/') return pass(target, request, response)
    request.resume()
    if (path !== '/config') return sendText(response, 404, 'Not Found')
    sendJson(response, 200, {
      version: '6.25.0',
      api_prefix: '/gradio_api',
      mcp_server: true,
      space_id: options.id ?? null,
      title: options.title ?? 'Proxied server',
      protocol: 'sse_v3',
    })
  }, options.port)
  return { url: server.url, requests, close: () => server.close() }
}

function pass(target: string, request: IncomingMessage, response: ServerResponse): void {
  const upstream = httpRequest(
    target,
    { method: request.method, headers: { ...request.headers, host: new URL(target).host } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      response.flushHeaders()
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    },
  )
  upstream.on('error', (error) => {
    if (response.headersSent) response.destroy()
    else sendText(response, 502, error.message)
  })
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)
}
