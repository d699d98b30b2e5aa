import { CompanionError } from '../contract/index.ts'

import type { Log, RefreshResult } from '../contract/index.ts'
import type { SpacesState } from './state.ts'

/** Entries of version 1 came one by one from a command line; a list longer than this was written by no person. */
const MAX_SPACES = 50

export interface Upgrade {
  /** Does its work at the first call, and nothing at later ones. Never throws, nobody waits for it. */
  start(): void
  dispose(): void
}

/**
 * Looks once a run at the Spaces that a list of version 1 only names, so that their tools come back without anybody's
 * doing. Begun when a person turns to Spaces, never at the start of the app, which contacts nobody. Sleeping Spaces are
 * left asleep; what fails is logged and shown as the state of the Space.
 */
export function createUpgrade(deps: {
  state(): Promise<SpacesState>
  lookAtEach(slugs: readonly string[], signal: AbortSignal): Promise<RefreshResult['spaces']>
  readonly log: Log
}): Upgrade {
  const controller = new AbortController()
  let started = false

  const run = async (): Promise<void> => {
    const { entries, readOnly } = await deps.state()
    const old = entries.filter(({ mcpUrl }) => mcpUrl === '').map(({ slug }) => slug)
    if (readOnly !== null || old.length === 0) return
    for (const { slug, ok, failure } of await deps.lookAtEach(old.slice(0, MAX_SPACES), controller.signal)) {
      if (ok) deps.log.info('spaces: an entry of version 1 is whole now', { slug })
      else deps.log.info('spaces: an entry of version 1 stays as it is', { slug, code: failure?.code })
    }
  }

  return {
    start() {
      if (started) return
      started = true
      run().catch((error: unknown) => {
        if (controller.signal.aborted) return
        deps.log.warn('spaces: entries of version 1 could not be looked at', { reason: String(error) })
      })
    },
    dispose: () => controller.abort(new CompanionError('app/cancelled')),
  }
}
