import { F, headMatrix, setHead } from '../kinematics/frame.ts'
import { identity, poseDistance } from '../kinematics/matrix.ts'

import { posePath, progress } from './interpolation.ts'

import type { Frame } from '../kinematics/frame.ts'
import type { Move } from '../moves/move.ts'
import type { Technique } from './interpolation.ts'

/** A stretch of motion. */
export interface Segment {
  /** Seconds. */
  readonly duration: number
  /** Position on the move's own time axis at `t`, for whoever shows a needle; absent outside of a move. */
  moveTime?(t: number): number
  /** Writes the posture at `t` seconds (0 … duration). */
  sample(t: number, out: Frame): void
}

/** Head with yaw as a scalar, antennas and body with the same share; by minimum jerk unless another technique is named. */
export function glide(from: Frame, to: Frame, duration: number, technique: Technique = 'minjerk'): Segment {
  const path = posePath(headMatrix(identity(), from), headMatrix(identity(), to), true)
  const start = from.slice()
  const end = to.slice()
  const head = identity()
  return {
    duration,
    sample(t, out) {
      const s = progress(technique, duration > 0 ? t / duration : 1)
      setHead(out, path(s, head))
      for (let i = F.body; i <= F.left; i++) {
        out[i] = (start[i] as number) + s * ((end[i] as number) - (start[i] as number))
      }
    },
  }
}

export function hold(frame: Frame, duration: number): Segment {
  const kept = frame.slice()
  return { duration, sample: (_, out) => out.set(kept) }
}

export function playMove(move: Move): Segment {
  return { duration: move.duration, moveTime: (t) => t, sample: (t, out) => move.sample(t, out) }
}

/** Millimetres plus degrees between the heads of two postures. */
export function headDistance(a: Frame, b: Frame): number {
  return poseDistance(headMatrix(identity(), a), headMatrix(identity(), b))
}

/** Farthest way of an antenna or the body between two postures, radians. */
export function jointDistance(a: Frame, b: Frame): number {
  return Math.max(...[F.body, F.right, F.left].map((i) => Math.abs((a[i] as number) - (b[i] as number))))
}

/** Peak speed of a minimum-jerk motion over its mean. */
const PEAK = 1.875
const MS_PER_DISTANCE = 20
/** Antennas and body in a glide turn no faster than this, radians a second: unhurried, and below the gentle limit. */
const GLIDE_SPEED = 3.8

/**
 * Seconds for an unhurried glide: 20 ms per millimetre or degree of the head, the scale by which the robot's daemon
 * wakes up, and long enough for antennas and body; 0 when there is nothing to do.
 */
export function glideDuration(from: Frame, to: Frame, shortest = 0.4): number {
  const head = headDistance(from, to)
  const joints = jointDistance(from, to)
  if (head < 0.5 && joints < 0.01) return 0
  return Math.max(shortest, (head * MS_PER_DISTANCE) / 1000, (joints * PEAK) / GLIDE_SPEED)
}
