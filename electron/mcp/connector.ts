import { CompanionError } from '../contract/index.ts'

import { openConnection } from './connection.ts'
import { neverSent, toCompanionError } from './failures.ts'
import { HttpFailure } from './http-failure.ts'
import { DEFAULT_LIMITS, nextBackoff } from './limits.ts'
import { parseResult, parseTools } from './parse.ts'
import { createSlots } from './slots.ts'

import type { JsonObject, Log } from '../contract/index.ts'
import type { Connection } from './connection.ts'
import type { McpLimits } from './limits.ts'
import type { Slots } from './slots.ts'
import type { ListedTool, Mcp, McpEndpoint, McpProgress, McpResult } from './types.ts'

export interface McpDeps {
  readonly fetch: typeof globalThis.fetch
  /** Of this app, told to servers at the handshake. */
  readonly version: string
  readonly log: Log
  /** For tests. */
  readonly limits?: Partial<McpLimits>
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number
  /** In [0, 1), for the jitter of the back-off; for tests. */
  readonly random?: () => number
}

interface Client {
  readonly url: string
  readonly slots: Slots
  connection: Promise<Connection> | null
  /** Aborts a connect that nobody waits for any more. */
  connecting: AbortController | null
  waiting: number
  inUse: number
  idleTimer: NodeJS.Timeout | undefined
  failures: number
  lastFailure: CompanionError | null
  /** Background use waits until then after failures. */
  retryAt: number
  /** The server said `Retry-After`: nobody asks before. */
  closedUntil: number
}

const RETRY_PAUSE_MS = 250

/**
 * Speaks MCP to tool servers: one lazy client a key, shared by all callers and closed after five idle minutes. Nothing is
 * contacted before the first `list` or `call`.
 *
 * Failures are {@link CompanionError}s with `details.slug` (the key). A request is repeated only when it was certainly not
 * executed: the connection was never made, or the server answered that it no longer knows the session.
 */
export function createMcp(deps: McpDeps): Mcp {
  const limits: McpLimits = { ...DEFAULT_LIMITS, ...deps.limits }
  const now = deps.now ?? Date.now
  const random = deps.random ?? Math.random
  const clients = new Map<string, Client>()
  const over = new AbortController()

  const clientOf = async (endpoint: McpEndpoint): Promise<Client> => {
    const known = clients.get(endpoint.key)
    if (known?.url === endpoint.url) return known
    if (known !== undefined) await drop(endpoint.key)
    const client: Client = {
      url: endpoint.url,
      slots: createSlots(limits.parallelCalls),
      connection: null,
      connecting: null,
      waiting: 0,
      inUse: 0,
      idleTimer: undefined,
      failures: 0,
      lastFailure: null,
      retryAt: 0,
      closedUntil: 0,
    }
    clients.set(endpoint.key, client)
    return client
  }

  /** Remembers a failed connect or a 429, for the waiting times. */
  const noteFailure = (client: Client, failure: CompanionError): void => {
    client.lastFailure = failure
    if (failure.code !== 'space/rate-limited') return
    client.closedUntil = now() + Number(failure.details.seconds ?? 60) * 1000
  }
  const refuseWhileClosed = (client: Client, background: boolean): void => {
    const left = client.closedUntil - now()
    if (left > 0 && client.lastFailure !== null) {
      const details = { ...client.lastFailure.details, seconds: Math.ceil(left / 1000) }
      throw new CompanionError('space/rate-limited', details, { cause: client.lastFailure })
    }
    if (background && client.lastFailure !== null && now() < client.retryAt) throw client.lastFailure
  }

  const startConnect = (client: Client, endpoint: McpEndpoint): Promise<Connection> => {
    const controller = new AbortController()
    client.connecting = controller
    const connection = openConnection(endpoint, { ...deps, limits }, AbortSignal.any([controller.signal, over.signal]))
    client.connection = connection
    connection.then(
      () => {
        client.failures = 0
        client.lastFailure = null
      },
      (error: unknown) => {
        if (client.connection === connection) client.connection = null
        if (!(error instanceof CompanionError) || controller.signal.aborted) return
        client.failures += 1
        client.retryAt = now() + nextBackoff(client.failures, limits, random())
        noteFailure(client, error)
      },
    )
    return connection
  }

  /** The open client, or a new one; callers share one connect, which ends when the last of them left. */
  const connect = async (client: Client, endpoint: McpEndpoint, signal: AbortSignal): Promise<Connection> => {
    signal.throwIfAborted()
    const before = client.connection
    const open = await before?.catch(() => null)
    if (open?.isClosed() === true && client.connection === before) client.connection = null
    const connection = client.connection ?? startConnect(client, endpoint)
    client.waiting += 1
    try {
      return await untilAborted(connection, signal)
    } finally {
      client.waiting -= 1
      if (signal.aborted && client.waiting === 0) client.connecting?.abort(signal.reason)
    }
  }

  const closeConnection = async (client: Client): Promise<void> => {
    clearTimeout(client.idleTimer)
    client.connecting?.abort(new CompanionError('app/cancelled'))
    const connection = client.connection
    client.connection = null
    const open = await connection?.catch(() => null)
    await open?.close()
  }

  const use = async <T>(
    endpoint: McpEndpoint,
    background: boolean,
    work: (client: Client) => Promise<T>,
  ): Promise<T> => {
    if (over.signal.aborted) throw new CompanionError('app/cancelled', { slug: endpoint.key })
    const client = await clientOf(endpoint)
    refuseWhileClosed(client, background)
    clearTimeout(client.idleTimer)
    client.inUse += 1
    try {
      return await work(client)
    } finally {
      client.inUse -= 1
      if (client.inUse === 0) {
        client.idleTimer = setTimeout(() => void closeConnection(client), limits.idleClientMs)
        client.idleTimer.unref()
      }
    }
  }

  /** Runs `work` on the open client; when the server has forgotten its session, once more on a new one. */
  const onSession = async <T>(
    client: Client,
    endpoint: McpEndpoint,
    signal: AbortSignal,
    work: (connection: Connection, renewed: boolean) => Promise<T>,
  ): Promise<T> => {
    const connection = await connect(client, endpoint, signal)
    try {
      return await work(connection, false)
    } catch (error) {
      if (signal.aborted) throw error
      if (sessionGone(error, connection)) {
        await closeConnection(client)
        return work(await connect(client, endpoint, signal), true)
      }
      if (neverSent(error)) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS))
        return work(await connect(client, endpoint, signal), false)
      }
      throw error
    }
  }

  const list: Mcp['list'] = async (endpoint, options = {}) => {
    const whole = deadline(limits.listMs + limits.connectMs, options.signal, over.signal)
    try {
      return await use(endpoint, options.background ?? false, (client) =>
        onSession(client, endpoint, whole.signal, async (connection) => {
          options.onConnected?.(connection.transport)
          const { raws, leftOut } = await readPages(connection, endpoint.key, limits, whole.signal)
          return {
            tools: parseTools(raws, { gradio: endpoint.gradio ?? false, toolBytes: limits.toolBytes }),
            ...(leftOut ? { leftOut } : {}),
            transport: connection.transport,
            serverName: connection.serverName,
            protocolVersion: connection.protocolVersion,
          }
        }),
      )
    } catch (error) {
      const client = clients.get(endpoint.key)
      if (client?.inUse === 0) await closeConnection(client)
      if (options.signal?.aborted === true || over.signal.aborted) {
        throw new CompanionError('app/cancelled', { slug: endpoint.key })
      }
      const cause = whole.timedOut() ? timeout(endpoint.key, 'list', limits.listMs) : error
      const failure = toCompanionError(cause, 'list', endpoint.key)
      if (client !== undefined) noteFailure(client, failure)
      throw failure
    } finally {
      whole.clear()
    }
  }

  const call: Mcp['call'] = async (endpoint, remoteName, args, options = {}) => {
    const whole = deadline(limits.callTotalMs, options.signal, over.signal)
    const fail = (error: unknown): CompanionError => {
      if (options.signal?.aborted === true || over.signal.aborted)
        return new CompanionError('tools/cancelled', { id: remoteName, slug: endpoint.key })
      if (!whole.timedOut()) return toCompanionError(error, 'call', endpoint.key)
      return new CompanionError('tools/timeout', {
        id: remoteName,
        slug: endpoint.key,
        seconds: limits.callTotalMs / 1000,
      })
    }
    try {
      return await use(endpoint, options.background ?? false, async (client) => {
        const release = await client.slots.acquire(whole.signal)
        try {
          return await onSession(client, endpoint, whole.signal, async (connection, renewed) => {
            if (renewed) await mustStillOffer(connection, endpoint, remoteName, limits, whole.signal)
            return callOnce(connection, endpoint.key, remoteName, args, limits, whole.signal, options.onProgress)
          })
        } catch (error) {
          if (error instanceof HttpFailure) noteFailure(client, toCompanionError(error, 'call', endpoint.key))
          throw error
        } finally {
          release()
        }
      })
    } catch (error) {
      throw fail(error)
    } finally {
      whole.clear()
    }
  }

  const drop = async (key: string): Promise<void> => {
    const client = clients.get(key)
    clients.delete(key)
    if (client !== undefined) await closeConnection(client)
  }
  const dropAll = async (): Promise<void> => {
    await Promise.all([...clients.keys()].map(drop))
  }

  return {
    list,
    call,
    drop,
    dropAll,
    async dispose() {
      over.abort(new CompanionError('app/cancelled'))
      await dropAll()
    },
  }
}

/** A 404 on a request that carried a session id, or the 400 with which TypeScript servers answer the same. */
const sessionGone = (error: unknown, connection: Connection): boolean =>
  error instanceof HttpFailure && (error.status === 404 || error.status === 400) && connection.hasSession()

const timeout = (slug: string, step: string, ms: number): CompanionError =>
  new CompanionError('space/timeout', { slug, step, seconds: ms / 1000 })

async function readPages(
  connection: Connection,
  key: string,
  limits: McpLimits,
  signal: AbortSignal,
): Promise<{ raws: unknown[]; leftOut: number }> {
  const raws: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < limits.pages; page++) {
    const one = deadline(limits.pageMs, signal)
    let result: JsonObject
    try {
      result = await connection.request('tools/list', cursor === undefined ? {} : { cursor }, { signal: one.signal })
    } catch (error) {
      throw one.timedOut() && !signal.aborted ? timeout(key, 'list', limits.pageMs) : error
    } finally {
      one.clear()
    }
    if (!Array.isArray(result.tools))
      throw new CompanionError('space/protocol', { slug: key, step: 'list', reason: 'no list of tools' })
    raws.push(...result.tools)
    const next = result.nextCursor
    if (typeof next !== 'string' || next === '' || seen.has(next)) break
    seen.add(next)
    cursor = next
  }
  return { raws: raws.slice(0, limits.tools), leftOut: Math.max(0, raws.length - limits.tools) }
}

/** After a restart the server may offer other tools: nothing is called that it no longer lists. */
async function mustStillOffer(
  connection: Connection,
  endpoint: McpEndpoint,
  remoteName: string,
  limits: McpLimits,
  signal: AbortSignal,
): Promise<void> {
  const { raws } = await readPages(connection, endpoint.key, limits, signal)
  const offered = parseTools(raws, { gradio: endpoint.gradio ?? false, toolBytes: limits.toolBytes })
  if (offered.some((tool: ListedTool) => tool.remoteName === remoteName)) return
  throw new CompanionError('tools/unavailable', {
    id: remoteName,
    slug: endpoint.key,
    reason: 'its Space no longer offers it',
  })
}

async function callOnce(
  connection: Connection,
  key: string,
  remoteName: string,
  args: JsonObject,
  limits: McpLimits,
  signal: AbortSignal,
  onProgress: ((progress: McpProgress) => void) | undefined,
): Promise<McpResult> {
  const quiet = deadline(limits.callMs, signal)
  try {
    const raw = await connection.request(
      'tools/call',
      { name: remoteName, arguments: args },
      {
        signal: quiet.signal,
        // Always given: without it no progress token is sent, and no progress would extend the limit.
        onProgress: (progress) => {
          quiet.extend()
          onProgress?.(progress)
        },
      },
    )
    return parseResult(raw)
  } catch (error) {
    if (quiet.timedOut() && !signal.aborted) {
      throw new CompanionError('tools/timeout', { id: remoteName, slug: key, seconds: limits.callMs / 1000 })
    }
    const answer = errorAnswer(error)
    if (answer !== null) return answer
    throw error
  } finally {
    quiet.clear()
  }
}

/**
 * A JSON-RPC error that the server itself answered to a call ("unknown tool" of older servers) is an answer: the tool
 * failed, the connection did not. −32000 stands for lost connections (guard and SDK alike).
 */
function errorAnswer(error: unknown): McpResult | null {
  if (!(error instanceof Error) || error.constructor.name !== 'McpError') return null
  const { code } = error as Error & { code?: unknown }
  if (code === -32000 || code === -32001) return null
  return parseResult({ content: error.message.replace(/^MCP error -?\d+: /, ''), isError: true })
}

interface Deadline {
  readonly signal: AbortSignal
  timedOut(): boolean
  /** Starts the time anew. */
  extend(): void
  clear(): void
}

/** A signal that aborts after `ms` or with any of `outer`. */
function deadline(ms: number, ...outer: (AbortSignal | undefined)[]): Deadline {
  const own = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const arm = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => own.abort(new Error('took too long')), ms)
  }
  arm()
  const signals = [own.signal, ...outer.filter((signal) => signal !== undefined)]
  return {
    signal: AbortSignal.any(signals),
    timedOut: () => own.signal.aborted,
    extend: arm,
    clear: () => clearTimeout(timer),
  }
}

/** Waits for shared work; leaving early does not stop it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: (() => void) | undefined
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, left])
  } finally {
    if (leave !== undefined) signal.removeEventListener('abort', leave)
  }
}
