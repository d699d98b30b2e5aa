import { CompanionError } from '../../contract/index.ts'
import { F } from '../kinematics/frame.ts'

import { readRecording, writeRecording } from './recording.ts'

import type { MoveRecording } from '../../contract/index.ts'
import type { Frame } from '../kinematics/frame.ts'
import type { MotionRequest } from '../motion/motion.ts'
import type { Motion } from '../types.ts'
import type { Move } from './move.ts'

/** Guiding a head by hand for longer than this is no move, seconds. */
export const LONGEST_RECORDING = 60
/** Before the first and after the last movement so much stays, seconds. */
const MARGIN = 0.15
/** What a hand does not mean, metres and radians: a tick of a motor is 0.0015. */
const STILL = { metres: 0.0006, radians: 0.012 } as const
/** Samples on either side over which the motors' whole ticks are smoothed. */
const SMOOTH = 2
const SHORTEST_SAMPLES = 10

export interface RecorderDeps {
  /** Ends every motion, then gives the body to this one. */
  readonly begin: (request: MotionRequest) => Motion
  readonly onChange: () => void
}

/** Records a move by hand: torque goes off, a person guides the robot, the motors say where it is, 50 times a second. */
export interface Recorder {
  state(): MoveRecording
  /** The head sinks where nobody holds it. What was recorded and not kept is forgotten. Ends by itself after a minute. */
  start(): Motion
  /** Ends the recording; torque stays off. */
  stop(): void
  /** What was recorded, as a move. @throws CompanionError `move/no-recording`. */
  draft(): Move
  /** The same in the public format. @throws CompanionError `move/no-recording`. */
  text(description: string): string
  discard(): void
}

interface Take {
  readonly frames: Frame[]
  readonly times: number[]
}

export function createRecorder({ begin, onChange }: RecorderDeps): Recorder {
  let motion: Motion | null = null
  let state: MoveRecording['state'] = 'none'
  let take: Take = { frames: [], times: [] }

  const seconds = (): number => Math.max(0, (take.times.at(-1) ?? 0) - (take.times[0] ?? 0))
  const end = (mine: Take): void => {
    if (mine !== take) return
    motion = null
    take = trimmed(smoothed(take))
    state = take.frames.length >= SHORTEST_SAMPLES ? 'recorded' : 'none'
    if (state === 'none') take = { frames: [], times: [] }
    onChange()
  }
  const text = (description: string): string => {
    if (state !== 'recorded') throw new CompanionError('move/no-recording')
    const [start = 0] = take.times
    return writeRecording(
      description,
      take.frames,
      take.times.map((time) => time - start),
    )
  }

  return {
    state: () => ({ state, seconds: Math.round(seconds() * 100) / 100, limit: LONGEST_RECORDING }),
    start() {
      const mine: Take = { frames: [], times: [] }
      motion?.stop()
      take = mine
      state = 'waiting'
      motion = begin({
        activity: 'by-hand',
        limp: true,
        *plan() {
          yield { duration: LONGEST_RECORDING, sample: () => undefined }
        },
        observe(frame, at) {
          if (mine !== take) return
          if (state === 'waiting') {
            state = 'recording'
            onChange()
          }
          mine.frames.push(frame.slice())
          mine.times.push(at / 1000)
        },
      })
      const over = (): void => end(mine)
      motion.ended.then(over, over)
      onChange()
      return motion
    },
    stop: () => motion?.stop(),
    text,
    draft() {
      const recording = readRecording('draft', new TextEncoder().encode(text('')))
      return { name: 'draft', kind: 'emotion', family: 'other', source: 'recorded', ...recording }
    },
    discard() {
      motion?.stop()
      motion = null
      take = { frames: [], times: [] }
      state = 'none'
      onChange()
    },
  }
}

function differs(a: Frame | undefined, b: Frame | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return a.some((value, i) => Math.abs(value - (b[i] as number)) > (i < F.roll ? STILL.metres : STILL.radians))
}

/** Without the time before the hand took hold and after it let go. Pure. */
export function trimmed({ frames, times }: Take): Take {
  const first = frames.findIndex((frame) => differs(frame, frames[0]))
  const last = frames.findLastIndex((frame) => differs(frame, frames.at(-1)))
  if (first < 0) return { frames: [], times: [] }
  const from = (times[first] ?? 0) - MARGIN
  const to = (times[last] ?? 0) + MARGIN
  const kept = frames.map((_, i) => i).filter((i) => (times[i] ?? 0) >= from && (times[i] ?? 0) <= to)
  return { frames: kept.map((i) => frames[i] as Frame), times: kept.map((i) => times[i] as number) }
}

/** Motors tell whole ticks: each value becomes the mean of its neighbours. Pure. */
function smoothed({ frames, times }: Take): Take {
  const mean = (k: number): Frame => {
    const reach = Math.min(SMOOTH, k, frames.length - 1 - k)
    const near = frames.slice(k - reach, k + reach + 1)
    return (frames[k] as Frame).map((_, i) => near.reduce((sum, frame) => sum + (frame[i] as number), 0) / near.length)
  }
  return { frames: frames.map((_, k) => mean(k)), times }
}
