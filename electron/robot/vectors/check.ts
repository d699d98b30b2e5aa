/**
 * Checks the kinematics, the interpolations and the packets of this room against a file of expected values: those beside
 * this file, or anybody's in the same formats.
 */
import { z } from 'zod'

import { decodePacket, encodeInstruction, encodeStatus, hasValidCrc } from '../dynamixel/packet.ts'
import { bodyYawFor, daemonBodyYawFor } from '../kinematics/body-yaw.ts'
import { createForward } from '../kinematics/forward.ts'
import { F, headMatrix, newFrame } from '../kinematics/frame.ts'
import { createInverse } from '../kinematics/inverse.ts'
import { lookAt } from '../kinematics/look-at.ts'
import { angleBetween, identity, poseDistance, yawOf } from '../kinematics/matrix.ts'
import { SLEEP_HEAD } from '../kinematics/poses.ts'
import { posePath, progress } from '../motion/interpolation.ts'
import { MOTORS, radiansToTicks, ticksToRadians } from '../motors.ts'

import type { Matrix } from '../kinematics/matrix.ts'
import type { Technique } from '../motion/interpolation.ts'

/** What one list of a file gave. */
export interface VectorCount {
  readonly list: string
  readonly passed: number
  /** One line for each that differs. */
  readonly failed: readonly string[]
  /** Lists that this program does not know are counted and not judged. */
  readonly skipped: number
}

const numbers = z.array(z.number())
const nullable = z.array(z.number().nullable())

const ikSchema = z.object({
  name: z.string(),
  automatic_body_yaw: z.boolean(),
  head_matrix_row_major_m: numbers.length(16),
  body_yaw_requested_deg: z.number(),
  joints_rad: nullable.min(7),
  raw_ticks: nullable.optional(),
  solvable: z.boolean().optional(),
  within_motor_position_limits: z.boolean().optional(),
  ideal_yaw_rule: z.object({ joints_rad: numbers.min(7) }).nullish(),
})
const fkSchema = z.object({
  name: z.string(),
  joints7_rad: numbers.length(7),
  recommended: z.object({ pose_matrix_row_major_m: numbers.length(16), converged: z.boolean() }),
})
const timeSchema = z.object({ t: z.number() }).catchall(z.number())
const pathSchema = z.object({
  name: z.string(),
  t: z.number(),
  yaw_as_scalar: z.boolean(),
  start: numbers.length(16),
  end: numbers.length(16),
  result: numbers.length(16),
})
const distanceSchema = z.object({
  name: z.string(),
  angle_rad: z.number(),
  magic_mm: z.number(),
  start: numbers.optional(),
  end: numbers.optional(),
})
const lookSchema = z.object({ point_m: z.tuple([z.number(), z.number(), z.number()]), pose: numbers.length(16) })
const tickSchema = z.object({ rad: z.number(), raw: z.number() })
const packetSchema = z.object({
  name: z.string(),
  hex: z.string(),
  id: z.number(),
  instruction_byte: z.number(),
  params_unstuffed_hex: z.string(),
  error_byte: z.number().optional(),
})

/** Radians; metres and parts of a rotation; see the tolerances in the file's own `meta`. */
const JOINT = 1e-9
const POSE = 1e-8
const EXACT = 1e-12
const NEAR = 1e-9

const degrees = (value: number): number => (value * Math.PI) / 180
const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(b, (value, i) => Math.abs((a[i] ?? NaN) - value)))
const hex = (text: string): number[] => (text.match(/[0-9a-fA-F]{2}/g) ?? []).map((byte) => parseInt(byte, 16))

/** What is wrong with one entry; `null` when it is as expected. */
type Judge = (entry: unknown) => string | null

const off = (what: string, difference: number, limit: number): string | null =>
  difference <= limit ? null : `${what} differs by ${difference}`

function judge<S extends z.ZodType>(schema: S, check: (entry: z.output<S>) => string | null): Judge {
  return (entry) => {
    const parsed = schema.safeParse(entry)
    if (parsed.success) return check(parsed.data)
    return `not in the format: ${parsed.error.issues[0]?.path.join('.') ?? ''} ${parsed.error.issues[0]?.message ?? ''}`
  }
}

function judgeIk(entry: z.output<typeof ikSchema>): string | null {
  const inverse = createInverse()
  const joints = new Float64Array(9)
  const head = Float64Array.from(entry.head_matrix_row_major_m)
  const requested = degrees(entry.body_yaw_requested_deg)
  const daemon = daemonBodyYawFor(head[0] ?? 0, head[1] ?? 0, requested)
  const solvable = inverse.solve(head, entry.automatic_body_yaw ? daemon : requested, joints)
  if (entry.solvable !== undefined && solvable !== entry.solvable) return `solvable is ${solvable}`
  for (const [i, expected] of entry.joints_rad.slice(0, 7).entries()) {
    const found = joints[i] ?? NaN
    if (expected === null ? !Number.isNaN(found) : !(Math.abs(found - expected) <= JOINT)) {
      return `joint ${i} is ${found}, not ${expected}`
    }
  }
  const ticks = entry.raw_ticks ?? []
  for (const [i, expected] of ticks.entries()) {
    const angle = entry.joints_rad[i]
    if (expected !== null && typeof angle === 'number' && radiansToTicks(angle) !== expected) {
      return `tick ${i} is ${radiansToTicks(angle)}, not ${expected}`
    }
  }
  if (entry.within_motor_position_limits !== undefined && ticks.length === MOTORS.length) {
    // The body's own register allows a whole turn; its narrower travel is the software's rule.
    const inside = MOTORS.every(({ min, max }, i) => {
      const tick = ticks[i]
      return typeof tick === 'number' && (i === 0 ? tick >= 0 && tick <= 4095 : tick >= min && tick <= max)
    })
    if (inside !== entry.within_motor_position_limits) return `within the limits is ${inside}`
  }
  // At exactly ±180° rounding decides the side, for either rule.
  if (!entry.ideal_yaw_rule || Math.abs(Math.abs(yawOf(head)) - Math.PI) < 1e-6) return null
  inverse.solve(head, bodyYawFor(yawOf(head), requested), joints)
  return off('the joints by the true head yaw', largest(joints, entry.ideal_yaw_rule.joints_rad.slice(0, 7)), JOINT)
}

function judgeFk(entry: z.output<typeof fkSchema>): string | null {
  const pose = identity()
  const converged = createForward().solve(entry.joints7_rad, pose)
  if (converged !== entry.recommended.converged) return `converged is ${converged}`
  return converged ? off('the pose', largest(pose, entry.recommended.pose_matrix_row_major_m), POSE) : null
}

function judgePacket(entry: z.output<typeof packetSchema>): string | null {
  const wire = Uint8Array.from(hex(entry.hex))
  if (!hasValidCrc(wire)) return 'the CRC is wrong'
  const packet = decodePacket(wire)
  const params = hex(entry.params_unstuffed_hex)
  if (packet?.id !== entry.id || packet.instruction !== entry.instruction_byte) return 'ID or instruction differs'
  if (packet.params.length !== params.length || largest(packet.params, params) > 0) return 'the parameters differ'
  const flags = { alert: ((entry.error_byte ?? 0) & 0x80) !== 0, number: (entry.error_byte ?? 0) & 0x7f }
  const built =
    entry.error_byte === undefined
      ? encodeInstruction(entry.id, entry.instruction_byte, params)
      : encodeStatus(entry.id, flags, params)
  return built.length === wire.length && largest(built, wire) === 0 ? null : 'the packet built anew differs'
}

/** Poses that a distance can be named after: `init`, `sleep`, or an angle in degrees (`roll20`, `pitch-10`, `yaw45`). */
function namedPose(name = ''): Matrix | null {
  if (name === 'init') return identity()
  // As the daemon writes it, rounded: a distance is measured before anything is made orthonormal.
  if (name === 'sleep') return Float64Array.from(SLEEP_HEAD)
  const [, axis, angle] = /^(roll|pitch|yaw)(-?\d+(?:\.\d+)?)$/.exec(name) ?? []
  if (axis === undefined) return null
  const frame = newFrame()
  frame[F[axis as 'roll' | 'pitch' | 'yaw']] = degrees(Number(angle))
  return headMatrix(identity(), frame)
}

const TECHNIQUES: readonly Technique[] = ['linear', 'minjerk', 'ease_in_out', 'cartoon']

const JUDGES: Readonly<Record<string, Judge>> = {
  ik: judge(ikSchema, judgeIk),
  ik_unreachable_or_special: judge(ikSchema, judgeIk),
  fk: judge(fkSchema, judgeFk),
  time_trajectory: judge(timeSchema, (entry) => {
    const known = TECHNIQUES.filter((technique) => entry[technique] !== undefined)
    const wrong = known.find((technique) => Math.abs(progress(technique, entry.t) - (entry[technique] ?? NaN)) > EXACT)
    return wrong === undefined ? null : `${wrong} is ${progress(wrong, entry.t)}`
  }),
  pose_interpolation: judge(pathSchema, (entry) => {
    const path = posePath(Float64Array.from(entry.start), Float64Array.from(entry.end), entry.yaw_as_scalar)
    return off('the pose', largest(path(entry.t, identity()), entry.result), NEAR)
  }),
  distances: judge(distanceSchema, (entry) => {
    const [first, second] = entry.name.split(' vs ')
    const start = entry.start ? Float64Array.from(entry.start) : namedPose(first)
    const end = entry.end ? Float64Array.from(entry.end) : namedPose(second)
    if (!start || !end) return 'names no known pose'
    return (
      off('the distance', Math.abs(poseDistance(start, end) - entry.magic_mm), NEAR) ??
      off('the angle', Math.abs(angleBetween(start, end) - entry.angle_rad), NEAR)
    )
  }),
  look_at_world: judge(lookSchema, ({ point_m, pose }) => off('the pose', largest(lookAt(...point_m), pose), NEAR)),
  conversions: judge(tickSchema, ({ rad, raw }) => {
    // Some entries say which tick an angle becomes, some which angle a tick is: ticks are cut, so only one holds.
    if (radiansToTicks(rad) === raw || Math.abs(ticksToRadians(raw) - rad) <= EXACT) return null
    return `${rad} rad is ${radiansToTicks(rad)} ticks, ${raw} ticks are ${ticksToRadians(raw)} rad`
  }),
  dynamixel_packets: judge(packetSchema, judgePacket),
}

const nameOf = (entry: unknown, index: number): string =>
  typeof entry === 'object' && entry !== null && 'name' in entry ? String(entry.name) : `entry ${index + 1}`

/**
 * Checks every list of a file of vectors. Lists of other names are counted as skipped.
 * @param file parsed JSON.
 * @throws Error when it is no object.
 */
export function checkVectors(file: unknown): VectorCount[] {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw new Error('a file of vectors is an object')
  return Object.entries(file).flatMap(([list, entries]): VectorCount[] => {
    if (!Array.isArray(entries)) return []
    const check = Object.hasOwn(JUDGES, list) ? JUDGES[list] : undefined
    if (check === undefined) return [{ list, passed: 0, failed: [], skipped: entries.length }]
    const failed = entries.flatMap((entry, index) => {
      const wrong = check(entry)
      return wrong === null ? [] : [`${nameOf(entry, index)}: ${wrong}`]
    })
    return [{ list, passed: entries.length - failed.length, failed, skipped: 0 }]
  })
}
