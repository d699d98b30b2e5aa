import { applyWish } from './motion/plans.ts'

import type { Jog } from '../contract/index.ts'
import type { Frame } from './kinematics/frame.ts'
import type { Plan } from './motion/plans.ts'
import type { Segment } from './motion/segments.ts'

/** Seconds without a new wish after which a person no longer moves the body. */
const IDLE_SECONDS = 1

/** A body moved by hand: the goal is wherever the person has it now; limits and rates are those of every motion. */
export interface JogMotion {
  readonly plan: Plan
  /** Takes a new wish while the motion runs, or before it begins. */
  follow(jog: Jog): void
}

export function createJog(first: Jog): JogMotion {
  let wish = first
  let target: Frame | null = null
  let now = 0
  let until = IDLE_SECONDS

  const apply = (frame: Frame): Frame => applyWish(frame, wish)

  const segment: Segment = {
    get duration() {
      return until
    },
    sample(t, out) {
      now = t
      if (target) out.set(target)
    },
  }

  return {
    plan: function* (present) {
      target = present()
      apply(target)
      yield segment
    },
    follow(jog) {
      wish = { ...wish, ...jog, head: { ...wish.head, ...jog.head } }
      if (target) apply(target)
      until = now + IDLE_SECONDS
    },
  }
}
