/** The time a command had after its signal is over. */
export class TooLate extends Error {
  override readonly name = 'TooLate'
}

/**
 * Waits for `work`; after `signal` was aborted at most as long as `limit` says then, ms. What is late goes on by itself.
 * @throws {TooLate}, and what `work` throws.
 */
export async function untilDeadline<T>(work: Promise<T>, signal: AbortSignal, limit: () => number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let begin = (): void => undefined
  const late = new Promise<never>((_resolve, reject) => {
    begin = () => {
      timer = setTimeout(() => reject(new TooLate()), limit())
    }
  })
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin)
  try {
    return await Promise.race([work, late])
  } finally {
    signal.removeEventListener('abort', begin)
    clearTimeout(timer)
  }
}
