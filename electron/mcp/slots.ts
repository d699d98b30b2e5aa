/** At most `max` holders at a time; the others wait in the order in which they came. */
export interface Slots {
  /** @throws the signal's reason when it aborts while waiting. */
  acquire(signal: AbortSignal): Promise<() => void>
}

export function createSlots(max: number): Slots {
  let held = 0
  const waiting: (() => void)[] = []

  const release = (): void => {
    held -= 1
    waiting.shift()?.()
  }
  const take = (): (() => void) => {
    held += 1
    let done = false
    return () => {
      if (done) return
      done = true
      release()
    }
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted()
      if (held < max && waiting.length === 0) return take()
      return new Promise((resolve, reject) => {
        const proceed = (): void => {
          signal.removeEventListener('abort', leave)
          resolve(take())
        }
        const leave = (): void => {
          waiting.splice(waiting.indexOf(proceed), 1)
          reject(signal.reason as Error)
        }
        waiting.push(proceed)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}
