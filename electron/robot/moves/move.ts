import type { MoveFamily, MoveInfo, MoveNote } from '../../contract/index.ts'
import type { Frame } from '../kinematics/frame.ts'

/** A file that is heard with a move. */
export interface MoveSound {
  readonly file: string
  /** MIME type. */
  readonly type: string
}

/** A motion that is the same every time. */
export interface Move {
  /** Unique. */
  readonly name: string
  readonly kind: 'emotion' | 'dance'
  readonly family: MoveFamily
  readonly description: string
  /** Seconds. */
  readonly duration: number
  /** The name without its library. */
  readonly title?: string
  /** Where it comes from; absent: a starter move. */
  readonly source?: string
  readonly sound?: MoveSound
  readonly notes?: readonly MoveNote[]
  /** What is known of it without playing it through. */
  readonly measured?: Pick<MoveInfo, 'amplitude' | 'clamped'>
  /** Writes the posture at `t` seconds (0 … duration), before any limits. @throws CompanionError when its file is gone or broken. */
  sample(t: number, out: Frame): void
}

/** Moves that come and go while the app runs. */
export interface MoveSource {
  /** Another list of moves is another array. */
  moves(): readonly Move[]
}
