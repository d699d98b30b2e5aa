import { add, apply, dot, rotation, scale, turn } from './vectors.ts'

import type { HeadPose } from '../../../electron/contract/index.ts'
import type { Mat3, Vec3 } from './vectors.ts'

/** Where the robot stands: metres and radians as everywhere, antennas [right, left]. */
export interface PuppetPose {
  head: HeadPose
  bodyYaw: number
  antennas: readonly [number, number]
}

/** Awake and at rest: antennas 10° outwards. */
export const NEUTRAL: PuppetPose = {
  head: { x: 0, y: 0, z: 0, roll: 0, pitch: 0, yaw: 0 },
  bodyYaw: 0,
  antennas: [-0.1745, 0.1745],
}

/** Asleep: the head sunk into the body, antennas hanging down. */
export const ASLEEP: PuppetPose = {
  head: { x: -0.021, y: 0.001, z: -0.044, roll: 0, pitch: 0.4259, yaw: 0 },
  bodyYaw: 0,
  antennas: [-3.05, 3.05],
}

/** Height of the head frame above the foot at rest (pollen-robotics/reachy_mini, `head_z_offset`). */
const HEAD_Z = 177

/** The head shell: a superellipsoid, in the head frame. Own drawing, not the robot's mesh. */
export const HEAD = { centre: [-4, 0, 52] as Vec3, axes: [52, 77, 56] as Vec3, exponent: 2.4 }

const ANTENNA_LENGTH = 112
const ANTENNA_ZERO: Vec3 = [0.12, 0, 0.993]
/** Pivot and axis of the right antenna; the left one is its mirror image in y. Axes as in the robot's URDF. */
const ANTENNA_PIVOT: Vec3 = [-20, -46, 86]
const ANTENNA_AXIS: Vec3 = [0.8613, 0.4973, -0.1045]

export const EYES = [
  { y: -30, z: 55, radius: 25, outward: -1 },
  { y: 36, z: 55, radius: 18, outward: 1 },
] as const
/** How far the eyes look outwards, radians. */
const EYE_TURN = (11 * Math.PI) / 180

/** Radius and height of the turned body, from the foot to the rim. */
export const BODY_PROFILE: readonly (readonly [number, number])[] = [
  [53, 9],
  [59, 14],
  [67, 38],
  [74, 68],
  [78, 98],
  [78.5, 122],
  [76.5, 142],
  [72, 158],
]

/** Arm, rod and branch points of the Stewart platform (pollen-robotics/reachy_mini, `kinematics_data.json`, rounded). */
const ARM = 40
const ROD = 85
const BRANCHES: readonly Vec3[] = [
  [20.648, 21.764, 0],
  [8.524, 28.764, 0],
  [-29.172, 7, 0],
  [-29.172, -7, 0],
  [8.524, -28.764, 0],
  [20.648, -21.764, 0],
]
const H = Math.sqrt(3) / 2
const MOTORS: readonly { origin: Vec3; x: Vec3; y: Vec3; sign: 1 | -1 }[] = [
  { origin: [26.991, 26.749, 76.633], x: [H, -0.5, 0], y: [0, 0, 1], sign: -1 },
  { origin: [9.67, 36.749, 76.633], x: [-H, 0.5, 0], y: [0, 0, -1], sign: 1 },
  { origin: [-36.661, 10, 76.633], x: [0, 1, 0], y: [0, 0, 1], sign: -1 },
  { origin: [-36.661, -10, 76.633], x: [0, -1, 0], y: [0, 0, -1], sign: 1 },
  { origin: [9.67, -36.749, 76.633], x: [-H, -0.5, 0], y: [0, 0, 1], sign: -1 },
  { origin: [26.99, -26.749, 76.633], x: [H, 0.5, 0], y: [0, 0, -1], sign: 1 },
]

export interface Segment {
  from: Vec3
  to: Vec3
}

export interface Eye {
  centre: Vec3
  /** Unit vectors: along the lens to the robot's left, up along it, and out of it. */
  across: Vec3
  up: Vec3
  normal: Vec3
  radius: number
}

/** The robot's parts in the foot frame, millimetres. */
export interface PuppetModel {
  rotation: Mat3
  /** Origin of the head frame. */
  headOrigin: Vec3
  headCentre: Vec3
  platform: Vec3
  eyes: readonly Eye[]
  /** [right, left]. */
  antennas: readonly [Segment, Segment]
  rods: readonly Segment[]
  bodyYaw: number
  headYaw: number
}

/** x of the shell's front at (y, z) of the head frame. */
function shellFront(y: number, z: number): number {
  const { centre, axes, exponent: n } = HEAD
  const rest = 1 - Math.abs((y - centre[1]) / axes[1]) ** n - Math.abs((z - centre[2]) / axes[2]) ** n
  return centre[0] + axes[0] * Math.max(0, rest) ** (1 / n)
}

/** Tip of a motor's arm for a branch point given in the frame of the body; where no solution exists, the closest. */
function armTip(motor: (typeof MOTORS)[number], branch: Vec3): Vec3 {
  const offset = add(branch, scale(motor.origin, -1))
  const [px, py] = [dot(offset, motor.x), dot(offset, motor.y)]
  const [a, b] = [2 * ARM * px, 2 * ARM * py]
  const c = dot(offset, offset) + ARM * ARM - ROD * ROD
  const q = 2 * Math.atan2(b + motor.sign * Math.sqrt(Math.max(0, a * a + b * b - c * c)), a + c)
  return add(motor.origin, add(scale(motor.x, ARM * Math.cos(q)), scale(motor.y, ARM * Math.sin(q))))
}

/** Places all parts for a pose. */
export function placePuppet(pose: PuppetPose): PuppetModel {
  const { head } = pose
  const turned = rotation(head.roll, head.pitch, head.yaw)
  const origin: Vec3 = [head.x * 1000, head.y * 1000, HEAD_Z + head.z * 1000]
  const place = (v: Vec3): Vec3 => add(origin, apply(turned, v))
  const body = rotation(0, 0, pose.bodyYaw)
  const unbody = rotation(0, 0, -pose.bodyYaw)

  const antenna = (side: 1 | -1, angle: number): Segment => {
    const axis: Vec3 = [ANTENNA_AXIS[0], ANTENNA_AXIS[1] * side, ANTENNA_AXIS[2]]
    const pivot: Vec3 = [ANTENNA_PIVOT[0], ANTENNA_PIVOT[1] * side, ANTENNA_PIVOT[2]]
    const tip = add(pivot, scale(turn(ANTENNA_ZERO, axis, angle), ANTENNA_LENGTH))
    return { from: place(pivot), to: place(tip) }
  }

  return {
    rotation: turned,
    headOrigin: origin,
    headCentre: place(HEAD.centre),
    platform: place([-4, 0, 2]),
    eyes: EYES.map(({ y, z, radius, outward }) => {
      const [c, s] = [Math.cos(EYE_TURN), Math.sin(EYE_TURN) * outward]
      return {
        centre: place([shellFront(y, z), y, z]),
        across: apply(turned, [-s, c, 0]),
        up: apply(turned, [0, 0, 1]),
        normal: apply(turned, [c, s, 0]),
        radius,
      }
    }),
    antennas: [antenna(1, pose.antennas[0]), antenna(-1, pose.antennas[1])],
    rods: BRANCHES.map((branch, i) => {
      const to = place(branch)
      const motor = MOTORS[i]
      return { from: motor ? apply(body, armTip(motor, apply(unbody, to))) : to, to }
    }),
    bodyYaw: pose.bodyYaw,
    headYaw: head.yaw,
  }
}
