import { z } from 'zod'

import { CompanionError, spaceCardSchema } from '../contract/index.ts'
import { failureOf } from '../failure.ts'
import { plainText } from '../mcp/index.ts'

import { createCacheFile } from './cache-file.ts'
import { cardOf, entryCard } from './card.ts'
import { sameSlug } from './operations.ts'
import { fetchPicture } from './picture.ts'
import { cleanReadme } from './readme.ts'
import { installedSpace, pinsOf } from './state.ts'
import { ROBOT_TOOLS, warningsFor } from './warnings.ts'

import type { Log, PreviewTool, SpaceCard, SpaceDetail, ToolImage } from '../contract/index.ts'
import type { Hub } from '../hub/index.ts'
import type { Storage } from '../storage/index.ts'
import type { ManifestEntry } from './manifest.ts'
import type { Lookup } from './picture.ts'
import type { ReadmeBase } from './readme.ts'
import type { SpacesState } from './state.ts'

export interface Details {
  /**
   * Card, README and installed tools of a Space. While the Hub does not answer, what was seen last.
   * @throws CompanionError `space/not-found` and what else the Hub says of the Space; `hub/*` when nothing of it is known.
   */
  detail(slug: string): Promise<SpaceDetail>
  /** @throws CompanionError `space/bad-origin` for an address that the README last read does not name; see {@link fetchPicture}. */
  picture(slug: string, url: string): Promise<ToolImage>
  dispose(): void
}

export interface DetailDeps {
  readonly hub: Hub
  readonly storage: Storage
  readonly log: Log
  readonly now: () => number
  readonly fetch: typeof globalThis.fetch
  readonly token: () => Promise<string | null>
  readonly state: () => Promise<SpacesState>
  /** A card that the catalogue showed once. */
  readonly known: (slug: string) => Promise<SpaceCard | undefined>
  readonly lookup?: Lookup
}

/** Bytes of the cache file in all. */
const CACHE_BYTES = 2 * 1024 * 1024
/** Spaces whose pictures may be asked for. */
const LOOKED_AT = 50

const seenSchema = z.object({
  slug: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  card: spaceCardSchema,
  readme: z
    .object({
      markdown: z.string(),
      leftOut: z.object({ scripts: z.number().int(), frames: z.number().int() }),
      pictures: z.array(z.string()),
    })
    .nullable(),
})
type Seen = z.infer<typeof seenSchema>
const cacheSchema = z.object({
  version: z.literal(1),
  /** Latest first. */
  spaces: z.array(seenSchema),
})

export function createDetails(deps: DetailDeps): Details {
  const { hub, storage, log, now, state } = deps
  const cache = createCacheFile({
    storage,
    log,
    file: 'space-details.json',
    schema: cacheSchema,
    empty: { version: 1, spaces: [] },
  })
  /** By slug in lower case: what the README names, and whether the Space is private. */
  const named = new Map<string, { pictures: ReadonlySet<string>; isPrivate: boolean }>()

  const baseOf = (slug: string): ReadmeBase => {
    const page = `${hub.endpoint()}/spaces/${slug}`
    return { pages: `${page}/blob/main/`, files: `${page}/resolve/main/`, loopbackHttp: hub.isLoopback() }
  }
  const allow = ({ card, readme }: Seen, ...slugs: string[]): void => {
    const entry = { pictures: new Set(readme?.pictures ?? []), isPrivate: card.private }
    for (const slug of [card.slug, ...slugs]) {
      named.delete(slug.toLowerCase())
      named.set(slug.toLowerCase(), entry)
    }
    for (const slug of named.keys()) if (named.size > LOOKED_AT) named.delete(slug)
  }
  const seenBefore = async (slug: string): Promise<Seen | undefined> =>
    (await cache.read()).spaces.find((one) => sameSlug(one.slug, slug))

  const whole = async (asked: string, seen: Seen, rest: Partial<SpaceDetail>): Promise<SpaceDetail> => {
    allow(seen, asked)
    const read = await state()
    const entry = read.entries.find((one) => sameSlug(one.slug, seen.card.slug))
    return {
      card: { ...seen.card, installed: entry !== undefined },
      readme:
        seen.readme === null
          ? null
          : { markdown: seen.readme.markdown, leftOut: seen.readme.leftOut, own: ownFiles(seen.card.slug) },
      from: 'hub',
      ...rest,
      ...(entry === undefined ? {} : { tools: installedTools(entry, read) }),
    }
  }
  const ownFiles = (slug: string): string => {
    try {
      return baseOf(slug).files
    } catch (error) {
      if (error instanceof CompanionError) return ''
      throw error
    }
  }

  const fromHub = async (slug: string): Promise<SpaceDetail> => {
    const [info, text] = await Promise.allSettled([hub.space(slug), hub.readme(slug)])
    if (info.status === 'rejected') throw info.reason
    const card = cardOf(info.value)
    if (text.status === 'fulfilled') {
      const readme = text.value === null ? null : cleanReadme(text.value, baseOf(card.slug))
      const seen: Seen = {
        slug: card.slug,
        at: now(),
        card,
        readme: readme === null ? null : { ...readme, pictures: [...readme.pictures] },
      }
      cache.change(({ spaces }) => ({
        version: 1,
        spaces: within([seen, ...spaces.filter((one) => !sameSlug(one.slug, card.slug))], CACHE_BYTES),
      }))
      return whole(slug, seen, {})
    }
    if (!(text.reason instanceof CompanionError)) throw text.reason
    const before = await seenBefore(card.slug)
    const seen = { slug: card.slug, at: now(), card, readme: before?.readme ?? null }
    return whole(slug, seen, { failure: failureOf(text.reason) })
  }

  const fromCache = async (slug: string, reason: CompanionError): Promise<SpaceDetail> => {
    const seen = await seenBefore(slug)
    const failure = failureOf(reason)
    if (seen !== undefined) return whole(slug, seen, { from: 'cache', failure, cachedAt: seen.at })
    const entry = (await state()).entries.find((one) => sameSlug(one.slug, slug))
    const card = (await deps.known(slug)) ?? (entry === undefined ? undefined : entryCard(entry))
    if (card === undefined) throw reason
    return whole(slug, { slug: card.slug, at: now(), card, readme: null }, { from: 'cache', failure })
  }

  return {
    async detail(slug) {
      try {
        return await fromHub(slug)
      } catch (error) {
        // What the Hub says of the Space counts; only its silence is bridged.
        if (!(error instanceof CompanionError) || !error.code.startsWith('hub/')) throw error
        return fromCache(slug, error)
      }
    },
    async picture(slug, url) {
      const space = named.get(slug.toLowerCase())
      if (space?.pictures.has(url) !== true) {
        throw new CompanionError('space/bad-origin', { slug: plainText(slug, 200) })
      }
      return fetchPicture(url, space.isPrivate, deps)
    },
    dispose: () => cache.dispose(),
  }
}

/** As many of the latest as fit into so many bytes of JSON. */
function within(spaces: readonly Seen[], bytes: number): Seen[] {
  let left = bytes - 100
  const fitting: Seen[] = []
  for (const space of spaces) {
    left -= Buffer.byteLength(JSON.stringify(space)) + 1
    if (left < 0) break
    fitting.push(space)
  }
  return fitting
}

/** The tools of an installed Space as its manifest has them, with what a person should look at. No network. */
function installedTools(entry: ManifestEntry, state: SpacesState): PreviewTool[] {
  const others = state.entries
    .filter(({ slug }) => !sameSlug(slug, entry.slug))
    .flatMap(({ tools }) => tools.flatMap(({ id, remoteName }) => [id, remoteName]))
  return installedSpace(entry, pinsOf(state, entry.slug)).tools.map((tool) => {
    const parameters = entry.tools.find(({ id }) => id === tool.id)?.parameters ?? {}
    const warnings = warningsFor(tool.description, JSON.stringify(parameters), [...ROBOT_TOOLS, ...others])
    return { ...tool, parameters, warnings }
  })
}
