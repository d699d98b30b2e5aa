import {
  expRotation,
  identity,
  logRotation,
  orthonormalise,
  rotateAboutZ,
  times,
  transposeTimes,
  yawOf,
} from '../kinematics/matrix.ts'

import type { Matrix } from '../kinematics/matrix.ts'

export type Technique = 'linear' | 'minjerk' | 'ease_in_out' | 'cartoon'

const BACK = 1.70158 * 1.525

/**
 * Share of the way gone after share `t` (cut to 0 … 1) of the time; names and formulae of the robot's own SDK
 * (pollen-robotics/reachy_mini, `InterpolationTechnique`). `cartoon` swings a tenth beyond both ends.
 */
export function progress(technique: Technique, t: number): number {
  const u = Math.min(1, Math.max(0, t))
  switch (technique) {
    case 'linear':
      return u
    case 'minjerk':
      return u * u * u * (10 + u * (6 * u - 15))
    case 'ease_in_out':
      return u < 0.5 ? 2 * u * u : 1 - (2 - 2 * u) ** 2 / 2
    case 'cartoon':
      return u < 0.5
        ? ((2 * u) ** 2 * ((BACK + 1) * 2 * u - BACK)) / 2
        : ((2 * u - 2) ** 2 * ((BACK + 1) * (2 * u - 2) + BACK) + 2) / 2
  }
}

/**
 * The way from one head pose to another: writes the pose at share `s` into `out`. Translation is linear. Rotation is
 * the shortest one, or, with `yawAsScalar`, yaw as a number and only the tilt by the shortest rotation, so that a turn
 * from +120° to −120° goes past the front and not past the back. Rotations are made orthonormal first.
 */
export function posePath(from: Matrix, to: Matrix, yawAsScalar: boolean): (s: number, out: Matrix) => Matrix {
  const start = orthonormalise(from.slice())
  const end = orthonormalise(to.slice())
  const yaw0 = yawAsScalar ? yawOf(start) : 0
  const yaw1 = yawAsScalar ? yawOf(end) : 0
  const first = rotateAboutZ(identity(), start, -yaw0)
  const last = rotateAboutZ(identity(), end, -yaw1)
  const turn = logRotation(new Float64Array(3), transposeTimes(identity(), first, last))
  const step = identity()
  const tilt = identity()
  return (s, out) => {
    times(tilt, first, expRotation(step, turn, s))
    rotateAboutZ(out, tilt, yaw0 + s * (yaw1 - yaw0))
    for (const i of [3, 7, 11]) out[i] = (from[i] as number) + s * ((to[i] as number) - (from[i] as number))
    return out
  }
}
