import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { MOTORS, radiansToTicks, ticksToRadians } from '../motors.ts'

import { bodyYawFor, daemonBodyYawFor } from './body-yaw.ts'
import { createForward } from './forward.ts'
import { createInverse } from './inverse.ts'
import { lookAt } from './look-at.ts'
import { angleBetween, identity, poseDistance, yawOf } from './matrix.ts'

interface IkVector {
  name: string
  automatic_body_yaw: boolean
  head_matrix_row_major_m: number[]
  body_yaw_requested_deg: number
  antennas_right_left_rad: number[]
  joints_rad: (number | null)[]
  raw_ticks: (number | null)[]
  solvable: boolean
  within_motor_position_limits: boolean
  ideal_yaw_rule?: { joints_rad: number[]; raw_ticks: number[] } | null
}

interface Vectors {
  geometry: { motors: { T_motor_world: number[][]; branch_position: number[]; solution: number }[] }
  meta: { limits: { raw_limits_eeprom: Record<string, [number, number]> } }
  rust_unit_tests: {
    motor_arm_length: number
    rod_length: number
    'ik_at_translation_z_0.177': number[]
    motors: { T_motor_world: number[][]; branch_position: number[]; solution: number }[]
  }
  ik: IkVector[]
  ik_unreachable_or_special: IkVector[]
  fk: { name: string; joints7_rad: number[]; recommended: { pose_matrix_row_major_m: number[]; converged: boolean } }[]
  distances: { name: string; translation_m: number; angle_rad: number; magic_mm: number }[]
  look_at_world: { point_m: [number, number, number]; pose: number[] }[]
  conversions: { rad: number; raw: number }[]
}

const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../vectors/kinematics.json'), 'utf8'),
) as Vectors

const degrees = (value: number): number => (value * Math.PI) / 180
const largestDifference = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.max(...b.map((value, i) => Math.abs((a[i] ?? NaN) - value)))

describe('inverse kinematics', () => {
  const inverse = createInverse()
  const joints = new Float64Array(9)

  it.each(vectors.ik.concat(vectors.ik_unreachable_or_special))('$name', (vector) => {
    const head = Float64Array.from(vector.head_matrix_row_major_m)
    const requested = degrees(vector.body_yaw_requested_deg)
    const daemon = daemonBodyYawFor(head[0] ?? 0, head[1] ?? 0, requested)
    expect(inverse.solve(head, vector.automatic_body_yaw ? daemon : requested, joints)).toBe(vector.solvable)
    vector.joints_rad.slice(0, 7).forEach((expected, i) => {
      if (expected === null) expect(joints[i]).toBeNaN()
      else expect(Math.abs((joints[i] ?? NaN) - expected)).toBeLessThan(1e-9)
    })
    vector.raw_ticks.forEach((expected, i) => {
      const angle = vector.joints_rad[i]
      if (expected !== null && typeof angle === 'number') expect(radiansToTicks(angle)).toBe(expected)
    })
    const limits = Object.values(vectors.meta.limits.raw_limits_eeprom)
    const inside = vector.raw_ticks.every(
      (raw, i) => raw !== null && raw >= (limits[i]?.[0] ?? 0) && raw <= (limits[i]?.[1] ?? 0),
    )
    expect(inside).toBe(vector.within_motor_position_limits)
  })

  it('follows the true head yaw where the daemon’s rule goes astray', () => {
    const differing = vectors.ik.filter(({ ideal_yaw_rule }) => ideal_yaw_rule)
    expect(differing.length).toBeGreaterThan(0)
    for (const vector of vectors.ik.filter(({ automatic_body_yaw }) => automatic_body_yaw)) {
      const head = Float64Array.from(vector.head_matrix_row_major_m)
      inverse.solve(head, bodyYawFor(yawOf(head), degrees(vector.body_yaw_requested_deg)), joints)
      const expected = vector.ideal_yaw_rule?.joints_rad ?? (vector.joints_rad as number[])
      // At exactly ±180° rounding decides the side, for either rule.
      if (!/18\d/.test(vector.name)) expect(largestDifference(joints, expected.slice(0, 7))).toBeLessThan(1e-9)
    }
  })

  it('reproduces the unit test of the original solver with its older geometry', () => {
    const { motors, motor_arm_length, rod_length } = vectors.rust_unit_tests
    const older = createInverse({
      arm: motor_arm_length,
      rod: rod_length,
      restHeight: 0.177,
      legs: motors.map(({ T_motor_world, branch_position, solution }) => ({
        worldToMotor: T_motor_world.slice(0, 3).flat(),
        branch: branch_position as [number, number, number],
        sign: solution === 0 ? -1 : 1,
      })),
    })
    expect(older.solve(identity(), 0, joints)).toBe(true)
    expect(largestDifference(joints.subarray(1), vectors.rust_unit_tests['ik_at_translation_z_0.177'])).toBeLessThan(
      1e-12,
    )
  })
})

describe('forward kinematics', () => {
  const pose = identity()

  it.each(vectors.fk)('$name', ({ joints7_rad, recommended }) => {
    const forward = createForward()
    expect(forward.solve(joints7_rad, pose)).toBe(recommended.converged)
    expect(largestDifference(pose, recommended.pose_matrix_row_major_m)).toBeLessThan(1e-8)
  })

  it('undoes the inverse for every reachable vector within the limits', () => {
    const forward = createForward()
    const orthonormal = vectors.ik.filter((v) => v.within_motor_position_limits && !/sleep/i.test(v.name))
    for (const vector of orthonormal) {
      forward.reset()
      expect(forward.solve(vector.joints_rad.slice(0, 7) as number[], pose)).toBe(true)
      expect(largestDifference(pose, vector.head_matrix_row_major_m), vector.name).toBeLessThan(1e-8)
    }
    expect(orthonormal.length).toBeGreaterThan(30)
  })

  it('says so when no pose fits, and recovers', () => {
    const forward = createForward()
    expect(forward.solve([0, 2, 2, 2, 2, 2, 2], pose)).toBe(false)
    expect(forward.solve(vectors.fk[0]?.joints7_rad ?? [], pose)).toBe(true)
  })
})

describe('poses', () => {
  it('measures distances', () => {
    const rest = identity()
    const sleep = Float64Array.from([
      0.911, 0.004, 0.413, -0.021, -0.004, 1, -0.001, 0.001, -0.413, -0.001, 0.911, -0.044, 0, 0, 0, 1,
    ])
    const expected = vectors.distances[0]
    expect(Math.abs(poseDistance(sleep, rest) - (expected?.magic_mm ?? 0))).toBeLessThan(1e-9)
    expect(Math.abs(angleBetween(sleep, rest) - (expected?.angle_rad ?? 0))).toBeLessThan(1e-9)
  })

  it.each(vectors.look_at_world)('looks at $point_m', ({ point_m, pose }) => {
    expect(largestDifference(lookAt(...point_m), pose)).toBeLessThan(1e-9)
  })

  it('looks behind by turning, not upside down', () => {
    const back = lookAt(-1, 0, 0)
    expect(Math.abs(Math.abs(yawOf(back)) - Math.PI)).toBeLessThan(1e-9)
    expect(back[10]).toBeCloseTo(1, 9)
  })
})

describe('ticks', () => {
  it.each(vectors.conversions)('$rad rad, $raw ticks', ({ rad, raw }) => {
    if (Math.abs(ticksToRadians(raw) - rad) < 1e-12) expect(ticksToRadians(raw)).toBeCloseTo(rad, 12)
    else expect(radiansToTicks(rad)).toBe(raw)
  })

  it('keeps the body inside ±160°', () => {
    const body = MOTORS[0]
    expect(ticksToRadians(body?.min ?? 0)).toBeGreaterThanOrEqual(-degrees(160))
    expect(ticksToRadians(body?.max ?? 0)).toBeLessThanOrEqual(degrees(160))
  })
})
