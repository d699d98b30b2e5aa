import { isSeed, seedsFirst } from './card.ts'
import { OFFICIAL_PUBLISHER } from './seeds.ts'
import { stageGroup } from './wake.ts'

import type { Log, SpaceFilter, SpaceSort } from '../contract/index.ts'
import type { Hub, SpaceInfo } from '../hub/index.ts'

export interface ListingRequest {
  readonly query: string
  readonly filters: readonly SpaceFilter[]
  readonly sort: SpaceSort
  /** Entries of one page of the Hub. */
  readonly limit: number
}

/** What the Hub's tags have to be for a filter. */
export const FILTER_TAGS: Partial<Record<SpaceFilter, string>> = {
  'reachy-mini': 'reachy-mini-tool',
  mcp: 'mcp-server',
  'tagged-mcp': 'mcp',
}

/** The list of one search, read on piece by piece. */
export interface Listing {
  /**
   * The following entries, at most `limit`; none comes twice. `more` is false when the list is at its end. After a failure
   * the same entries can be asked for again.
   */
  next(limit: number, signal: AbortSignal): Promise<{ infos: SpaceInfo[]; more: boolean }>
}

/** Pages of the Hub that are read for one answer when a filter of ours leaves little of each. */
const MAX_PAGES = 5
/** The official publisher has few Spaces; the starting ones are among the first. */
const OFFICIAL_LIMIT = 50

export function createListing(deps: { readonly hub: Hub; readonly log: Log }, request: ListingRequest): Listing {
  const { hub, log } = deps
  const { query, filters, sort } = request
  const tags = filters.flatMap((filter) => FILTER_TAGS[filter] ?? [])
  const isOfficialOnly = filters.includes('official')
  const search = { query, tags, sort, ...(isOfficialOnly ? { author: OFFICIAL_PUBLISHER } : {}) }
  const pages = hub.pages({ ...search, limit: request.limit })
  const seen = new Set<string>()
  const waiting: SpaceInfo[] = []
  let begun = false
  let ended = false
  let failed = false

  const take = (infos: readonly SpaceInfo[]): void => {
    for (const info of infos) {
      const key = info.slug.toLowerCase()
      if (seen.has(key)) continue
      seen.add(key)
      if (!filters.includes('running') || stageGroup(info.stage) === 'usable') waiting.push(info)
    }
  }
  /** Without a query the starting Spaces come first wherever the Hub has them. */
  const seeds = async (signal: AbortSignal): Promise<SpaceInfo[]> => {
    if (query !== '') return []
    try {
      const official = await hub.search({ ...search, author: OFFICIAL_PUBLISHER, limit: OFFICIAL_LIMIT }, signal)
      return official.filter(({ slug }) => isSeed(slug))
    } catch (error) {
      // The main search tells; without this one the starting Spaces merely stand where the Hub has them.
      log.debug('spaces: no list of the official publisher', { reason: String(error) })
      return []
    }
  }
  /** Only an empty page is the end: a short one may be what was there before a failure. */
  const read = async (limit: number, signal: AbortSignal): Promise<void> => {
    try {
      const page = await pages.next(limit, signal)
      ended = page.length === 0
      take(page)
    } catch (error) {
      // What is there is told first; the next call meets the failure again.
      if (waiting.length === 0 || signal.aborted) throw error
      failed = true
    }
  }

  return {
    async next(limit, signal) {
      failed = false
      if (!begun) {
        const [first, found] = await Promise.all([seeds(signal), pages.next(limit, signal)])
        begun = true
        ended = found.length === 0
        take(seedsFirst([...first, ...found]))
      }
      for (let page = 0; page < MAX_PAGES && waiting.length < limit && !ended && !failed; page += 1) {
        await read(limit, signal)
      }
      return { infos: waiting.splice(0, limit), more: waiting.length > 0 || !ended }
    },
  }
}
