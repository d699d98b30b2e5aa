/** A rigid transform, 4×4, row major; translations in metres. Functions write into `out` and answer it, and never allocate. */
export type Matrix = Float64Array

export function identity(out: Matrix = new Float64Array(16)): Matrix {
  out.fill(0)
  out[0] = out[5] = out[10] = out[15] = 1
  return out
}

/** Reads element `i`; the arrays of this room are always long enough. */
const at = (m: ArrayLike<number>, i: number): number => m[i] as number

/** R = Rz(yaw)·Ry(pitch)·Rx(roll); metres and radians. */
export function fromEuler(
  out: Matrix,
  x: number,
  y: number,
  z: number,
  roll: number,
  pitch: number,
  yaw: number,
): Matrix {
  const cr = Math.cos(roll)
  const sr = Math.sin(roll)
  const cp = Math.cos(pitch)
  const sp = Math.sin(pitch)
  const cy = Math.cos(yaw)
  const sy = Math.sin(yaw)
  out[0] = cy * cp
  out[1] = cy * sp * sr - sy * cr
  out[2] = cy * sp * cr + sy * sr
  out[3] = x
  out[4] = sy * cp
  out[5] = sy * sp * sr + cy * cr
  out[6] = sy * sp * cr - cy * sr
  out[7] = y
  out[8] = -sp
  out[9] = cp * sr
  out[10] = cp * cr
  out[11] = z
  out[12] = out[13] = out[14] = 0
  out[15] = 1
  return out
}

export const rollOf = (m: Matrix): number => Math.atan2(at(m, 9), at(m, 10))
export const pitchOf = (m: Matrix): number => Math.atan2(-at(m, 8), Math.hypot(at(m, 0), at(m, 4)))
export const yawOf = (m: Matrix): number => Math.atan2(at(m, 4), at(m, 0))

/** Rz(angle)·m; `out` may be `m`. */
export function rotateAboutZ(out: Matrix, m: Matrix, angle: number): Matrix {
  const c = Math.cos(angle)
  const s = Math.sin(angle)
  for (let j = 0; j < 4; j++) {
    const a = at(m, j)
    const b = at(m, 4 + j)
    out[j] = c * a - s * b
    out[4 + j] = s * a + c * b
    out[8 + j] = at(m, 8 + j)
    out[12 + j] = at(m, 12 + j)
  }
  return out
}

/**
 * Replaces the rotation by the nearest one (the polar factor), by Newton's iteration R ← (R + R⁻ᵀ)/2, which doubles the
 * correct digits each time. `steps` 1 is enough for rounding noise.
 */
export function orthonormalise(m: Matrix, steps = 6): Matrix {
  for (let step = 0; step < steps; step++) {
    const a = at(m, 0)
    const b = at(m, 1)
    const c = at(m, 2)
    const d = at(m, 4)
    const e = at(m, 5)
    const f = at(m, 6)
    const g = at(m, 8)
    const h = at(m, 9)
    const i = at(m, 10)
    const half = 0.5 / (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
    m[0] = a / 2 + half * (e * i - f * h)
    m[1] = b / 2 + half * (f * g - d * i)
    m[2] = c / 2 + half * (d * h - e * g)
    m[4] = d / 2 + half * (c * h - b * i)
    m[5] = e / 2 + half * (a * i - c * g)
    m[6] = f / 2 + half * (b * g - a * h)
    m[8] = g / 2 + half * (b * f - c * e)
    m[9] = h / 2 + half * (c * d - a * f)
    m[10] = i / 2 + half * (a * e - b * d)
  }
  return m
}

/** Rotation part of aᵀ·b into `out` (its translation is left alone). */
export function transposeTimes(out: Matrix, a: Matrix, b: Matrix): Matrix {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      out[4 * r + c] = at(a, r) * at(b, c) + at(a, 4 + r) * at(b, 4 + c) + at(a, 8 + r) * at(b, 8 + c)
    }
  }
  return out
}

/** Rotation part of a·b into `out`, which must be neither (its translation is left alone). */
export function times(out: Matrix, a: Matrix, b: Matrix): Matrix {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      out[4 * r + c] = at(a, 4 * r) * at(b, c) + at(a, 4 * r + 1) * at(b, 4 + c) + at(a, 4 * r + 2) * at(b, 8 + c)
    }
  }
  return out
}

/** exp of the rotation vector `w` (radians) times `scale`, by Rodrigues' formula. */
export function expRotation(out: Matrix, w: ArrayLike<number>, scale = 1): Matrix {
  const x = at(w, 0) * scale
  const y = at(w, 1) * scale
  const z = at(w, 2) * scale
  const angle2 = x * x + y * y + z * z
  const angle = Math.sqrt(angle2)
  const a = angle < 1e-8 ? 1 - angle2 / 6 : Math.sin(angle) / angle
  const b = angle < 1e-4 ? 0.5 - angle2 / 24 : (1 - Math.cos(angle)) / angle2
  out[0] = 1 - b * (y * y + z * z)
  out[1] = b * x * y - a * z
  out[2] = b * x * z + a * y
  out[4] = b * x * y + a * z
  out[5] = 1 - b * (x * x + z * z)
  out[6] = b * y * z - a * x
  out[8] = b * x * z - a * y
  out[9] = b * y * z + a * x
  out[10] = 1 - b * (x * x + y * y)
  return out
}

/** The rotation vector of `m`, radians; through the quaternion, so that it is exact near half a turn too. */
export function logRotation(out: Float64Array, m: Matrix): Float64Array {
  const m00 = at(m, 0)
  const m11 = at(m, 5)
  const m22 = at(m, 10)
  const trace = m00 + m11 + m22
  let w: number
  let x: number
  let y: number
  let z: number
  if (trace > 0) {
    w = 1 + trace
    x = at(m, 9) - at(m, 6)
    y = at(m, 2) - at(m, 8)
    z = at(m, 4) - at(m, 1)
  } else if (m00 >= m11 && m00 >= m22) {
    w = at(m, 9) - at(m, 6)
    x = 1 + m00 - m11 - m22
    y = at(m, 1) + at(m, 4)
    z = at(m, 2) + at(m, 8)
  } else if (m11 >= m22) {
    w = at(m, 2) - at(m, 8)
    x = at(m, 1) + at(m, 4)
    y = 1 - m00 + m11 - m22
    z = at(m, 6) + at(m, 9)
  } else {
    w = at(m, 4) - at(m, 1)
    x = at(m, 2) + at(m, 8)
    y = at(m, 6) + at(m, 9)
    z = 1 - m00 - m11 + m22
  }
  if (w < 0) {
    w = -w
    x = -x
    y = -y
    z = -z
  }
  const sine = Math.sqrt(x * x + y * y + z * z)
  const scale = sine < 1e-12 * w ? 2 / w : (2 * Math.atan2(sine, w)) / sine
  out[0] = x * scale
  out[1] = y * scale
  out[2] = z * scale
  return out
}

/** Angle between two rotations, radians, from the trace of a·bᵀ. */
export function angleBetween(a: Matrix, b: Matrix): number {
  let trace = 0
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) trace += at(a, 4 * r + c) * at(b, 4 * r + c)
  }
  return Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2)))
}

/**
 * How far two head poses are apart: millimetres plus degrees, the measure by which the robot's own daemon chooses the
 * duration of waking up (`magic_distance` in pollen-robotics/reachy_mini).
 */
export function poseDistance(a: Matrix, b: Matrix): number {
  const millimetres = 1000 * Math.hypot(at(a, 3) - at(b, 3), at(a, 7) - at(b, 7), at(a, 11) - at(b, 11))
  return millimetres + (angleBetween(a, b) * 180) / Math.PI
}
