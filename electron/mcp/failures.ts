import { CompanionError } from '../contract/index.ts'

import { HttpFailure, NotStarted, ProgramEnded, RpcFailure, StreamLimit } from './wire-failures.ts'

import type { Details, ErrorCode } from '../contract/index.ts'
import type { DropReason } from './wire-failures.ts'

/** Where in a client's life something failed. */
export type McpStep = 'connect' | 'list' | 'call'

/**
 * Turns what the SDK, the guard or `fetch` threw into a code that a person can act on. Decided by status, content type
 * and type of error only, never by the text of a page.
 *
 * @param key the Space's slug or the server's name, `{{slug}}` in the texts
 */
export function toCompanionError(error: unknown, step: McpStep, key: string): CompanionError {
  if (error instanceof CompanionError) return error
  const make = (code: ErrorCode, details: Details = {}): CompanionError =>
    new CompanionError(code, { slug: key, step, ...details }, { cause: error })

  if (error instanceof HttpFailure) return make(...codeOfStatus(error))
  if (error instanceof NotStarted) return make('server/not-started', { command: error.command, reason: error.reason })
  if (error instanceof ProgramEnded) {
    return make('server/exited', { name: key, exitCode: error.exitCode, reason: error.lastWords })
  }
  if (error instanceof StreamLimit) return make(...codeOfDrop(error.why))
  if (error instanceof RpcFailure) {
    return error.why === null
      ? make('space/protocol', { reason: `JSON-RPC error ${error.code}` })
      : make(...codeOfDrop(error.why))
  }
  if (error instanceof TypeError || isSystemError(error)) return make('space/unreachable', { reason: causeCode(error) })
  return make('space/protocol', { reason: protocolReason(error) })
}

function codeOfStatus({ status, contentType, retryAfter }: HttpFailure): [ErrorCode, Details] {
  if (status >= 300 && status < 400) return ['space/protocol', { reason: `redirect ${status}`, status }]
  if (status < 400)
    return ['space/not-running', { status, stage: contentType === '' ? 'no answer' : contentType.slice(0, 80) }]
  switch (status) {
    case 401:
    case 403:
      return ['space/unauthorized', { status }]
    case 404:
    case 405:
    case 410:
      return ['space/no-mcp', { status }]
    case 408:
    case 504:
      return ['space/not-running', { status, stage: `HTTP ${status}` }]
    case 413:
      return ['space/too-large', { status }]
    case 429:
      return ['space/rate-limited', { status, seconds: retryAfter ?? 60 }]
    case 500:
      return ['space/crashed', { status }]
    case 502:
    case 503:
      return ['space/not-running', { status, stage: `HTTP ${status}` }]
    default:
      return [status > 500 ? 'space/crashed' : 'space/protocol', { status, reason: `HTTP ${status}` }]
  }
}

function codeOfDrop(why: DropReason): [ErrorCode, Details] {
  if (why === 'too large') return ['space/too-large', { why }]
  if (why === 'malformed') return ['space/protocol', { reason: 'malformed answer' }]
  return ['space/dropped', { why }]
}

/**
 * Whether the request certainly never reached the server, so that repeating it cannot run a tool twice: the name did not
 * resolve or nobody listened.
 */
export function neverSent(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(causeCode(error))
}

/** The operating system's word (`ECONNREFUSED`, `CERT_HAS_EXPIRED` …) from the chain of causes; `unknown` without one. */
export function causeCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth++) {
    const code = (at as { code?: unknown }).code
    if (typeof code === 'string') return code
    const inner = (at as { errors?: unknown }).errors
    at = Array.isArray(inner) ? (inner as unknown[])[0] : (at as { cause?: unknown }).cause
  }
  return 'unknown'
}

const isSystemError = (error: unknown): boolean => error instanceof Error && causeCode(error) !== 'unknown'

/** The only text taken from an error: the version in the SDK's own sentence about an unsupported protocol revision. */
function protocolReason(error: unknown): string {
  const version =
    error instanceof Error ? /protocol version is not supported: ([\w.-]{1,32})$/.exec(error.message)?.[1] : undefined
  return version === undefined ? 'unexpected answer' : `protocol version ${version}`
}
