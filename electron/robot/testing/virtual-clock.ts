import type { Clock } from '../clock.ts'

/** A clock that stands still until it is advanced; timers run in order, and promises settle between them. */
export interface VirtualClock extends Clock {
  /** Timers that have not run yet. */
  readonly pending: number
  advance(ms: number): Promise<void>
}

export function createVirtualClock(): VirtualClock {
  const timers = new Map<number, { at: number; run: () => void }>()
  let time = 0
  let serial = 0
  const settle = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve)
    })

  return {
    now: () => time,
    get pending() {
      return timers.size
    },
    after(ms, run) {
      const key = serial++
      timers.set(key, { at: time + Math.max(0, ms), run })
      return () => timers.delete(key)
    },
    async advance(ms) {
      const end = time + ms
      for (;;) {
        await settle()
        let next: [number, { at: number; run: () => void }] | null = null
        for (const entry of timers) if (entry[1].at <= end && (next === null || entry[1].at < next[1].at)) next = entry
        if (next === null) break
        timers.delete(next[0])
        time = Math.max(time, next[1].at)
        next[1].run()
      }
      time = end
      await settle()
    },
  }
}
