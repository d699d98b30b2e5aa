import { create } from 'zustand'

import { attempt } from '../app/bridge.ts'
import { sketchOf } from '../components/emotion/trajectory.ts'

import type { Failure, MoveInfo, Trajectory } from '../../electron/contract/index.ts'
import type { MoveSketch } from '../components/emotion/trajectory.ts'

/** Whole trajectories kept: the one on screen and a few before it. Cards keep only a sketch. */
const KEPT = 8
/** Trajectories asked for at the same time for sketches. */
const LANES = 2

interface MovesState {
  /** `null` until they were read. */
  moves: readonly MoveInfo[] | null
  failure: Failure | null
  trajectories: Readonly<Record<string, Trajectory>>
  /** Why a move has no trajectory. */
  failures: Readonly<Record<string, Failure>>
  sketches: Readonly<Record<string, MoveSketch>>
  load: () => Promise<void>
  /** Reads a trajectory unless it is held. */
  loadTrajectory: (move: string) => Promise<void>
  /** Makes the sketch of a move that came into view, in its turn. */
  wantSketch: (move: string) => void
}

/** `held` with `value` last, and no more than `limit` entries. */
function withNewest<T>(held: Readonly<Record<string, T>>, key: string, value: T, limit: number): Record<string, T> {
  const others = Object.entries(held).filter(([name]) => name !== key)
  return Object.fromEntries([...others.slice(-(limit - 1)), [key, value]])
}

export const useMoves = create<MovesState>((set, get) => {
  const waiting: string[] = []
  let running = 0

  const nextSketch = async (): Promise<void> => {
    const move = running < LANES ? waiting.shift() : undefined
    if (move === undefined) return
    running += 1
    const answer = await attempt('robot.trajectory', { move })
    running -= 1
    if (answer.ok) set(({ sketches }) => ({ sketches: { ...sketches, [move]: sketchOf(answer.value) } }))
    else set(({ failures }) => ({ failures: { ...failures, [move]: answer.error } }))
    void nextSketch()
  }

  return {
    moves: null,
    failure: null,
    trajectories: {},
    failures: {},
    sketches: {},
    load: async () => {
      const answer = await attempt('robot.moves', {})
      if (answer.ok) set({ moves: answer.value.moves, failure: null })
      else set({ failure: answer.error })
    },
    loadTrajectory: async (move) => {
      if (get().trajectories[move]) return
      const answer = await attempt('robot.trajectory', { move })
      if (answer.ok) {
        set(({ trajectories, sketches }) => ({
          trajectories: withNewest(trajectories, move, answer.value, KEPT),
          sketches: sketches[move] ? sketches : { ...sketches, [move]: sketchOf(answer.value) },
        }))
      } else {
        set(({ failures }) => ({ failures: { ...failures, [move]: answer.error } }))
      }
    },
    wantSketch: (move) => {
      if (get().sketches[move] || waiting.includes(move)) return
      waiting.push(move)
      void nextSketch()
    },
  }
})
