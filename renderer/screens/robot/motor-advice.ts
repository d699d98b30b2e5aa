import { HOT, WARM } from './motor-heat.ts'

import type { MotorState } from '../../../electron/contract/index.ts'

/** Volts at which the robot's own software warns; its motors are fed with 6.8 to 7.6 V. */
export const MOST_VOLTS = 7.8
/** Volts below which motors do not move reliably; capacitors charge to there after power comes on. */
export const LEAST_VOLTS = 4.5

export const MOTOR_ERRORS = ['input voltage', 'overheating', 'encoder', 'electrical shock', 'overload'] as const
export type MotorError = (typeof MOTOR_ERRORS)[number]

/** The word in the last column: a key below `robot:motorWord`. */
export type MotorWord = 'holding' | 'limp' | 'warm' | 'hot' | 'latched' | 'error' | 'supplyHigh' | 'supplyLow'

/** What is wrong with a motor, the worst first; `null`: nothing is. */
export function troubleOf(motor: MotorState): Exclude<MotorWord, 'holding' | 'limp'> | null {
  const { latched, error, temperature, voltage } = motor
  if (latched) return 'latched'
  if (temperature !== null && temperature >= HOT) return 'hot'
  if (error !== undefined) return 'error'
  if (voltage !== null && voltage > MOST_VOLTS) return 'supplyHigh'
  if (voltage !== null && voltage < LEAST_VOLTS) return 'supplyLow'
  if (temperature !== null && temperature >= WARM) return 'warm'
  return null
}

/** @param torque of the robot, where the motor does not tell its own. */
export function wordOf(motor: MotorState, torque: boolean): MotorWord {
  return troubleOf(motor) ?? ((motor.torque ?? torque) ? 'holding' : 'limp')
}

/** Errors that a motor names, in the order in which it does. */
export function errorsOf({ error = '' }: MotorState): MotorError[] {
  const named = error.split(', ')
  return MOTOR_ERRORS.filter((known) => named.includes(known))
}

export type MotorPlace = 'body' | 'head' | 'antenna'

export function placeOf(name: string): MotorPlace {
  if (name.startsWith('stewart')) return 'head'
  return name.endsWith('antenna') ? 'antenna' : 'body'
}

const WORST_FIRST = ['latched', 'hot', 'error', 'supplyLow', 'supplyHigh', 'warm'] as const

export interface MotorAdvice {
  readonly trouble: (typeof WORST_FIRST)[number]
  readonly motor: MotorState
  /** Other motors with the same trouble. */
  readonly others: number
}

/** The one thing to say about the motors now: the worst trouble, of the hottest motor that has it. */
export function adviceFor(motors: readonly MotorState[]): MotorAdvice | null {
  for (const trouble of WORST_FIRST) {
    const troubled = motors.filter((motor) => troubleOf(motor) === trouble)
    const [motor] = [...troubled].sort((a, b) => (b.temperature ?? 0) - (a.temperature ?? 0))
    if (motor !== undefined) return { trouble, motor, others: troubled.length - 1 }
  }
  return null
}
