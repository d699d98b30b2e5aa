import { z } from 'zod'

import { moveFamilySchema } from '../../contract/index.ts'
import { F } from '../kinematics/frame.ts'

import { curve, window } from './ease.ts'

import type { MoveFamily } from '../../contract/index.ts'
import type { Move } from './move.ts'

const LONGEST = 60
/** The first seven in the order of a frame. */
const CHANNELS = ['x', 'y', 'z', 'roll', 'pitch', 'yaw', 'body', 'antennas', 'sway'] as const
type Channel = (typeof CHANNELS)[number]

const keySchema = z.tuple([z.number().min(0).max(LONGEST), z.number().min(-200).max(200)])
const channelSchema = z.enum(CHANNELS)

const waveSchema = z
  .object({
    on: channelSchema,
    amplitude: z.number().min(-90).max(90),
    hz: z.number().positive().max(12),
    from: z.number().min(0).max(LONGEST),
    to: z.number().min(0).max(LONGEST),
    /** Seconds over which it swells and dies away. */
    fade: z.number().min(0.1).max(10).default(0.3),
    /** Turns. */
    phase: z.number().min(-1).max(1).default(0),
  })
  .strict()

/** One move of a file. Degrees and millimetres, because people write it; seconds. */
export const moveFileEntrySchema = z
  .object({
    description: z.string().min(1).max(200),
    duration: z.number().min(0.3).max(LONGEST),
    /** Points [t, value] per channel; a channel starts and ends at rest unless a point says otherwise. */
    keys: z.partialRecord(channelSchema, z.array(keySchema).min(1).max(200)),
    waves: z.array(waveSchema).max(20).default([]),
  })
  .strict()
  .refine(
    ({ keys, duration }) =>
      Object.values(keys).every((points) =>
        points.every(([t], i) => t <= duration && (i === 0 || t > (points[i - 1]?.[0] ?? 0))),
      ),
    { message: 'times rise and lie within the duration' },
  )
export type MoveFileEntry = z.infer<typeof moveFileEntrySchema>

/** A file holds the moves of one family. */
export const moveFileSchema = z
  .object({ family: moveFamilySchema, moves: z.record(z.string().regex(/^[a-z0-9_-]{1,60}$/), moveFileEntrySchema) })
  .strict()

/** Antennas at rest lean 10° inwards. */
const REST: Readonly<Record<Channel, number>> = {
  x: 0,
  y: 0,
  z: 0,
  roll: 0,
  pitch: 0,
  yaw: 0,
  body: 0,
  antennas: -10,
  sway: 0,
}

const RADIANS = Math.PI / 180

/**
 * Makes an entry playable. `antennas` opens both outwards (right +, left −), `sway` leans both to the same side; the
 * rest are the head's own axes and the body's yaw.
 */
export function keyframeMove(name: string, family: MoveFamily, entry: MoveFileEntry): Move {
  const { duration, description } = entry
  const values = CHANNELS.map((channel) => channelCurve(channel, entry))
  const waves = entry.waves.map((wave) => ({ ...wave, index: CHANNELS.indexOf(wave.on) }))
  const now = new Float64Array(CHANNELS.length)
  return {
    name,
    kind: 'emotion',
    family,
    description,
    duration,
    sample(t, out) {
      values.forEach((value, i) => {
        now[i] = value(t)
      })
      for (const { index, amplitude, hz, from, to, fade, phase } of waves) {
        const turns = hz * (t - from) + phase
        now[index] = (now[index] as number) + amplitude * window(t, from, to, fade) * Math.sin(2 * Math.PI * turns)
      }
      const antennas = (now[7] as number) * RADIANS
      const sway = (now[8] as number) * RADIANS
      for (let i = F.x; i <= F.z; i++) out[i] = (now[i] as number) / 1000
      for (let i = F.roll; i <= F.body; i++) out[i] = (now[i] as number) * RADIANS
      out[F.right] = sway + antennas
      out[F.left] = sway - antennas
    },
  }
}

function channelCurve(channel: Channel, { keys, duration }: MoveFileEntry): (t: number) => number {
  const points = keys[channel]
  const rest = REST[channel]
  if (points === undefined) return () => rest
  const all: [number, number][] = [...points]
  if ((all[0]?.[0] ?? 0) > 0) all.unshift([0, rest])
  if ((all.at(-1)?.[0] ?? 0) < duration) all.push([duration, rest])
  return curve(all)
}
