import { F } from '../kinematics/frame.ts'
import { REST_ANTENNAS } from '../kinematics/poses.ts'

import { smoothstep, window } from './ease.ts'

import type { Frame } from '../kinematics/frame.ts'
import type { Move } from './move.ts'

const BEATS_PER_MINUTE = 114
const SECONDS_PER_BEAT = 60 / BEATS_PER_MINUTE
/** Every dance swells from the rest pose and dies away into it over this many beats. */
const FADE_BEATS = 0.75

/** A posture relative to rest, in the units people think in: millimetres, degrees; `open` outwards, `lean` to one side. */
interface Step {
  x?: number
  y?: number
  z?: number
  roll?: number
  pitch?: number
  yaw?: number
  body?: number
  open?: number
  lean?: number
}

interface Choreography {
  readonly description: string
  readonly beats: number
  readonly step: (beat: number) => Step
}

/** Sine of `turns` turns. */
const wave = (turns: number): number => Math.sin(2 * Math.PI * turns)
/** A triangle wave with its corners rounded: what a servo can follow. */
const zigzag = (turns: number): number => Math.asin(0.97 * wave(turns)) / Math.asin(0.97)
/** One bump from 0 to 1 and back inside a cycle that repeats every `every` beats: up until `peak`, down until `end`. */
const bump = (beat: number, start: number, peak: number, end: number, every: number): number => {
  const t = ((((beat - start) % every) + every) % every) + start
  return t < peak ? smoothstep((t - start) / (peak - start)) : 1 - smoothstep((t - peak) / (end - peak))
}
/** Walks through `values`, one every `every` beats, gliding for `glide` of them. */
const stations = (beat: number, values: readonly number[], every: number, glide: number): number => {
  const index = Math.min(values.length - 1, Math.max(0, Math.floor(beat / every)))
  const from = values[index - 1] ?? 0
  const to = values[index] ?? 0
  return from + (to - from) * smoothstep((beat - index * every) / glide)
}

/** Own choreographies under the names of pollen-robotics/reachy_mini_dances_library, kept inside what the robot reaches. */
const DANCES = {
  simple_nod: {
    description: 'Nods along with every beat.',
    beats: 4,
    step: (b) => ({ pitch: 15 * wave(b), z: -3 * wave(b), open: 35 * wave(b / 2) }),
  },
  head_tilt_roll: {
    description: 'Rolls the head from ear to shoulder.',
    beats: 4,
    step: (b) => ({ roll: 17 * wave(b / 2), y: -5 * wave(b / 2), lean: 30 * wave(b / 2) }),
  },
  side_to_side_sway: {
    description: 'Slides the whole head from side to side.',
    beats: 4,
    step: (b) => ({
      y: 26 * wave(b / 2),
      z: -5 * bump(b, 0, 0.5, 1, 1),
      roll: -7 * wave(b / 2),
      lean: -35 * wave(b / 2),
    }),
  },
  dizzy_spin: {
    description: 'Draws slow circles with the chin, dizzy.',
    beats: 4,
    step: (b) => ({
      roll: 15 * wave(b / 2),
      pitch: 13 * wave(b / 2 + 0.25),
      yaw: 8 * wave(b / 4),
      open: 40 * wave(b / 4),
      lean: 25 * wave(b / 2),
    }),
  },
  stumble_and_recover: {
    description: 'Trips to one side, catches itself, looks proud.',
    beats: 4,
    step: (b) => ({
      yaw: 22 * wave(b / 4),
      roll: -16 * bump(b, 0.6, 1.1, 2.2, 4),
      y: 12 * bump(b, 0.6, 1.1, 2.2, 4),
      pitch: 14 * bump(b, 0.6, 1.2, 2, 4) - 12 * bump(b, 2, 2.7, 3.9, 4),
      lean: 50 * bump(b, 0.6, 1, 2.4, 4),
    }),
  },
  headbanger_combo: {
    description: 'Bangs the head hard, bouncing with it.',
    beats: 4,
    step: (b) => ({ pitch: 19 * wave(b), z: 5 * wave(b + 0.1) - 6, open: 45 * wave(b + 0.15) }),
  },
  interwoven_spirals: {
    description: 'Weaves three axes into one long spiral.',
    beats: 8,
    step: (b) => ({
      roll: 14 * wave(b / 8),
      pitch: 14 * wave(b / 4 + 0.25),
      yaw: 24 * wave(b / 2 + 0.5),
      body: 12 * wave(b / 8),
      open: 40 * wave(b / 8),
    }),
  },
  sharp_side_tilt: {
    description: 'Snaps the head from one side to the other.',
    beats: 6,
    step: (b) => ({ roll: 19 * zigzag(b / 2), lean: 40 * zigzag(b / 2) }),
  },
  side_peekaboo: {
    description: 'Ducks away and peeks out left and right.',
    beats: 10,
    step: (b) => {
      const duck = bump(b, 0, 1, 2, 2)
      const side = stations(b, [0, 22, 22, -22, -22, 0, 0, 22, 22, 0], 1, 1)
      return {
        z: -26 * duck,
        y: side,
        roll: -0.35 * side * (1 - duck),
        pitch: -8 * (1 - duck),
        open: 55 * (1 - duck) - 20,
      }
    },
  },
  yeah_nod: {
    description: 'Nods twice to each beat, the second time smaller.',
    beats: 4,
    step: (b) => ({ pitch: 15 * bump(b, 0, 0.25, 0.5, 1) + 9 * bump(b, 0.5, 0.7, 0.95, 1), open: 25 * wave(b) }),
  },
  uh_huh_tilt: {
    description: 'Tips roll and pitch together: uh-huh.',
    beats: 4,
    step: (b) => ({ roll: 14 * wave(b / 2), pitch: 13 * wave(b), lean: 30 * wave(b / 2 + 0.1) }),
  },
  neck_recoil: {
    description: 'Jerks the neck back, then eases forward again.',
    beats: 4,
    step: (b) => ({
      x: -17 * bump(b, 0, 0.35, 1.6, 2),
      pitch: -9 * bump(b, 0, 0.4, 1.5, 2),
      open: 45 * bump(b, 0, 0.3, 1.4, 2),
    }),
  },
  chin_lead: {
    description: 'Pushes forward with the chin, again and again.',
    beats: 4,
    step: (b) => ({ x: 17 * wave(b / 2), pitch: 13 * wave(b / 2 - 0.25), open: 35 * wave(b / 2) }),
  },
  groovy_sway_and_roll: {
    description: 'Sways with a matching roll, in no hurry.',
    beats: 4,
    step: (b) => ({
      y: 24 * wave(b / 2),
      roll: 13 * wave(b / 2 + 0.25),
      body: 8 * wave(b / 4),
      lean: 35 * wave(b / 2 + 0.25),
    }),
  },
  chicken_peck: {
    description: 'Pecks forward on every beat like a hen.',
    beats: 4,
    step: (b) => ({
      x: 18 * bump(b, 0, 0.3, 0.8, 1),
      pitch: 9 * bump(b, 0, 0.3, 0.8, 1),
      yaw: 10 * wave(b / 4),
      lean: 25 * wave(b),
    }),
  },
  side_glance_flick: {
    description: 'Flicks a glance aside, holds it, lets it go.',
    beats: 4,
    step: (b) => {
      const glance = stations(b, [1, 1, 0, 0], 1, 0.6) - stations(b, [0, 0, 1, 1], 1, 0.6)
      return {
        yaw: 32 * glance,
        roll: 6 * glance,
        pitch: -4 * Math.abs(glance),
        open: 30 * Math.abs(glance),
        lean: 20 * glance,
      }
    },
  },
  polyrhythm_combo: {
    description: 'Sways in threes while nodding in twos.',
    beats: 6,
    step: (b) => ({ y: 20 * wave(b / 3), pitch: 11 * wave(b / 2), lean: 40 * wave(b) }),
  },
  grid_snap: {
    description: 'Snaps between the corners of a grid like a machine.',
    beats: 5,
    step: (b) => ({
      yaw: stations(b, [20, 20, -20, -20, 0], 1, 0.42),
      pitch: stations(b, [13, -13, -13, 13, 0], 1, 0.42),
      lean: stations(b, [20, -20, 20, -20, 0], 1, 0.42),
    }),
  },
  pendulum_swing: {
    description: 'Swings like a pendulum, wide and slow.',
    beats: 8,
    step: (b) => ({ roll: 24 * wave(b / 4), y: -7 * wave(b / 4), lean: -40 * wave(b / 4 - 0.06) }),
  },
  jackson_square: {
    description: 'Traces a square with a twist at each corner.',
    beats: 10,
    step: (b) => ({
      y: stations(b, [20, -20, -20, 20, 0], 2, 1.8),
      z: stations(b, [5, 5, -22, -22, 0], 2, 1.8),
      roll: 13 * bump(b, 1.6, 1.9, 2.4, 2) * (Math.floor((b + 0.4) / 2) % 2 === 0 ? 1 : -1),
      open: 40 * wave(b / 5),
    }),
  },
} as const satisfies Record<string, Choreography>

export type DanceName = keyof typeof DANCES

export const DANCE_NAMES = Object.keys(DANCES) as readonly DanceName[]

/** One short sentence for each dance. */
export const DANCE_DESCRIPTIONS: Readonly<Record<DanceName, string>> = Object.fromEntries(
  DANCE_NAMES.map((name) => [name, DANCES[name].description]),
) as Record<DanceName, string>

/** The twenty dances at 114 beats a minute; each begins and ends in the rest pose. */
export function danceMoves(): Move[] {
  return DANCE_NAMES.map((name) => {
    const { beats, description, step }: Choreography = DANCES[name]
    return {
      name,
      kind: 'dance',
      family: 'dance',
      description,
      duration: beats * SECONDS_PER_BEAT,
      sample(t, out) {
        const beat = t / SECONDS_PER_BEAT
        writeStep(out, step(beat), window(beat, 0, beats, FADE_BEATS))
      },
    }
  })
}

function writeStep(out: Frame, step: Step, weight: number): void {
  const millimetres = weight / 1000
  const radians = (weight * Math.PI) / 180
  const { x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0, body = 0, open = 0, lean = 0 } = step
  out[F.x] = x * millimetres
  out[F.y] = y * millimetres
  out[F.z] = z * millimetres
  out[F.roll] = roll * radians
  out[F.pitch] = pitch * radians
  out[F.yaw] = yaw * radians
  out[F.body] = body * radians
  out[F.right] = REST_ANTENNAS[0] + (lean + open) * radians
  out[F.left] = REST_ANTENNAS[1] + (lean - open) * radians
}
