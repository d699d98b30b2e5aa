import { FRAME_STRIDE } from '../../contract/index.ts'
import { createForward } from '../kinematics/forward.ts'
import { F, headMatrix, newFrame, setHead } from '../kinematics/frame.ts'
import { angleBetween, identity } from '../kinematics/matrix.ts'
import { REST_ANTENNAS } from '../kinematics/poses.ts'
import { createWorkspace } from '../kinematics/workspace.ts'
import { limitStep } from '../motion/limiter.ts'

import type { Trajectory } from '../../contract/index.ts'
import type { Frame } from '../kinematics/frame.ts'
import type { Move } from './move.ts'

/** 50 frames a second, the rate of the control loop. */
export const FRAME_SECONDS = 0.02

export interface Amplitude {
  readonly word: 'gentle' | 'lively' | 'large'
  readonly maxAngle: number
  readonly maxSpeed: number
}

const frameCount = (duration: number): number => Math.round(duration / FRAME_SECONDS)

/** Duration of a trajectory: the move's, to whole frames. */
export function trajectorySeconds(duration: number): number {
  return Math.round(frameCount(duration) * FRAME_SECONDS * 100) / 100
}

/** Samples a move through the same limits as the robot's own loop. Numbers are rounded to a micrometre, a microradian. */
export function computeTrajectory(move: Move): Trajectory {
  const workspace = createWorkspace()
  const forward = createForward()
  const count = frameCount(move.duration)
  const frames: number[] = []
  const frame = newFrame()
  const joints = new Float64Array(FRAME_STRIDE)
  const previous = new Float64Array(FRAME_STRIDE)
  const speeds = new Float64Array(previous.length)
  const head = identity()
  let clamped = false
  for (let k = 0; k <= count; k++) {
    move.sample(k === count ? move.duration : k * FRAME_SECONDS, frame)
    if (workspace.limit(frame, joints)) clamped = true
    if (k > 0 && limitStep(previous, joints, FRAME_SECONDS, false, speeds)) {
      clamped = true
      if (forward.solve(joints, head)) setHead(frame, head)
      frame[F.body] = joints[0] as number
      frame[F.right] = joints[7] as number
      frame[F.left] = joints[8] as number
    }
    previous.set(joints)
    for (const value of frame) frames.push(Math.round(value * 1e6) / 1e6)
  }
  return { name: move.name, dt: FRAME_SECONDS, frames, duration: trajectorySeconds(move.duration), clamped }
}

/**
 * How large a move looks: the farthest the head or the body turns from rest and the fastest they turn, radians and
 * radians a second. For the word the antennas count half. Gentle: up to 20° and 90°/s; lively: up to 40° and 180°/s.
 */
export function measureAmplitude({ frames, dt }: Trajectory): Amplitude {
  const rest = identity()
  const matrices = [identity(), identity()] as const
  const frame: Frame = newFrame()
  const last: Frame = newFrame()
  let angle = 0
  let speed = 0
  let antennaAngle = 0
  let antennaSpeed = 0
  for (let k = 0; k * FRAME_STRIDE < frames.length; k++) {
    for (let i = 0; i < FRAME_STRIDE; i++) frame[i] = frames[k * FRAME_STRIDE + i] ?? 0
    const head = headMatrix(matrices[k % 2 === 0 ? 0 : 1], frame)
    const change = (i: number): number => Math.abs((frame[i] as number) - (last[i] as number)) / dt
    angle = Math.max(angle, angleBetween(head, rest), Math.abs(frame[F.body] as number))
    for (const i of [F.right, F.left]) {
      const away = Math.abs((frame[i] as number) - (REST_ANTENNAS[i - F.right] ?? 0))
      antennaAngle = Math.max(antennaAngle, away)
      if (k > 0) antennaSpeed = Math.max(antennaSpeed, change(i))
    }
    if (k > 0) speed = Math.max(speed, angleBetween(head, matrices[k % 2 === 0 ? 1 : 0]) / dt, change(F.body))
    last.set(frame)
  }
  const degrees = (180 / Math.PI) * Math.max(angle, antennaAngle / 2)
  const degreesPerSecond = (180 / Math.PI) * Math.max(speed, antennaSpeed / 2)
  const word =
    degrees <= 20 && degreesPerSecond <= 90 ? 'gentle' : degrees <= 40 && degreesPerSecond <= 180 ? 'lively' : 'large'
  return { word, maxAngle: round(angle), maxSpeed: round(speed) }
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4
