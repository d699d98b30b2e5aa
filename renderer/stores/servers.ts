import { useEffect } from 'react'

import { snapshotStore } from './snapshot-store.ts'

import type { ServersSnapshot } from '../../electron/contract/index.ts'

const store = snapshotStore<'servers.list', 'servers.changed', ServersSnapshot>('servers.list', {}, 'servers.changed')

/** MCP servers that are no Spaces. */
export const useServers = store.use

/** Reads the servers and follows them while a component is on screen: nobody needs them before. */
export function useFollowedServers(): void {
  useEffect(() => {
    const unfollow = store.follow()
    void store.use.getState().load()
    return unfollow
  }, [])
}
