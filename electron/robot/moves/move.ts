import type { MoveFamily } from '../../contract/index.ts'
import type { Frame } from '../kinematics/frame.ts'

/** A motion that is the same every time. */
export interface Move {
  readonly name: string
  readonly kind: 'emotion' | 'dance'
  readonly family: MoveFamily
  readonly description: string
  /** Seconds. */
  readonly duration: number
  /** Writes the posture at `t` seconds (0 … duration), before any limits. */
  sample(t: number, out: Frame): void
}
