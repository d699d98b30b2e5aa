import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import { CompanionError, spaceCardSchema } from '../contract/index.ts'
import { failureOf } from '../failure.ts'

import { createCacheFile } from './cache-file.ts'
import { cardOf, seedCards, seedsFirst } from './card.ts'
import { createListing, FILTER_TAGS } from './listing.ts'
import { stageGroup } from './wake.ts'

import type { Log, SpaceCard, SpaceFilter, SpaceSearch, SpaceSort } from '../contract/index.ts'
import type { Hub } from '../hub/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Listing } from './listing.ts'

export interface CatalogueRequest {
  readonly query: string
  readonly filters: readonly SpaceFilter[]
  readonly sort: SpaceSort
  readonly limit: number
  /** A search ends the one under way with the same name. */
  readonly operationId?: string | undefined
}

/** Slugs of what is installed, in lower case. */
type Installed = () => Promise<ReadonlySet<string>>

export interface Catalogue {
  search(request: CatalogueRequest, installed: Installed, signal?: AbortSignal): Promise<SpaceSearch>
  /** @throws CompanionError `app/cancelled` when the list is forgotten; what the Hub's failure is. */
  more(next: string, limit: number, installed: Installed): Promise<SpaceSearch>
  /** Ends the search of this name, if one is under way. */
  cancel(operationId: string): void
  /** A card of the catalogue that was seen once. No network. */
  known(slug: string): Promise<SpaceCard | undefined>
  /** No cache is written from now on. */
  dispose(): void
}

const CACHED_QUERIES = 30
/** Entries of one query that are kept: as far as one scrolls in an evening. */
const CACHED_ENTRIES = 150
/** Lists that can be read on. */
const KEPT_LISTS = 8
const KEPT_MS = 10 * 60_000

const cacheSchema = z.object({
  version: z.literal(1),
  /** Latest first. */
  queries: z.array(z.object({ key: z.string(), at: z.number(), results: z.array(spaceCardSchema) })),
})
type Cache = z.infer<typeof cacheSchema>

/** A list that may be read on, under the name that `next` gives it. */
interface Kept {
  readonly id: string
  readonly key: string
  /** Absent: an older answer, read from the cache. */
  readonly listing?: Listing
  usedAt: number
  /** Entries of an older answer that were not shown yet. */
  readonly rest: SpaceCard[]
  cards: SpaceCard[]
  more: boolean
  /** Two askers at once read one after the other. */
  reading: Promise<unknown>
}

/**
 * Search over the Hub's Spaces. The last answer of each of the latest 30 queries is kept in the data directory and shown,
 * marked as such, while the Hub does not answer.
 */
export function createCatalogue(deps: {
  readonly hub: Hub
  readonly storage: Storage
  readonly log: Log
  readonly now: () => number
}): Catalogue {
  const { hub, storage, log, now } = deps
  const cache = createCacheFile({
    storage,
    log,
    file: 'spaces.json',
    schema: cacheSchema,
    empty: { version: 1, queries: [] },
  })
  const kept = new Map<string, Kept>()
  const searches = new Map<string, AbortController>()

  const remember = ({ key, cards }: Kept): void => {
    const entry = { key, at: now(), results: cards.slice(0, CACHED_ENTRIES) }
    cache.change(({ queries }) => ({
      version: 1,
      queries: [entry, ...queries.filter((one) => one.key !== key)].slice(0, CACHED_QUERIES),
    }))
  }
  const keep = (list: Kept): void => {
    kept.delete(list.id)
    kept.set(list.id, list)
    for (const [id, { usedAt }] of kept) if (now() - usedAt >= KEPT_MS || kept.size > KEPT_LISTS) kept.delete(id)
  }
  const begun = (key: string, source: Pick<Kept, 'listing' | 'rest'>): Kept => ({
    id: randomUUID(),
    key,
    ...source,
    usedAt: now(),
    cards: [],
    more: false,
    reading: Promise.resolve(),
  })
  const readOn = async (list: Kept, limit: number, signal: AbortSignal): Promise<SpaceCard[]> => {
    const found = await list.listing?.next(limit, signal)
    const cards = found === undefined ? list.rest.splice(0, limit) : found.infos.map(cardOf)
    list.cards = [...list.cards, ...cards]
    list.more = found?.more ?? list.rest.length > 0
    list.usedAt = now()
    keep(list)
    if (found !== undefined && (cards.length > 0 || list.cards.length === 0)) remember(list)
    return cards
  }
  const answer = async (list: Kept, cards: readonly SpaceCard[], installed: Installed): Promise<SpaceSearch> => ({
    results: await marked(cards, installed),
    ...(list.more ? { next: list.id } : {}),
    from: list.listing === undefined ? 'cache' : 'hub',
  })

  const fromHub = async (key: string, request: CatalogueRequest, signal: AbortSignal): Promise<Kept> => {
    const list = begun(key, { listing: createListing({ hub, log }, request), rest: [] })
    await readOn(list, request.limit, signal)
    return list
  }
  const fromCache = async (key: string, request: CatalogueRequest, installed: Installed): Promise<SpaceSearch> => {
    const { results, at } = pick(await cache.read(), key, request)
    const list = begun(key, { rest: [...results] })
    const cards = await readOn(list, request.limit, new AbortController().signal)
    return { ...(await answer(list, cards, installed)), ...(at === null ? {} : { cachedAt: at }) }
  }
  /** An older search of the same name is overtaken. */
  const begin = (operationId: string | undefined, signal: AbortSignal | undefined): AbortController => {
    const controller = new AbortController()
    signal?.addEventListener('abort', () => controller.abort(), { once: true, signal: controller.signal })
    if (signal?.aborted === true) controller.abort()
    if (operationId === undefined) return controller
    searches.get(operationId)?.abort()
    searches.set(operationId, controller)
    return controller
  }

  return {
    async search(request, installed, signal) {
      const wanted = { ...request, query: request.query.trim() }
      const key = JSON.stringify([wanted.query.toLowerCase(), [...wanted.filters].sort(), wanted.sort])
      const controller = begin(request.operationId, signal)
      try {
        const list = await fromHub(key, wanted, controller.signal)
        if (controller.signal.aborted) throw new CompanionError('app/cancelled')
        return await answer(list, list.cards, installed)
      } catch (error) {
        if (controller.signal.aborted) throw new CompanionError('app/cancelled')
        if (!(error instanceof CompanionError) || error.code === 'app/cancelled') throw error
        return { ...(await fromCache(key, wanted, installed)), failure: failureOf(error) }
      } finally {
        const { operationId } = request
        if (operationId !== undefined && searches.get(operationId) === controller) searches.delete(operationId)
      }
    },
    async more(next, limit, installed) {
      const list = kept.get(next)
      if (list === undefined || now() - list.usedAt >= KEPT_MS) throw new CompanionError('app/cancelled')
      const reading = list.reading.then(() => readOn(list, limit, new AbortController().signal))
      list.reading = reading.catch(() => undefined)
      return answer(list, await reading, installed)
    },
    cancel: (operationId) => searches.get(operationId)?.abort(),
    async known(slug) {
      const { queries } = await cache.read()
      const same = (card: SpaceCard): boolean => card.slug.toLowerCase() === slug.toLowerCase()
      return queries.flatMap(({ results }) => results.filter(same))[0] ?? seedCards().find(same)
    },
    dispose() {
      cache.dispose()
      for (const search of searches.values()) search.abort()
      kept.clear()
    },
  }
}

async function marked(cards: readonly SpaceCard[], installed: Installed): Promise<SpaceCard[]> {
  const known = await installed()
  return cards.map((card) => ({ ...card, installed: known.has(card.slug.toLowerCase()) }))
}

/** The same query; else what any cached answer holds for its words; else the starting Spaces, which need no Hub. */
function pick(cache: Cache, key: string, request: CatalogueRequest): { results: SpaceCard[]; at: number | null } {
  const exact = cache.queries.find((one) => one.key === key)
  if (exact !== undefined) return { results: exact.results, at: exact.at }
  const all = new Map(
    [...cache.queries].reverse().flatMap(({ results }) => results.map((card) => [card.slug, card] as const)),
  )
  const cards = [...all.values(), ...seedCards().filter(({ slug }) => !all.has(slug))]
  return { results: seedsFirst(cards.filter((card) => fits(card, request))), at: cache.queries[0]?.at ?? null }
}

function fits(card: SpaceCard, { query, filters }: CatalogueRequest): boolean {
  const text = `${card.slug} ${card.title} ${card.description} ${card.tags.join(' ')}`.toLowerCase()
  return (
    query
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    filters.every((filter) => {
      const tag = FILTER_TAGS[filter]
      if (tag !== undefined) return card.tags.includes(tag)
      return filter === 'official' ? card.official : stageGroup(card.stage) === 'usable'
    })
  )
}
