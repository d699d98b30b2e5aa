import { createCatalogue } from './catalogue.ts'
import { createDetails } from './detail.ts'
import { createTrials } from './try.ts'

import type { Log } from '../contract/index.ts'
import type { Hub } from '../hub/index.ts'
import type { Mcp } from '../mcp/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Found } from './operations.ts'
import type { Lookup } from './picture.ts'
import type { SpacesState } from './state.ts'
import type { Spaces } from './types.ts'

/** Looking around: nothing here changes what is installed. */
export interface Browse extends Pick<Spaces, 'search' | 'more' | 'detail' | 'picture' | 'tryTool'> {
  /** Ends a search or a try of this name. */
  cancelLook(operationId: string): void
  disposeLook(): void
}

export interface BrowseDeps {
  readonly storage: Storage
  readonly hub: Hub
  readonly mcp: Mcp
  readonly fetch: typeof globalThis.fetch
  readonly token: () => Promise<string | null>
  readonly log: Log
  readonly now: () => number
  readonly state: () => Promise<SpacesState>
  readonly call: Spaces['call']
  /** What a preview found, while it is kept. */
  readonly found: (previewId: string) => Found | null
  readonly lookup?: Lookup | undefined
}

export function createBrowse(deps: BrowseDeps): Browse {
  const { lookup, state, ...rest } = deps
  const catalogue = createCatalogue(rest)
  const details = createDetails({
    ...rest,
    state,
    known: (slug) => catalogue.known(slug),
    ...(lookup === undefined ? {} : { lookup }),
  })
  const trials = createTrials(rest)
  const installed = async (): Promise<Set<string>> =>
    new Set((await state()).entries.map(({ slug }) => slug.toLowerCase()))

  return {
    search: (request, signal) => catalogue.search(request, installed, signal),
    more: (next, limit) => catalogue.more(next, limit, installed),
    detail: (slug) => details.detail(slug),
    picture: (slug, url) => details.picture(slug, url),
    tryTool: (request) => trials.run(request),
    cancelLook(operationId) {
      catalogue.cancel(operationId)
      trials.cancel(operationId)
    },
    disposeLook() {
      catalogue.dispose()
      details.dispose()
      trials.dispose()
    },
  }
}
