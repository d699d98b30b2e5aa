import { create } from 'zustand'

import { attempt } from '../app/bridge.ts'

import { useRobot } from './robot.ts'

import type { Failure } from '../../electron/contract/index.ts'

interface ConnectState {
  /** The robot that the person just chose, until the answer is there. */
  connecting: string | null
  /** Why the last wish was not fulfilled. */
  failure: Failure | null
  connect: (id: string) => Promise<void>
  disconnect: () => Promise<void>
}

/** Taking a robot and letting it go, from wherever on the screen. */
export const useConnect = create<ConnectState>((set, get) => ({
  connecting: null,
  failure: null,
  connect: async (id) => {
    set({ connecting: id, failure: null })
    const answer = await attempt('robot.connect', { id })
    if (get().connecting === id) set({ connecting: null })
    if (answer.ok) useRobot.getState().accept(answer.value)
    // The state itself tells why a robot is not there; a wish that another one replaced is no failure.
    else if (answer.error.code === 'app/internal') set({ failure: answer.error })
  },
  disconnect: async () => {
    set({ connecting: null, failure: null })
    const answer = await attempt('robot.disconnect', {})
    if (answer.ok) useRobot.getState().accept(answer.value)
    else set({ failure: answer.error })
  },
}))
