import { create } from 'zustand'

import { attempt, subscribe } from '../app/bridge.ts'

import type { Failure, RobotSummary, Unsubscribe } from '../../electron/contract/index.ts'

interface RobotsState {
  /** Robots that are known; `null` until somebody asked. */
  robots: readonly RobotSummary[] | null
  failure: Failure | null
  looking: boolean
  /** @param fresh looks again at ports and at the network. Never rejects. */
  look: (fresh: boolean) => Promise<void>
}

export const useRobots = create<RobotsState>((set, get) => ({
  robots: null,
  failure: null,
  looking: false,
  look: async (fresh) => {
    if (get().looking) return
    set({ looking: true })
    const answer = await attempt('robot.list', { fresh })
    if (answer.ok) set({ robots: answer.value.robots, failure: null, looking: false })
    else set({ failure: answer.error, looking: false })
  },
}))

/** Follows robots that come and go until the returned function is called. */
export const followRobots = (): Unsubscribe =>
  subscribe('robots.changed', ({ robots }) => useRobots.setState({ robots }))
