import { create } from 'zustand'

import { subscribe } from '../app/bridge.ts'

import { snapshotStore } from './snapshot-store.ts'

import type { InstallProgress, SpacesSnapshot, Unsubscribe } from '../../electron/contract/index.ts'

const store = snapshotStore<'spaces.list', 'spaces.changed', SpacesSnapshot>('spaces.list', {}, 'spaces.changed')

interface InstallsState {
  /** Progress by operation. A screen removes it when its dialog is closed. */
  installs: Readonly<Record<string, InstallProgress>>
  /** Operations that go on without their dialog; `waits`: for a person's answer. */
  background: readonly { readonly operationId: string; readonly waits: boolean }[]
  setBackground: (background: InstallsState['background']) => void
  forget: (operationId: string) => void
}

/** Installed Spaces. */
export const useSpaces = store.use

/** Installations under way, as the last progress of each. */
export const useInstalls = create<InstallsState>((set) => ({
  installs: {},
  background: [],
  setBackground: (background) => set({ background }),
  forget: (operationId) =>
    set(({ installs }) => ({
      installs: Object.fromEntries(Object.entries(installs).filter(([id]) => id !== operationId)),
    })),
}))

export function followSpaces(): Unsubscribe {
  const unsubscribes = [
    store.follow(),
    subscribe('spaces.progress', (progress) =>
      useInstalls.setState(({ installs }) => ({ installs: { ...installs, [progress.operationId]: progress } })),
    ),
  ]
  return () => unsubscribes.forEach((unsubscribe) => unsubscribe())
}
