import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { z } from 'zod'

import { amplitudeSchema, CompanionError, moveFamilySchema, moveNoteSchema } from '../../contract/index.ts'

import { readRecording } from './recording.ts'
import { computeTrajectory, measureAmplitude } from './trajectory.ts'

import type { Log } from '../../contract/index.ts'
import type { Move } from './move.ts'
import type { Recording } from './recording.ts'

/** Sounds beside a move, best first: the order and the kinds of the robot's own player. */
export const SOUND_TYPES: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
}
export const SOUND_ENDINGS = Object.keys(SOUND_TYPES)

/** The name of a move that a file has: no folder, no dots, nothing hidden. */
export const STEM = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/

/** What is kept of a recorded move, so that a list of them does not read all their files. */
export const storedMoveSchema = z.object({
  title: z.string(),
  /** Below the folder of its index. */
  file: z.string(),
  sha256: z.string(),
  kind: z.enum(['emotion', 'dance']),
  family: moveFamilySchema,
  description: z.string(),
  duration: z.number().positive(),
  sound: z.string().optional(),
  notes: z.array(moveNoteSchema),
  amplitude: amplitudeSchema,
  clamped: z.boolean(),
})
export type StoredMove = z.infer<typeof storedMoveSchema>

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Reads a file of a move through and measures it. @throws CompanionError `move/*`. */
export function describeMove(
  bytes: Uint8Array,
  about: Pick<StoredMove, 'title' | 'file' | 'kind' | 'family'> & { readonly sound?: string | undefined },
): StoredMove {
  const recording = readRecording(about.title, bytes)
  const { title, file, kind, family, sound } = about
  const trajectory = computeTrajectory({ name: title, kind, family, ...recording })
  return {
    title,
    file,
    sha256: sha256(bytes),
    kind,
    family,
    description: recording.description,
    duration: recording.duration,
    ...(sound === undefined ? {} : { sound }),
    notes: [...recording.notes],
    amplitude: measureAmplitude(trajectory),
    clamped: trajectory.clamped,
  }
}

/** A move whose file is read when it is first played or looked at. */
export function storedMove(stored: StoredMove, { dir, source, prefix, log }: StoredPlace): Move {
  let recording: Recording | null = null
  const { title, kind, family, description, duration, notes, amplitude, clamped, sound } = stored
  const read = (): Recording => {
    let bytes: Buffer
    try {
      bytes = readFileSync(path.join(dir, stored.file))
    } catch (error) {
      throw new CompanionError('move/unreadable', { name: title }, { cause: error })
    }
    if (sha256(bytes) !== stored.sha256) throw new CompanionError('library/damaged', { path: stored.file })
    return readRecording(title, bytes)
  }
  const type = sound === undefined ? undefined : SOUND_TYPES[path.extname(sound).slice(1).toLowerCase()]
  return {
    name: `${prefix}:${title}`,
    title,
    source,
    kind,
    family,
    description,
    duration,
    notes,
    measured: { amplitude, clamped },
    ...(sound === undefined || type === undefined ? {} : { sound: { file: path.join(dir, sound), type } }),
    sample(t, out) {
      if (recording === null) {
        recording = read()
        log.debug('a recorded move was read', { name: title })
      }
      recording.sample(t, out)
    },
  }
}

export interface StoredPlace {
  readonly dir: string
  readonly source: string
  readonly prefix: string
  readonly log: Log
}
