import { REACHY_MINI } from './geometry.ts'
import { expRotation, identity, orthonormalise, pitchOf, rollOf, rotateAboutZ, times } from './matrix.ts'
import { solveLinear6 } from './solve-linear.ts'

import type { Geometry } from './geometry.ts'
import type { Matrix } from './matrix.ts'

export interface ForwardKinematics {
  /**
   * The head pose (user frame: metres, z = 0 at the rest height) of [body yaw, stewart_1 … stewart_6], radians, written
   * into `out`. Starts at the previous answer. Answers false, and leaves `out` alone, when no pose fits.
   */
  solve(joints: ArrayLike<number>, out: Matrix): boolean
  /** Forgets the previous answer: the next search starts at the rest pose. */
  reset(): void
}

const MAX_ITERATIONS = 25
const MAX_HALVINGS = 12
const CONVERGED = 1e-10
/** Metres: a residual above this is another mechanism than ours, or a motor that lies. */
const ACCEPTABLE = 1e-4
const MAX_TILT = (80 * Math.PI) / 180
const MAX_SHIFT = 0.02
const MAX_TURN = 0.35

/**
 * Newton's method on the six rod lengths with normalised rows, a capped step, and halving while the residual grows.
 * From the rest pose it converges to rounding error everywhere inside the motor limits; in the far corners of the workspace
 * (all tilts and shifts at their ends) more than one pose fits the same joints, and which one it is only the way there
 * tells. Nothing is allocated.
 */
export function createForward(geometry: Geometry = REACHY_MINI): ForwardKinematics {
  const { arm, rod, restHeight, legs } = geometry
  const motors = Float64Array.from(legs.flatMap(({ worldToMotor }) => armPlane(worldToMotor, arm)))
  const branches = Float64Array.from(legs.flatMap(({ branch }) => branch))
  const tips = new Float64Array(18)
  const jacobian = new Float64Array(36)
  const residual = new Float64Array(6)
  const step = new Float64Array(6)
  const turn = new Float64Array(3)
  const rotation = identity()
  const product = identity()
  const pose = identity()
  const trial = identity()
  const n = (a: Float64Array, i: number): number => a[i] as number

  const reset = (): void => {
    identity(pose)[11] = restHeight
  }
  reset()

  /** Writes the residuals of `at` (and the rows of the Jacobian) and answers their norm. */
  const evaluate = (at: Matrix, withRows: boolean): number => {
    let sum = 0
    for (let leg = 0; leg < 6; leg++) {
      const o = 3 * leg
      const dx = n(tips, o) - n(at, 3)
      const dy = n(tips, o + 1) - n(at, 7)
      const dz = n(tips, o + 2) - n(at, 11)
      const bx = n(branches, o)
      const by = n(branches, o + 1)
      const bz = n(branches, o + 2)
      let ux = bx - (n(at, 0) * dx + n(at, 4) * dy + n(at, 8) * dz)
      let uy = by - (n(at, 1) * dx + n(at, 5) * dy + n(at, 9) * dz)
      let uz = bz - (n(at, 2) * dx + n(at, 6) * dy + n(at, 10) * dz)
      const length = Math.sqrt(ux * ux + uy * uy + uz * uz)
      const e = rod - length
      sum += e * e
      if (!withRows) continue
      residual[leg] = e
      ux /= length
      uy /= length
      uz /= length
      const row = 6 * leg
      jacobian[row] = ux
      jacobian[row + 1] = uy
      jacobian[row + 2] = uz
      jacobian[row + 3] = by * uz - bz * uy
      jacobian[row + 4] = bz * ux - bx * uz
      jacobian[row + 5] = bx * uy - by * ux
    }
    return Math.sqrt(sum)
  }

  /** trial = pose moved by `scale` times the body-frame twist `step`. */
  const move = (scale: number): void => {
    turn[0] = n(step, 3)
    turn[1] = n(step, 4)
    turn[2] = n(step, 5)
    expRotation(rotation, turn, scale)
    times(product, pose, rotation)
    for (let r = 0; r < 3; r++) {
      const o = 4 * r
      trial[o] = n(product, o)
      trial[o + 1] = n(product, o + 1)
      trial[o + 2] = n(product, o + 2)
      trial[o + 3] =
        n(pose, o + 3) + scale * (n(pose, o) * n(step, 0) + n(pose, o + 1) * n(step, 1) + n(pose, o + 2) * n(step, 2))
    }
    orthonormalise(trial, 1)
  }

  const iterate = (): number => {
    let error = evaluate(pose, true)
    for (let k = 0; k < MAX_ITERATIONS && error >= CONVERGED; k++) {
      step.set(residual)
      if (!solveLinear6(jacobian, step)) return error
      const shift = Math.hypot(n(step, 0), n(step, 1), n(step, 2))
      const angle = Math.hypot(n(step, 3), n(step, 4), n(step, 5))
      let scale = 1 / Math.max(1, shift / MAX_SHIFT, angle / MAX_TURN)
      move(scale)
      let next = evaluate(trial, false)
      for (let halving = 0; next > error && halving < MAX_HALVINGS; halving++) {
        scale /= 2
        move(scale)
        next = evaluate(trial, false)
      }
      if (next > error) return error
      pose.set(trial)
      error = evaluate(pose, true)
    }
    return error
  }

  return {
    reset,
    solve(joints, out) {
      for (let leg = 0; leg < 6; leg++) {
        const q = joints[1 + leg] as number
        const cos = Math.cos(q)
        const sin = Math.sin(q)
        for (let k = 0; k < 3; k++) {
          const o = 9 * leg + 3 * k
          tips[3 * leg + k] = n(motors, o) + n(motors, o + 1) * cos + n(motors, o + 2) * sin
        }
      }
      let error = iterate()
      if (!(error <= ACCEPTABLE)) {
        reset()
        error = iterate()
      }
      if (!(error <= ACCEPTABLE) || Math.abs(rollOf(pose)) > MAX_TILT || Math.abs(pitchOf(pose)) > MAX_TILT) {
        reset()
        return false
      }
      rotateAboutZ(out, pose, joints[0] as number)
      out[11] = n(out, 11) - restHeight
      return true
    },
  }
}

/** For each world axis [centre, cosine part, sine part] of the arm's tip: tip = centre + arm·(X·cos q + Y·sin q). */
function armPlane(worldToMotor: readonly number[], arm: number): number[] {
  const m = (r: number, c: number): number => worldToMotor[4 * r + c] as number
  return [0, 1, 2].flatMap((axis) => {
    const centre = -(m(0, axis) * m(0, 3) + m(1, axis) * m(1, 3) + m(2, axis) * m(2, 3))
    return [centre, arm * m(0, axis), arm * m(1, axis)]
  })
}
