import { NEUTRAL } from '../puppet/model.ts'

import type { Trajectory } from '../../../electron/contract/index.ts'
import type { PuppetPose } from '../puppet/model.ts'

/** Numbers a frame has: x, y, z, roll, pitch, yaw, bodyYaw, rightAntenna, leftAntenna. */
const STRIDE = 9
/** A millimetre of travel counts as much as this turn, radians: both look about as large. */
const RADIANS_PER_METRE = 12

/** The five curves of a plot, radians. */
export const CURVES = ['yaw', 'pitch', 'roll', 'right', 'left'] as const
export type Curve = (typeof CURVES)[number]

const COLUMN: Record<Curve, number> = { roll: 3, pitch: 4, yaw: 5, right: 7, left: 8 }

export const frameCount = (trajectory: Trajectory): number => Math.floor(trajectory.frames.length / STRIDE)

function frame(trajectory: Trajectory, index: number): number[] {
  return trajectory.frames.slice(index * STRIDE, (index + 1) * STRIDE)
}

function toPose(values: readonly number[]): PuppetPose {
  const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0, bodyYaw = 0, right = 0, left = 0] = values
  return { head: { x, y, z, roll, pitch, yaw }, bodyYaw, antennas: [right, left] }
}

function fromPose({ head, bodyYaw, antennas }: PuppetPose): number[] {
  return [head.x, head.y, head.z, head.roll, head.pitch, head.yaw, bodyYaw, antennas[0], antennas[1]]
}

const mix = (a: readonly number[], b: readonly number[], part: number): number[] =>
  a.map((value, i) => value + ((b[i] ?? value) - value) * part)

/** The pose at a time, seconds; before the start the first frame, after the end the last one. */
export function poseAt(trajectory: Trajectory, time: number): PuppetPose {
  const last = frameCount(trajectory) - 1
  if (last < 0) return NEUTRAL
  const at = Math.min(last, Math.max(0, time / trajectory.dt))
  const index = Math.floor(at)
  return toPose(mix(frame(trajectory, index), frame(trajectory, Math.min(last, index + 1)), at - index))
}

/** Minimum jerk from 0 to 1: how the robot itself glides from one pose to another. */
export function minimumJerk(part: number): number {
  const t = Math.min(1, Math.max(0, part))
  return t * t * t * (10 - 15 * t + 6 * t * t)
}

/** Between two poses; `part` from 0 to 1. */
export function glide(from: PuppetPose, to: PuppetPose, part: number): PuppetPose {
  return toPose(mix(fromPose(from), fromPose(to), minimumJerk(part)))
}

/**
 * Time of the frame that shows best what the move is: the one furthest from the neutral pose. Antennas count half, as
 * they do for the word of the amplitude.
 */
export function keyTime(trajectory: Trajectory): number {
  const rest = fromPose(NEUTRAL)
  const weights = [RADIANS_PER_METRE, RADIANS_PER_METRE, RADIANS_PER_METRE, 1, 1, 1, 0.5, 0.25, 0.25]
  let best = 0
  let furthest = -1
  for (let i = 0; i < frameCount(trajectory); i += 1) {
    const distance = frame(trajectory, i).reduce((sum, value, k) => {
      const difference = (value - (rest[k] ?? 0)) * (weights[k] ?? 1)
      return sum + difference * difference
    }, 0)
    if (distance > furthest) {
      furthest = distance
      best = i
    }
  }
  return best * trajectory.dt
}

/** The five curves at `count` times from start to end. */
export function sampleCurves(trajectory: Trajectory, count: number): Record<Curve, number[]> {
  const frames = Array.from({ length: count }, (_, i) =>
    fromPose(poseAt(trajectory, (trajectory.duration * i) / Math.max(1, count - 1))),
  )
  const column = (curve: Curve): number[] => frames.map((values) => values[COLUMN[curve]] ?? 0)
  return {
    yaw: column('yaw'),
    pitch: column('pitch'),
    roll: column('roll'),
    right: column('right'),
    left: column('left'),
  }
}

/** What a card shows of a move: small enough to keep for all of them. */
export interface MoveSketch {
  pose: PuppetPose
  curves: Record<Curve, number[]>
}

export function sketchOf(trajectory: Trajectory): MoveSketch {
  return { pose: poseAt(trajectory, keyTime(trajectory)), curves: sampleCurves(trajectory, 36) }
}
