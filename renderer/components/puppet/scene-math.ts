import { BODY_PROFILE, HEAD } from './model.ts'

import type { Mat3, Vec3 } from './vectors.ts'

/** From the robot's frame (x forward, y left, z up) to the scene's (x right on screen, y up, z to the camera). */
export const toScene = ([x, y, z]: Vec3): [number, number, number] => [y, z, x]

const ORDER = [1, 2, 0] as const

/** A rotation of the robot's frame as one of the scene's, rows. */
export function rotationToScene(m: Mat3): Mat3 {
  const row = (i: 0 | 1 | 2): Vec3 => [m[i][ORDER[0]], m[i][ORDER[1]], m[i][ORDER[2]]]
  return [row(ORDER[0]), row(ORDER[1]), row(ORDER[2])]
}

/** The point of the head shell in a direction from its centre, and its normal; both in the robot's frame. */
export function shellPoint(direction: Vec3): { point: Vec3; normal: Vec3 } {
  const { axes, exponent: n } = HEAD
  const sum = direction.reduce((total, d, i) => total + Math.abs(d / (axes[i] ?? 1)) ** n, 0)
  const k = sum ** (-1 / n)
  const part = (i: 0 | 1 | 2): number => direction[i] * k
  const slope = (i: 0 | 1 | 2): number => (Math.sign(part(i)) * Math.abs(part(i) / axes[i]) ** (n - 1)) / axes[i]
  const raw: Vec3 = [slope(0), slope(1), slope(2)]
  const length = Math.hypot(...raw) || 1
  return {
    point: [part(0), part(1), part(2)],
    normal: [raw[0] / length, raw[1] / length, raw[2] / length],
  }
}

/**
 * Distance of a camera with the vertical field of view `fov` (radians) at which the figure, half as wide and half as
 * high as given, fills `part` of the stage.
 */
export function cameraDistance(
  fov: number,
  aspect: number,
  halfWidth: number,
  halfHeight: number,
  part: number,
): number {
  const tangent = Math.tan(fov / 2)
  return Math.max(halfHeight / tangent, halfWidth / (tangent * aspect)) / part
}

/** The body's profile, closed towards the foot and refined so that its light runs smoothly. */
export function latheProfile(perSegment = 6): [number, number][] {
  const points = BODY_PROFILE
  return points.flatMap(([r, z], i) => {
    const before = points[i - 1] ?? [r, z]
    const next = points[i + 1]
    if (!next) return [[r, z] as [number, number]]
    const after = points[i + 2] ?? next
    return Array.from({ length: perSegment }, (_, k): [number, number] => {
      const t = k / perSegment
      return [catmullRom(before[0], r, next[0], after[0], t), catmullRom(before[1], z, next[1], after[1], t)]
    })
  })
}

function catmullRom(a: number, b: number, c: number, d: number, t: number): number {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
}
