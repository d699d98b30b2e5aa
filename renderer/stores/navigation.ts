import { create } from 'zustand'

import { attempt, subscribe } from '../app/bridge.ts'

import type { Settings, Unsubscribe } from '../../electron/contract/index.ts'

export type ScreenName = Settings['lastScreen']
export type RobotTab = 'body' | 'emotions'

interface NavigationState {
  screen: ScreenName
  /** The tab of the Robot screen. */
  robotTab: RobotTab
  /** Goes to a screen and remembers it for the next start. */
  go: (screen: ScreenName, robotTab?: RobotTab) => void
  setRobotTab: (tab: RobotTab) => void
}

export const useNavigation = create<NavigationState>((set, get) => ({
  screen: 'chat',
  robotTab: 'body',
  go: (screen, robotTab) => {
    const moved = get().screen !== screen
    set({ screen, ...(robotTab ? { robotTab } : {}) })
    if (moved) void attempt('settings.update', { lastScreen: screen })
  },
  setRobotTab: (robotTab) => set({ robotTab }),
}))

/** Follows the application menu and its shortcuts. Links that name a Space are followed by `links.ts`. */
export function followNavigation(): Unsubscribe {
  return subscribe('app.navigate', ({ screen, space }) => {
    if (space === undefined) useNavigation.getState().go(screen)
  })
}
