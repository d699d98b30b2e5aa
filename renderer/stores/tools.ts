import { create } from 'zustand'

import { attempt, subscribe } from '../app/bridge.ts'

import type { Failure, ToolList, ToolWeights, Unsubscribe } from '../../electron/contract/index.ts'

interface ToolsState {
  /** The registry as each profile sees it; a profile that was never asked for is absent. */
  lists: Readonly<Record<string, ToolList>>
  failure: Failure | null
  /** Version of the registry that was last announced. */
  version: number
  /** Estimated tokens of the tools, by profile. */
  weights: Readonly<Record<string, ToolWeights>>
  weightsFailure: Failure | null
  /** Reads the list of a profile; without one, of the active one. Never rejects. */
  load: (profile?: string) => Promise<void>
  /** Has the tools of a profile weighed, once for each version of the registry. Never rejects. */
  weigh: (profile: string, version: number) => Promise<void>
}

export const useTools = create<ToolsState>((set, get) => {
  const weighing = new Map<string, number>()
  return {
    lists: {},
    failure: null,
    version: 0,
    weights: {},
    weightsFailure: null,
    load: async (profile) => {
      const answer = await attempt('tools.list', profile === undefined ? {} : { profile })
      if (answer.ok) {
        const list = answer.value
        set(({ lists }) => ({ lists: { ...lists, [list.profile]: list }, failure: null }))
      } else {
        set({ failure: answer.error })
      }
    },
    weigh: async (profile, version) => {
      const held = get().weights[profile]
      if ((held !== undefined && held.version >= version) || weighing.get(profile) === version) return
      weighing.set(profile, version)
      const answer = await attempt('tools.weights', { profile })
      if (weighing.get(profile) === version) weighing.delete(profile)
      if (answer.ok) {
        set(({ weights }) => ({ weights: { ...weights, [profile]: answer.value }, weightsFailure: null }))
      } else {
        set({ weightsFailure: answer.error })
      }
    },
  }
})

/** Reads again every list that was asked for, whenever the registry was rebuilt. */
export function followTools(): Unsubscribe {
  return subscribe('tools.changed', ({ version }) => {
    useTools.setState({ version })
    const { lists, load } = useTools.getState()
    for (const profile of Object.keys(lists)) void load(profile)
  })
}
