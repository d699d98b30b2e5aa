import { RAM_START, REGISTER, TABLE_END } from '../dynamixel/control-table.ts'

import type { MotorSpec } from '../motors.ts'

export type Register = (typeof REGISTER)[keyof typeof REGISTER]

/** The control table of one motor as bytes, with typed access. */
export interface Registers {
  readonly bytes: Uint8Array
  readonly get: (register: Register) => number
  readonly set: (register: Register, value: number) => void
}

export function createRegisters(): Registers {
  const bytes = new Uint8Array(TABLE_END)
  const view = new DataView(bytes.buffer)
  return {
    bytes,
    get: ({ address, size }) =>
      size === 1 ? view.getUint8(address) : size === 2 ? view.getUint16(address, true) : view.getInt32(address, true),
    set({ address, size }, value) {
      if (size === 1) view.setUint8(address, value)
      else if (size === 2) view.setUint16(address, value, true)
      else view.setInt32(address, value, true)
    },
  }
}

const FIRMWARE = 52
/** 7.0 V, the highest that the register takes: the robot's supply lies above it, hence the lasting Alert of a healthy one. */
const HIGHEST_VOLTAGE_LIMIT = 70
/** Overheating, shock and overload switch a motor off; the input voltage does not. */
const SHUTDOWN_MASK = 52
/** What a motor leaves the factory with; it includes the input voltage. */
const FACTORY_SHUTDOWN_MASK = 53

/** The EEPROM of a motor of the robot, as its assembly leaves it. */
export function writeEeprom({ set }: Registers, spec: MotorSpec): void {
  set(REGISTER.modelNumber, spec.model)
  set(REGISTER.firmwareVersion, FIRMWARE)
  set(REGISTER.id, spec.id)
  set(REGISTER.baudRate, 3)
  set(REGISTER.returnDelay, 0)
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
  set(REGISTER.maxPositionLimit, spec.id === 10 ? 4095 : spec.max)
  set(REGISTER.minPositionLimit, spec.id === 10 ? 0 : spec.min)
  set(REGISTER.pwmSlope, 140)
  set(REGISTER.shutdown, SHUTDOWN_MASK)
}

/** What a factory reset leaves in the EEPROM; ID and baud rate stay. */
export function resetEeprom(registers: Registers, spec: MotorSpec): void {
  writeEeprom(registers, spec)
  registers.set(REGISTER.returnDelay, 250)
  registers.set(REGISTER.homingOffset, 0)
  registers.set(REGISTER.maxPositionLimit, 4095)
  registers.set(REGISTER.minPositionLimit, 0)
  registers.set(REGISTER.shutdown, FACTORY_SHUTDOWN_MASK)
}

/** RAM after power-up. Voltage, position and the error status are the motor's own affair. */
export function resetRam({ bytes, get, set }: Registers, spec: MotorSpec): void {
  bytes.fill(0, RAM_START)
  set(REGISTER.statusReturnLevel, 2)
  writeModeDefaults({ bytes, get, set }, spec)
}

/** What returns to its default when the operating mode changes: gains, profile, goals of effort and speed. */
export function writeModeDefaults({ get, set }: Registers, spec: MotorSpec): void {
  set(REGISTER.positionPGain, spec.model === 1240 ? 1100 : 400)
  set(REGISTER.positionIGain, spec.model === 1190 ? 400 : 0)
  set(REGISTER.positionDGain, spec.model === 1240 ? 500 : 0)
  set(REGISTER.profileAcceleration, 0)
  set(REGISTER.profileVelocity, 0)
  set(REGISTER.goalPwm, get(REGISTER.pwmLimit))
  set(REGISTER.goalCurrent, get(REGISTER.currentLimit))
  set(REGISTER.goalVelocity, get(REGISTER.velocityLimit))
}
