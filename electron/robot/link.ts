import { CompanionError } from '../contract/index.ts'

import { createEngine } from './motion/engine.ts'

import type { Log, RobotState } from '../contract/index.ts'
import type { Clock } from './clock.ts'
import type { BodyDriver } from './driver/types.ts'
import type { Ambient } from './motion/ambient.ts'
import type { Engine } from './motion/engine.ts'

/** Which robot is driven. */
export interface RobotRef {
  readonly id: string
  readonly kind: RobotState['kind']
  readonly name: string
}

export interface LinkDeps {
  readonly clock: Clock
  readonly log: Log
  /** Makes the driver of a robot; what cannot be opened shows when it is. */
  readonly driverFor: (ref: RobotRef) => BodyDriver
  /** Joints to show until the motors have been asked, radians. */
  readonly initial: () => ArrayLike<number>
  /** The same for whichever robot is driven. */
  readonly ambient: Ambient
  /** After every control period; `true`: something else than the joints changed. */
  readonly onTick: (changed: boolean) => void
}

/**
 * The one robot that this app drives: let go before another is taken, looked for when it is lost. A robot that came back
 * holds no torque and moves nothing before somebody asks.
 */
export interface Link {
  readonly ref: RobotRef
  readonly engine: Engine
  /** Why it is not connected. */
  readonly problem: CompanionError | null
  readonly reconnecting: boolean
  /** @throws the problem; it is tried again by itself where that may help. */
  connect(ref: RobotRef): Promise<void>
  /** Puts it to sleep, lets it go and looks for it no more. */
  disconnect(): Promise<void>
  /** Of the robot that is driven, or looked for, at this moment; as {@link Engine.emergencyStop}. */
  emergencyStop(): Promise<{ confirmed: boolean }>
  /** Something was plugged in: no reason to wait. */
  retryNow(): void
  /** Before the computer sleeps: the robot lies down and the port is closed. */
  suspend(): Promise<void>
  resume(): void
  /** @param options `leave`: a daemon goes on holding the robot as it is. */
  dispose(options?: { leave?: boolean }): Promise<void>
}

/** Pauses between attempts, ms; the last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 5_000]

/** Failures that a second attempt does not mend. */
const FINAL: ReadonlySet<string> = new Set(['robot/unknown-device', 'robot/old-daemon', 'app/cancelled'])

export function createLink(deps: LinkDeps, first: RobotRef): Link {
  const { clock, log } = deps
  let ref = first
  /** Asked for while the one before is still let go. */
  let next: RobotRef | null = null
  let problem: CompanionError | null = null
  let reconnecting = false
  /** It was connected since it was chosen. */
  let reached = false
  let cancelRetry: () => void = () => undefined
  let attempt = 0
  /** Grows with every wish of the person: what was begun for an older one ends without a word. */
  let turn = 0
  let letting: Promise<void> = Promise.resolve()
  let stopping: Promise<unknown> = Promise.resolve()
  let suspended = false
  let resumes = false
  let disposed = false

  const make = (stopped: boolean): Engine => {
    const made: Engine = createEngine({
      clock,
      log,
      driver: deps.driverFor(ref),
      initial: deps.initial(),
      ambient: deps.ambient,
      stopped,
      onTick(changed) {
        if (made === engine) deps.onTick(changed)
      },
      onLost(why) {
        if (made === engine && made !== leaving) lost(why)
      },
    })
    return made
  }
  let engine: Engine = make(false)
  /** The engine that is let go: what happens to its robot now concerns nobody. */
  let leaving: Engine | null = null

  const changed = (): void => deps.onTick(true)

  const back = (): void => {
    cancelRetry()
    reached = true
    attempt = 0
    problem = null
    reconnecting = false
    changed()
  }

  const open = async (mine: number, limp: boolean): Promise<void> => {
    try {
      await engine.start({ limp })
    } catch (error) {
      if (mine !== turn) throw new CompanionError('app/cancelled', {}, { cause: error })
      problem = error instanceof CompanionError ? error : new CompanionError('robot/disconnected', {}, { cause: error })
      // What never answered was not lost.
      if (!reached && problem.code === 'robot/disconnected') {
        problem = new CompanionError('robot/unreachable', problem.details, { cause: problem })
      }
      if (FINAL.has(problem.code)) reconnecting = false
      else retrySoon(mine)
      changed()
      throw problem
    }
    if (mine !== turn) throw new CompanionError('app/cancelled')
    back()
  }

  const retrySoon = (mine: number): void => {
    reconnecting = true
    const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0
    attempt += 1
    cancelRetry()
    cancelRetry = clock.after(pause, () => retry(mine))
  }

  const retry = (mine: number): void => {
    cancelRetry = () => undefined
    if (mine !== turn || disposed || suspended || engine.connection === 'ready') return
    const old = engine
    const again = async (): Promise<void> => {
      await letGo(false)
      if (mine !== turn) return
      engine = make(old.stopped)
      await open(mine, true)
    }
    again().catch((error: unknown) => log.debug('the robot is not back yet', { error: String(error) }))
  }

  const lost = (why: CompanionError): void => {
    problem = why
    log.warn('the robot is looked for', { id: ref.id })
    retrySoon(turn)
    changed()
  }

  /**
   * One after the other: a robot is let go before the next is taken, however fast the person presses, and an emergency
   * stop that still goes on has its port to itself.
   */
  const letGo = (sleep: boolean): Promise<void> => {
    const going = engine
    leaving = going
    cancelRetry()
    letting = letting.then(async () => {
      try {
        await going.dispose({ sleep })
        await stopping
      } catch (error) {
        log.error('the robot was not let go as it should be', { error: String(error) })
      }
    })
    return letting
  }

  return {
    get ref() {
      return ref
    },
    get engine() {
      return engine
    },
    get problem() {
      return problem
    },
    get reconnecting() {
      return reconnecting
    },

    async connect(wanted) {
      const mine = ++turn
      next = wanted
      suspended = false
      const stoppedBefore = engine.stopped
      // A simulated body needs no bed.
      await letGo(ref.kind !== 'simulator')
      if (mine !== turn || disposed) throw new CompanionError('app/cancelled')
      const stoppedMeanwhile = engine.stopped && !stoppedBefore
      ref = wanted
      next = null
      problem = null
      reconnecting = false
      reached = false
      attempt = 0
      engine = make(stoppedMeanwhile)
      changed()
      await open(mine, false)
    },

    async disconnect() {
      const mine = ++turn
      next = null
      reconnecting = false
      resumes = false
      await letGo(ref.kind !== 'simulator')
      if (mine !== turn) return
      problem = null
      changed()
    },

    emergencyStop() {
      const at = engine
      const answer = at.emergencyStop()
      stopping = answer.then(
        () => undefined,
        () => undefined,
      )
      return answer.then((told) => {
        // It may have found the robot that was looked for.
        if (at === engine && at !== leaving && at.connection === 'ready' && reconnecting) back()
        return told
      })
    },

    retryNow() {
      if (!reconnecting || engine.connection === 'connecting') return
      attempt = 0
      cancelRetry()
      retry(turn)
    },

    async suspend() {
      if (suspended || disposed) return
      suspended = true
      turn += 1
      resumes = next !== null || reconnecting || engine.connection !== 'absent'
      await letGo(true)
      changed()
    },
    resume() {
      if (!suspended) return
      suspended = false
      if (disposed || !resumes) return
      if (next !== null) ref = next
      next = null
      reconnecting = true
      attempt = 0
      cancelRetry = clock.after(0, () => retry(turn))
      changed()
    },

    async dispose({ leave = false } = {}) {
      if (disposed) return
      disposed = true
      turn += 1
      cancelRetry()
      leaving = engine
      const kept = leave && ref.kind === 'daemon'
      await letting
      await engine.dispose({ sleep: !kept, keepTorque: kept })
      await stopping
    },
  }
}
