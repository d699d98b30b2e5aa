import { z } from 'zod'

import { CompanionError, spaceCardSchema } from '../contract/index.ts'
import { failureOf } from '../failure.ts'

import { isOfficial, OFFICIAL_PUBLISHER, SEEDS } from './seeds.ts'
import { stageGroup } from './wake.ts'

import type { Log, SpaceCard, SpaceFilter, SpaceSearch, SpaceSort } from '../contract/index.ts'
import type { Hub, SpaceInfo } from '../hub/index.ts'
import type { Storage } from '../storage/index.ts'

export interface CatalogueRequest {
  readonly query: string
  readonly filters: readonly SpaceFilter[]
  readonly sort: SpaceSort
  readonly limit: number
}

export interface Catalogue {
  /** @param installed slugs in lower case */
  search(
    request: CatalogueRequest,
    installed: () => Promise<ReadonlySet<string>>,
    signal?: AbortSignal,
  ): Promise<SpaceSearch>
  /** No cache is written from now on. */
  dispose(): void
}

const CACHED_QUERIES = 30
const cacheSchema = z.object({
  version: z.literal(1),
  /** Latest first. */
  queries: z.array(z.object({ key: z.string(), at: z.number(), results: z.array(spaceCardSchema) })),
})
type Cache = z.infer<typeof cacheSchema>

const FILTER_TAGS: Partial<Record<SpaceFilter, string>> = { 'reachy-mini': 'reachy-mini-tool', mcp: 'mcp-server' }

const SEED_SLUGS = SEEDS.map(({ slug }) => slug.toLowerCase())

/**
 * Search over the Hub's Spaces. The last answer of each of the latest 30 queries is kept in the data directory and shown,
 * marked as such, while the Hub does not answer.
 */
export function createCatalogue(deps: { hub: Hub; storage: Storage; log: Log; now: () => number }): Catalogue {
  const { hub, storage, log, now } = deps
  const file = storage.path('cache', 'spaces.json')
  let writing: Promise<void> = Promise.resolve()
  let over = false

  const readCache = async (): Promise<Cache> => {
    const read = await storage.readJson(file, cacheSchema)
    if (read.state === 'unreadable') log.warn('spaces: the cached catalogue cannot be read', { reason: read.reason })
    return read.state === 'ok' ? read.value : { version: 1, queries: [] }
  }
  const remember = (key: string, results: SpaceCard[]): void => {
    writing = writing.then(async () => {
      try {
        const { queries } = await readCache()
        if (over) return
        const rest = queries.filter((one) => one.key !== key)
        const next: Cache = { version: 1, queries: [{ key, at: now(), results }, ...rest].slice(0, CACHED_QUERIES) }
        await storage.transact('cache catalogue', async (tx) => tx.write(file, JSON.stringify(next)))
      } catch (error) {
        log.warn('spaces: the catalogue was not cached', {
          reason: error instanceof Error ? error.message : String(error),
        })
      }
    })
  }

  const fromHub = async (request: CatalogueRequest, signal: AbortSignal | undefined): Promise<SpaceInfo[]> => {
    const { query, filters, sort, limit } = request
    const tags = filters.flatMap((filter) => FILTER_TAGS[filter] ?? [])
    const author = filters.includes('official') ? { author: OFFICIAL_PUBLISHER } : {}
    const running = (infos: SpaceInfo[]): SpaceInfo[] =>
      filters.includes('running') ? infos.filter(({ stage }) => stageGroup(stage) === 'usable') : infos
    const main = hub.search({ query, tags, ...author, sort, limit }, signal)
    if (query !== '') return running(await main)
    const official = hub
      .search({ query, tags, author: OFFICIAL_PUBLISHER, sort, limit: 50 }, signal)
      .catch((error: unknown) => {
        // The main search tells; without this one the starting Spaces merely stand where the Hub has them.
        log.debug('spaces: no list of the official publisher', { reason: String(error) })
        return []
      })
    const [found, byPublisher] = await Promise.all([main, official])
    const seeds = byPublisher.filter(({ slug }) => isSeed(slug) && !found.some((one) => one.slug === slug))
    return running([...seeds, ...found])
  }

  return {
    async search(request, installed, signal) {
      const wanted = { ...request, query: request.query.trim() }
      const key = JSON.stringify([wanted.query.toLowerCase(), [...wanted.filters].sort(), wanted.sort])
      const known = await installed()
      const mark = (card: SpaceCard): SpaceCard => ({ ...card, installed: known.has(card.slug.toLowerCase()) })
      try {
        const found = seedsFirst(await fromHub(wanted, signal)).slice(0, wanted.limit)
        const results = found.map(cardOf)
        remember(key, results)
        return { results: results.map(mark), from: 'hub' }
      } catch (error) {
        if (signal?.aborted === true) throw new CompanionError('app/cancelled')
        if (!(error instanceof CompanionError)) throw error
        if (error.code === 'app/cancelled') throw error
        const cached = pick(await readCache(), key, wanted)
        return {
          results: cached.results.slice(0, wanted.limit).map(mark),
          from: 'cache',
          ...(cached.at === null ? {} : { cachedAt: cached.at }),
          failure: failureOf(error),
        }
      }
    },
    dispose() {
      over = true
    },
  }
}

const isSeed = (slug: string): boolean => SEED_SLUGS.includes(slug.toLowerCase())

/** The three starting Spaces in their order, then the rest as the Hub has it. */
function seedsFirst(infos: readonly SpaceInfo[]): SpaceInfo[] {
  const seeds = SEED_SLUGS.flatMap((seed) => infos.filter(({ slug }) => slug.toLowerCase() === seed).slice(0, 1))
  return [...seeds, ...infos.filter(({ slug }) => !isSeed(slug))]
}

function cardOf(info: SpaceInfo): SpaceCard {
  return {
    slug: info.slug,
    title: info.title,
    author: info.author,
    ...(info.emoji === undefined ? {} : { emoji: info.emoji }),
    likes: info.likes,
    ...(info.stage === undefined ? {} : { stage: info.stage }),
    ...(info.hardware === undefined ? {} : { hardware: info.hardware }),
    tags: [...info.tags],
    description: info.description,
    official: isOfficial(info.slug),
    private: info.private,
    installed: false,
  }
}

/** The same query; else what any cached answer holds for its words; else the starting Spaces, which need no Hub. */
function pick(cache: Cache, key: string, request: CatalogueRequest): { results: SpaceCard[]; at: number | null } {
  const exact = cache.queries.find((one) => one.key === key)
  if (exact !== undefined) return { results: exact.results, at: exact.at }
  const all = new Map(
    [...cache.queries].reverse().flatMap(({ results }) => results.map((card) => [card.slug, card] as const)),
  )
  const cards = [...all.values(), ...SEEDS.filter(({ slug }) => !all.has(slug)).map(seedCard)]
  const results = cards.filter((card) => fits(card, request))
  const latest = cache.queries[0]?.at ?? null
  return {
    results: [...results.filter(({ slug }) => isSeed(slug)), ...results.filter(({ slug }) => !isSeed(slug))],
    at: latest,
  }
}

function seedCard({ slug, tools }: (typeof SEEDS)[number]): SpaceCard {
  const [author = '', name = ''] = slug.split('/')
  return {
    slug,
    title: name,
    author,
    likes: 0,
    tags: ['reachy-mini-tool', 'mcp-server'],
    description: tools[0]?.description ?? '',
    official: true,
    private: false,
    installed: false,
  }
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
