import type { JsonObject, JsonValue } from '../../electron/contract/index.ts'
import type { ServerResponse } from 'node:http'

/** One server-sent event as the Python server writes it. */
export function sseMessage(json: string): string {
  return `event: message\r\ndata: ${json}\r\n\r\n`
}

export function resultJson(id: JsonValue, result: JsonValue): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

export function errorJson(id: JsonValue, code: number, message: string, data?: JsonValue): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
}

/** Python prints a whole float with `.0`; the count is one. */
export function progressJson(token: JsonValue, progress: number, message: string | undefined): string {
  const said = message === undefined ? '' : `,"message":${JSON.stringify(message)}`
  const count = Number.isInteger(progress) ? `${progress}.0` : String(progress)
  return `{"method":"notifications/progress","params":{"progressToken":${JSON.stringify(token)},"progress":${count}${said}},"jsonrpc":"2.0"}`
}

/** Where answers to one message go: a stream of its own, or the session's stream of the SSE transport. */
export interface Channel {
  send(json: string): void
  /** Ends a stream of its own; does nothing on a session's stream. */
  end(): void
  /** Aborted when the other side closed the stream. */
  readonly signal: AbortSignal
  /** The response under it, for faults on the level of bytes. */
  readonly response: ServerResponse
}

export interface Streams {
  /** `quiet`: no keep-alive comments. */
  open(response: ServerResponse, quiet?: boolean): Channel
  count(): number
  closeAll(): void
}

/** Server-sent-event streams with the headers and the keep-alive comments of sse-starlette (every 15 s unless told otherwise). */
export function createStreams(pingMs: number): Streams {
  const responses = new Set<ServerResponse>()
  return {
    open(response, quiet = false) {
      const gone = new AbortController()
      response.writeHead(200, {
        'cache-control': 'no-cache, no-transform',
        connection: 'keep-alive',
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
      })
      response.flushHeaders()
      responses.add(response)
      const ping = quiet
        ? undefined
        : setInterval(() => response.write(`: ping - ${new Date().toISOString()}\r\n\r\n`), pingMs)
      response.on('close', () => {
        clearInterval(ping)
        responses.delete(response)
        gone.abort()
      })
      return {
        send: (json) => void response.write(sseMessage(json)),
        end: () => void response.end(),
        signal: gone.signal,
        response,
      }
    },
    count: () => responses.size,
    closeAll() {
      for (const response of responses) response.destroy()
    },
  }
}

export interface RpcMessage {
  id?: JsonValue
  method?: string
  params: JsonObject
}
