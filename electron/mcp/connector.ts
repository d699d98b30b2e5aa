import { CompanionError } from '../contract/index.ts'

import { openConnection } from './connection.ts'
import { deadline, untilAborted } from './deadline.ts'
import { neverSent, toCompanionError } from './failures.ts'
import { DEFAULT_LIMITS, limitsOf, nextBackoff } from './limits.ts'
import { createPrograms } from './programs.ts'
import { callOnce, mustStillOffer, readListing, spaceTimeout } from './requests.ts'
import { createSlots } from './slots.ts'
import { createVerification, Refusal } from './verification.ts'
import { HttpFailure } from './wire-failures.ts'

import type { Log } from '../contract/index.ts'
import type { Connection } from './connection.ts'
import type { McpLimits } from './limits.ts'
import type { Slots } from './slots.ts'
import type { Mcp, McpEndpoint } from './types.ts'
import type { Verification } from './verification.ts'

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
  /** See {@link identityOf}. */
  readonly identity: string
  readonly slots: Slots
  connection: Promise<Connection> | null
  /** What `connection` became. */
  open: Connection | null
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
  const programs = createPrograms()
  const verifications = new WeakMap<Connection, Verification>()
  /** Servers that said when they may be asked again, by identity: a dropped client does not open them before. */
  const closed = new Map<string, { until: number; failure: CompanionError }>()
  const over = new AbortController()

  const clientOf = async (endpoint: McpEndpoint): Promise<Client> => {
    const identity = identityOf(endpoint)
    const known = clients.get(endpoint.key)
    if (known?.identity === identity) return known
    if (known !== undefined) await drop(endpoint.key)
    const shut = closed.get(identity)
    closed.delete(identity)
    const client: Client = {
      identity,
      slots: createSlots(limits.parallelCalls),
      connection: null,
      open: null,
      connecting: null,
      waiting: 0,
      inUse: 0,
      idleTimer: undefined,
      failures: 0,
      lastFailure: shut?.failure ?? null,
      retryAt: 0,
      closedUntil: shut?.until ?? 0,
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
    const own = limitsOf(endpoint, limits)
    const connection = openConnection(
      endpoint,
      { ...deps, limits: own, programs },
      AbortSignal.any([controller.signal, over.signal]),
    )
    client.connection = connection
    connection.then(
      (open) => {
        if (client.connection === connection) client.open = open
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
    if (client.open?.isClosed() === false) return client.open
    if (client.open !== null) client.connection = null
    client.open = null
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
    client.open = null
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
      if (signal.aborted || error instanceof Refusal) throw error
      if (sessionGone(error, connection)) {
        // Another caller may have found out first: what it opened since is not closed under it.
        if (client.open === connection) await closeConnection(client)
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
    const own = limitsOf(endpoint, limits)
    const whole = deadline(own.listMs + own.connectMs, options.signal, over.signal)
    try {
      return await use(endpoint, options.background ?? false, (client) =>
        onSession(client, endpoint, whole.signal, async (connection) => {
          options.onConnected?.(connection.transport)
          return readListing(connection, endpoint, own, whole.signal)
        }),
      )
    } catch (error) {
      const client = clients.get(endpoint.key)
      if (client?.inUse === 0) await closeConnection(client)
      if (options.signal?.aborted === true || over.signal.aborted) {
        throw new CompanionError('app/cancelled', { slug: endpoint.key })
      }
      const cause = whole.timedOut() ? spaceTimeout(endpoint.key, 'list', own.listMs) : error
      const failure = toCompanionError(cause, 'list', endpoint.key)
      if (client !== undefined) noteFailure(client, failure)
      throw failure
    } finally {
      whole.clear()
    }
  }

  const verificationOf = (connection: Connection, endpoint: McpEndpoint): Verification => {
    const known = verifications.get(connection)
    if (known !== undefined) return known
    const own = limitsOf(endpoint, limits)
    const made = createVerification((signal) => readListing(connection, endpoint, own, signal))
    verifications.set(connection, made)
    return made
  }

  const call: Mcp['call'] = async (endpoint, remoteName, args, options = {}) => {
    const own = limitsOf(endpoint, limits)
    const whole = deadline(own.callTotalMs, options.signal, over.signal)
    const { verify } = options
    const fail = (error: unknown): unknown => {
      if (options.signal?.aborted === true || over.signal.aborted)
        return new CompanionError('tools/cancelled', { id: remoteName, slug: endpoint.key })
      if (error instanceof Refusal) return error.cause
      if (!whole.timedOut()) return toCompanionError(error, 'call', endpoint.key)
      return new CompanionError('tools/timeout', {
        id: remoteName,
        slug: endpoint.key,
        seconds: own.callTotalMs / 1000,
      })
    }
    try {
      return await use(endpoint, options.background ?? false, async (client) => {
        const release = await client.slots.acquire(whole.signal)
        try {
          return await onSession(client, endpoint, whole.signal, async (connection, renewed) => {
            if (verify !== undefined) {
              await verificationOf(connection, endpoint).before(remoteName, verify, whole.signal)
            }
            if (renewed) {
              const listing = await verificationOf(connection, endpoint).listing(whole.signal)
              mustStillOffer(listing, endpoint.key, remoteName)
            }
            return callOnce(connection, endpoint.key, remoteName, args, own, whole, options.onProgress)
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
    for (const [identity, { until }] of closed) if (until <= now()) closed.delete(identity)
    if (client !== undefined && client.closedUntil > now() && client.lastFailure !== null) {
      closed.set(client.identity, { until: client.closedUntil, failure: client.lastFailure })
    }
    if (client !== undefined) await closeConnection(client)
    await programs.ended(key)
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
      await programs.ended()
    },
  }
}

/** A 404 on a request that carried a session id, or the 400 with which TypeScript servers answer the same. */
const sessionGone = (error: unknown, connection: Connection): boolean =>
  error instanceof HttpFailure && (error.status === 404 || error.status === 400) && connection.hasSession()

/** A client is made anew when its endpoint means another place. Never logged: it holds the environment of a program. */
const identityOf = (endpoint: McpEndpoint): string =>
  endpoint.stdio === undefined ? endpoint.url : JSON.stringify(endpoint.stdio)
