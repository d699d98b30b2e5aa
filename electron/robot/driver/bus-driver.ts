import { CompanionError } from '../../contract/index.ts'
import { delay, within } from '../clock.ts'
import { createBus, integerBytes, PRIORITY, readInteger } from '../dynamixel/bus.ts'
import { HARDWARE_ERROR, REGISTER } from '../dynamixel/control-table.ts'
import { syncWrite } from '../dynamixel/packet.ts'
import { MOTOR_IDS, MOTORS, radiansToTicks, ticksToRadians, TICKS_PER_TURN } from '../motors.ts'

import { identify, namesOf } from './identify.ts'

import type { Log } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { Bus, Priority, Reply } from '../dynamixel/bus.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'
import type { MotorSpec } from '../motors.ts'
import type { BodyDriver, MotorHealth } from './types.ts'

export interface BusDriverDeps {
  readonly log: Log
  readonly clock: Clock
  readonly openPort: () => Promise<BytePort>
  /** See `createBus`. */
  readonly marginMs?: number
}

/** Tries and pause for an answer that did not come; what the robot's own controller does at start. */
const ATTEMPTS = 5
const RETRY_MS = 20
/** Super-capacitors charge for up to half a minute after power-on. */
const LOWEST_VOLTAGE = 4.5
const VOLTAGE_POLL_MS = 100
const VOLTAGE_POLLS = 300
/** The supply gives 6.8 to 7.6 V, the limit register ends at 7.0 V: its flag means nothing up to here. */
const HIGHEST_VOLTAGE = 7.8
/** A motor that restarts is silent for 0.1 to 0.3 s. */
const REBOOT_POLL_MS = 100
const REBOOT_POLLS = 15
/** One control period: a write that has not left by then is stuck. */
const STUCK_MS = 20
const CLOSE_MS = 200
/** How long another opening of the same port is waited for, ms. */
const OPENING_MS = 1_000
/** 25 × 20 ms. */
const WATCHDOG = 25
/** A motor that missed so many reads in a row, and was silent for so long (ms), is gone. */
const MISSES = 3
const SILENT_MS = 1_000
/** A joint farther beyond its range than 10° was mounted wrong, or turned by force: it gets no torque. */
const OUTSIDE_TICKS = Math.round((10 / 360) * TICKS_PER_TURN)

type Register = (typeof REGISTER)[keyof typeof REGISTER]

/** Drives the motors over a {@link BytePort}: serial device, pseudo-terminal or memory alike. */
export function createBusDriver({ log, clock, openPort, marginMs }: BusDriverDeps): BodyDriver {
  const lostListeners = new Set<() => void>()
  let port: BytePort | null = null
  let bus: Bus | null = null
  let opening: Promise<Bus> | null = null
  let closed = false
  /** The motors were set up, or are just now: the port is kept. */
  let inUse = false
  /** Nothing is written to a device before its motors said that they are a Reachy Mini's. */
  let known = false
  /** Grows at every emergency stop: what began before it must not switch torque on after it. */
  let generation = 0
  let emergency: Promise<unknown> | null = null
  /** When each motor was heard last, and how many reads it missed since. */
  const heardAt = new Float64Array(MOTORS.length)
  const missed = new Uint16Array(MOTORS.length)

  const attach = async (): Promise<Bus> => {
    const opened = await openPort()
    if (closed && emergency === null) {
      await within(clock, CLOSE_MS, opened.close())
      throw new CompanionError('robot/disconnected')
    }
    const made = createBus(opened, clock, marginMs)
    port = opened
    bus = made
    opened.onClose(() => {
      if (port !== opened) return
      made.dispose()
      bus = null
      port = null
      // What is plugged in next may be something else.
      known = false
      for (const listener of lostListeners) listener()
    })
    return made
  }

  /** One opening at a time: a second one of the same port would find it busy. */
  const connect = (): Promise<Bus> => {
    opening ??= attach().finally(() => {
      opening = null
    })
    return opening
  }

  const disconnect = async (): Promise<void> => {
    const closing = port
    bus?.dispose()
    bus = null
    port = null
    if (closing !== null && (await within(clock, CLOSE_MS, closing.close())) !== 'done') {
      log.warn('the port of the robot did not close')
    }
  }

  const live = (): Bus => {
    if (bus === null) throw new CompanionError('robot/disconnected')
    return bus
  }

  const everyMotor = ({ address, size }: Register, value: number): Promise<void> =>
    live().syncWrite(
      address,
      size,
      MOTOR_IDS.map((id) => ({ id, data: integerBytes(value, size) })),
    )

  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        const silent = error instanceof CompanionError && error.code === 'robot/disconnected'
        if (!silent || attempt === ATTEMPTS || bus === null) throw error
        await delay(clock, RETRY_MS)
      }
    }
  }

  /**
   * What each motor says of one register. Those that are silent are asked again, at last one by one: behind a gap in the
   * chain a motor waits in vain for its turn.
   */
  const askAll = async (
    { address, size }: Register,
    ids: readonly number[] = MOTOR_IDS,
    priority: Priority = PRIORITY.telemetry,
  ): Promise<Map<number, Reply>> => {
    const told = new Map<number, Reply>()
    const silent = (): number[] => ids.filter((id) => !told.has(id))
    for (let attempt = 1; attempt < ATTEMPTS && silent().length > 0; attempt++) {
      if (attempt > 1) await delay(clock, RETRY_MS)
      await heardOrSilent(async () => {
        for (const [id, reply] of await live().syncRead(address, size, silent(), priority)) told.set(id, reply)
      })
    }
    for (const id of silent()) {
      await heardOrSilent(async () => told.set(id, await live().read(id, address, size, priority)))
    }
    if (told.size === 0) throw new CompanionError('robot/disconnected')
    return told
  }

  /** A silence is told by what is missing; a port that is gone, or an emergency stop, ends the asking. */
  const heardOrSilent = async (ask: () => Promise<unknown>): Promise<void> => {
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'robot/disconnected' || bus === null) throw error
    }
  }

  const findMotors = async (): Promise<void> => {
    known = false
    const missing = await identify(live, clock, { rounds: ATTEMPTS, pauseMs: RETRY_MS })
    known = true
    if (missing.length > 0) throw new CompanionError('robot/missing-motors', { names: namesOf(missing) })
  }

  /** Asks only those that have not told a voltage yet: on a bad wire all nine answers in one round may never come. */
  const awaitVoltage = async (): Promise<void> => {
    const { address, size } = REGISTER.presentVoltage
    let low: readonly number[] = MOTOR_IDS
    for (let poll = 0; poll < VOLTAGE_POLLS; poll++) {
      const asked = low
      const told = await patiently(() => live().syncRead(address, size, asked))
      low = asked.filter((id) => {
        const params = told.get(id)?.params
        return params === undefined || readInteger(params, 0, size) / 10 < LOWEST_VOLTAGE
      })
      if (low.length === 0) return
      await delay(clock, VOLTAGE_POLL_MS)
    }
    throw new CompanionError('robot/no-power')
  }

  /** A watchdog that is armed, or ran down, belongs to a program that died while it moved the robot: torque goes off. */
  const endForsakenMotion = async (): Promise<void> => {
    const told = await askAll(REGISTER.busWatchdog)
    if ([...told.values()].some(({ params }) => params[0] !== 0)) {
      log.warn('the robot was left in the middle of a motion, its torque goes off')
      await everyMotor(REGISTER.torqueEnable, 0)
    }
    await everyMotor(REGISTER.busWatchdog, 0)
  }

  const readHealth = async (): Promise<(MotorHealth | null)[]> => {
    const span = REGISTER.hardwareErrorStatus.address - REGISTER.torqueEnable.address + 1
    const flags = await live().syncRead(REGISTER.torqueEnable.address, span, MOTOR_IDS)
    const first = REGISTER.presentCurrent.address
    const sensors = await live().syncRead(first, REGISTER.presentTemperature.address - first + 1, MOTOR_IDS)
    return MOTOR_IDS.map((id) => {
      const flag = flags.get(id)?.params
      const sensor = sensors.get(id)?.params
      if (flag === undefined || sensor === undefined) return null
      const voltage = readInteger(sensor, REGISTER.presentVoltage.address - first, 2) / 10
      const error = readInteger(flag, span - 1, 1)
      return {
        temperature: readInteger(sensor, REGISTER.presentTemperature.address - first, 1),
        voltage,
        current: signed16(readInteger(sensor, 0, 2)),
        torque: flag[0] === 1,
        hardwareError: voltage <= HIGHEST_VOLTAGE ? error & ~HARDWARE_ERROR.voltage : error,
      }
    })
  }

  const writeGains = async ({ id, p }: MotorSpec): Promise<void> => {
    const gains = [...integerBytes(0, 2), ...integerBytes(0, 2), ...integerBytes(p, 2)]
    await patiently(() => live().write(id, REGISTER.positionDGain.address, gains))
  }

  /** A read that was lost costs a period, a motor that is lost is named. Asks the silent ones by themselves first. */
  const requireAll = async (out: Float64Array): Promise<void> => {
    const { address, size } = REGISTER.presentPosition
    const gone: MotorSpec[] = []
    for (const [i, motor] of MOTORS.entries()) {
      if ((missed[i] as number) < MISSES || clock.now() - (heardAt[i] as number) < SILENT_MS) continue
      try {
        const { params } = await live().read(motor.id, address, size, PRIORITY.positions)
        out[i] = ticksToRadians(readInteger(params, 0, size))
        heardAt[i] = clock.now()
        missed[i] = 0
      } catch (error) {
        if (!(error instanceof CompanionError) || error.code !== 'robot/disconnected') throw error
        gone.push(motor)
      }
    }
    if (gone.length > 0) throw new CompanionError('robot/missing-motors', { names: namesOf(gone) })
  }

  const pinAndSwitchOn = async (check: () => void): Promise<void> => {
    const { address, size } = REGISTER.goalPosition
    // A motor that restarted by itself has the factory's gains.
    for (const motor of MOTORS) await writeGains(motor)
    check()
    const present = await askAll(REGISTER.presentPosition)
    check()
    const silent = MOTORS.filter(({ id }) => !present.has(id))
    if (silent.length > 0) throw new CompanionError('robot/missing-motors', { names: namesOf(silent) })
    const outside = MOTORS.filter(({ id, min, max }) => {
      const ticks = readInteger(present.get(id)?.params ?? new Uint8Array(), 0, size)
      return ticks < min - OUTSIDE_TICKS || ticks > max + OUTSIDE_TICKS
    })
    if (outside.length > 0) throw new CompanionError('robot/out-of-range', { names: namesOf(outside) })
    const pins = MOTOR_IDS.map((id) => ({ id, data: present.get(id)?.params ?? [] }))
    // A watchdog that ran down would refuse the goals.
    await everyMotor(REGISTER.busWatchdog, 0)
    check()
    await live().syncWrite(address, size, pins)
    check()
    await everyMotor(REGISTER.torqueEnable, 1)
    const flags = await askAll(REGISTER.torqueEnable)
    check()
    const lost = MOTORS.filter(({ id }) => !flags.has(id))
    if (lost.length > 0) throw new CompanionError('robot/missing-motors', { names: namesOf(lost) })
    const limp = MOTORS.filter(({ id }) => flags.get(id)?.params[0] !== 1)
    if (limp.length > 0) throw new CompanionError('robot/overload', { names: namesOf(limp) })
  }

  const limpPacket = syncWrite(
    REGISTER.torqueEnable.address,
    1,
    MOTOR_IDS.map((id) => ({ id, data: [0] })),
  )

  const isOut = async (leaving: Promise<void>): Promise<boolean> => (await within(clock, STUCK_MS, leaving)) === 'done'

  /** Sends torque-off now; a port that does not take it within one control period is replaced. */
  const sendLimp = async (): Promise<void> => {
    if (bus !== null && known && (await isOut(bus.interrupt(limpPacket)))) return
    if (bus === null || known) {
      log.warn('opening the port of the robot anew for the emergency stop')
      await disconnect()
      const reopened = connect()
      if ((await within(clock, OPENING_MS, reopened)) === 'late') throw new CompanionError('robot/disconnected')
      await reopened
    }
    if (!known) {
      await identify(live, clock, { rounds: 1, pauseMs: 0 })
      known = true
    }
    if (!(await isOut(live().interrupt(limpPacket)))) throw new CompanionError('robot/disconnected')
  }

  /** Until every motor has said that it is limp; what one has said once need not be said again. */
  const goLimp = async (): Promise<boolean> => {
    let awaited: readonly number[] = MOTOR_IDS
    const { address, size } = REGISTER.torqueEnable
    for (let attempt = 1; attempt <= ATTEMPTS && awaited.length > 0; attempt++) {
      try {
        await sendLimp()
        const flags = await live().syncRead(address, size, awaited, PRIORITY.positions)
        awaited = awaited.filter((id) => flags.get(id)?.params[0] !== 0)
      } catch (error) {
        log.warn('torque off was not confirmed', { attempt, error: String(error) })
        if (error instanceof CompanionError && error.code === 'robot/unknown-device') break
      }
    }
    return awaited.length === 0
  }

  /** While the robot is being set up an emergency stop takes the wire for a moment, and the set-up goes on after it. */
  const throughStops = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await work()
        return
      } catch (error) {
        if (closed || !(error instanceof CompanionError) || error.code !== 'robot/stopped') throw error
        await emergency
      }
    }
  }

  const driver: BodyDriver = {
    exclusive: true,

    async open() {
      if (closed) throw new CompanionError('robot/disconnected')
      inUse = true
      try {
        await connect()
        await throughStops(findMotors)
        await throughStops(awaitVoltage)
        await throughStops(async () => {
          for (const motor of MOTORS) await writeGains(motor)
        })
        await throughStops(endForsakenMotion)
        heardAt.fill(clock.now())
        missed.fill(0)
      } catch (error) {
        inUse = false
        await emergency
        await disconnect()
        throw error
      }
    },

    async readPositions(out) {
      const { address, size } = REGISTER.presentPosition
      const replies = await live().syncRead(address, size, MOTOR_IDS, PRIORITY.positions)
      MOTOR_IDS.forEach((id, i) => {
        const params = replies.get(id)?.params
        if (params === undefined) {
          missed[i] = (missed[i] as number) + 1
          return
        }
        out[i] = ticksToRadians(readInteger(params, 0, size))
        heardAt[i] = clock.now()
        missed[i] = 0
      })
      if (replies.size < MOTORS.length) await requireAll(out)
    },

    async writeGoals(joints) {
      const { address, size } = REGISTER.goalPosition
      const entries = MOTORS.map(({ id, min, max }, i) => {
        const ticks = radiansToTicks(joints[i] as number)
        return { id, data: integerBytes(Math.min(max, Math.max(min, ticks)), size) }
      })
      await live().syncWrite(address, size, entries)
    },

    async torqueOn() {
      const mine = generation
      const check = (): void => {
        if (mine !== generation) throw new CompanionError('robot/stopped')
      }
      try {
        await pinAndSwitchOn(check)
      } catch (error) {
        // All or none: a body of which some motors hold and some do not is pulled askew.
        if (mine === generation && bus !== null) await everyMotor(REGISTER.torqueEnable, 0)
        throw error
      }
    },

    async torqueOff() {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        await everyMotor(REGISTER.torqueEnable, 0)
        const flags = await askAll(REGISTER.torqueEnable)
        if ([...flags.values()].every(({ params }) => params[0] === 0)) return
      }
      throw new CompanionError('robot/disconnected')
    },

    async emergencyOff() {
      generation++
      const work = goLimp()
      emergency = work
      try {
        return await work
      } finally {
        if (emergency === work) emergency = null
        if (closed || !inUse) await disconnect()
      }
    },

    async rebootMotor(id) {
      const motor = MOTORS.find((spec) => spec.id === id)
      if (motor === undefined) throw new CompanionError('robot/unknown-device')
      await patiently(() => live().reboot(id))
      for (let poll = 0; ; poll++) {
        await delay(clock, REBOOT_POLL_MS)
        try {
          await live().ping(id)
          break
        } catch (error) {
          if (poll < REBOOT_POLLS) continue
          throw new CompanionError('robot/missing-motors', { names: motor.name }, { cause: error })
        }
      }
      await writeGains(motor)
    },

    readHealth,
    setWatchdog: (on) => everyMotor(REGISTER.busWatchdog, on ? WATCHDOG : 0),
    onLost(listener) {
      lostListeners.add(listener)
      return () => lostListeners.delete(listener)
    },
    async close() {
      closed = true
      if (opening !== null) await within(clock, OPENING_MS, opening)
      if (emergency !== null) await emergency
      await disconnect()
      known = false
    },
  }
  return driver
}

const signed16 = (value: number): number => (value >= 0x8000 ? value - 0x10000 : value)
