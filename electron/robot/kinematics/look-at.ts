import { expRotation, identity } from './matrix.ts'

import type { Matrix } from './matrix.ts'

/**
 * Head pose that turns the face to the direction (x, y, z) of the user frame by the shortest rotation. A zero vector is
 * the rest pose; straight behind turns about the vertical axis, never upside down.
 */
export function lookAt(x: number, y: number, z: number): Matrix {
  const out = identity()
  const norm = Math.hypot(x, y, z)
  if (norm < 1e-12) return out
  const sine = Math.hypot(y, z) / norm
  if (sine < 1e-8) return x > 0 ? out : expRotation(out, [0, 0, Math.PI])
  const angle = Math.atan2(sine, x / norm) / (sine * norm)
  return expRotation(out, [0, -z, y], angle)
}
