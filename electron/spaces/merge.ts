import { aliasOf } from './alias.ts'
import { sameSlug } from './operations.ts'
import { pinOf, withheld } from './pins.ts'
import { isOfficial } from './seeds.ts'
import { settleListing } from './settle.ts'
import { pinsOf } from './state.ts'

import type { InstallResult } from '../contract/index.ts'
import type { SpaceInfo } from '../hub/index.ts'
import type { ManifestEntry, ManifestTool } from './manifest.ts'
import type { Found } from './operations.ts'
import type { PinsFile, SpacePins } from './pins.ts'
import type { SpacesState } from './state.ts'
import type { SpaceTool } from './types.ts'

export interface Merged {
  readonly entry: ManifestEntry
  readonly entries: readonly ManifestEntry[]
  readonly pins: PinsFile
  readonly refreshed: boolean
  readonly changes: InstallResult['changes']
}

export interface MergeOptions {
  readonly acceptChanges: boolean
  /** IDs of the tools that the person said yes to. */
  readonly consented?: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The state with a found Space in it: a new entry, or the old one replaced. */
export function merge(found: Found, before: SpacesState, options: MergeOptions): Merged {
  const { slug } = found.info
  const old = before.entries.find((entry) => sameSlug(entry.slug, slug))
  const pins = old === undefined ? undefined : pinsOf(before, old.slug)
  const settled = settleListing({
    slug,
    official: isOfficial(slug),
    mcpUrl: found.mcpUrl,
    private: found.info.private,
    tools: found.tools,
    before: old,
    pins,
    seen: true,
    acceptChanges: options.acceptChanges,
    consented: options.consented ?? new Set(),
    date: new Date(options.now).toISOString(),
    about: aboutOf(found.info),
    ...(found.endpointNames === undefined ? {} : { endpointNames: found.endpointNames }),
  })
  return {
    ...replaceEntry(before, slug, settled),
    entry: settled.entry,
    refreshed: old !== undefined,
    changes: settled.changes,
  }
}

/** What the pins keep of the Hub's words. */
export const aboutOf = (info: SpaceInfo): Pick<SpacePins, 'title' | 'emoji' | 'gradio'> => ({
  title: info.title,
  ...(info.emoji === undefined ? {} : { emoji: info.emoji }),
  gradio: info.sdk === 'gradio',
})

/** All entries and pins, with those of one Space replaced under the name of its new entry. */
export function replaceEntry(
  before: Pick<SpacesState, 'entries' | 'pins'>,
  slug: string,
  next: { readonly entry: ManifestEntry; readonly pins: SpacePins },
): { entries: ManifestEntry[]; pins: PinsFile } {
  const others = Object.entries(before.pins.spaces).filter(([other]) => !sameSlug(other, slug))
  return {
    entries: [...before.entries.filter((one) => !sameSlug(one.slug, slug)), next.entry],
    pins: { version: 1, spaces: Object.fromEntries([...others, [next.entry.slug, next.pins]]) },
  }
}

/** Tools of an entry that may be offered to a model. */
export function offeredTools(entry: ManifestEntry, state: SpacesState): SpaceTool[] {
  if (entry.problem !== undefined) return []
  const pins = pinsOf(state, entry.slug)
  return entry.tools
    .filter((tool) => withheld(tool, entry, pins) === undefined)
    .map(({ id, remoteName, description, parameters }) => {
      const pin = pinOf(pins, remoteName)
      const about = { id, slug: entry.slug, remoteName, description, parameters, consented: pin?.consented === true }
      return pin?.destructive === true ? { ...about, destructive: true } : about
    })
}

/**
 * Which IDs belong to a Space that is being removed: those in its entry, and whatever begins with its alias, unless another
 * entry holds them (two Spaces can share an alias in a file written by other programs).
 */
export function idsOf(slug: string, state: SpacesState): (id: string) => boolean {
  const own = new Set(toolsOf(state, (entry) => sameSlug(entry.slug, slug)).map(({ id }) => id))
  const others = new Set(toolsOf(state, (entry) => !sameSlug(entry.slug, slug)).map(({ id }) => id))
  const aliasShared = state.entries.some((entry) => !sameSlug(entry.slug, slug) && entry.alias === aliasOf(slug))
  const prefix = `${aliasOf(slug)}__`
  return (id) => own.has(id) || (!aliasShared && id.startsWith(prefix) && !others.has(id))
}

const toolsOf = (state: SpacesState, which: (entry: ManifestEntry) => boolean): ManifestTool[] =>
  state.entries.filter(which).flatMap(({ tools }) => tools)
