import { F, headMatrix, newFrame, setHead } from '../kinematics/frame.ts'
import { expRotation, fromEuler, identity, logRotation, times, transposeTimes } from '../kinematics/matrix.ts'

import { progress } from './interpolation.ts'
import { createWobble, HOP_MS } from './wobble.ts'

import type { Frame } from '../kinematics/frame.ts'

/** What may move the body a little beside the motion that has it. */
export type AmbientInput = 'breathing' | 'speech' | 'tracking'

/** What the robot is about while it talks with somebody. */
export type Posture = 'listening' | 'thinking' | 'speaking'

/**
 * The small movements that come on top of a pose or a motion. None of them owns the body: they are offsets to where the
 * body is anyway, each with a weight that comes and goes smoothly, and they pass the same limits.
 */
export interface Ambient {
  /** Something of it moves the body, or is about to: the control loop has to run. */
  readonly active: boolean
  /** @param weight 0 (off) … 1; fades there. */
  set(input: AmbientInput, weight: number): void
  /** `null`: none. One fades into the other. */
  posture(name: Posture | null): void
  /**
   * Speech that is played from `at` on, by the clock of {@link compose}, ms: one loudness (dB of full scale) every 50 ms.
   * Hops that are more than one in the past are left out.
   */
  hear(decibels: readonly number[], at: number): void
  /** Speech ended or was cut off: what was still to come is forgotten, the head comes to rest. */
  hush(): void
  /** Where to look, radians ahead of the robot's foot (yaw to its left, pitch down); `null`: nobody is seen. */
  aim(direction: { yaw: number; pitch: number } | null): void
  /** Stops everything where it is. It comes back with the next motion, posture or switch. */
  hold(): void
  /** A motion begins: a stop before it is over. */
  release(): void
  /**
   * Adds everything to `frame`, `dt` seconds on.
   * @param now clock, ms
   * @param busy a motion has the body: only speech and head tracking go on
   */
  compose(frame: Frame, dt: number, now: number, busy: boolean): void
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Seconds in which each comes or goes. */
const FADE = { breathing: 1, speech: 0.2, tracking: 0.6, posture: 0.6, freeze: 0.4 } as const
/** Breathing begins this long after the last motion, seconds; figures of pollen-robotics/reachy_mini_conversation_app. */
const IDLE_SECONDS = 0.3
const BREATH = { height: 0.005, hz: 0.1, antennas: radians(15), antennaHz: 0.5 } as const
/** Of the way to where a face is, each control period of 20 ms; and how long a face may be gone, seconds (daemon). */
const TRACKING = { share: 0.15, period: 0.02, lost: 2 } as const

interface PostureShape {
  /** Offsets that stay, in the order of a frame: metres and radians. */
  readonly still: readonly number[]
  /** A slow sway on one axis. */
  readonly sway?: { readonly axis: number; readonly amplitude: number; readonly hz: number }
}

const shape = (roll: number, pitch: number, yaw: number, z: number, right: number, left: number): number[] => [
  ...[0, 0, z / 1000, radians(roll), radians(pitch), radians(yaw), 0],
  ...[radians(right), radians(left)],
]

/** Low on purpose: at most nine degrees of the head. Right antenna +, left − is outwards. */
const POSTURES: Readonly<Record<Posture, PostureShape>> = {
  listening: { still: shape(6, -3, 0, 2, 14, -14) },
  thinking: { still: shape(4, -7, 9, 0, 22, 6), sway: { axis: F.roll, amplitude: radians(2), hz: 0.22 } },
  speaking: { still: shape(0, -2, 0, 2, 8, -8), sway: { axis: F.yaw, amplitude: radians(2.5), hz: 0.3 } },
}
const POSTURE_NAMES = Object.keys(POSTURES) as Posture[]

/** A weight on its way: linear in time, eased in effect. */
class Fader {
  goal = 0
  private level = 0
  constructor(private readonly seconds: number) {}
  step(dt: number, allowed = true): number {
    const goal = allowed ? this.goal : 0
    const most = dt / this.seconds
    this.level += Math.min(most, Math.max(-most, goal - this.level))
    return progress('minjerk', this.level)
  }
  get alive(): boolean {
    return this.goal > 0 || this.level > 0
  }
  cut(): void {
    this.level = 0
  }
}

export function createAmbient(): Ambient {
  const inputs: Record<AmbientInput, Fader> = {
    breathing: new Fader(FADE.breathing),
    speech: new Fader(FADE.speech),
    tracking: new Fader(FADE.tracking),
  }
  const postures = POSTURE_NAMES.map((name) => ({ name, fader: new Fader(FADE.posture), ...POSTURES[name] }))
  /** Antennas stand still while the robot listens: they would be what one looks at. */
  const frozen = new Fader(FADE.freeze)
  const wobble = createWobble()
  const wobbling = newFrame()
  const sum = newFrame()
  const rotation = identity()
  const head = identity()
  const turned = identity()
  const aimed = identity()
  const wanted = identity()
  const turn = new Float64Array(3)
  let hops: { at: number; decibels: number }[] = []
  let held = false
  let idle = 0
  let breath = 0
  let swaying = 0
  let lastSeen = -Infinity
  let face: { yaw: number; pitch: number } | null = null
  let clock = 0

  const all = (): Fader[] => [...Object.values(inputs), ...postures.map(({ fader }) => fader)]

  const breathe = (dt: number, busy: boolean): void => {
    idle = busy ? 0 : idle + dt
    const listening = postures.some(({ name, fader }) => name === 'listening' && fader.goal > 0)
    const weight = inputs.breathing.step(dt, !busy && !held && !listening && idle >= IDLE_SECONDS)
    frozen.goal = listening ? 1 : 0
    const antennas = weight * (1 - frozen.step(dt))
    // Begins at the top of nothing: sine from zero.
    breath = weight > 0 ? breath + dt : 0
    sum[F.z] = (sum[F.z] as number) + weight * BREATH.height * Math.sin(2 * Math.PI * BREATH.hz * breath)
    const open = antennas * BREATH.antennas * Math.sin(2 * Math.PI * BREATH.antennaHz * breath)
    sum[F.right] = (sum[F.right] as number) + open
    sum[F.left] = (sum[F.left] as number) - open
  }

  const pose = (dt: number, busy: boolean): void => {
    swaying += dt
    for (const { fader, still, sway } of postures) {
      const weight = fader.step(dt, !busy && !held)
      if (weight === 0) continue
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (still[i] as number)
      if (sway === undefined) continue
      sum[sway.axis] = (sum[sway.axis] as number) + weight * sway.amplitude * Math.sin(2 * Math.PI * sway.hz * swaying)
    }
  }

  const speak = (dt: number, now: number): void => {
    while (hops[0] !== undefined && hops[0].at <= now) {
      const { at, decibels } = hops.shift() as { at: number; decibels: number }
      if (now - at <= HOP_MS) wobble.hop(decibels)
    }
    const weight = inputs.speech.step(dt, !held)
    if (weight === 0) return
    wobble.offsets(wobbling)
    for (let i = F.x; i <= F.yaw; i++) sum[i] = (sum[i] as number) + weight * (wobbling[i] as number)
  }

  /** Turns the head in `frame` towards the aim, which itself follows the face. Place of the head, antennas, body stay. */
  const track = (frame: Frame, dt: number, now: number): void => {
    const weight = inputs.tracking.step(dt, !held)
    if (weight === 0) return
    if (face === null && now - lastSeen > TRACKING.lost * 1000) fromEuler(wanted, 0, 0, 0, 0, 0, 0)
    else if (face !== null) fromEuler(wanted, 0, 0, 0, 0, face.pitch, face.yaw)
    const share = 1 - (1 - TRACKING.share) ** (dt / TRACKING.period)
    towards(aimed, wanted, share)
    headMatrix(head, frame)
    towards(head, aimed, weight)
    setHead(frame, head)
  }

  const towards = (from: Float64Array, to: Float64Array, share: number): void => {
    logRotation(turn, transposeTimes(rotation, from, to))
    times(turned, from, expRotation(rotation, turn, share))
    for (const i of [0, 1, 2, 4, 5, 6, 8, 9, 10]) from[i] = turned[i] as number
  }

  /** Offsets in the world's axes: rotation from the left, translation added. */
  const add = (frame: Frame): void => {
    let nothing = true
    for (const value of sum) if (value !== 0) nothing = false
    if (nothing) return
    headMatrix(head, frame)
    const at = (i: number): number => sum[i] as number
    fromEuler(rotation, 0, 0, 0, at(F.roll), at(F.pitch), at(F.yaw))
    times(turned, rotation, head)
    turned[3] = (head[3] as number) + at(F.x)
    turned[7] = (head[7] as number) + at(F.y)
    turned[11] = (head[11] as number) + at(F.z)
    setHead(frame, turned)
    for (const i of [F.body, F.right, F.left]) frame[i] = (frame[i] as number) + at(i)
  }

  return {
    get active() {
      return !held && all().some((fader) => fader.alive)
    },
    set(input, weight) {
      const goal = Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 0
      if (inputs[input].goal === goal) return
      inputs[input].goal = goal
      held = false
    },
    posture(name) {
      if (postures.every((one) => one.fader.goal === (one.name === name ? 1 : 0))) return
      for (const one of postures) one.fader.goal = one.name === name ? 1 : 0
      held = false
    },
    hear(decibels, at) {
      // A minute of speech at most waits here.
      hops = [...hops, ...decibels.map((value, i) => ({ at: at + i * HOP_MS, decibels: value }))].slice(0, 1200)
    },
    hush() {
      hops = []
      wobble.reset()
    },
    aim(direction) {
      if (direction !== null && !(Number.isFinite(direction.yaw) && Number.isFinite(direction.pitch))) return
      if (direction === null && face !== null) lastSeen = clock
      face = direction
    },
    hold() {
      held = true
      hops = []
      wobble.reset()
      for (const fader of [...all(), frozen]) fader.cut()
      idle = 0
    },
    release() {
      held = false
    },
    compose(frame, dt, now, busy) {
      clock = now
      sum.fill(0)
      breathe(dt, busy)
      pose(dt, busy)
      speak(dt, now)
      track(frame, dt, now)
      add(frame)
    },
  }
}
