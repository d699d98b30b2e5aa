import { CompanionError } from '../contract/index.ts'

import type { Log } from '../contract/index.ts'

/** What is remembered of one request. No header values but those listed, no query values. */
export interface Trace {
  readonly method: string
  /** Path and the names of the query's fields. */
  readonly path: string
  readonly status: number
  readonly finalUrl: string
  readonly contentType: string
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly requestId: string | null
  readonly rateLimit: string | null
  readonly rateLimitPolicy: string | null
  readonly retryAfter: string | null
  readonly durationMs: number
}

export interface Limits {
  /** Until the headers are there, ms. */
  readonly headersMs: number
  /** Without one byte of the body, ms. */
  readonly idleMs: number
  /** Of a JSON body. */
  readonly maxBytes: number
}

export const LIMITS: Limits = { headersMs: 10_000, idleMs: 10_000, maxBytes: 8 * 1024 * 1024 }

export type Content = 'json' | 'text' | 'file'

export interface HubFetchOptions {
  readonly base: string
  readonly fetch: typeof globalThis.fetch
  readonly version: string
  readonly limits: Limits
  readonly log: Log
  readonly signal: AbortSignal
  /** What a 2xx answer must be. Default JSON. `file`: anything but a page; it may lie on a content host. */
  readonly content?: Content
  /** Told of every answer. */
  readonly onAnswer?: (trace: Trace) => void
  /** Replaces the library's own `limit=500` of lists. */
  readonly limit?: number
}

export interface HubFetch {
  readonly fetch: typeof globalThis.fetch
  /** Of the last request that got an answer. */
  last(): Trace | undefined
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MOST_REDIRECTS = 5

/**
 * A `fetch` for one operation on the Hub. It never leaves the Hub's origin (pages of a list and redirects included, so
 * that a token cannot be led elsewhere), keeps time and size limits, and accepts 2xx answers only as what was asked for.
 * Files are the exception: the Hub sends whoever fetches one to a content host, which gets no token.
 * @throws CompanionError `hub/offline`, `hub/error`, `app/cancelled`; other statuses are returned as they are.
 */
export function hubFetch(options: HubFetchOptions): HubFetch {
  let last: Trace | undefined
  const { content = 'json' } = options

  async function send(url: URL, init: RequestInit, hops: number): Promise<Response> {
    const base = new URL(options.base)
    const away = url.origin !== base.origin
    if (away && !(content === 'file' && hops > 0 && isContentHost(url, base))) throw foreign(url)
    const started = performance.now()
    const watch = createWatch(options.signal, init.signal)
    let response: Response
    try {
      watch.expect(options.limits.headersMs, 'headers')
      response = await options.fetch(url, {
        ...(away ? withoutToken(init) : init),
        redirect: 'manual',
        signal: watch.signal,
      })
    } catch (error) {
      watch.done()
      throw watch.reason(error)
    }
    last = traceOf(url, init, response, performance.now() - started)
    options.onAnswer?.(last)
    options.log.debug('hub request', { ...last })
    const location = response.headers.get('location')
    if (REDIRECTS.has(response.status) && location !== null) {
      watch.done()
      await response.body?.cancel()
      if (hops >= MOST_REDIRECTS)
        throw new CompanionError('hub/error', { status: response.status, reason: 'redirects' })
      return send(new URL(location, url), init, hops + 1)
    }
    if (response.ok && !isContent(last.contentType, content)) {
      watch.done()
      await response.body?.cancel()
      throw new CompanionError('hub/error', { status: response.status, reason: `not-${content}`, ...requestId(last) })
    }
    return bounded(response, watch, options.limits)
  }

  return {
    last: () => last,
    fetch: async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const headers = new Headers(init.headers)
      headers.set('user-agent', `reachy-mini-companion/${options.version}`)
      if (url.searchParams.get('limit') === '500') {
        url.searchParams.set('limit', String(Math.min(Math.max(options.limit ?? 20, 1), 100)))
      }
      return send(url, { ...init, headers }, 0)
    },
  }
}

/** A page of HTML is text of another kind: what proxies and maintenance answer. */
function isContent(type: string, wanted: Content): boolean {
  if (wanted === 'file') return !/^text\/html\b/.test(type)
  return wanted === 'json' ? type.includes('json') : /^text\/(?!html)/.test(type)
}

/** Over https; plain http only while the Hub itself is one of a test on this computer. */
function isContentHost(url: URL, base: URL): boolean {
  const loopback = ({ protocol, hostname }: URL): boolean =>
    protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  return url.protocol === 'https:' || (loopback(url) && loopback(base))
}

function withoutToken(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers)
  headers.delete('authorization')
  return { ...init, headers }
}

function foreign(url: URL): CompanionError {
  return new CompanionError('hub/error', { status: 0, reason: 'foreign-origin', host: url.host.slice(0, 100) })
}

export function requestId(trace: Trace): { requestId?: string } {
  return trace.requestId === null ? {} : { requestId: trace.requestId.slice(0, 100) }
}

function traceOf(url: URL, init: RequestInit, response: Response, durationMs: number): Trace {
  const header = (name: string): string | null => response.headers.get(name)
  const fields = [...url.searchParams.keys()]
  return {
    method: init.method ?? 'GET',
    path: fields.length === 0 ? url.pathname : `${url.pathname}?${[...new Set(fields)].join('&')}`,
    status: response.status,
    finalUrl: `${url.origin}${url.pathname}`,
    contentType: header('content-type') ?? '',
    errorCode: header('x-error-code'),
    errorMessage: header('x-error-message'),
    requestId: header('x-request-id'),
    rateLimit: header('ratelimit'),
    rateLimitPolicy: header('ratelimit-policy'),
    retryAfter: header('retry-after'),
    durationMs: Math.round(durationMs),
  }
}

interface Watch {
  readonly signal: AbortSignal
  /** (Re)starts the time limit of a step. */
  expect(ms: number, step: 'headers' | 'body'): void
  abort(reason: CompanionError): void
  done(): void
  /** What to throw for a failure of `fetch` or of the body. */
  reason(error: unknown): CompanionError
}

function createWatch(operation: AbortSignal, request: AbortSignal | null | undefined): Watch {
  const own = new AbortController()
  const signal = AbortSignal.any([operation, own.signal, ...(request == null ? [] : [request])])
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    signal,
    expect(ms, step) {
      clearTimeout(timer)
      timer = setTimeout(() => own.abort(new CompanionError('hub/offline', { reason: 'timeout', step })), ms)
    },
    abort: (reason) => own.abort(reason),
    done: () => clearTimeout(timer),
    reason(error) {
      if (own.signal.reason instanceof CompanionError) return own.signal.reason
      if (signal.aborted) return new CompanionError('app/cancelled', {}, { cause: error })
      return new CompanionError('hub/offline', { reason: causeCode(error) }, { cause: error })
    },
  }
}

/** Node's word for a network failure (`ENOTFOUND`, `ECONNREFUSED`, …), which `fetch` hides in the cause. */
function causeCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : 'network'
}

function bounded(response: Response, watch: Watch, limits: Limits): Response {
  if (response.body === null) {
    watch.done()
    return response
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let bytes = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      watch.expect(limits.idleMs, 'body')
      try {
        const { done, value } = await reader.read()
        watch.done()
        if (done) return controller.close()
        bytes += value.byteLength
        if (bytes > limits.maxBytes) {
          watch.abort(new CompanionError('hub/error', { status: response.status, reason: 'too-large' }))
          throw new Error('too large')
        }
        controller.enqueue(value)
      } catch (error) {
        watch.done()
        controller.error(watch.reason(error))
      }
    },
    async cancel(reason) {
      watch.done()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
