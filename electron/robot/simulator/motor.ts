import { HARDWARE_ERROR, RAM_START, REGISTER, TABLE_END } from '../dynamixel/control-table.ts'
import { STATUS_ERROR } from '../dynamixel/packet.ts'
import { TICKS_PER_TURN } from '../motors.ts'

import { advanceFirstOrder } from './dynamics.ts'

import type { MotorSpec } from '../motors.ts'

type Register = (typeof REGISTER)[keyof typeof REGISTER]

/** One simulated XL330 or XC330: its control table, the firmware's rules about it, and its shaft. */
export interface SimulatedMotor {
  readonly id: number
  readonly alert: boolean
  /** Bytes of the table, or the error number the firmware answers with. */
  read(address: number, length: number): Uint8Array | number
  /** Answers an error number; 0 when it took effect. */
  write(address: number, data: Uint8Array): number
  /** RAM to its defaults, torque off, shutdown latch released; EEPROM stays. */
  reboot(): void
  /** Lets time pass, milliseconds. `heard`: a packet arrived on the bus just now. */
  advance(ms: number, heard: boolean): void
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

const FIRMWARE = 52
/** 7.2 V, in tenths: above what the voltage limit register can hold, hence the lasting Alert of a healthy robot. */
const SUPPLY = 72
const HIGHEST_VOLTAGE_LIMIT = 70
/** Overheating, shock and overload switch a motor off; the input voltage does not. */
const SHUTDOWN_MASK = 52
const ROOM_TEMPERATURE = 31
const VELOCITY_UNIT = (0.229 * 2 * Math.PI) / 60
/** Units of the bus watchdog, milliseconds; the value it reads after it expired. */
const WATCHDOG_UNIT = 20
const WATCHDOG_EXPIRED = 255
/** Seconds until a limp head has sunk into the body. */
const SINKING = 0.3

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

/**
 * @param start Position at power-up, ticks.
 * @param limp Where gravity takes the shaft when torque is off, ticks; `null` when it stays where it is.
 */
export function createSimulatedMotor(spec: MotorSpec, start: number, limp: number | null): SimulatedMotor {
  const table = new Uint8Array(TABLE_END)
  const view = new DataView(table.buffer)
  const shaft = shaftOf(spec.model)
  let position = start
  let speed = 0
  let warmth = 0
  let silence = 0

  const get = ({ address, size }: Register): number =>
    size === 1 ? view.getUint8(address) : size === 2 ? view.getUint16(address, true) : view.getInt32(address, true)
  const set = ({ address, size }: Register, value: number): void => {
    if (size === 1) view.setUint8(address, value)
    else if (size === 2) view.setUint16(address, value, true)
    else view.setInt32(address, value, true)
  }

  const pinGoal = (): void => set(REGISTER.goalPosition, Math.round(position))

  const powerUp = (): void => {
    table.fill(0, RAM_START)
    set(REGISTER.statusReturnLevel, 2)
    set(REGISTER.positionPGain, spec.model === 1240 ? 1100 : 400)
    set(REGISTER.positionDGain, spec.model === 1240 ? 500 : 0)
    set(REGISTER.goalPwm, get(REGISTER.pwmLimit))
    set(REGISTER.goalCurrent, get(REGISTER.currentLimit))
    set(REGISTER.presentVoltage, SUPPLY)
    set(REGISTER.hardwareErrorStatus, SUPPLY > get(REGISTER.maxVoltageLimit) ? HARDWARE_ERROR.voltage : 0)
    silence = 0
    pinGoal()
    refresh()
  }

  const refresh = (): void => {
    set(REGISTER.presentPosition, Math.round(position))
    set(REGISTER.presentVelocity, Math.round((speed * 2 * Math.PI) / TICKS_PER_TURN / VELOCITY_UNIT))
    set(REGISTER.presentTemperature, Math.round(ROOM_TEMPERATURE + warmth))
    set(REGISTER.moving, Math.abs(speed) > 10 ? 1 : 0)
  }

  set(REGISTER.modelNumber, spec.model)
  set(REGISTER.firmwareVersion, FIRMWARE)
  set(REGISTER.id, spec.id)
  set(REGISTER.baudRate, 3)
  set(REGISTER.operatingMode, 3)
  set(REGISTER.secondaryId, 255)
  set(REGISTER.protocolType, 2)
  set(REGISTER.homingOffset, spec.homingOffset)
  set(REGISTER.movingThreshold, 10)
  set(REGISTER.temperatureLimit, 70)
  set(REGISTER.maxVoltageLimit, HIGHEST_VOLTAGE_LIMIT)
  set(REGISTER.minVoltageLimit, 35)
  set(REGISTER.pwmLimit, 885)
  set(REGISTER.currentLimit, spec.model === 1240 ? 2352 : 1750)
  set(REGISTER.velocityLimit, spec.model === 1240 ? 350 : spec.model === 1190 ? 1620 : 445)
  // The body's motor itself may turn all the way round: its travel is the software's business.
  set(REGISTER.maxPositionLimit, spec.id === 10 ? TICKS_PER_TURN - 1 : spec.max)
  set(REGISTER.minPositionLimit, spec.id === 10 ? 0 : spec.min)
  set(REGISTER.pwmSlope, 140)
  set(REGISTER.shutdown, SHUTDOWN_MASK)
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

  const covers = (address: number, length: number, register: Register): boolean =>
    address < register.address + register.size && register.address < address + length

  return {
    id: spec.id,
    get alert() {
      return get(REGISTER.hardwareErrorStatus) !== 0
    },

    read(address, length) {
      if (length === 0) return STATUS_ERROR.dataLength
      if (address + length > TABLE_END) return STATUS_ERROR.dataRange
      return table.slice(address, address + length)
    },

    write(address, data) {
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
      table.set(data, address)
      return STATUS_ERROR.none
    },

    reboot: powerUp,

    advance(ms, heard) {
      const torque = get(REGISTER.torqueEnable) === 1
      const watchdog = get(REGISTER.busWatchdog)
      const armed = watchdog > 0 && watchdog < WATCHDOG_EXPIRED
      const left = armed ? Math.max(0, watchdog * WATCHDOG_UNIT - silence) : Infinity
      const before = position
      const goal = torque ? get(REGISTER.goalPosition) : limp
      const lag = torque ? shaft.lag : SINKING
      if (goal !== null) position = advanceFirstOrder(position, goal, Math.min(ms, left) / 1000, lag, shaft.topSpeed)
      silence = heard ? 0 : silence + ms
      if (armed && ms > left) {
        set(REGISTER.busWatchdog, WATCHDOG_EXPIRED)
        pinGoal()
      }
      const seconds = ms / 1000
      speed = seconds > 0 ? (position - before) / seconds : speed
      const heating = (torque ? 6 : 0) + Math.min(8, Math.abs(speed) / 400)
      warmth = advanceFirstOrder(warmth, heating, seconds, 120, Infinity)
      refresh()
    },
  }
}
