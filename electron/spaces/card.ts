import { isOfficial, SEEDS } from './seeds.ts'

import type { SpaceCard } from '../contract/index.ts'
import type { SpaceInfo } from '../hub/index.ts'
import type { ManifestEntry } from './manifest.ts'

/** What a card shows of what the Hub said; whether the Space is installed is filled in when it is shown. */
export function cardOf(info: SpaceInfo): SpaceCard {
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

/** What an entry of the manifest alone tells; for the time when the Hub does not answer. */
export function entryCard({ slug, tools, private: isPrivate }: ManifestEntry): SpaceCard {
  const [author = '', name = ''] = slug.split('/')
  return {
    slug,
    title: name,
    author,
    likes: 0,
    tags: [],
    description: tools[0]?.description ?? '',
    official: isOfficial(slug),
    private: isPrivate ?? false,
    installed: false,
  }
}

/** The starting Spaces, which need no Hub. */
export const seedCards = (): SpaceCard[] =>
  SEEDS.map((seed) => ({ ...entryCard(seed), tags: ['reachy-mini-tool', 'mcp-server'] }))

const SEED_SLUGS = SEEDS.map(({ slug }) => slug.toLowerCase())

export const isSeed = (slug: string): boolean => SEED_SLUGS.includes(slug.toLowerCase())

/** The three starting Spaces in their order, then the rest as it stands. */
export function seedsFirst<T extends { readonly slug: string }>(all: readonly T[]): T[] {
  const seeds = SEED_SLUGS.flatMap((seed) => all.filter(({ slug }) => slug.toLowerCase() === seed).slice(0, 1))
  return [...seeds, ...all.filter(({ slug }) => !isSeed(slug))]
}
