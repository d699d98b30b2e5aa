import { create } from 'zustand'

import { attempt, subscribe } from '../app/bridge.ts'

import type { Unsubscribe } from '../../electron/contract/index.ts'

interface LinksState {
  /** The Space of a link that nobody has dealt with yet. */
  arrived: string | null
  /** The Space that the Spaces screen is to look at, because of a link. */
  wanted: string | null
  arrive: (space: string) => void
  /** Hands what arrived to the Spaces screen. */
  want: (space: string) => void
  forget: () => void
  /** What is wanted, once. */
  take: () => string | null
}

/** Links from outside that name a Space. They show it; they never install. */
export const useLinks = create<LinksState>((set, get) => ({
  arrived: null,
  wanted: null,
  arrive: (space) => set({ arrived: space }),
  want: (space) => set({ wanted: space }),
  forget: () => set({ arrived: null }),
  take: () => {
    const { wanted } = get()
    if (wanted !== null) set({ wanted: null })
    return wanted
  },
}))

/** Follows the links that come while the app runs; the one that started it is asked for by {@link takeStartLink}. */
export function followLinks(): Unsubscribe {
  return subscribe('app.navigate', ({ space }) => {
    if (space !== undefined) useLinks.getState().arrive(space)
  })
}

/** The link that started the app, if there was one. */
export async function takeStartLink(): Promise<void> {
  const answer = await attempt('app.takeLink', {})
  if (answer.ok && answer.value.space !== null) useLinks.getState().arrive(answer.value.space)
}
