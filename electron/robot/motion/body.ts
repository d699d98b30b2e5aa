import { createForward } from '../kinematics/forward.ts'
import { F, newFrame, setHead } from '../kinematics/frame.ts'
import { identity } from '../kinematics/matrix.ts'
import { createWorkspace } from '../kinematics/workspace.ts'
import { JOINT_COUNT, MOTORS, ticksToRadians } from '../motors.ts'

import { progress } from './interpolation.ts'
import { limitStep } from './limiter.ts'

import type { Frame } from '../kinematics/frame.ts'

/** What is measured and what is commanded of the nine joints. Nothing here allocates after creation. */
export interface Body {
  /** Radians; written by whoever reads the motors, followed by {@link measured}. */
  readonly joints: Float64Array
  /** Posture of {@link joints}, by forward kinematics. */
  readonly frame: Frame
  /** Goals sent last, radians. */
  readonly goals: Float64Array
  /** Posture of {@link goals}. */
  readonly commanded: Frame
  /** Recomputes {@link frame} after {@link joints} changed. */
  measured(): void
  /** The goals become the measured joints: after torque came on, and to stop where the robot is. */
  pin(): void
  /** Marks a new beginning: what separates the goals from the next target is blended away instead of jumped. */
  blend(): void
  /**
   * Sets {@link goals} towards `target` within the limits, `dt` seconds after the last call.
   * Answers whether a limit had to cut.
   */
  steer(target: Frame, dt: number, gentle: boolean): boolean
}

const BLEND_SECONDS = 0.3
/** Below this a blend is rounding, radians. */
const NOTHING = 1e-4

const LOWEST = MOTORS.map(({ min }) => ticksToRadians(min))
const HIGHEST = MOTORS.map(({ max }) => ticksToRadians(max))

/** Cuts angles to what the motors take: a speed that is reckoned beyond it would not be the speed on the wire. */
function cutToRange(angles: Float64Array): void {
  for (let i = 0; i < JOINT_COUNT; i++) {
    angles[i] = Math.min(HIGHEST[i] as number, Math.max(LOWEST[i] as number, angles[i] as number))
  }
}

export function createBody(initial: ArrayLike<number>): Body {
  const workspace = createWorkspace()
  const forward = createForward()
  const head = identity()
  const joints = Float64Array.from(initial)
  const goals = Float64Array.from(initial)
  const frame = newFrame()
  const commanded = newFrame()
  const limited = newFrame()
  const next = new Float64Array(JOINT_COUNT)
  const offset = new Float64Array(JOINT_COUNT)
  const speeds = new Float64Array(JOINT_COUNT)
  let blending = 0
  let blendPending = false

  const toFrame = (angles: Float64Array, out: Frame): void => {
    if (forward.solve(angles, head)) setHead(out, head)
    out[F.body] = angles[0] as number
    out[F.right] = angles[7] as number
    out[F.left] = angles[8] as number
  }

  const pin = (): void => {
    goals.set(joints)
    cutToRange(goals)
    commanded.set(frame)
    speeds.fill(0)
    blendPending = true
  }

  toFrame(joints, frame)
  pin()

  return {
    joints,
    frame,
    goals,
    commanded,
    measured: () => toFrame(joints, frame),
    pin,
    blend() {
      blendPending = true
    },
    steer(target, dt, gentle) {
      limited.set(target)
      const cut = workspace.limit(limited, next)
      if (blendPending) {
        blendPending = false
        let largest = 0
        for (let i = 0; i < JOINT_COUNT; i++) {
          offset[i] = (goals[i] as number) - (next[i] as number)
          largest = Math.max(largest, Math.abs(offset[i] as number))
        }
        blending = largest > NOTHING ? BLEND_SECONDS : 0
      }
      const rest = 1 - progress('minjerk', 1 - blending / BLEND_SECONDS)
      if (rest > 0) for (let i = 0; i < JOINT_COUNT; i++) next[i] = (next[i] as number) + rest * (offset[i] as number)
      // What is blended away was measured from another target: it may lead beyond the range that both lie in.
      cutToRange(next)
      blending = Math.max(0, blending - dt)
      const slowed = limitStep(goals, next, dt, gentle, speeds)
      goals.set(next)
      if (slowed || rest > 0) toFrame(goals, commanded)
      else commanded.set(limited)
      return cut || slowed
    },
  }
}
