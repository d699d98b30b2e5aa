import { createQueuedMotion } from './motion.ts'

import type { CompanionError } from '../../contract/index.ts'
import type { Motion } from '../types.ts'
import type { MotionRequest, QueuedMotion } from './motion.ts'

/** More waiting motions than anyone can mean; what comes on top ends at once as stopped. */
export const LONGEST_QUEUE = 32

/** Who has the body, and who waits for it: one owner at a time, in the order of asking. */
export interface MotionQueue {
  readonly owner: QueuedMotion | null
  readonly length: number
  add(request: MotionRequest): Motion
  /** The motion to begin next, when nobody has the body. It stays in the queue until {@link take}. */
  peek(): QueuedMotion | null
  /** Makes the first waiting motion the owner. */
  take(): QueuedMotion | null
  /** Takes the body from its owner. */
  release(): void
  /** Ends the motions that `which` picks, running or waiting. Answers whether the owner was among them. */
  stop(which: (request: MotionRequest) => boolean): boolean
  /** As stop for all, but they fail. */
  failAll(error: CompanionError): void
}

/** @param onStop somebody stopped one motion by its own handle; `true` when it had the body */
export function createMotionQueue(onStop: (hadBody: boolean) => void): MotionQueue {
  const waiting: QueuedMotion[] = []
  let owner: QueuedMotion | null = null

  const remove = (motion: QueuedMotion): boolean => {
    const place = waiting.indexOf(motion)
    if (place >= 0) waiting.splice(place, 1)
    if (owner !== motion) return false
    owner = null
    return true
  }

  const stopOne = (motion: QueuedMotion): void => {
    if (motion.state === 'over') return
    const hadBody = remove(motion)
    motion.finish('stopped')
    onStop(hadBody)
  }

  return {
    get owner() {
      return owner
    },
    get length() {
      return waiting.length
    },
    add(request) {
      const motion = createQueuedMotion(request, stopOne)
      if (waiting.length < LONGEST_QUEUE) waiting.push(motion)
      else motion.finish('stopped')
      return motion.handle
    },
    peek: () => (owner === null ? (waiting[0] ?? null) : null),
    take() {
      owner = waiting.shift() ?? null
      return owner
    },
    release() {
      owner = null
    },
    stop(which) {
      let hadBody = false
      for (const motion of [...(owner === null ? [] : [owner]), ...waiting]) {
        if (!which(motion.request)) continue
        hadBody = remove(motion) || hadBody
        motion.finish('stopped')
      }
      return hadBody
    },
    failAll(error) {
      const all = [...(owner === null ? [] : [owner]), ...waiting.splice(0)]
      owner = null
      for (const motion of all) motion.fail(error)
    },
  }
}
