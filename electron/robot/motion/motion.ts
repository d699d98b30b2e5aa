import type { CompanionError, RobotActivity } from '../../contract/index.ts'
import type { Frame } from '../kinematics/frame.ts'
import type { Motion, MotionEnd } from '../types.ts'
import type { Plan } from './plans.ts'
import type { Segment } from './segments.ts'

export interface MotionRequest {
  readonly activity: RobotActivity['kind']
  readonly name?: string
  /** Seconds of the move itself, where there is one. */
  readonly duration?: number
  readonly plan: Plan
  /** Torque goes off when it is done, and need not come on for it. */
  readonly endsLimp?: boolean
  /** A person holds the robot: torque is off while it runs, its plan only says how long. Torque coming on ends it. */
  readonly limp?: boolean
  /** Told after every period where the robot is; `at` in ms. The frame is another one at the next call. */
  readonly observe?: (frame: Frame, at: number) => void
}

/** A motion on its way through the queue. One settles exactly once. */
export interface QueuedMotion {
  readonly request: MotionRequest
  readonly handle: Motion
  readonly state: 'waiting' | 'running' | 'over'
  /** Seconds on the move's own time axis; 0 before it, its duration after it. */
  readonly moveTime: number
  begin(present: () => Frame): void
  /**
   * Writes the posture `dt` seconds on into `out`; false when the plan has ended. The end of every segment is given out
   * exactly once, whatever the period, so that goals arrive where they should.
   */
  advance(dt: number, out: Frame): boolean
  noteClamped(): void
  finish(ended: MotionEnd['ended']): void
  fail(error: CompanionError): void
}

interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: CompanionError): void
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: CompanionError) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

export function createQueuedMotion(request: MotionRequest, onStop: (motion: QueuedMotion) => void): QueuedMotion {
  const started = deferred<void>()
  const ended = deferred<MotionEnd>()
  // A caller may look at one of the two only; what it did not look at must not count as unhandled.
  started.promise.catch(() => undefined)
  ended.promise.catch(() => undefined)

  let state: QueuedMotion['state'] = 'waiting'
  let segments: Generator<Segment, void, void> | null = null
  let segment: Segment | null = null
  let elapsed = 0
  let total = 0
  let moveTime = 0
  let clamped = false

  const nextSegment = (): void => {
    const next = segments?.next()
    segment = next === undefined || next.done === true ? null : next.value
  }

  const motion: QueuedMotion = {
    request,
    handle: { started: started.promise, ended: ended.promise, stop: () => onStop(motion) },
    get state() {
      return state
    },
    get moveTime() {
      return moveTime
    },
    begin(present) {
      state = 'running'
      segments = request.plan(present)
      started.resolve()
    },
    advance(dt, out) {
      total += dt
      elapsed += dt
      if (segment === null) {
        nextSegment()
        if (segment === null) return false
      }
      const current: Segment = segment
      const t = Math.min(elapsed, current.duration)
      current.sample(t, out)
      if (current.moveTime !== undefined) moveTime = current.moveTime(t)
      if (elapsed >= current.duration) {
        elapsed -= current.duration
        segment = null
      }
      return true
    },
    noteClamped() {
      clamped = true
    },
    finish(outcome) {
      if (state === 'over') return
      state = 'over'
      segments?.return()
      ended.resolve({ ended: outcome, clamped, duration: Math.round(total * 1000) / 1000 })
      // After the end, so that whoever looks at both sees first that it never began, and who looks at this alone goes on.
      started.resolve()
    },
    fail(error) {
      if (state === 'over') return
      state = 'over'
      segments?.return()
      started.reject(error)
      ended.reject(error)
    },
  }
  return motion
}
