/** Millimetres; x forward, y to the robot's left, z up. */
export type Vec3 = readonly [number, number, number]

/** Rows of a rotation matrix. */
export type Mat3 = readonly [Vec3, Vec3, Vec3]

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

export const scale = (a: Vec3, k: number): Vec3 => [a[0] * k, a[1] * k, a[2] * k]

export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export const apply = (m: Mat3, v: Vec3): Vec3 => [dot(m[0], v), dot(m[1], v), dot(m[2], v)]

/** The inverse rotation applied to `v`. */
export const applyInverse = (m: Mat3, v: Vec3): Vec3 => [
  m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2],
  m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2],
  m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2],
]

/** Rz(yaw)·Ry(pitch)·Rx(roll), radians: the convention of the robot's head poses. */
export function rotation(roll: number, pitch: number, yaw: number): Mat3 {
  const [cr, sr] = [Math.cos(roll), Math.sin(roll)]
  const [cp, sp] = [Math.cos(pitch), Math.sin(pitch)]
  const [cy, sy] = [Math.cos(yaw), Math.sin(yaw)]
  return [
    [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
    [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
    [-sp, cp * sr, cp * cr],
  ]
}

/** `v` turned about the unit vector `axis` by `angle` radians (Rodrigues). */
export function turn(v: Vec3, axis: Vec3, angle: number): Vec3 {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return add(add(scale(v, c), scale(cross(axis, v), s)), scale(axis, dot(axis, v) * (1 - c)))
}
