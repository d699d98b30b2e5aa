import { HARDWARE_ERROR } from './dynamixel/control-table.ts'

import type { MotorState } from '../contract/index.ts'
import type { MotorHealth } from './driver/types.ts'
import type { MotorSpec } from './motors.ts'

const ERROR_NAMES: readonly (readonly [number, string])[] = [
  [HARDWARE_ERROR.voltage, 'input voltage'],
  [HARDWARE_ERROR.overheating, 'overheating'],
  [HARDWARE_ERROR.encoder, 'encoder'],
  [HARDWARE_ERROR.shock, 'electrical shock'],
  [HARDWARE_ERROR.overload, 'overload'],
]

/** Errors after which a motor is limp until it was restarted: the robot's shutdown mask, 52. */
const LATCHING = HARDWARE_ERROR.overheating | HARDWARE_ERROR.shock | HARDWARE_ERROR.overload

/** Factory current limits, milliamperes (ROBOTIS e-manuals of XL330 and XC330). */
const MOST_CURRENT = (model: number): number => (model === 1240 ? 2352 : 1750)

/** @param angle radians. */
export function motorState({ id, name, model }: MotorSpec, angle: number, health: MotorHealth | null): MotorState {
  const bits = health?.hardwareError ?? 0
  const error = ERROR_NAMES.filter(([bit]) => (bits & bit) !== 0).map(([, word]) => word)
  const current = health?.current ?? null
  return {
    id,
    name,
    angle,
    temperature: health?.temperature ?? null,
    voltage: health?.voltage ?? null,
    load: current === null ? null : Math.min(1, Math.abs(current) / MOST_CURRENT(model)),
    torque: health?.torque ?? null,
    latched: (bits & LATCHING) !== 0,
    ...(error.length > 0 ? { error: error.join(', ') } : {}),
  }
}
