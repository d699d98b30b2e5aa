import { MAX_BODY_YAW } from '../motors.ts'

/** The neck may turn this far against the body, radians (documented limit of pollen-robotics/reachy_mini). */
export const MAX_NECK_YAW = (65 * Math.PI) / 180

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/**
 * Body yaw for a head yaw: the requested one, moved no further than needed to keep the head within ±65° of the body and
 * the body within ±160°. Radians. `headYaw` is the true (Euler) yaw, so that a tilted head does not turn the body.
 */
export function bodyYawFor(headYaw: number, requested: number): number {
  const neck = clamp(headYaw - requested, -MAX_NECK_YAW, MAX_NECK_YAW)
  return clamp(headYaw - neck, -MAX_BODY_YAW, MAX_BODY_YAW)
}

/**
 * The rule of the robot's own daemon, for comparison: it takes atan2(R01, R00) for the head's angle, which is off as soon
 * as the head is tilted.
 */
export function daemonBodyYawFor(r00: number, r01: number, requested: number): number {
  const head = Math.atan2(r01, r00)
  return -clamp(head + clamp(-requested - head, -MAX_NECK_YAW, MAX_NECK_YAW), -MAX_BODY_YAW, MAX_BODY_YAW)
}
