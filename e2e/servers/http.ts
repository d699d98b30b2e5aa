import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** One request as it arrived. */
export interface LoggedRequest {
  readonly method: string
  /** Path with query, as sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** `performance.now()` when the body was complete. */
  readonly at: number
}

export interface LoopbackServer {
  /** Origin without trailing slash. */
  readonly url: string
  readonly port: number
  /** TCP connections open now. */
  openSockets(): number
  /** For stand-ins that speak something else than HTTP on the same port. */
  onUpgrade(listener: (request: IncomingMessage, stream: Duplex, head: Buffer) => void): void
  /** Ends every connection, streams included. */
  close(): Promise<void>
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * A plain HTTP server on 127.0.0.1. `port` 0 (the default) takes a free one.
 * A handler that throws answers 500 with the message, so that a broken stand-in shows in the test that uses it.
 */
export async function listenOnLoopback(handler: Handler, port = 0): Promise<LoopbackServer> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    Promise.resolve()
      .then(() => handler(request, response))
      .catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else sendText(response, 500, `stand-in failed: ${error instanceof Error ? error.message : String(error)}`)
      })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    openSockets: () => sockets.size,
    onUpgrade: (listener) => {
      server.on('upgrade', listener)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The whole body; at most `limit` bytes are kept, the rest is read and dropped. */
export async function readBody(request: IncomingMessage, limit = 64 * 1024 * 1024): Promise<Buffer> {
  const chunks: Buffer[] = []
  let kept = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (kept + chunk.length > limit) continue
    kept += chunk.length
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Header values as single strings, names in lower case. */
export function plainHeaders(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  )
  return Object.fromEntries(entries)
}

export function logged(request: IncomingMessage, body: string): LoggedRequest {
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: plainHeaders(request),
    body,
    at: performance.now(),
  }
}

type Headers = Readonly<Record<string, string>>

export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

export function sendText(response: ServerResponse, status: number, text: string, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
  response.end(text)
}

export function sendHtml(response: ServerResponse, status: number, title: string, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
  response.end(`<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`)
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done)
  })
}
