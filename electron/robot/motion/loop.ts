import type { Clock } from '../clock.ts'

/** 50 Hz, the rate at which the motors are driven. */
export const PERIOD_MS = 20
/** While nothing moves: twice a second, to notice what others do to the robot. */
const IDLE_PERIOD_MS = 500

export type Pace = 'moving' | 'idle'

export interface ControlLoop {
  start(): void
  /** Runs the next tick at once instead of waiting out an idle period. */
  kick(): void
  /** Resolves when no tick is running any more. */
  stop(): Promise<void>
}

/**
 * Calls `tick` over and over, never twice at a time. While moving, the n-th call is due n periods after the first,
 * whatever the calls before took; a call that is late by more than a period lets the missed ones go.
 *
 * @param tick gets the time since the tick before by the schedule, ms, 0 at the first after idling
 */
export function createControlLoop(clock: Clock, tick: (elapsedMs: number) => Promise<Pace>): ControlLoop {
  let running: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let stopped = true
  let kicked = false
  let pace: Pace = 'idle'
  let due = 0

  const schedule = (): void => {
    if (stopped) return
    const now = clock.now()
    const waiting = pace === 'idle' && !kicked
    if (pace === 'idle') due = now + (waiting ? IDLE_PERIOD_MS : 0)
    else due = due + PERIOD_MS < now - PERIOD_MS ? now : due + PERIOD_MS
    cancel = clock.after(due - now, run)
  }

  const run = (): void => {
    cancel = null
    kicked = false
    const elapsed = pace === 'moving' ? due - last : 0
    last = due
    running = tick(elapsed).then((next) => {
      running = null
      pace = next
      schedule()
    })
  }
  let last = 0

  return {
    start() {
      if (!stopped) return
      stopped = false
      due = clock.now()
      cancel = clock.after(0, run)
    },
    kick() {
      kicked = true
      if (stopped || cancel === null || pace === 'moving') return
      cancel()
      due = clock.now()
      cancel = clock.after(0, run)
    },
    async stop() {
      stopped = true
      cancel?.()
      cancel = null
      await running
    },
  }
}
