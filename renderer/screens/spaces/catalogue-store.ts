import { create } from 'zustand'

import { failureOf, request } from '../../app/bridge.ts'
import { latestOnly } from '../../app/latest-only.ts'

import type { Failure, SpaceFilter, SpaceSearch, SpaceSort } from '../../../electron/contract/index.ts'

/** Pause after the last key before the Hub is asked, in milliseconds: spares it a request per letter. */
const SEARCH_PAUSE_MS = 350
const LIMIT = 60

export type SpacesTab = 'browse' | 'installed'

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
  searching: boolean
  setTab: (tab: SpacesTab) => void
  /** Changes the question; typing waits for a pause, everything else asks at once. */
  ask: (change: Partial<CatalogueQuestion>) => void
  /** Asks the same again, at once. */
  again: () => void
}

const START: CatalogueQuestion = { query: '', filters: ['reachy-mini'], sort: 'likes' }

/** What is searched for in the catalogue, and the last answer. Kept while another screen is shown. */
export const useCatalogue = create<CatalogueState>((set, get) => {
  const search = latestOnly<CatalogueQuestion, SpaceSearch>({
    delayMs: SEARCH_PAUSE_MS,
    run: ({ query, filters, sort }) =>
      request('spaces.search', { query: query.trim().slice(0, 200), filters: [...filters], sort, limit: LIMIT }),
    done: (result) => set({ result, failure: null, searching: false }),
    failed: (error) => set({ result: null, failure: failureOf(error), searching: false }),
  })

  return {
    ...START,
    tab: 'browse',
    result: null,
    failure: null,
    searching: false,
    setTab: (tab) => set({ tab }),
    ask: (change) => {
      const typed = change.query !== undefined && Object.keys(change).length === 1 && change.query !== ''
      set({ ...change, searching: true })
      const { query, filters, sort } = get()
      search.schedule({ query, filters, sort }, typed ? SEARCH_PAUSE_MS : 0)
    },
    again: () => get().ask({}),
  }
})

const WIDTHS = ['reachy-mini', 'mcp'] as const
type Width = (typeof WIDTHS)[number]

function isWidth(filter: SpaceFilter): filter is Width {
  return filter === 'reachy-mini' || filter === 'mcp'
}

/** The filters after one was pressed. `mcp` and `reachy-mini` are two widths of the same search: always exactly one. */
export function toggledFilters(filters: readonly SpaceFilter[], filter: SpaceFilter, on: boolean): SpaceFilter[] {
  const rest = filters.filter((held) => held !== filter)
  if (!isWidth(filter)) return on ? [...rest, filter] : rest
  const width = on ? filter : WIDTHS.find((other) => other !== filter)
  return [...(width ? [width] : []), ...rest.filter((held) => !isWidth(held))]
}
