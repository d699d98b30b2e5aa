import { MOTORS, ticksToRadians } from '../motors.ts'

import { bodyYawFor } from './body-yaw.ts'
import { F, headMatrix, newFrame } from './frame.ts'
import { createInverse } from './inverse.ts'
import { identity } from './matrix.ts'

import type { Frame } from './frame.ts'

const degrees = (value: number): number => (value * Math.PI) / 180

/** Box around the rest pose, metres and radians: documented tilt limits, and what the platform reaches at all. */
const BOX = {
  shift: 0.04,
  low: -0.045,
  high: 0.02,
  tilt: degrees(40),
  antenna: Math.PI,
} as const

/** One tick inside each end, so that rounding never sends a goal that the motor would ignore. */
const LOW = Float64Array.from(MOTORS, ({ min }) => ticksToRadians(min + 1))
const HIGH = Float64Array.from(MOTORS, ({ max }) => ticksToRadians(max - 1))

const BISECTIONS = 8
/** Differences below this are rounding, not clamping: 0.01 mm or 0.0006°. */
const NOISE = 1e-5

export interface Workspace {
  /**
   * Moves `frame` to the nearest posture that the robot can take, in place, and writes its nine joints (radians) into
   * `joints`. Answers whether the head or an antenna had to be moved, or the body more than the automatic body yaw does.
   */
  limit(frame: Frame, joints: Float64Array): boolean
}

/**
 * Limits of head, body and antennas. A head outside of what the motors allow is drawn towards the rest pose, yaw
 * excepted, by bisection. Nothing is allocated after creation.
 */
export function createWorkspace(): Workspace {
  const inverse = createInverse()
  const head = identity()
  const wished = newFrame()

  const feasible = (frame: Frame, joints: Float64Array): boolean => {
    if (!inverse.solve(headMatrix(head, frame), frame[F.body] as number, joints)) return false
    for (let i = 1; i <= 6; i++) {
      const q = joints[i] as number
      if (q < (LOW[i] as number) || q > (HIGH[i] as number)) return false
    }
    return true
  }

  const scaled = (frame: Frame, factor: number): Frame => {
    for (let i = F.x; i <= F.pitch; i++) frame[i] = (wished[i] as number) * factor
    return frame
  }

  const box = (frame: Frame, index: number, low: number, high: number): boolean => {
    const value = frame[index] as number
    const next = Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : 0
    frame[index] = next
    return !(Math.abs(next - value) <= NOISE)
  }

  return {
    limit(frame, joints) {
      let clamped = box(frame, F.yaw, -Math.PI, Math.PI)
      clamped = box(frame, F.body, LOW[0] as number, HIGH[0] as number) || clamped
      clamped = box(frame, F.roll, -BOX.tilt, BOX.tilt) || clamped
      clamped = box(frame, F.pitch, -BOX.tilt, BOX.tilt) || clamped
      clamped = box(frame, F.x, -BOX.shift, BOX.shift) || clamped
      clamped = box(frame, F.y, -BOX.shift, BOX.shift) || clamped
      clamped = box(frame, F.z, BOX.low, BOX.high) || clamped
      clamped = box(frame, F.right, LOW[7] as number, HIGH[7] as number) || clamped
      clamped = box(frame, F.left, LOW[8] as number, HIGH[8] as number) || clamped
      const body = bodyYawFor(frame[F.yaw] as number, frame[F.body] as number)
      frame[F.body] = Math.min(HIGH[0] as number, Math.max(LOW[0] as number, body))

      joints[7] = frame[F.right] as number
      joints[8] = frame[F.left] as number
      if (feasible(frame, joints)) return clamped
      wished.set(frame)
      let low = 0
      let high = 1
      for (let k = 0; k < BISECTIONS; k++) {
        const middle = (low + high) / 2
        if (feasible(scaled(frame, middle), joints)) low = middle
        else high = middle
      }
      feasible(scaled(frame, low), joints)
      return true
    },
  }
}
