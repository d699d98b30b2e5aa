/** One motor of the robot; figures from `hardware_config.yaml` of pollen-robotics/reachy_mini. */
export interface MotorSpec {
  readonly id: number
  readonly name: string
  /** Dynamixel model number: 1190 XL330-M077, 1200 XL330-M288, 1240 XC330-M288. */
  readonly model: number
  /** Ticks. */
  readonly homingOffset: number
  /** Lowest and highest goal, ticks. */
  readonly min: number
  readonly max: number
  /** Position gain P; I and D are 0. */
  readonly p: number
}

export const TICKS_PER_TURN = 4096

/** Half of the body's travel, radians: the motor itself would turn further and wind up the cable. */
export const MAX_BODY_YAW = (160 * Math.PI) / 180

/** `raw = trunc(4096·(π + rad)/(2π))`, the rounding of the motors' own controller library. */
export function radiansToTicks(radians: number): number {
  return Math.trunc((TICKS_PER_TURN * (Math.PI + radians)) / (2 * Math.PI))
}

/** Radians from the centre (2048 ticks). */
export function ticksToRadians(ticks: number): number {
  return (2 * Math.PI * ticks) / TICKS_PER_TURN - Math.PI
}

const bodyMin = radiansToTicks(-MAX_BODY_YAW) + 1
const bodyMax = radiansToTicks(MAX_BODY_YAW)

const stewart = (id: number, min: number, max: number): MotorSpec => ({
  id,
  name: `stewart_${id - 10}`,
  model: 1200,
  homingOffset: id % 2 === 1 ? 1024 : -1024,
  min,
  max,
  p: 300,
})

/** In joint order: body, six of the Stewart platform, right antenna, left antenna. */
export const MOTORS: readonly MotorSpec[] = [
  { id: 10, name: 'body_rotation', model: 1240, homingOffset: 0, min: bodyMin, max: bodyMax, p: 200 },
  stewart(11, 1502, 2958),
  stewart(12, 1138, 2844),
  stewart(13, 1502, 2958),
  stewart(14, 1138, 2594),
  stewart(15, 1252, 2958),
  stewart(16, 1138, 2594),
  { id: 17, name: 'right_antenna', model: 1190, homingOffset: 0, min: 0, max: 4095, p: 200 },
  { id: 18, name: 'left_antenna', model: 1190, homingOffset: 0, min: 0, max: 4095, p: 200 },
]

export const MOTOR_IDS: readonly number[] = MOTORS.map(({ id }) => id)
export const JOINT_COUNT = 9
