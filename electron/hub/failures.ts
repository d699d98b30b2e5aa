import { CompanionError } from '../contract/index.ts'

import { requestId, type Trace } from './hub-fetch.ts'
import { secondsToWait } from './rate-limit.ts'

/** What was asked for, as far as it decides what an answer means. */
export interface Asked {
  /** The Space, when one was asked for. */
  readonly slug?: string
  readonly withToken: boolean
  /** Name of the account, when known. */
  readonly account?: string
}

const TOKEN_TEXT = /invalid credentials/i
const DISABLED_TEXT = /^Access to this resource is disabled\.?$/i

/**
 * The meaning of a refused or unreadable answer. The Hub says "not found or private" with 401 to the anonymous and 404
 * to accounts, and tells them from a bad token by `X-Error-Code` (as `hf_raise_for_status` of huggingface_hub reads it).
 * Errors that have a code already pass through.
 */
export function hubFailure(error: unknown, trace: Trace | undefined, asked: Asked, now = Date.now()): CompanionError {
  if (error instanceof CompanionError) return error
  const cause = { cause: error }
  if (trace === undefined) return new CompanionError('hub/error', { status: 0, reason: 'internal' }, cause)
  const { status, errorCode } = trace
  if (status === 429) {
    return new CompanionError(
      'hub/rate-limited',
      { seconds: secondsToWait(trace.rateLimit, trace.retryAfter, now) },
      cause,
    )
  }
  const other = new CompanionError(
    'hub/error',
    { status, ...(status < 400 ? { reason: 'unreadable' } : {}), ...requestId(trace) },
    cause,
  )
  if (status < 400 || status >= 500) return other
  const rejected = status === 401 && asked.withToken && errorCode !== 'RepoNotFound'
  if (rejected || (status === 401 && TOKEN_TEXT.test(trace.errorMessage ?? ''))) {
    return new CompanionError('hub/token-rejected', {}, cause)
  }
  if (asked.slug === undefined) return other
  const space = { slug: asked.slug }
  if (DISABLED_TEXT.test(trace.errorMessage ?? '')) return new CompanionError('space/disabled', space, cause)
  if (errorCode === 'GatedRepo') return new CompanionError('space/gated', space, cause)
  if (status === 401 || status === 404 || errorCode === 'RepoNotFound') {
    return new CompanionError(
      'space/not-found',
      { ...space, ...(asked.account === undefined ? {} : { account: asked.account }) },
      cause,
    )
  }
  return other
}
