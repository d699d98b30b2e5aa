import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'

import { danceMoves } from './dances.ts'
import { keyframeMove, moveFileSchema } from './keyframes.ts'
import { computeTrajectory, measureAmplitude, trajectorySeconds } from './trajectory.ts'

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
  const infos = new Map<string, MoveInfo>()

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

  const infoOf = (move: Move): MoveInfo => {
    const known = infos.get(move.name)
    if (known !== undefined) return known
    const { name, kind, family, description, duration } = move
    let amplitude: MoveInfo['amplitude'] | null = null
    const info: MoveInfo = {
      name,
      kind,
      family,
      description,
      duration: trajectorySeconds(duration),
      hasSound: false,
      // Measuring takes milliseconds a move: only for those who look.
      get amplitude() {
        amplitude ??= measureAmplitude(trajectory(name))
        return amplitude
      },
    }
    infos.set(name, info)
    return info
  }

  return {
    get,
    trajectory,
    emotionNames: () => [...all().values()].filter(({ kind }) => kind === 'emotion').map(({ name }) => name),
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
