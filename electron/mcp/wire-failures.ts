/**
 * An answer that ends a request before any JSON-RPC was read: a status of 400 or more, or a body that is neither JSON nor
 * an event stream. The body is never read: error pages of proxies are remote text nobody asked for.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'

  constructor(
    readonly status: number,
    readonly contentType: string,
    /** From `Retry-After`, in seconds. */
    readonly retryAfter: number | null,
  ) {
    super(`HTTP ${status}`)
  }

  static of(response: Response): HttpFailure {
    return new HttpFailure(
      response.status,
      mediaType(response),
      parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    )
  }
}

/** Media type without parameters, lower case; empty when there is none. */
export function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/**
 * Seconds of a `Retry-After` header, which is a number or an HTTP date (RFC 9110 §10.2.3); at most an hour, so that a
 * server cannot lock itself out for good.
 *
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isFinite(seconds) ? Math.min(3600, Math.max(0, seconds)) : null
}

/**
 * A JSON-RPC error, from the server or put in place of a lost answer.
 * `why`: the answer was lost, see {@link DropReason}; `null`: the server said it.
 */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'

  constructor(
    readonly code: number,
    /** Remote text. */
    readonly text: string,
    readonly why: DropReason | null,
  ) {
    super(`JSON-RPC error ${code}`)
  }
}

/** The body of an answer that is not a stream was lost. */
export class StreamLimit extends Error {
  override readonly name = 'StreamLimit'

  constructor(
    readonly why: DropReason,
    cause?: unknown,
  ) {
    super(why, { cause })
  }
}

/** A program that could not be started. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted'

  constructor(
    readonly command: string,
    /** The system's word (`ENOENT`, `EACCES`), or what is wrong with the command. */
    readonly reason: string,
    cause?: unknown,
  ) {
    super(reason, { cause })
  }
}

/** A program that ended by itself, and with it what was asked of it. */
export class ProgramEnded extends Error {
  override readonly name = 'ProgramEnded'

  constructor(
    /** Exit code, or the name of the signal that ended it. */
    readonly exitCode: number | string,
    /** The end of what it wrote to its error stream; remote text, cleaned. */
    readonly lastWords: string,
  ) {
    super(`ended with ${exitCode}`)
  }
}

/** What ended an answer before it was whole; `closed`: we closed the connection under it. */
export type DropReason = 'eof' | 'reset' | 'idle' | 'too large' | 'malformed' | 'closed'

const DROP_REASONS: readonly DropReason[] = ['eof', 'reset', 'idle', 'too large', 'malformed', 'closed']

/** `data.why` of an error on the wire, if it is one of ours. */
export function dropReason(data: unknown): DropReason | null {
  const why = typeof data === 'object' && data !== null ? (data as { why?: unknown }).why : undefined
  return DROP_REASONS.find((reason) => reason === why) ?? null
}
