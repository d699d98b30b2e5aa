import { HARDWARE_ERROR, RAM_START, REGISTER, TABLE_END } from '../dynamixel/control-table.ts'
import { STATUS_ERROR } from '../dynamixel/packet.ts'
import { TICKS_PER_TURN } from '../motors.ts'

import { advanceFirstOrder } from './dynamics.ts'
import { createRegisters, resetEeprom, resetRam, writeEeprom, writeModeDefaults } from './registers.ts'

import type { MotorSpec } from '../motors.ts'
import type { Register } from './registers.ts'

/** What the surroundings do to a motor while time passes. */
export interface Surroundings {
  /** Volts. */
  readonly voltage: number
  /** Something holds the shaft. */
  readonly blocked: boolean
  readonly hot: boolean
  /** A packet arrived on the bus just now. */
  readonly heard: boolean
}

/** One simulated XL330 or XC330: its control table, the firmware's rules about it, and its shaft. */
export interface SimulatedMotor {
  readonly id: number
  readonly alert: boolean
  /** Neither starting up nor made deaf by another baud rate. */
  readonly listens: boolean
  /** 0: answers pings only; 1: and reads; 2: everything. */
  readonly returnLevel: number
  /** Bytes of the table, or the error number the firmware answers with. */
  read(address: number, length: number): Uint8Array | number
  /** Answers an error number; 0 when it took effect. */
  write(address: number, data: Uint8Array): number
  /** Keeps a write until {@link action}. */
  register(address: number, data: Uint8Array): number
  action(): number
  /** RAM to its defaults, torque off, shutdown latch released; EEPROM stays. Deaf for a moment. */
  reboot(): void
  /** @param keep 0x01 keeps the ID, 0x02 ID and baud rate, 0xFF nothing. */
  factoryReset(keep: number): number
  /** Somebody turns the shaft of a limp motor. */
  turnByHand(ticks: number): void
  /** Lets time pass, milliseconds. */
  advance(ms: number, around: Surroundings): void
}

const READ_ONLY: readonly Register[] = [
  REGISTER.modelNumber,
  REGISTER.firmwareVersion,
  REGISTER.hardwareErrorStatus,
  REGISTER.moving,
  REGISTER.presentPwm,
  REGISTER.presentCurrent,
  REGISTER.presentVelocity,
  REGISTER.presentPosition,
  REGISTER.presentVoltage,
  REGISTER.presentTemperature,
]

const ROOM_TEMPERATURE = 31
const VELOCITY_UNIT = (0.229 * 2 * Math.PI) / 60
/** Units of the bus watchdog, milliseconds; the value it reads after it expired. */
const WATCHDOG_UNIT = 20
const WATCHDOG_EXPIRED = 255
/** Seconds until a limp head has sunk into the body. */
const SINKING = 0.3
/** Milliseconds without an answer after a reboot: an estimate. */
const REBOOT_MS = 200
/** Position error, ticks, from which on a shaft is driven with full effort, and how long it may be, milliseconds. */
const FULL_EFFORT = 340
const OVERLOAD_MS = 1_000

interface Shaft {
  /** Seconds, and ticks a second, at 7.2 V with the robot's gains. */
  readonly lag: number
  readonly topSpeed: number
}

const perSecond = (radians: number): number => (radians * TICKS_PER_TURN) / (2 * Math.PI)

/** From the datasheets' no-load speeds and the position gains: estimates, not measurements. */
function shaftOf(model: number): Shaft {
  if (model === 1240) return { lag: 0.071, topSpeed: perSecond(12.2) }
  if (model === 1190) return { lag: 0.015, topSpeed: perSecond(57.8) }
  return { lag: 0.037, topSpeed: perSecond(15.5) }
}

const covers = (address: number, length: number, register: Register): boolean =>
  address < register.address + register.size && register.address < address + length

/**
 * @param start Position at power-up, ticks.
 * @param limp Where gravity takes the shaft when torque is off, ticks; `null` when it stays where it is.
 */
export function createSimulatedMotor(spec: MotorSpec, start: number, limp: number | null): SimulatedMotor {
  const registers = createRegisters()
  const { bytes: table, get, set } = registers
  const shaft = shaftOf(spec.model)
  let position = start
  let speed = 0
  let warmth = 0
  let silence = 0
  let effort = 0
  let deafFor = 0
  /** Tenths of a volt. */
  let supply = 72
  let latched = 0
  let waiting: { address: number; data: Uint8Array } | null = null

  const pinGoal = (): void => set(REGISTER.goalPosition, Math.round(position))

  const refresh = (): void => {
    set(REGISTER.presentPosition, Math.round(position))
    set(REGISTER.presentVelocity, Math.round((speed * 2 * Math.PI) / TICKS_PER_TURN / VELOCITY_UNIT))
    set(REGISTER.presentTemperature, Math.min(255, Math.round(ROOM_TEMPERATURE + warmth)))
    set(REGISTER.presentVoltage, supply)
    set(REGISTER.moving, Math.abs(speed) > 10 ? 1 : 0)
    const outside = supply > get(REGISTER.maxVoltageLimit) || supply < get(REGISTER.minVoltageLimit)
    set(REGISTER.hardwareErrorStatus, latched | (outside ? HARDWARE_ERROR.voltage : 0))
    if ((get(REGISTER.hardwareErrorStatus) & get(REGISTER.shutdown)) !== 0) set(REGISTER.torqueEnable, 0)
  }

  const powerUp = (): void => {
    resetRam(registers, spec)
    silence = 0
    effort = 0
    latched = 0
    waiting = null
    pinGoal()
    refresh()
  }

  writeEeprom(registers, spec)
  powerUp()

  const writeTorque = (on: boolean): number => {
    if (on && (get(REGISTER.hardwareErrorStatus) & get(REGISTER.shutdown)) !== 0) return STATUS_ERROR.access
    if (on && get(REGISTER.torqueEnable) === 0) pinGoal()
    set(REGISTER.torqueEnable, on ? 1 : 0)
    return STATUS_ERROR.none
  }

  const writeGoal = (goal: number): number => {
    if (goal < get(REGISTER.minPositionLimit) || goal > get(REGISTER.maxPositionLimit)) return STATUS_ERROR.dataLimit
    if (get(REGISTER.busWatchdog) === WATCHDOG_EXPIRED) return STATUS_ERROR.dataRange
    set(REGISTER.goalPosition, goal)
    return STATUS_ERROR.none
  }

  const write = (address: number, data: Uint8Array): number => {
    if (data.length === 0) return STATUS_ERROR.dataLength
    if (address + data.length > TABLE_END) return STATUS_ERROR.dataRange
    if (READ_ONLY.some((register) => covers(address, data.length, register))) return STATUS_ERROR.access
    if (address < RAM_START && get(REGISTER.torqueEnable) !== 0) return STATUS_ERROR.access
    if (address === REGISTER.torqueEnable.address && data.length === 1) {
      if ((data[0] ?? 0) > 1) return STATUS_ERROR.dataRange
      return writeTorque(data[0] === 1)
    }
    if (address === REGISTER.goalPosition.address && data.length === REGISTER.goalPosition.size) {
      return writeGoal(new DataView(data.buffer, data.byteOffset).getInt32(0, true))
    }
    if (covers(address, data.length, REGISTER.torqueEnable) || covers(address, data.length, REGISTER.goalPosition)) {
      return STATUS_ERROR.dataLength
    }
    const mode = get(REGISTER.operatingMode)
    table.set(data, address)
    if (get(REGISTER.operatingMode) !== mode) {
      writeModeDefaults(registers, spec)
      pinGoal()
    }
    return STATUS_ERROR.none
  }

  /** Moves the shaft; a held one builds up effort until the motor gives up. */
  const turn = (ms: number, seconds: number, blocked: boolean): void => {
    const torque = get(REGISTER.torqueEnable) === 1
    const before = position
    const goal = torque ? get(REGISTER.goalPosition) : limp
    if (goal !== null && !blocked) {
      position = advanceFirstOrder(position, goal, seconds, torque ? shaft.lag : SINKING, shaft.topSpeed)
    }
    if (ms > 0) speed = (position - before) / (ms / 1000)
    const straining = torque && goal !== null && Math.abs(goal - position) > FULL_EFFORT
    effort = straining ? effort + ms : 0
    if (effort > OVERLOAD_MS) latched |= HARDWARE_ERROR.overload
  }

  const warm = (seconds: number, hot: boolean): void => {
    const torque = get(REGISTER.torqueEnable) === 1
    const heating = (torque ? 6 : 0) + Math.min(8, Math.abs(speed) / 400) + (hot ? 60 : 0)
    warmth = advanceFirstOrder(warmth, heating, seconds, hot ? 5 : 120, Infinity)
    if (ROOM_TEMPERATURE + warmth > get(REGISTER.temperatureLimit)) latched |= HARDWARE_ERROR.overheating
  }

  return {
    id: spec.id,
    get alert() {
      return get(REGISTER.hardwareErrorStatus) !== 0
    },
    get listens() {
      return deafFor <= 0 && get(REGISTER.baudRate) === 3
    },
    get returnLevel() {
      return get(REGISTER.statusReturnLevel)
    },

    read(address, length) {
      if (length === 0) return STATUS_ERROR.dataLength
      if (address + length > TABLE_END) return STATUS_ERROR.dataRange
      return table.slice(address, address + length)
    },
    write,
    register(address, data) {
      if (data.length === 0) return STATUS_ERROR.dataLength
      if (address + data.length > TABLE_END) return STATUS_ERROR.dataRange
      waiting = { address, data }
      return STATUS_ERROR.none
    },
    action() {
      const kept = waiting
      waiting = null
      return kept === null ? STATUS_ERROR.resultFail : write(kept.address, kept.data)
    },

    reboot() {
      powerUp()
      deafFor = REBOOT_MS
    },
    factoryReset(keep) {
      if (![0x01, 0x02, 0xff].includes(keep)) return STATUS_ERROR.dataRange
      resetEeprom(registers, spec)
      // Back to 57,600 baud: on this bus it is not heard any more.
      if (keep !== 0x02) set(REGISTER.baudRate, 1)
      powerUp()
      return STATUS_ERROR.none
    },
    turnByHand(ticks) {
      if (get(REGISTER.torqueEnable) === 1) return
      position = (((position + ticks) % TICKS_PER_TURN) + TICKS_PER_TURN) % TICKS_PER_TURN
      refresh()
    },

    advance(ms, { voltage, blocked, hot, heard }) {
      deafFor -= ms
      supply = Math.round(voltage * 10)
      const watchdog = get(REGISTER.busWatchdog)
      const armed = watchdog > 0 && watchdog < WATCHDOG_EXPIRED
      const left = armed ? Math.max(0, watchdog * WATCHDOG_UNIT - silence) : Infinity
      turn(ms, Math.min(ms, left) / 1000, blocked)
      silence = heard ? 0 : silence + ms
      if (armed && ms > left) {
        set(REGISTER.busWatchdog, WATCHDOG_EXPIRED)
        pinGoal()
      }
      warm(ms / 1000, hot)
      refresh()
    },
  }
}
