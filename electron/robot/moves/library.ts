import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'

import { danceMoves } from './dances.ts'
import { keyframeMove, moveFileSchema } from './keyframes.ts'
import { computeTrajectory, measureAmplitude } from './trajectory.ts'

import type { Log, MoveInfo, Trajectory } from '../../contract/index.ts'
import type { Move } from './move.ts'

export interface MoveLibrary {
  /** Emotions first, then dances, each by name. */
  infos(): MoveInfo[]
  emotionNames(): string[]
  /** @throws CompanionError `robot/unknown-move`. */
  get(name: string): Move
  /** @throws CompanionError `robot/unknown-move`. */
  trajectory(name: string): Trajectory
}

/** A starter file is a few kilobytes. */
const LARGEST_FILE = 1_000_000

/** The moves of the folder `dir` (read when first needed) and the dances. A file that is not right is left out and logged. */
export function createMoveLibrary(dir: string, log: Log): MoveLibrary {
  const trajectories = new Map<string, Trajectory>()
  let loaded: ReadonlyMap<string, Move> | null = null
  let infos: MoveInfo[] | null = null

  const all = (): ReadonlyMap<string, Move> => {
    loaded ??= new Map([...readMoves(dir, log), ...danceMoves()].map((move) => [move.name, move]))
    return loaded
  }
  const get = (name: string): Move => {
    const move = all().get(name)
    if (move === undefined) throw new CompanionError('robot/unknown-move', { name })
    return move
  }
  const trajectory = (name: string): Trajectory => {
    const move = get(name)
    const known = trajectories.get(name)
    if (known !== undefined) return known
    const made = computeTrajectory(move)
    trajectories.set(name, made)
    return made
  }

  return {
    get,
    trajectory,
    emotionNames: () => [...all().values()].filter(({ kind }) => kind === 'emotion').map(({ name }) => name),
    infos() {
      infos ??= [...all().values()].map(({ name, kind, family, description }) => {
        const path = trajectory(name)
        return {
          name,
          kind,
          family,
          description,
          duration: path.duration,
          hasSound: false,
          amplitude: measureAmplitude(path),
        }
      })
      return infos
    },
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
