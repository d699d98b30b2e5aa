import { REACHY_MINI } from './geometry.ts'

import type { Geometry } from './geometry.ts'
import type { Matrix } from './matrix.ts'

const TURN = 2 * Math.PI

export interface InverseKinematics {
  /**
   * Angles that put the head at `head` (user frame: metres, z = 0 at the rest height) over a body turned by `bodyYaw`
   * (radians). Writes [body yaw, stewart_1 … stewart_6] into the first seven places of `out`, NaN for a leg that cannot
   * reach. Answers whether all six can. Motor limits are not looked at.
   */
  solve(head: Matrix, bodyYaw: number, out: Float64Array): boolean
}

/**
 * Closed form of the 6-RUS platform. The arm's tip turns on a circle about its motor; the rod's length leaves
 * A·cos q + B·sin q = C, whose mounted solution is q = 2·atan2(B + s·√(A² + B² − C²), A + C).
 * Nothing is allocated.
 */
export function createInverse(geometry: Geometry = REACHY_MINI): InverseKinematics {
  const { arm, rod, restHeight, legs } = geometry
  const constants = Float64Array.from(
    legs.flatMap(({ worldToMotor, branch, sign }) => [...worldToMotor, ...branch, sign]),
  )
  const stride = 16
  const c = (i: number): number => constants[i] as number
  const squares = arm * arm - rod * rod

  return {
    solve(head, bodyYaw, out) {
      const cos = Math.cos(bodyYaw)
      const sin = Math.sin(bodyYaw)
      const h = (i: number): number => head[i] as number
      let reachable = true
      out[0] = bodyYaw
      for (let leg = 0; leg < 6; leg++) {
        const o = leg * stride
        const bx = c(o + 12)
        const by = c(o + 13)
        const bz = c(o + 14)
        const hx = h(0) * bx + h(1) * by + h(2) * bz + h(3)
        const hy = h(4) * bx + h(5) * by + h(6) * bz + h(7)
        const wz = h(8) * bx + h(9) * by + h(10) * bz + h(11) + restHeight
        const wx = cos * hx + sin * hy
        const wy = cos * hy - sin * hx
        const px = c(o) * wx + c(o + 1) * wy + c(o + 2) * wz + c(o + 3)
        const py = c(o + 4) * wx + c(o + 5) * wy + c(o + 6) * wz + c(o + 7)
        const pz = c(o + 8) * wx + c(o + 9) * wy + c(o + 10) * wz + c(o + 11)
        const A = 2 * arm * px
        const B = 2 * arm * py
        const C = px * px + py * py + pz * pz + squares
        const D = A * A + B * B - C * C
        if (D < 0) {
          out[1 + leg] = NaN
          reachable = false
        } else {
          const angle = 2 * Math.atan2(B + c(o + 15) * Math.sqrt(D), A + C)
          out[1 + leg] = angle - TURN * Math.floor((angle + Math.PI) / TURN)
        }
      }
      return reachable
    },
  }
}
