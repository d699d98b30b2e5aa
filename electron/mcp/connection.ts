import { CompanionError } from '../contract/index.ts'

import { toCompanionError } from './failures.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { parseProgress } from './parse.ts'
import { createSdkClient } from './sdk.ts'
import { plainText } from './text.ts'
import { HttpFailure } from './wire-failures.ts'

import type { JsonObject, Log } from '../contract/index.ts'
import type { McpLimits } from './limits.ts'
import type { Programs } from './programs.ts'
import type { HttpWire, SdkClient, StdioWire } from './sdk.ts'
import type { McpEndpoint, McpListing, McpProgress, StdioEndpoint } from './types.ts'

export interface ConnectionDeps {
  readonly fetch: typeof globalThis.fetch
  /** Sent to servers as the client's version. */
  readonly version: string
  readonly log: Log
  readonly limits: McpLimits
  readonly programs: Programs
}

export interface RequestOptions {
  /** Its reason becomes the reason of `notifications/cancelled`. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: McpProgress) => void
}

/** One initialised client of one server. */
export interface Connection {
  readonly transport: McpListing['transport']
  readonly serverName: string
  readonly protocolVersion: string
  /** The server gave this client a session, so that a 404 or 400 means that the session is gone. */
  hasSession(): boolean
  isClosed(): boolean
  /** Sends one request and answers its `result` unread. Rejects with what the SDK, the guard or `fetch` threw. */
  request(method: 'tools/list' | 'tools/call', params: JsonObject, options: RequestOptions): Promise<JsonObject>
  close(): Promise<void>
}

/** Ending a session is a courtesy that must not delay closing. */
const END_SESSION_MS = 1_000

/**
 * Connects: to a program over its standard streams; to an address over streamable HTTP, else over the older SSE transport
 * when the first answers 400, 404 or 405 (which is how servers without it answer) and the endpoint names an SSE address.
 *
 * Only `initialize`, `notifications/initialized`, `tools/list`, `tools/call` and `notifications/cancelled` are ever sent:
 * an unknown method kills servers with Python `mcp` 1.9 for all their users
 * (https://github.com/modelcontextprotocol/python-sdk/issues/838).
 *
 * @throws CompanionError `space/*`, `server/*`; the reason of `signal` when that aborts.
 */
export async function openConnection(
  endpoint: McpEndpoint,
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<Connection> {
  const { key } = endpoint
  if (endpoint.stdio !== undefined) return openProgram(endpoint, deps, signal)
  const headers = (await endpoint.headers?.()) ?? {}
  const open = (transport: HttpWire['transport'], url: string): Promise<Connection> => {
    const fetch = createGuardedFetch({ fetch: deps.fetch, limits: deps.limits, transport })
    return openOne({ transport, url: new URL(url), fetch, headers }, key, deps, signal)
  }
  try {
    return await open('streamable-http', endpoint.url)
  } catch (first) {
    if (endpoint.sseUrl === undefined || !suggestsSse(first)) throw asFailure(first, key, signal)
    deps.log.debug('mcp: trying the SSE transport', { key, status: first.status })
    try {
      return await open('sse', endpoint.sseUrl)
    } catch (second) {
      const failure = asFailure(second, key, signal)
      if (!(failure instanceof CompanionError) || failure.code !== 'space/no-mcp') throw failure
      const details = { ...failure.details, status: first.status }
      throw new CompanionError(failure.code, details, { cause: new AggregateError([first, second]) })
    }
  }
}

async function openProgram(
  { key, stdio }: StdioEndpoint,
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<Connection> {
  const wire: StdioWire = {
    transport: 'stdio',
    stdio,
    lineBytes: deps.limits.responseBytes,
    onProgram: (program) => deps.programs.add(key, program),
  }
  try {
    return await openOne(wire, key, deps, signal)
  } catch (error) {
    throw asFailure(error, key, signal)
  }
}

const suggestsSse = (error: unknown): error is HttpFailure =>
  error instanceof HttpFailure && [400, 404, 405].includes(error.status)

const asFailure = (error: unknown, key: string, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : toCompanionError(error, 'connect', key)

async function openOne(
  wire: HttpWire | StdioWire,
  key: string,
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<Connection> {
  const { limits, log } = deps
  let open = false
  let closed = false
  const client = await createSdkClient({
    wire,
    version: deps.version,
    onError(error, lost) {
      log.debug('mcp: transport', { key, error: nameOf(error) })
      // The SSE transport opens a new stream by itself, on which the pending calls are never answered.
      if (lost && open && !closed) void close()
    },
    onClose() {
      closed = true
    },
  })
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    if (open) await endSession(client, key, log)
    await client.close()
  }

  await within(limits.connectMs, signal, client.connect(), () => void client.close()).catch((error: unknown) => {
    if (error !== TIMED_OUT) throw error
    throw new CompanionError('space/timeout', { slug: key, step: 'connect', seconds: limits.connectMs / 1000 })
  })
  open = true
  return {
    transport: wire.transport,
    serverName: plainText(client.serverName(), 200),
    protocolVersion: client.protocolVersion(),
    hasSession: () => client.hasSession(),
    isClosed: () => closed,
    request: (method, params, { signal: inner, onProgress }) =>
      client.request(method, params, {
        signal: inner,
        ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress(parseProgress(progress)) }),
      }),
    close,
  }
}

/** Never the message: it may hold the server's words. */
const nameOf = (error: unknown): string =>
  error instanceof HttpFailure ? error.message : error instanceof Error ? error.name : typeof error

async function endSession(client: SdkClient, key: string, log: Log): Promise<void> {
  try {
    await within(END_SESSION_MS, new AbortController().signal, client.endSession(), () => undefined)
  } catch (error) {
    log.debug('mcp: session not ended', { key, error: error === TIMED_OUT ? 'timeout' : nameOf(error) })
  }
}

const TIMED_OUT = Symbol('timed out')

/** Rejects with {@link TIMED_OUT} after `ms`, or with the signal's reason; `stop` is called in both cases. */
async function within<T>(ms: number, signal: AbortSignal, work: Promise<T>, stop: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(TIMED_OUT as unknown as Error), ms)
    leave = () => reject(signal.reason as Error)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, limit])
  } catch (error) {
    if (error === TIMED_OUT || signal.aborted) {
      // Nobody waits for it any more, and its rejection is the consequence of `stop`.
      work.catch(() => undefined)
      stop()
    }
    throw error
  } finally {
    clearTimeout(timer)
    if (leave !== undefined) signal.removeEventListener('abort', leave)
  }
}
