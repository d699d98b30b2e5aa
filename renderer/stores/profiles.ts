import { snapshotStore } from './snapshot-store.ts'

import type { ProfilesSnapshot } from '../../electron/contract/index.ts'

const store = snapshotStore<'profiles.list', 'profiles.changed', ProfilesSnapshot>(
  'profiles.list',
  {},
  'profiles.changed',
)

export const useProfiles = store.use
export const followProfiles = store.follow
