import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'

import { danceMoves } from './dances.ts'
import { keyframeMove, moveFileSchema } from './keyframes.ts'
import { computeTrajectory, measureAmplitude, trajectorySeconds } from './trajectory.ts'

import type { Log, MoveInfo, Trajectory } from '../../contract/index.ts'
import type { Move, MoveSource } from './move.ts'

export interface MoveLibrary {
  /** Emotions first, then dances, each by name; then those of other sources. */
  infos(): MoveInfo[]
  /** Names without their library: what a feeling is resolved against. */
  emotionNames(): string[]
  /** The move that is meant by an emotion's name without library: a recorded one before a starter move of that name. */
  emotionCalled(title: string): string
  /**
   * By its name, or by its name without library where no starter move has it.
   * @throws CompanionError `robot/unknown-move`.
   */
  get(name: string): Move
  /** @throws CompanionError `robot/unknown-move`, `move/*` when the file of a recorded one is gone or broken. */
  trajectory(name: string): Trajectory
}

/** A starter file is a few kilobytes. */
const LARGEST_FILE = 1_000_000
/** Of trajectories that were worked out, so many are kept: a few hundred kilobytes each at most. */
const MOST_TRAJECTORIES = 150

/**
 * The moves of the folder `dir` (read when first needed), the dances, and those of `sources`. A file that is not right is
 * left out and logged.
 */
export function createMoveLibrary(dir: string, log: Log, sources: readonly MoveSource[] = []): MoveLibrary {
  const trajectories = new Map<Move, Trajectory>()
  const infos = new WeakMap<Move, MoveInfo>()
  let starter: readonly Move[] | null = null
  let merged: { lists: readonly (readonly Move[])[]; byName: ReadonlyMap<string, Move> } | null = null

  const all = (): ReadonlyMap<string, Move> => {
    starter ??= [...readMoves(dir, log), ...danceMoves()]
    const lists = [starter, ...sources.map((source) => source.moves())]
    if (merged !== null && lists.every((list, i) => list === merged?.lists[i])) return merged.byName
    const byName = new Map<string, Move>()
    for (const move of lists.flat()) if (!byName.has(move.name)) byName.set(move.name, move)
    merged = { lists, byName }
    return byName
  }
  const titleOf = ({ title, name }: Move): string => title ?? name
  const get = (name: string): Move => {
    const move = all().get(name) ?? [...all().values()].find((one) => titleOf(one) === name)
    if (move === undefined) throw new CompanionError('robot/unknown-move', { name })
    return move
  }
  const trajectory = (name: string): Trajectory => {
    const move = get(name)
    const known = trajectories.get(move)
    if (known !== undefined) return known
    const made = computeTrajectory(move)
    trajectories.set(move, made)
    const [oldest] = trajectories.keys()
    if (trajectories.size > MOST_TRAJECTORIES && oldest !== undefined) trajectories.delete(oldest)
    return made
  }

  const infoOf = (move: Move): MoveInfo => {
    const known = infos.get(move)
    if (known !== undefined) return known
    const { name, kind, family, description, duration, title, source, sound, notes, measured } = move
    let amplitude: MoveInfo['amplitude'] | null = measured?.amplitude ?? null
    const info: MoveInfo = {
      name,
      kind,
      family,
      description,
      duration: trajectorySeconds(duration),
      hasSound: sound !== undefined,
      ...(title === undefined ? {} : { title }),
      ...(source === undefined ? {} : { source }),
      ...(measured?.clamped === undefined ? {} : { clamped: measured.clamped }),
      ...(notes === undefined || notes.length === 0 ? {} : { notes: [...notes] }),
      // Measuring takes milliseconds a move: only for those who look.
      get amplitude() {
        amplitude ??= measureAmplitude(trajectory(name))
        return amplitude
      },
    }
    infos.set(move, info)
    return info
  }
  const emotions = (): Move[] => [...all().values()].filter(({ kind }) => kind === 'emotion')

  return {
    get,
    trajectory,
    emotionNames: () => [...new Set(emotions().map(titleOf))],
    emotionCalled(wanted) {
      const meant = emotions().filter((move) => titleOf(move) === wanted)
      return (meant.find(({ source }) => source !== undefined) ?? meant[0])?.name ?? wanted
    },
    infos: () => [...all().values()].map((move) => infoOf(move)),
  }
}

function readMoves(dir: string, log: Log): Move[] {
  let names: string[]
  try {
    names = readdirSync(dir).filter((name) => name.endsWith('.json'))
  } catch (error) {
    log.error('the folder of moves cannot be read', { dir, error: String(error) })
    return []
  }
  const moves = names.flatMap((name) => readMoveFile(path.join(dir, name), log))
  return moves.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function readMoveFile(file: string, log: Log): Move[] {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.length > LARGEST_FILE) throw new Error('too large')
    const { family, moves } = moveFileSchema.parse(JSON.parse(text))
    return Object.entries(moves).map(([name, entry]) => keyframeMove(name, family, entry))
  } catch (error) {
    log.error('a file of moves was left out', { file, error: String(error) })
    return []
  }
}
