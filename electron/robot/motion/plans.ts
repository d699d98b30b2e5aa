import { F } from '../kinematics/frame.ts'
import { restFrame, sleepFrame } from '../kinematics/poses.ts'
import { MAX_BODY_YAW } from '../motors.ts'

import { glide, glideDuration, headDistance, hold, jointDistance, playMove } from './segments.ts'

import type { Jog } from '../../contract/index.ts'
import type { Frame } from '../kinematics/frame.ts'
import type { Move } from '../moves/move.ts'
import type { HeadDirection } from '../types.ts'
import type { Technique } from './interpolation.ts'
import type { Segment } from './segments.ts'

/** The segments of a motion, each made when the one before has ended; `present` is the posture commanded at that moment. */
export type Plan = (present: () => Frame) => Generator<Segment, void, void>

const degrees = (value: number): number => (value * Math.PI) / 180

/** Already where it should be: 1 mm + degrees and a finger's breadth of antenna. */
const SAME_HEAD = 1
const SAME_JOINTS = 0.02

const restWith = (changes: Partial<Record<keyof typeof F, number>>): Frame => {
  const frame = restFrame()
  for (const [key, value] of Object.entries(changes)) frame[F[key as keyof typeof F]] = value
  return frame
}

const isAt = (frame: Frame, goal: Frame): boolean =>
  headDistance(frame, goal) < SAME_HEAD && jointDistance(frame, goal) < SAME_JOINTS

function* unhurried(present: () => Frame, goal: Frame): Generator<Segment, void, void> {
  const duration = glideDuration(present(), goal)
  if (duration > 0) yield glide(present(), goal, duration)
}

/** The daemon's way of waking up: to the rest pose, a pause, and a tilt of the head to its right and back. */
export const wakePlan: Plan = function* (present) {
  const rest = restFrame()
  if (isAt(present(), rest)) return
  yield hold(present(), 0.1)
  yield* unhurried(present, rest)
  yield hold(rest, 0.1)
  yield glide(rest, restWith({ roll: degrees(20) }), 0.2)
  yield glide(present(), rest, 0.2)
}

/** The daemon's way to bed: by way of the rest pose when far from it, then down in two seconds. Torque is the caller's. */
export const sleepPlan: Plan = function* (present) {
  const rest = restFrame()
  const sleep = sleepFrame()
  if (isAt(present(), sleep)) return
  const asleep = headDistance(present(), sleep) <= 10
  if (!asleep && headDistance(present(), rest) > 30) {
    yield glide(present(), rest, Math.max(1, glideDuration(present(), rest)))
    yield hold(rest, 0.2)
  }
  yield glide(present(), sleep, Math.max(asleep ? 1 : 2, (1.875 * jointDistance(present(), sleep)) / 3.8))
  yield hold(sleep, 0.3)
}

/**
 * Glides to the first frame, plays, and glides back to rest.
 * @param sound begins what is heard with the move, and answers what ends it: called when the move is stopped, not when it
 * is through, so that a sound may ring out.
 */
export function movePlan(move: Move, sound?: () => () => void): Plan {
  return function* (present) {
    const first = restFrame()
    move.sample(0, first)
    yield* unhurried(present, first)
    const silence = sound?.()
    let through = false
    try {
      yield playMove(move)
      through = true
    } finally {
      if (!through) silence?.()
    }
    yield* unhurried(present, restFrame())
  }
}

/** Sets what a wish names; the rest of the frame stays. */
export function applyWish(frame: Frame, { head, bodyYaw, antennas }: Jog): Frame {
  for (const [key, value] of Object.entries(head ?? {})) {
    if (value !== undefined) frame[F[key as keyof typeof F]] = value
  }
  if (bodyYaw !== undefined) frame[F.body] = bodyYaw
  if (antennas) [frame[F.right], frame[F.left]] = antennas
  return frame
}

/** To a posture in `seconds`, but never in less than half of what an unhurried glide takes. Absent parts stay. */
export function gotoPlan(goal: Jog, seconds: number, technique: Technique): Plan {
  return function* (present) {
    const from = present()
    const to = applyWish(from.slice(), goal)
    yield glide(from, to, Math.max(seconds, glideDuration(from, to) / 2), technique)
  }
}

/** Two small nods from where the head is, and back there: yes, I heard you. */
export const nodPlan: Plan = function* (present) {
  const start = present()
  const at = (pitch: number): Frame => {
    const frame = start.slice()
    frame[F.pitch] = (start[F.pitch] as number) + degrees(pitch)
    return frame
  }
  yield glide(start, at(9), 0.28)
  yield glide(at(9), at(-2), 0.28)
  yield glide(at(-2), at(6), 0.26)
  yield glide(at(6), start, 0.34)
}

/** Directions and duration of the conversation app's `move_head`. */
export function lookPlan(direction: HeadDirection): Plan {
  const goals: Record<HeadDirection, Frame> = {
    left: restWith({ yaw: degrees(40) }),
    right: restWith({ yaw: degrees(-40) }),
    up: restWith({ pitch: degrees(-30) }),
    down: restWith({ pitch: degrees(30) }),
    front: restFrame(),
  }
  return function* (present) {
    const goal = goals[direction]
    yield glide(present(), goal, Math.max(1, glideDuration(present(), goal)))
  }
}

/** Of the body's travel, so that the far ends are reached without touching a limit. */
const SWEEP_YAW = MAX_BODY_YAW - degrees(1)
const SWEEP_SECONDS = 3

/** As far as the body turns, left, right and back to the centre: the conversation app's `sweep_look`, 14 s. */
export const sweepPlan: Plan = function* (present) {
  const left = restWith({ yaw: SWEEP_YAW, body: SWEEP_YAW })
  const right = restWith({ yaw: -SWEEP_YAW, body: -SWEEP_YAW })
  const rest = restFrame()
  yield glide(present(), left, SWEEP_SECONDS)
  yield hold(left, 1)
  yield glide(left, rest, SWEEP_SECONDS)
  yield glide(rest, right, SWEEP_SECONDS)
  yield hold(right, 1)
  yield glide(right, rest, SWEEP_SECONDS)
}
