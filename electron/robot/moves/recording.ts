import { z } from 'zod'

import { CompanionError } from '../../contract/index.ts'
import { F, headMatrix, newFrame, setHead } from '../kinematics/frame.ts'
import { identity, orthonormalise } from '../kinematics/matrix.ts'
import { REST_ANTENNAS } from '../kinematics/poses.ts'
import { posePath } from '../motion/interpolation.ts'

import type { MoveNote, Trajectory } from '../../contract/index.ts'
import type { Frame } from '../kinematics/frame.ts'
import type { Matrix } from '../kinematics/matrix.ts'

/** Of a file of a move: the longest of the public ones is 20 s and 1 MB. */
export const RECORDING_LIMITS = { bytes: 32_000_000, seconds: 300, samples: 60_000 } as const

/** A recorded motion: samples at rising times, the first at 0. */
export interface Recording {
  readonly description: string
  /** Seconds. */
  readonly duration: number
  /** What had to be put right in the file. */
  readonly notes: readonly MoveNote[]
  /** Writes the posture at `t` seconds (cut to the duration), before any limits. */
  sample(t: number, out: Frame): void
}

interface Sample {
  readonly time: number
  /** 4×4, metres. */
  readonly head: Matrix
  readonly body: number
  readonly right: number
  readonly left: number
}

const fileSchema = z.object({
  description: z.unknown().optional(),
  time: z.array(z.unknown()),
  set_target_data: z.array(z.unknown()),
})
const headSchema = z.array(z.array(z.number()).length(4)).length(4)
const antennasSchema = z.tuple([z.number(), z.number()])
const frameSchema = z.object({ head: z.unknown(), antennas: z.unknown().optional(), body_yaw: z.unknown().optional() })

/** More of a file than this is broken: it is no move. */
const MOST_LEFT_OUT = 0.5
/** Rows of a rotation that are this far from orthonormal are more than rounding. */
const ROUNDING = 1e-3
const SHORTEST = 0.02

/**
 * Reads the public format of recorded moves: `{description, time: [s], set_target_data: [{head: 4×4, antennas, body_yaw}]}`.
 * What can be put right is, and noted: samples out of order are sorted, those with numbers that are none are left out,
 * rotations are made orthonormal, lists of different lengths are cut to the shorter.
 * @param name for the words of an error
 * @throws CompanionError `move/unreadable`, `move/empty`, `move/broken`, `move/too-large`, `move/too-long`.
 */
export function readRecording(name: string, bytes: Uint8Array): Recording {
  if (bytes.length > RECORDING_LIMITS.bytes) throw tooLarge(name)
  const file = fileSchema.safeParse(parseJson(name, bytes))
  if (!file.success) throw new CompanionError('move/unreadable', { name })
  const { time, set_target_data: data, description } = file.data
  const count = Math.min(time.length, data.length)
  if (count > RECORDING_LIMITS.samples) throw tooLarge(name)
  const notes = new Set<MoveNote>()
  if (time.length !== data.length) notes.add('lengths-differ')

  const samples = readSamples(time, data, count, notes)
  if (samples.length < 2) throw new CompanionError('move/empty', { name })
  if (samples.length < count * MOST_LEFT_OUT) throw new CompanionError('move/broken', { name })
  if (samples.length < count) notes.add('samples-left-out')
  if (samples.some(({ time: t }, i) => i > 0 && t < (samples[i - 1]?.time ?? 0))) {
    notes.add('times-sorted')
    samples.sort((a, b) => a.time - b.time)
  }
  const start = samples[0]?.time ?? 0
  const duration = (samples.at(-1)?.time ?? 0) - start
  if (duration > RECORDING_LIMITS.seconds) {
    throw new CompanionError('move/too-long', { name, seconds: Math.round(duration), limit: RECORDING_LIMITS.seconds })
  }
  if (duration < SHORTEST) throw new CompanionError('move/empty', { name })
  return {
    description: typeof description === 'string' ? cleanLine(description) : '',
    duration,
    notes: [...notes],
    sample: sampler(samples, start, duration),
  }
}

const tooLarge = (name: string): CompanionError =>
  new CompanionError('move/too-large', { name, limit: `${RECORDING_LIMITS.bytes / 1_000_000} MB` })

/** Python writes numbers that are none as words that JSON has not; in strings they stay. */
const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g

function parseJson(name: string, bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new CompanionError('move/unreadable', { name }, { cause: error })
  }
  try {
    return JSON.parse(text)
  } catch {
    // A second look decides; most files never come here.
  }
  try {
    return JSON.parse(text.replace(STRING_OR_WORD, (found) => (found.startsWith('"') ? found : 'null')))
  } catch (error) {
    throw new CompanionError('move/unreadable', { name }, { cause: error })
  }
}

function readSamples(
  times: readonly unknown[],
  data: readonly unknown[],
  count: number,
  notes: Set<MoveNote>,
): Sample[] {
  const samples: Sample[] = []
  let [right, left] = REST_ANTENNAS
  for (let i = 0; i < count; i++) {
    const time = times[i]
    const frame = frameSchema.safeParse(data[i])
    if (typeof time !== 'number' || !Number.isFinite(time) || !frame.success) continue
    const head = readHead(frame.data.head, notes)
    if (head === null) continue
    const antennas = antennasSchema.safeParse(frame.data.antennas)
    if (antennas.success) [right, left] = antennas.data
    else notes.add('samples-left-out')
    const yaw = frame.data.body_yaw
    samples.push({ time, head, body: typeof yaw === 'number' && Number.isFinite(yaw) ? yaw : 0, right, left })
  }
  return samples
}

function readHead(value: unknown, notes: Set<MoveNote>): Matrix | null {
  const rows = headSchema.safeParse(value)
  if (!rows.success) return null
  const given = Float64Array.from(rows.data.flat())
  const head = orthonormalise(given.slice(), 12)
  head.set([0, 0, 0, 1], 12)
  // A mirror or a matrix that turns everything into a plane is no rotation of a head.
  if (!head.every(Number.isFinite) || determinant(head) < 0.5) return null
  if ([0, 1, 2, 4, 5, 6, 8, 9, 10].some((i) => Math.abs((given[i] ?? 0) - (head[i] ?? 0)) > ROUNDING)) {
    notes.add('rotations-repaired')
  }
  return head
}

function determinant(m: Matrix): number {
  const at = (i: number): number => m[i] as number
  return (
    at(0) * (at(5) * at(10) - at(6) * at(9)) -
    at(1) * (at(4) * at(10) - at(6) * at(8)) +
    at(2) * (at(4) * at(9) - at(5) * at(8))
  )
}

/** As the robot's own player: antennas and body linear, the head on the shortest way, with time from the first sample. */
function sampler(samples: readonly Sample[], start: number, duration: number): Recording['sample'] {
  const head = identity()
  let known = -1
  let path: ReturnType<typeof posePath> | null = null
  return (t, out) => {
    const at = start + Math.min(duration, Math.max(0, t))
    const i = lastAtOrBefore(samples, at)
    const from = samples[i] as Sample
    const to = samples[i + 1] as Sample
    const gap = to.time - from.time
    const share = gap > 0 ? (at - from.time) / gap : 0
    if (i !== known || path === null) path = posePath(from.head, to.head, false)
    known = i
    setHead(out, path(share, head))
    out[F.body] = from.body + share * (to.body - from.body)
    out[F.right] = from.right + share * (to.right - from.right)
    out[F.left] = from.left + share * (to.left - from.left)
  }
}

/** Index of the last sample at or before `time`, but never the last of all: there is always one after it. */
function lastAtOrBefore(samples: readonly Sample[], time: number): number {
  let low = 0
  let high = samples.length - 2
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((samples[middle] as Sample).time <= time) low = middle
    else high = middle - 1
  }
  return low
}

/** One line of a stranger's text, without control and direction characters. */
export function cleanLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, 300)
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/**
 * Frames in the public format of recorded moves, so that the robot's own software plays them.
 * @param times seconds between two frames, or the moment of each
 */
export function writeRecording(
  description: string,
  frames: readonly Frame[],
  times: number | readonly number[],
): string {
  const head = identity()
  const data = frames.map((frame) => {
    const m = Array.from(headMatrix(head, frame), rounded)
    return {
      head: [m.slice(0, 4), m.slice(4, 8), m.slice(8, 12), m.slice(12, 16)],
      antennas: [rounded(frame[F.right] as number), rounded(frame[F.left] as number)],
      body_yaw: rounded(frame[F.body] as number),
      check_collision: false,
    }
  })
  const time = frames.map((_, i) => rounded(typeof times === 'number' ? i * times : (times[i] ?? 0)))
  return `${JSON.stringify({ description, time, set_target_data: data })}\n`
}

/** The frames of a trajectory, one by one. */
export function framesOf({ frames }: Trajectory): Frame[] {
  const stride = newFrame().length
  return Array.from({ length: frames.length / stride }, (_, k) =>
    Float64Array.from(frames.slice(k * stride, (k + 1) * stride)),
  )
}

const STATE_NAMES = [
  ...['head_x', 'head_y', 'head_z', 'head_roll', 'head_pitch', 'head_yaw'],
  ...['body_yaw', 'antenna_right', 'antenna_left'],
]

/**
 * A trajectory as one episode in the words of LeRobot's datasets (v3.0): the same features, names, units and columns,
 * as JSON instead of Parquet. Metres and radians.
 */
export function writeEpisode(description: string, trajectory: Trajectory): string {
  const fps = Math.round(1 / trajectory.dt)
  const feature = { dtype: 'float32', shape: [STATE_NAMES.length], names: STATE_NAMES }
  const frames = framesOf(trajectory)
  const state = (frame: Frame | undefined): number[] => Array.from(frame ?? [], (value) => Math.fround(value))
  return `${JSON.stringify({
    info: {
      codebase_version: 'v3.0',
      robot_type: 'reachy_mini',
      fps,
      total_episodes: 1,
      total_frames: frames.length,
      features: { 'observation.state': feature, action: feature },
    },
    tasks: [{ task_index: 0, task: description === '' ? trajectory.name : description }],
    frames: frames.map((frame, i) => ({
      index: i,
      frame_index: i,
      episode_index: 0,
      task_index: 0,
      timestamp: Math.fround(i / fps),
      'observation.state': state(frame),
      action: state(frames[Math.min(i + 1, frames.length - 1)]),
    })),
  })}\n`
}
