/** Time as this room sees it: monotonic milliseconds, and one kind of timer. Tests hand in one that they move themselves. */
export interface Clock {
  now(): number
  /** Runs once, not before `ms` have passed; the answer cancels it. */
  after(ms: number, run: () => void): () => void
}

/** The system's monotonic clock and timers; `now` replaces the clock alone. */
export function systemClock(now: () => number = () => performance.now()): Clock {
  return {
    now,
    after(ms, run) {
      const timer = setTimeout(run, Math.max(0, ms))
      return () => clearTimeout(timer)
    },
  }
}

/** Resolves after `ms`. */
export function delay(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve)
  })
}

/** Whether `work` settled well within `ms`: `done`, `failed`, or `late` (it may still be running). */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<'done' | 'failed' | 'late'> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve('late'))
    const settle = (outcome: 'done' | 'failed') => () => {
      cancel()
      resolve(outcome)
    }
    work.then(settle('done'), settle('failed'))
  })
}
