export interface Deadline {
  readonly signal: AbortSignal
  timedOut(): boolean
  /** Starts the time anew. */
  extend(): void
  clear(): void
}

/** A signal that aborts after `ms` or with any of `outer`. */
export function deadline(ms: number, ...outer: (AbortSignal | undefined)[]): Deadline {
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
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: (() => void) | undefined
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, left])
  } finally {
    if (leave !== undefined) signal.removeEventListener('abort', leave)
  }
}
