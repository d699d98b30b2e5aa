import { CompanionError } from '../contract/index.ts'

import { hubFailure } from './failures.ts'
import { hubFetch, type Content, type Limits } from './hub-fetch.ts'
import { createRateWindow, secondsOfCare } from './rate-limit.ts'
import { createSlots } from './slots.ts'

import type { Log } from '../contract/index.ts'
import type { Endpoint } from './endpoint.ts'

export interface SessionDeps {
  readonly endpoint: Endpoint
  readonly fetch: typeof globalThis.fetch
  readonly token: () => Promise<string | null>
  readonly version: string
  readonly log: Log
  readonly limits: Limits
}

/** What one operation works with. */
export interface Use {
  readonly base: string
  readonly fetch: typeof globalThis.fetch
  /** Absent on anonymous requests. */
  readonly accessToken?: string
}

export interface Ask {
  /** The Space that is asked for. */
  readonly slug?: string
  /** Most entries of a list. */
  readonly limit?: number
  readonly signal?: AbortSignal | undefined
  /** What is answered. Default JSON. */
  readonly content?: Content
  /** A refused token is tried without, because the answer may be public. */
  readonly publicToo?: boolean
}

export interface Session {
  run<T>(ask: Ask, operation: (use: Use) => Promise<T>): Promise<T>
  /** Remembered for messages about missing access. */
  knowAccount(name: string): void
  /** Little or nothing is left of what the Hub allows in its window. */
  isScarce(): boolean
  dispose(): void
}

/** The Hub is asked for at most this many things at once. */
const AT_ONCE = 4
/** A file may be larger than an answer, and its host slower, bytes and ms. */
const FILE_BYTES = 64 * 1024 * 1024
const FILE_PATIENCE = 6

/** Everything that all operations on the Hub share: the token, the closed window, the number of requests, the meaning of failures. */
export function createSession(deps: SessionDeps): Session {
  const rateWindow = createRateWindow()
  const slots = createSlots(AT_ONCE)
  const ended = new AbortController()
  let account: string | undefined

  async function once<T>(ask: Ask, accessToken: string | null, operation: (use: Use) => Promise<T>): Promise<T> {
    if (!deps.endpoint.ok) throw new CompanionError('hub/bad-endpoint', { text: deps.endpoint.text })
    const seconds = rateWindow.secondsLeft()
    if (seconds > 0) throw new CompanionError('hub/rate-limited', { seconds })
    const { base } = deps.endpoint
    const signal = ask.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, ask.signal])
    const release = await slots.take(signal)
    const limit = ask.limit === undefined ? {} : { limit: ask.limit }
    const guarded = hubFetch({
      base,
      fetch: deps.fetch,
      version: deps.version,
      limits:
        ask.content === 'file'
          ? { ...deps.limits, idleMs: deps.limits.idleMs * FILE_PATIENCE, maxBytes: FILE_BYTES }
          : deps.limits,
      log: deps.log,
      signal,
      content: ask.content ?? 'json',
      onAnswer: ({ rateLimit, rateLimitPolicy }) => rateWindow.spare(secondsOfCare(rateLimit, rateLimitPolicy)),
      ...limit,
    })
    try {
      return await operation({ base, fetch: guarded.fetch, ...(accessToken === null ? {} : { accessToken }) })
    } catch (error) {
      const failure = hubFailure(error, guarded.last(), {
        withToken: accessToken !== null,
        ...(ask.slug === undefined ? {} : { slug: ask.slug }),
        ...(account === undefined || accessToken === null ? {} : { account }),
      })
      if (failure.code === 'hub/rate-limited') rateWindow.close(Number(failure.details['seconds']))
      throw failure
    } finally {
      release()
    }
  }

  return {
    async run(ask, operation) {
      const token = usable(await deps.token())
      if (token === 'none') return once(ask, null, operation)
      try {
        if (token === 'malformed') throw new CompanionError('hub/token-rejected')
        return await once(ask, token.value, operation)
      } catch (error) {
        if (!isRejection(error) || ask.publicToo !== true) throw error
        deps.log.warn('the Hub refused the token, asking without it')
        return anonymously(ask, operation, error)
      }
    },
    knowAccount(name) {
      account = name
    },
    isScarce: () => rateWindow.isScarce(),
    dispose: () => ended.abort(),
  }

  /** What only an account may see is hidden from the anonymous: then the refused token is the reason to tell. */
  async function anonymously<T>(ask: Ask, operation: (use: Use) => Promise<T>, rejection: CompanionError): Promise<T> {
    try {
      return await once(ask, null, operation)
    } catch (error) {
      if (error instanceof CompanionError && ['space/not-found', 'space/gated'].includes(error.code)) throw rejection
      throw error
    }
  }
}

function isRejection(error: unknown): error is CompanionError {
  return error instanceof CompanionError && error.code === 'hub/token-rejected'
}

/** The library refuses tokens without the prefix before it asks anyone. */
function usable(token: string | null): 'none' | 'malformed' | { value: string } {
  const value = (token ?? '').trim()
  if (value === '') return 'none'
  return /^hf_[\x21-\x7e]+$/.test(value) ? { value } : 'malformed'
}
