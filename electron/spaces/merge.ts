import { aliasOf } from './alias.ts'
import { changeOf, goneTools, pinTools } from './judge.ts'
import { sameSlug } from './operations.ts'
import { withheld } from './pins.ts'
import { isOfficial } from './seeds.ts'
import { pinsOf } from './state.ts'

import type { InstallResult } from '../contract/index.ts'
import type { ManifestEntry, ManifestTool } from './manifest.ts'
import type { Found } from './operations.ts'
import type { PinsFile } from './pins.ts'
import type { SpacesState } from './state.ts'
import type { SpaceTool } from './types.ts'

export interface Merged {
  readonly entry: ManifestEntry
  readonly entries: readonly ManifestEntry[]
  readonly pins: PinsFile
  readonly refreshed: boolean
  readonly changes: InstallResult['changes']
}

/** The state with a found Space in it: a new entry, or the old one replaced. */
export function merge(found: Found, before: SpacesState, options: { acceptChanges: boolean; now: number }): Merged {
  const { slug } = found.info
  const old = before.entries.find((entry) => sameSlug(entry.slug, slug))
  const pins = old === undefined ? undefined : pinsOf(before, old.slug)
  const usable = found.tools.filter((tool) => tool.manifest !== null)
  const entry: ManifestEntry = {
    slug,
    alias: aliasOf(slug),
    mcpUrl: found.mcpUrl,
    private: found.info.private,
    tools: usable.flatMap(({ manifest }) => (manifest === null ? [] : [manifest])),
  }
  const kept = Object.entries(before.pins.spaces).filter(([other]) => !sameSlug(other, slug))
  const pinned = pinTools({
    slug,
    tools: found.tools,
    before: old,
    pins,
    acceptChanges: options.acceptChanges,
    official: isOfficial(slug),
    date: new Date(options.now).toISOString(),
  })
  const idsThatAre = (change: 'new' | 'changed'): string[] =>
    usable.flatMap((tool) => (tool.id !== null && changeOf(tool, old, pins) === change ? [tool.id] : []))
  return {
    entry,
    entries: [...before.entries.filter((one) => !sameSlug(one.slug, slug)), entry],
    pins: { version: 1, spaces: Object.fromEntries([...kept, [slug, pinned]]) },
    refreshed: old !== undefined,
    changes: {
      added: idsThatAre('new'),
      removed: goneTools(found.tools, old).flatMap(({ id }) => (id === null ? [] : [id])),
      changed: idsThatAre('changed'),
    },
  }
}

/** Tools of an entry that may be offered to a model. */
export function offeredTools(entry: ManifestEntry, state: SpacesState): SpaceTool[] {
  if (entry.problem !== undefined) return []
  const pins = pinsOf(state, entry.slug)
  return entry.tools
    .filter((tool) => withheld(tool, pins) === undefined)
    .map(({ id, remoteName, description, parameters }) => ({
      id,
      slug: entry.slug,
      remoteName,
      description,
      parameters,
      consented: false,
    }))
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
