import { F } from '../kinematics/frame.ts'

import type { Frame } from '../kinematics/frame.ts'

/** Speech is looked at in steps of this long, ms: the hop of the robot's own daemon, whose figures all of these are. */
export const HOP_MS = 50

/** Voice is there from `on` up (after one hop), gone from `off` down (after five); between the two nothing changes. dB. */
const VOICE = { on: -35, off: -45, hopsToOff: 5 } as const
const FOLLOW = 0.65
const LOUDNESS = { gain: 1.5, offset: 4, low: -46, range: 28, exponent: 0.9 } as const

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Amplitude (radians, metres), hertz and phase of each axis. */
const AXES = [
  { axis: F.pitch, amplitude: radians(4.5), hz: 2.2, phase: 3.927591 },
  { axis: F.yaw, amplitude: radians(7.5), hz: 0.6, phase: 5.637361 },
  { axis: F.roll, amplitude: radians(2.25), hz: 1.3, phase: 4.873777 },
  { axis: F.x, amplitude: 0.0045, hz: 0.35, phase: 1.415019 },
  { axis: F.y, amplitude: 0.00375, hz: 0.45, phase: 1.886 },
  { axis: F.z, amplitude: 0.00225, hz: 0.25, phase: 5.488698 },
] as const

/** Loudness of the last 20 ms of a hop, dB of full scale, from samples −1 … 1. */
export function loudness(samples: ArrayLike<number>, sampleRate: number): number {
  const count = Math.min(samples.length, Math.max(1, Math.round(sampleRate * 0.02)))
  let sum = 0
  for (let i = samples.length - count; i < samples.length; i++) sum += (samples[i] as number) ** 2
  return 20 * Math.log10(Math.sqrt(sum / Math.max(1, count) + 1e-12) + 1e-12)
}

/** The head's sway to speech: additive offsets that follow how loud the voice is. */
export interface Wobble {
  /** The next hop, dB of full scale. */
  hop(decibels: number): void
  /** Writes the six offsets of the head (metres, radians) into `out`; the rest of it is left alone. */
  offsets(out: Frame): void
  reset(): void
}

export function createWobble(): Wobble {
  let seconds = 0
  let envelope = 0
  let loud = 0
  let voice = false
  let above = 0
  let below = 0

  return {
    hop(decibels) {
      seconds += HOP_MS / 1000
      if (decibels >= VOICE.on) {
        above += 1
        below = 0
      } else if (decibels <= VOICE.off) {
        below += 1
        above = 0
      }
      if (!voice && above >= 1) voice = true
      if (voice && below >= VOICE.hopsToOff) voice = false
      const target = voice ? 1 : 1 - Math.min(below, VOICE.hopsToOff) / VOICE.hopsToOff
      envelope = Math.min(1, Math.max(0, envelope + FOLLOW * (target - envelope)))
      const share = (decibels + LOUDNESS.offset - LOUDNESS.low) / LOUDNESS.range
      loud = LOUDNESS.gain * Math.min(1, Math.max(0, share)) ** LOUDNESS.exponent
    },
    offsets(out) {
      for (const { axis, amplitude, hz, phase } of AXES) {
        out[axis] = amplitude * loud * envelope * Math.sin(2 * Math.PI * hz * seconds + phase)
      }
    },
    reset() {
      seconds = envelope = loud = above = below = 0
      voice = false
    },
  }
}
