import { CompanionError } from '../contract/index.ts'

import { messageIn, providerError } from './said.ts'
import { createStreamWatch } from './stream-watch.ts'

/** Bytes of an error answer that are read for the log. */
const MAX_ERROR_BODY = 16_384
/** Longest silence of a model's server, in milliseconds: a model on this computer may load for minutes. */
export const IDLE_LIMIT = 300_000

export interface FetchReport {
  /** What went wrong, in our words; set at most once. */
  failure?: CompanionError
}

/**
 * A `fetch` for one request to a model. Statuses, pages of HTML, refused connections and cut streams become
 * `provider/*` errors, kept in `report` because libraries wrap what a `fetch` throws. Redirects are not followed: the
 * key goes to the address that the person typed and nowhere else.
 */
export function providerFetch(
  fetch: typeof globalThis.fetch,
  report: FetchReport,
  idleLimit = IDLE_LIMIT,
): typeof globalThis.fetch {
  const fail = (error: CompanionError): CompanionError => {
    report.failure ??= error
    return error
  }
  return async (input, init) => {
    const idle = new AbortController()
    const signal = init?.signal ? AbortSignal.any([init.signal, idle.signal]) : idle.signal
    const timer = setTimeout(() => idle.abort(), idleLimit)
    let response: Response
    try {
      response = await fetch(input, { ...init, signal, redirect: 'manual' })
    } catch (cause) {
      if (init?.signal?.aborted) throw cause
      throw fail(new CompanionError('provider/unreachable', {}, { cause }))
    } finally {
      clearTimeout(timer)
    }
    const secret = sentKey(init)
    const problem = await problemOf(response, secret)
    if (problem) throw fail(problem)
    if (!response.body) throw fail(providerError(response.status))
    const aborted = (): boolean => init?.signal?.aborted ?? false
    const watch = createStreamWatch({ idleLimit, secret, onFailure: fail, aborted })
    return new Response(watch(response.body), {
      status: response.status,
      headers: { 'content-type': 'text/event-stream' },
    })
  }
}

/** The key of a request, so that no answer can repeat it on the screen. */
const sentKey = (init: RequestInit | undefined): string =>
  (new Headers(init?.headers).get('authorization') ?? '').replace(/^Bearer\s+/i, '')

async function problemOf(response: Response, secret: string): Promise<CompanionError | null> {
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.includes('text/event-stream')) return null
  // Some small servers stream without naming the type; a page or a document is named.
  if (response.ok && !/html|json|xml/i.test(type)) return null
  const body = await readSome(response)
  const said = /html|xml/i.test(type) ? undefined : messageIn(body)
  const cause = new Error(`HTTP ${response.status} ${type}: ${said ?? body.slice(0, 500)}`)
  const { status } = response
  if (response.ok) return providerError(type.includes('html') ? 'HTML' : 'no stream', { said, secret, cause })
  if (status === 401 || status === 403) return new CompanionError('provider/unauthorized', { status }, { cause })
  if (status === 429) return new CompanionError('provider/rate-limited', { ...retryAfter(response), status }, { cause })
  if (/tool|function/i.test(body) && /(not|n't|no) support|unsupported|does not allow/i.test(body)) {
    return new CompanionError('provider/no-tools', { status }, { cause })
  }
  return providerError(status, { said, secret, cause })
}

/** Seconds to wait, from `Retry-After` (RFC 9110 §10.2.3: seconds or a date). */
function retryAfter(response: Response): { seconds?: number } {
  const header = response.headers.get('retry-after')
  if (!header) return {}
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000)
  return Number.isFinite(seconds) ? { seconds: Math.max(1, seconds) } : {}
}

async function readSome(response: Response): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (text.length >= MAX_ERROR_BODY) break
    }
  } catch {
    // The status alone already says that the request failed; the rest of its body is only for the log.
    return text
  }
  return text.slice(0, MAX_ERROR_BODY)
}
