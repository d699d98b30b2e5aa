import { create } from 'zustand'

import { attempt, subscribe } from '../app/bridge.ts'

import type { Failure, ToolList, Unsubscribe } from '../../electron/contract/index.ts'

interface ToolsState {
  /** The registry as each profile sees it; a profile that was never asked for is absent. */
  lists: Readonly<Record<string, ToolList>>
  failure: Failure | null
  /** Version of the registry that was last announced. */
  version: number
  /** Reads the list of a profile; without one, of the active one. Never rejects. */
  load: (profile?: string) => Promise<void>
}

export const useTools = create<ToolsState>((set) => ({
  lists: {},
  failure: null,
  version: 0,
  load: async (profile) => {
    const answer = await attempt('tools.list', profile === undefined ? {} : { profile })
    if (answer.ok) {
      const list = answer.value
      set(({ lists }) => ({ lists: { ...lists, [list.profile]: list }, failure: null }))
    } else {
      set({ failure: answer.error })
    }
  },
}))

/** Reads again every list that was asked for, whenever the registry was rebuilt. */
export function followTools(): Unsubscribe {
  return subscribe('tools.changed', ({ version }) => {
    useTools.setState({ version })
    const { lists, load } = useTools.getState()
    for (const profile of Object.keys(lists)) void load(profile)
  })
}
