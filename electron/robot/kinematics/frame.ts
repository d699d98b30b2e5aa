import { FRAME_STRIDE } from '../../contract/index.ts'

import { fromEuler, pitchOf, rollOf, yawOf } from './matrix.ts'

import type { Matrix } from './matrix.ts'

/**
 * A posture of the whole robot: [x, y, z, roll, pitch, yaw, bodyYaw, rightAntenna, leftAntenna], metres and radians, head
 * in the user frame.
 */
export type Frame = Float64Array

export const F = { x: 0, y: 1, z: 2, roll: 3, pitch: 4, yaw: 5, body: 6, right: 7, left: 8 } as const

export const newFrame = (): Frame => new Float64Array(FRAME_STRIDE)

export function headMatrix(out: Matrix, frame: Frame): Matrix {
  return fromEuler(
    out,
    frame[F.x] as number,
    frame[F.y] as number,
    frame[F.z] as number,
    frame[F.roll] as number,
    frame[F.pitch] as number,
    frame[F.yaw] as number,
  )
}

/** Writes the head's part of `out` from a matrix. */
export function setHead(out: Frame, head: Matrix): Frame {
  out[F.x] = head[3] as number
  out[F.y] = head[7] as number
  out[F.z] = head[11] as number
  out[F.roll] = rollOf(head)
  out[F.pitch] = pitchOf(head)
  out[F.yaw] = yawOf(head)
  return out
}
