import { snapshotStore } from './snapshot-store.ts'

import type { SettingsSnapshot } from '../../electron/contract/index.ts'

const store = snapshotStore<'settings.get', 'settings.changed', SettingsSnapshot>(
  'settings.get',
  {},
  'settings.changed',
)

export const useSettings = store.use
export const followSettings = store.follow
