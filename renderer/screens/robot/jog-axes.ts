import type { Jog, RobotState } from '../../../electron/contract/index.ts'

export const AXES = ['yaw', 'pitch', 'roll', 'forward', 'sideways', 'height', 'body', 'right', 'left'] as const
export type Axis = (typeof AXES)[number]

/** Degrees or millimetres. */
export type AxisValues = Readonly<Partial<Record<Axis, number>>>

export interface AxisRange {
  readonly min: number
  readonly max: number
  /** Distance of two ticks. */
  readonly tick: number
  readonly unit: '°' | 'mm'
}

const turn = (limit: number, tick: number): AxisRange => ({ min: -limit, max: limit, tick, unit: '°' })

/**
 * What the robot takes: tilt 40°, body 160°, antennas a whole turn (motors' limits of hardware_config.yaml), and the box of
 * the platform. Within it, what is reached depends on the other axes.
 */
export const RANGES: Readonly<Record<Axis, AxisRange>> = {
  yaw: turn(180, 45),
  pitch: turn(40, 10),
  roll: turn(40, 10),
  forward: { min: -40, max: 40, tick: 10, unit: 'mm' },
  sideways: { min: -40, max: 40, tick: 10, unit: 'mm' },
  height: { min: -45, max: 20, tick: 5, unit: 'mm' },
  body: turn(160, 40),
  right: turn(180, 45),
  left: turn(180, 45),
}

const toDegrees = (radians: number): number => (radians * 180) / Math.PI
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180

/** Where the robot is, in the units of the sliders. */
export function axesOf({
  head,
  bodyYaw,
  antennas,
}: Pick<RobotState, 'head' | 'bodyYaw' | 'antennas'>): Record<Axis, number> {
  return {
    yaw: toDegrees(head.yaw),
    pitch: toDegrees(head.pitch),
    roll: toDegrees(head.roll),
    forward: head.x * 1000,
    sideways: head.y * 1000,
    height: head.z * 1000,
    body: toDegrees(bodyYaw),
    right: toDegrees(antennas[0]),
    left: toDegrees(antennas[1]),
  }
}

/** The wish of a person, with what it leaves open as it is now. @param real where the robot is. */
export function jogOf(wish: AxisValues, real: AxisValues): Jog {
  const at = (axis: Axis): number => wish[axis] ?? real[axis] ?? 0
  const head = {
    ...(wish.yaw === undefined ? {} : { yaw: toRadians(wish.yaw) }),
    ...(wish.pitch === undefined ? {} : { pitch: toRadians(wish.pitch) }),
    ...(wish.roll === undefined ? {} : { roll: toRadians(wish.roll) }),
    ...(wish.forward === undefined ? {} : { x: wish.forward / 1000 }),
    ...(wish.sideways === undefined ? {} : { y: wish.sideways / 1000 }),
    ...(wish.height === undefined ? {} : { z: wish.height / 1000 }),
  }
  const antennas = wish.right !== undefined || wish.left !== undefined
  return {
    ...(Object.keys(head).length === 0 ? {} : { head }),
    ...(wish.body === undefined ? {} : { bodyYaw: toRadians(wish.body) }),
    ...(antennas ? { antennas: [toRadians(at('right')), toRadians(at('left'))] as [number, number] } : {}),
  }
}

/** More than a motor's play and the rounding of the screen, degrees or millimetres. */
const MISSED = 3

/** Axes that ended elsewhere than they were asked to: the robot does not reach that far. The body follows the head by itself. */
export function missedAxes(wish: AxisValues, real: AxisValues): Axis[] {
  return AXES.filter((axis) => {
    const wished = wish[axis]
    const reached = real[axis]
    return wished !== undefined && reached !== undefined && Math.abs(wished - reached) > MISSED
  })
}
