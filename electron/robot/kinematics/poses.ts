import { headMatrix, newFrame, setHead } from './frame.ts'
import { identity, orthonormalise } from './matrix.ts'

import type { Frame } from './frame.ts'
import type { Matrix } from './matrix.ts'

/** Antennas lean 10° inwards at rest: upright they tremble, being inverted pendulums with some play. Radians, [right, left]. */
export const REST_ANTENNAS: readonly [number, number] = [-0.1745, 0.1745]
export const SLEEP_ANTENNAS: readonly [number, number] = [-3.05, 3.05]

/** The daemon's sleeping head (`SLEEP_HEAD_POSE`), as rounded there; user frame, metres. */
export const SLEEP_HEAD: readonly number[] = [
  0.911, 0.004, 0.413, -0.021, -0.004, 1, -0.001, 0.001, -0.413, -0.001, 0.911, -0.044, 0, 0, 0, 1,
]

/** A fresh copy of the rest posture: head level at the rest height, body and head ahead. */
export function restFrame(): Frame {
  const frame = newFrame()
  frame[7] = REST_ANTENNAS[0]
  frame[8] = REST_ANTENNAS[1]
  return frame
}

/** A fresh copy of the sleep posture: head down in the body, antennas folded over the inside. */
export function sleepFrame(): Frame {
  const frame = setHead(newFrame(), orthonormalise(Float64Array.from(SLEEP_HEAD)))
  frame[7] = SLEEP_ANTENNAS[0]
  frame[8] = SLEEP_ANTENNAS[1]
  return frame
}

/** The head of a frame as a fresh matrix. */
export function headOf(frame: Frame): Matrix {
  return headMatrix(identity(), frame)
}
