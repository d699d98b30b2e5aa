import { CompanionError } from '../../contract/index.ts'
import { delay, within } from '../clock.ts'
import { createBus, integerBytes, PRIORITY, readInteger } from '../dynamixel/bus.ts'
import { HARDWARE_ERROR, REGISTER } from '../dynamixel/control-table.ts'
import { syncWrite } from '../dynamixel/packet.ts'
import { MOTOR_IDS, MOTORS, radiansToTicks, ticksToRadians } from '../motors.ts'

import type { Log } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { Bus } from '../dynamixel/bus.ts'
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
/** 25 × 20 ms. */
const WATCHDOG = 25

/** Drives the motors over a {@link BytePort}: serial device, pseudo-terminal or memory alike. */
export function createBusDriver({ log, clock, openPort, marginMs }: BusDriverDeps): BodyDriver {
  const lostListeners = new Set<() => void>()
  let port: BytePort | null = null
  let bus: Bus | null = null
  /** Grows at every emergency stop: what began before it must not switch torque on after it. */
  let generation = 0

  const connect = async (): Promise<Bus> => {
    const opened = await openPort()
    port = opened
    bus = createBus(opened, clock, marginMs)
    opened.onClose(() => {
      if (port !== opened) return
      bus?.dispose()
      bus = null
      port = null
      for (const listener of lostListeners) listener()
    })
    return bus
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

  const same = (register: { address: number; size: 1 | 2 | 4 }, value: number): Promise<void> =>
    live().syncWrite(
      register.address,
      register.size,
      MOTOR_IDS.map((id) => ({ id, data: integerBytes(value, register.size) })),
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

  const findMotors = async (): Promise<void> => {
    const missing: string[] = []
    for (const { id, name, model } of MOTORS) {
      try {
        const found = await patiently(() => live().ping(id))
        if (found.model !== model) throw new CompanionError('robot/unknown-device')
      } catch (error) {
        if (!(error instanceof CompanionError) || error.code !== 'robot/disconnected') throw error
        missing.push(name)
        // A break in the chain silences all behind it: no need to wait five times for each.
        if (missing.length === 1 && id === MOTOR_IDS[0])
          throw new CompanionError('robot/no-power', {}, { cause: error })
      }
    }
    if (missing.length > 0) throw new CompanionError('robot/missing-motors', { names: missing.join(', ') })
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

  const torqueFlags = async (): Promise<(boolean | undefined)[]> => {
    const flags = await live().syncRead(REGISTER.torqueEnable.address, 1, MOTOR_IDS, PRIORITY.positions)
    return MOTOR_IDS.map((id) => {
      const byte = flags.get(id)?.params[0]
      return byte === undefined ? undefined : byte !== 0
    })
  }

  const limpPacket = syncWrite(
    REGISTER.torqueEnable.address,
    1,
    MOTOR_IDS.map((id) => ({ id, data: [0] })),
  )

  /** Sends torque-off now; a port that does not take it within one control period is replaced. */
  const sendLimp = async (): Promise<void> => {
    if (bus !== null && (await within(clock, STUCK_MS, bus.interrupt(limpPacket))) === 'done') return
    log.warn('opening the port of the robot anew for the emergency stop')
    await disconnect()
    await (await connect()).interrupt(limpPacket)
  }

  const driver: BodyDriver = {
    async open() {
      await connect()
      try {
        await findMotors()
        await awaitVoltage()
        for (const motor of MOTORS) await writeGains(motor)
        await same(REGISTER.busWatchdog, 0)
      } catch (error) {
        await disconnect()
        throw error
      }
    },

    async readPositions(out) {
      const { address, size } = REGISTER.presentPosition
      const replies = await live().syncRead(address, size, MOTOR_IDS, PRIORITY.positions)
      if (replies.size === 0) throw new CompanionError('robot/disconnected')
      MOTOR_IDS.forEach((id, i) => {
        const params = replies.get(id)?.params
        if (params !== undefined) out[i] = ticksToRadians(readInteger(params, 0, size))
      })
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
      const { address, size } = REGISTER.goalPosition
      const present = await patiently(() => live().syncRead(REGISTER.presentPosition.address, size, MOTOR_IDS))
      check()
      const silent = MOTORS.filter(({ id }) => !present.has(id))
      if (silent.length > 0) {
        throw new CompanionError('robot/missing-motors', { names: silent.map(({ name }) => name).join(', ') })
      }
      const pins = MOTOR_IDS.map((id) => ({ id, data: present.get(id)?.params ?? [] }))
      // A watchdog that ran down would refuse the goals.
      await same(REGISTER.busWatchdog, 0)
      check()
      await live().syncWrite(address, size, pins)
      check()
      await same(REGISTER.torqueEnable, 1)
      const flags = await patiently(torqueFlags)
      check()
      const limp = MOTORS.filter((_, i) => flags[i] !== true)
      if (limp.length > 0)
        throw new CompanionError('robot/overload', { names: limp.map(({ name }) => name).join(', ') })
    },

    torqueOff: () => same(REGISTER.torqueEnable, 0),

    async emergencyOff() {
      generation++
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        try {
          await sendLimp()
          const flags = await torqueFlags()
          if (flags.every((flag) => flag === false)) return true
        } catch (error) {
          log.warn('torque off was not confirmed', { attempt, error: String(error) })
        }
      }
      return false
    },

    async rebootMotor(id) {
      const motor = MOTORS.find((known) => known.id === id)
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
    setWatchdog: (on) => same(REGISTER.busWatchdog, on ? WATCHDOG : 0),
    onLost(listener) {
      lostListeners.add(listener)
      return () => lostListeners.delete(listener)
    },
    close: disconnect,
  }
  return driver
}

const signed16 = (value: number): number => (value >= 0x8000 ? value - 0x10000 : value)
