import { CompanionError } from '../../contract/index.ts'
import { within } from '../clock.ts'
import { newFrame } from '../kinematics/frame.ts'
import { sleepFrame } from '../kinematics/poses.ts'
import { MOTORS } from '../motors.ts'

import { createBody } from './body.ts'
import { createControlLoop, PERIOD_MS } from './loop.ts'
import { createQueuedMotion, deferred } from './motion.ts'
import { sleepPlan } from './plans.ts'
import { createPower } from './power.ts'
import { createMotionQueue } from './queue.ts'
import { headDistance } from './segments.ts'

import type { Log } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { BodyDriver, MotorHealth } from '../driver/types.ts'
import type { Motion } from '../types.ts'
import type { Ambient } from './ambient.ts'
import type { Body } from './body.ts'
import type { Pace } from './loop.ts'
import type { MotionRequest, QueuedMotion } from './motion.ts'

export interface EngineDeps {
  readonly clock: Clock
  readonly log: Log
  readonly driver: BodyDriver
  /** Joints to show until the motors have been asked, radians. */
  readonly initial: ArrayLike<number>
  /** An emergency stop is in force from the beginning: of a robot that was lost while it was. */
  readonly stopped?: boolean
  /** Small movements on top of a pose or a motion. */
  readonly ambient: Ambient
  /** The robot does not answer any more, `robot/disconnected`, or a part of it, `robot/missing-motors`. */
  onLost?(problem: CompanionError): void
  /** After every control period: `true` when something else than the joints changed. */
  onTick(changed: boolean): void
}

/** The one owner of the body: everything that moves the robot goes through here, and only one motion at a time. */
export interface Engine {
  readonly connection: 'connecting' | 'ready' | 'absent'
  readonly torque: boolean
  readonly stopped: boolean
  readonly owner: QueuedMotion | null
  /** The motion that begins with the next control period, when nobody has the body. */
  readonly next: QueuedMotion | null
  readonly body: Body
  readonly health: readonly (MotorHealth | null)[]
  /**
   * @param options `limp`: of a robot that was lost while it held torque; nobody watches over it any more, so torque goes
   * off, unless somebody else holds the robot.
   */
  start(options?: { limp?: boolean }): Promise<void>
  request(request: MotionRequest): Motion
  /** The small movements were switched: looks at them at once. */
  stir(): void
  stop(which: (request: MotionRequest) => boolean): void
  emergencyStop(): Promise<{ confirmed: boolean }>
  enable(): Promise<void>
  /** Clears what a motor latched; it is limp for a moment. @throws CompanionError `robot/unknown-device` where the driver cannot. */
  rebootMotor(id: number): Promise<void>
  /**
   * @param options `sleep: false` leaves out going to sleep; torque goes off all the same, unless `keepTorque` says that
   * somebody else holds the robot.
   */
  dispose(options?: { sleep?: boolean; keepTorque?: boolean }): Promise<void>
}

/** At the start a look is tried so often: later ones come by themselves. */
const FIRST_LOOKS = 5
/** Without an answer for this long the robot is gone. */
const LOST_MS = 1000
const HEALTH_MS = 1000
/** How long to look at 50 Hz after a motion, until the motors have arrived; and after torque went off, while the head sinks. */
const SETTLE_MS = 300
const SINK_MS = 1500
/** A pause of our own process that may have run the motors' watchdog (500 ms) down. */
const STALL_MS = 300
/** A tick never moves a motion on by more than this, or a stall would become a leap. */
const LONGEST_STEP_MS = 2 * PERIOD_MS
/** Of the 7 s that going to sleep at the end may take; the rest is for torque off and the port. */
const SLEEP_AT_END_MS = 6000
/** Between two dances the robot stands still for a moment, or it may rock itself over (pollen-robotics/reachy_mini#1284), ms. */
const DANCE_PAUSE_MS = 400
/** A head this near to its bed lies there: it does not breathe. Millimetres plus degrees. */
const LYING = 15

export function createEngine(deps: EngineDeps): Engine {
  const { clock, log, driver, ambient } = deps
  const body = createBody(deps.initial)
  const power = createPower(driver, body)
  const target = newFrame()
  /** Where the last motion left the body, without what is added to it. */
  const base = newFrame()
  const bed = sleepFrame()
  const queue = createMotionQueue((hadBody) => {
    if (hadBody) {
      ambient.hold()
      holdSoon()
    }
    changedNow()
  })
  let connection: Engine['connection'] = 'connecting'
  let open = false
  let disposed = false
  let stopped = deps.stopped ?? false
  let holdPending = false
  let enabling: ReturnType<typeof deferred<void>> | null = null
  let stopping: Promise<{ confirmed: boolean }> | null = null
  /** An emergency stop that the motors have not confirmed yet: torque goes off as soon as they can be reached. */
  let unconfirmed = false
  let health: readonly (MotorHealth | null)[] = MOTORS.map(() => null)
  let changed = false
  let fastUntil = 0
  let failingSince: number | null = null
  let healthAt = -Infinity
  /** When the motors were heard last in a control period. */
  let heardAt = 0
  let nextDanceAt = -Infinity

  const changedNow = (): void => {
    changed = false
    tell(true)
  }
  const stayFast = (ms: number): void => {
    fastUntil = Math.max(fastUntil, clock.now() + ms)
  }
  const holdSoon = (): void => {
    holdPending = true
    stayFast(SETTLE_MS)
    loop.kick()
  }

  const switchOn = async (): Promise<void> => {
    await power.switchOn()
    base.set(body.commanded)
    changed = true
  }

  /** Gives the body to the next motion, with torque on. */
  const beginNext = async (): Promise<void> => {
    const next = queue.peek()
    if (next === null || stopped) return
    if (next.request.activity === 'dance' && clock.now() < nextDanceAt) return
    if (next.request.limp === true) {
      if (power.on) await power.switchOff()
      healthAt = -Infinity
      if (queue.peek() !== next) return
    } else if (!power.on && next.request.endsLimp !== true) {
      try {
        await switchOn()
      } catch (error) {
        if (next.state === 'waiting' && queue.peek() === next) {
          queue.take()
          queue.release()
          next.fail(asRobotError(error))
        }
        throw error
      }
      if (queue.peek() !== next) return
    }
    queue.take()
    body.blend()
    ambient.release()
    next.begin(() => body.commanded.slice())
    changed = true
  }

  const endOwner = async (owner: QueuedMotion): Promise<void> => {
    if (queue.owner !== owner) return
    if (owner.request.endsLimp === true && holds()) {
      await power.switchOff()
      healthAt = -Infinity
      stayFast(SINK_MS)
      if (queue.owner !== owner) return
    }
    queue.release()
    if (owner.request.activity === 'dance') nextDanceAt = clock.now() + DANCE_PAUSE_MS
    stayFast(SETTLE_MS)
    owner.finish('done')
    changed = true
  }

  /** A plan that fails is a motion that failed, not a robot that does not answer. */
  const advance = (owner: QueuedMotion, dt: number): boolean => {
    try {
      return owner.advance(dt, target)
    } catch (error) {
      log.error('a motion could not go on', { name: owner.request.name ?? '', error: String(error) })
      queue.release()
      holdSoon()
      owner.fail(error instanceof CompanionError ? error : new CompanionError('app/internal', {}, { cause: error }))
      return false
    }
  }

  const step = async (owner: QueuedMotion, dt: number): Promise<void> => {
    if (owner.request.limp === true) {
      if (power.on || !advance(owner, dt)) await endOwner(owner)
      return
    }
    if (!power.on || !advance(owner, dt)) {
      await endOwner(owner)
      return
    }
    base.set(target)
    ambient.compose(target, dt, clock.now(), true)
    // Right after torque-on the body is slowed down on purpose: that says nothing about the move.
    if (body.steer(target, dt, power.gentle) && !power.gentle) owner.noteClamped()
    power.moved(dt)
    await power.setWatchdog(true)
    if (queue.owner === owner) await driver.writeGoals(body.goals, body.commanded)
  }

  const stirs = (): boolean =>
    ambient.active && power.on && !stopped && queue.owner === null && headDistance(base, bed) > LYING

  /** Nobody has the body: it stays where the last motion left it, alive. */
  const rest = async (dt: number): Promise<void> => {
    target.set(base)
    ambient.compose(target, dt, clock.now(), false)
    body.steer(target, dt, power.gentle)
    power.moved(dt)
    await power.setWatchdog(true)
    if (queue.owner === null && !stopped) await driver.writeGoals(body.goals, body.commanded)
  }

  const holdHere = async (): Promise<void> => {
    holdPending = false
    if (!power.on) return
    await driver.readPositions(body.joints)
    body.measured()
    if (queue.owner !== null) return
    body.pin()
    base.set(body.commanded)
    await driver.writeGoals(body.goals, body.commanded)
  }

  const readHealth = async (): Promise<void> => {
    const mine = power.epoch
    const read = await driver.readHealth()
    if (mine !== power.epoch) return
    healthAt = clock.now()
    if (JSON.stringify(read) !== JSON.stringify(health)) changed = true
    health = read
    if (!power.on && read.every((motor) => motor?.torque === true)) {
      // Somebody else switched torque on: their posture is where the next motion begins.
      body.pin()
      base.set(body.commanded)
      power.correct(true)
    }
    const limp = read.some((motor) => motor !== null && !motor.torque)
    if (!power.on || !limp) return
    const names = MOTORS.filter((_, i) => read[i]?.torque === false).map(({ name }) => name)
    log.warn('motors switched themselves off', { names: names.join(', ') })
    power.correct(false)
    queue.failAll(new CompanionError('robot/overload', { names: names.join(', ') }))
  }

  /** Everything that a period does in order; each await may be cut short by an emergency stop. */
  const period = async (dt: number): Promise<void> => {
    if (clock.now() - heardAt > STALL_MS && (await power.recoverWatchdog())) base.set(body.commanded)
    if (unconfirmed && stopping === null) await stopAgain()
    if (enabling !== null) await answerEnable(enabling)
    if (holdPending) await holdHere()
    else {
      if (queue.owner === null) await beginNext()
      if (queue.owner !== null && !stopped) await step(queue.owner, dt)
      else if (stirs()) await rest(dt)
    }
    await driver.readPositions(body.joints)
    body.measured()
    queue.owner?.request.observe?.(body.frame, clock.now())
    failingSince = null
    heardAt = clock.now()
    if (clock.now() - healthAt >= HEALTH_MS) await readHealth()
    if (paceNow() === 'idle') await power.setWatchdog(false)
  }

  const stopAgain = async (): Promise<void> => {
    await power.switchOff()
    unconfirmed = false
    healthAt = -Infinity
    changed = true
    log.warn('the motors confirmed the emergency stop late')
  }

  const answerEnable = async (waiting: NonNullable<typeof enabling>): Promise<void> => {
    try {
      if (!power.on) await switchOn()
      waiting.resolve()
    } catch (error) {
      waiting.reject(asRobotError(error))
    } finally {
      enabling = null
    }
  }

  const paceNow = (): Pace => {
    const busy =
      unconfirmed ||
      queue.owner !== null ||
      (queue.length > 0 && !stopped) ||
      holdPending ||
      enabling !== null ||
      stirs()
    return busy || clock.now() < fastUntil ? 'moving' : 'idle'
  }

  const tick = async (elapsedMs: number): Promise<Pace> => {
    const dt = Math.min(LONGEST_STEP_MS, elapsedMs > 0 ? elapsedMs : PERIOD_MS) / 1000
    try {
      await period(dt)
    } catch (error) {
      const code = error instanceof CompanionError ? error.code : 'app/internal'
      if (code === 'robot/missing-motors') lose(asRobotError(error))
      else if (code !== 'robot/stopped') {
        log.debug('a control period failed', { error: String(error) })
        failingSince ??= clock.now()
        if (clock.now() - failingSince >= LOST_MS) lose(new CompanionError('robot/disconnected'))
      }
    }
    const now = changed
    changed = false
    tell(now)
    return paceNow()
  }

  /** Whoever listens must not be able to end the control loop. */
  const tell = (now: boolean): void => {
    try {
      deps.onTick(now)
    } catch (error) {
      log.error('the state of the robot could not be told', { error: String(error) })
    }
  }

  const loop = createControlLoop(clock, tick)

  const lose = (problem: CompanionError): void => {
    if (connection !== 'ready') return
    log.warn('the robot does not answer any more', { code: problem.code, ...problem.details })
    connection = 'absent'
    void loop.stop()
    queue.failAll(problem)
    enabling?.reject(problem)
    enabling = null
    // Motors that do not answer may still hear, and nobody watches over them any more.
    if (driver.exclusive && holds()) void power.emergencyOff()
    changedNow()
    deps.onLost?.(problem)
  }
  driver.onLost(() => {
    // What the motors do now is not known; here nothing moves them any more.
    power.correct(false)
    health = MOTORS.map(() => null)
    lose(new CompanionError('robot/disconnected'))
  })

  /** Some motor holds its place, as far as is known. */
  const holds = (): boolean => power.on || health.some((motor) => motor?.torque === true)

  const run = (): void => {
    connection = 'ready'
    failingSince = null
    heardAt = clock.now()
    loop.start()
  }

  const stopAll = async (): Promise<{ confirmed: boolean }> => {
    stopped = true
    holdPending = false
    queue.stop(() => true)
    ambient.hold()
    enabling?.reject(new CompanionError('robot/stopped'))
    enabling = null
    const answer = power.emergencyOff()
    changedNow()
    const confirmed = await answer
    unconfirmed = !confirmed
    if (!confirmed) log.error('the motors did not confirm the emergency stop')
    else if (connection === 'absent' && open && !disposed) run()
    healthAt = -Infinity
    stayFast(SINK_MS)
    loop.kick()
    changedNow()
    return { confirmed }
  }

  const sleepAtEnd = async (): Promise<void> => {
    queue.stop(() => true)
    const motion = queue.add({ activity: 'going-to-sleep', plan: sleepPlan, endsLimp: true })
    loop.kick()
    const outcome = await within(clock, SLEEP_AT_END_MS, motion.ended)
    if (outcome !== 'done') log.warn('the robot did not get to sleep before the end', { outcome })
  }

  /** A lost answer, or an emergency stop that takes the wire for a moment: then it is looked once more. */
  const firstLook = async (limp: boolean): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await driver.readPositions(body.joints)
        body.measured()
        body.pin()
        base.set(body.commanded)
        await readHealth()
        if (limp && driver.exclusive && holds()) {
          await driver.torqueOff()
          await readHealth()
        }
        power.correct(health.every((motor) => motor?.torque === true))
        return
      } catch (error) {
        const { code } = asRobotError(error)
        const again = code === 'robot/stopped' || (code === 'robot/disconnected' && attempt < FIRST_LOOKS)
        if (disposed || !again) throw error
        await stopping
      }
    }
  }

  return {
    get connection() {
      return connection
    },
    get torque() {
      return power.on
    },
    get stopped() {
      return stopped
    },
    get owner() {
      return queue.owner
    },
    get next() {
      return queue.peek()
    },
    get health() {
      return health
    },
    body,

    async start({ limp = false } = {}) {
      if (open || disposed) return
      open = true
      try {
        await driver.open()
        await firstLook(limp)
      } catch (error) {
        open = false
        connection = 'absent'
        queue.failAll(asRobotError(error))
        changedNow()
        throw error
      }
      if (disposed) throw new CompanionError('app/cancelled')
      run()
      changedNow()
    },

    request(request) {
      const refusal = stopped
        ? 'robot/stopped'
        : disposed || !open || connection === 'absent'
          ? 'robot/disconnected'
          : null
      if (refusal === null) {
        const motion = queue.add(request)
        loop.kick()
        return motion
      }
      const refused = createQueuedMotion(request, () => undefined)
      refused.fail(new CompanionError(refusal))
      return refused.handle
    },

    stir() {
      if (connection === 'ready') loop.kick()
    },

    stop(which) {
      const hadBody = queue.stop(which)
      // Who asks for a stop means everything that moves.
      if (hadBody || stirs()) {
        ambient.hold()
        holdSoon()
      }
      changedNow()
    },

    emergencyStop() {
      stopping ??= stopAll().finally(() => {
        stopping = null
      })
      return stopping
    },

    async enable() {
      if (stopping !== null) await stopping
      if (connection !== 'ready' || disposed) throw new CompanionError('robot/disconnected')
      stopped = false
      unconfirmed = false
      enabling ??= deferred<void>()
      const done = enabling.promise
      loop.kick()
      try {
        await done
      } finally {
        changedNow()
      }
    },

    async rebootMotor(id) {
      if (connection !== 'ready' || disposed) throw new CompanionError('robot/disconnected')
      if (driver.rebootMotor === undefined) throw new CompanionError('robot/unknown-device')
      await driver.rebootMotor(id)
      healthAt = -Infinity
      loop.kick()
    },

    async dispose({ sleep = true, keepTorque = false } = {}) {
      if (disposed) return
      if (sleep && connection === 'ready' && power.on && !stopped) await sleepAtEnd()
      disposed = true
      await loop.stop()
      queue.failAll(new CompanionError('robot/disconnected'))
      if (connection === 'ready' && holds() && !keepTorque) await power.emergencyOff()
      await driver.close()
      connection = 'absent'
    },
  }
}

function asRobotError(error: unknown): CompanionError {
  return error instanceof CompanionError ? error : new CompanionError('robot/disconnected', {}, { cause: error })
}
