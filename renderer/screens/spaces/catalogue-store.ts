import { create } from 'zustand'

import { attempt, failureOf, request } from '../../app/bridge.ts'
import { latestOnly } from '../../app/latest-only.ts'

import type { Failure, SpaceFilter, SpaceSearch, SpaceSort } from '../../../electron/contract/index.ts'

/** Pause after the last key before the Hub is asked, in milliseconds: spares it a request per letter. */
const SEARCH_PAUSE_MS = 350
/** Spaces of one page. */
const LIMIT = 60

export type SpacesTab = 'browse' | 'installed' | 'servers'

export interface CatalogueQuestion {
  query: string
  filters: readonly SpaceFilter[]
  sort: SpaceSort
}

interface CatalogueState extends CatalogueQuestion {
  tab: SpacesTab
  result: SpaceSearch | null
  /** Why there is no answer at all, not even an older one. */
  failure: Failure | null
  /** When the Hub may be asked again (milliseconds since 1970), after it limited the requests. */
  opensAt: number | null
  searching: boolean
  readingOn: boolean
  /** Why the list could not be read on. */
  moreFailure: Failure | null
  /** Where the list was scrolled to, in pixels, for the way back. */
  scrollTop: number
  /** The Space that was looked at last, for the keyboard on the way back. */
  lookedAt: string | null
  setTab: (tab: SpacesTab) => void
  /** Changes the question; typing waits for a pause, everything else asks at once. */
  ask: (change: Partial<CatalogueQuestion>) => void
  /** Asks the same again, at once. */
  again: () => void
  /** Reads the list on. Does nothing while that is under way, or at its end. */
  more: () => Promise<void>
}

const START: CatalogueQuestion = { query: '', filters: ['reachy-mini'], sort: 'likes' }

/** What is searched for in the catalogue, and the last answer. Kept while another screen is shown. */
export const useCatalogue = create<CatalogueState>((set, get) => {
  const operationId = crypto.randomUUID()
  const search = latestOnly<CatalogueQuestion, SpaceSearch>({
    delayMs: SEARCH_PAUSE_MS,
    run: ({ query, filters, sort }) =>
      request('spaces.search', {
        query: query.trim().slice(0, 200),
        filters: [...filters],
        sort,
        limit: LIMIT,
        operationId,
      }),
    done: (result) => {
      const reason = result.failure
      const seconds = reason?.code === 'hub/rate-limited' ? Number(reason.details?.['seconds']) : Number.NaN
      const opensAt = Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null
      set({ result, failure: null, searching: false, opensAt, scrollTop: 0 })
    },
    failed: (error) => set({ result: null, failure: failureOf(error), searching: false, opensAt: null }),
  })

  return {
    ...START,
    tab: 'browse',
    result: null,
    failure: null,
    opensAt: null,
    searching: false,
    readingOn: false,
    moreFailure: null,
    scrollTop: 0,
    lookedAt: null,
    setTab: (tab) => set({ tab }),
    ask: (change) => {
      const typed = change.query !== undefined && Object.keys(change).length === 1 && change.query !== ''
      set({ ...change, searching: true, moreFailure: null, opensAt: null })
      const { query, filters, sort } = get()
      search.schedule({ query, filters, sort }, typed ? SEARCH_PAUSE_MS : 0)
    },
    again: () => get().ask({}),
    more: async () => {
      const { result, readingOn, searching } = get()
      if (result?.next === undefined || readingOn || searching) return
      set({ readingOn: true, moreFailure: null })
      const answer = await attempt('spaces.more', { next: result.next, limit: LIMIT })
      set({ readingOn: false })
      // A newer search has taken the list's place meanwhile.
      if (get().result !== result) return
      if (!answer.ok) return set({ moreFailure: answer.error })
      const { next: _, ...held } = result
      const { next } = answer.value
      set({
        result: {
          ...held,
          results: [...result.results, ...answer.value.results],
          ...(next === undefined ? {} : { next }),
        },
      })
    },
  }
})

const WIDTHS = ['reachy-mini', 'mcp', 'tagged-mcp'] as const
type Width = (typeof WIDTHS)[number]

function isWidth(filter: SpaceFilter): filter is Width {
  return WIDTHS.some((width) => width === filter)
}

/**
 * The filters after one was pressed. `reachy-mini`, `mcp` and `tagged-mcp` are widths of the same search: always exactly
 * one. One that is pressed again gives way to all MCP Spaces, that one to those for the robot.
 */
export function toggledFilters(filters: readonly SpaceFilter[], filter: SpaceFilter, on: boolean): SpaceFilter[] {
  const rest = filters.filter((held) => held !== filter)
  if (!isWidth(filter)) return on ? [...rest, filter] : rest
  const width = on ? filter : filter === 'mcp' ? 'reachy-mini' : 'mcp'
  return [width, ...rest.filter((held) => !isWidth(held))]
}
