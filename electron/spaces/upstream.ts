import { realpath, stat } from 'node:fs/promises'

import { CompanionError } from '../contract/index.ts'

import { hashOf } from './canonical-json.ts'
import { readManifest } from './manifest.ts'
import { requireFreeAlias, sameSlug } from './operations.ts'
import { isOwnText } from './seeds.ts'

import type { JsonObject, UpstreamManifest } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'
import type { ManifestEntry, ManifestRead } from './manifest.ts'
import type { PinsFile } from './pins.ts'
import type { SpacesState } from './state.ts'

/** A list of some hundred Spaces takes some hundred kilobytes. */
const MAX_BYTES = 32 * 1024 * 1024

/** A list of the robot's own app, read by the rules of ours. */
export interface FoundManifest {
  /** Absolute, links resolved. */
  readonly path: string
  readonly read: ManifestRead
}

/** Reads those of the places that are files, each file once, in the order given. */
export async function readPlaces(
  places: readonly string[],
  deps: {
    readonly storage: Pick<Storage, 'read'>
    readonly hubIsLoopback: boolean
    readonly except: readonly string[]
  },
): Promise<FoundManifest[]> {
  const except = new Set(await Promise.all(deps.except.map(async (file) => (await fileAt(file))?.path ?? file)))
  const found = new Map<string, FoundManifest>()
  for (const place of places) {
    const file = await fileAt(place)
    if (file === null || except.has(file.path) || found.has(file.path)) continue
    found.set(file.path, { path: file.path, read: await readOne(file, deps) })
  }
  return [...found.values()]
}

async function readOne(
  file: { path: string; size: number },
  deps: { readonly storage: Pick<Storage, 'read'>; readonly hubIsLoopback: boolean },
): Promise<ManifestRead> {
  const unreadable: ManifestRead = {
    state: 'read-only',
    problem: { code: 'manifest/unreadable', details: { file: file.path } },
  }
  if (file.size > MAX_BYTES) return unreadable
  try {
    const content = await deps.storage.read(file.path)
    return readManifest(content?.bytes ?? null, { file: file.path, hubIsLoopback: deps.hubIsLoopback })
  } catch (error) {
    if (error instanceof CompanionError && error.code === 'storage/failed') return unreadable
    throw error
  }
}

async function fileAt(place: string): Promise<{ path: string; size: number } | null> {
  try {
    const real = await realpath(place)
    const stats = await stat(real)
    return stats.isFile() ? { path: real, size: stats.size } : null
  } catch (error) {
    // Not there, or not for us to see: then it is not offered.
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/** A found list beside ours. */
export function compared({ path, read }: FoundManifest, ours: SpacesState): UpstreamManifest {
  if (read.state !== 'ok') return { path, spaces: [], ...(read.state === 'read-only' ? { problem: read.problem } : {}) }
  const [worst] = read.bad
  return {
    path,
    ...(worst === undefined ? {} : { problem: worst.problem }),
    spaces: read.entries.map((entry) => ({
      slug: entry.slug,
      tools: entry.tools.length,
      here: standing(
        entry,
        ours.entries.find(({ slug }) => sameSlug(slug, entry.slug)),
      ),
    })),
  }
}

function standing(theirs: ManifestEntry, ours: ManifestEntry | undefined): 'missing' | 'same' | 'different' {
  if (ours === undefined) return 'missing'
  // A list of version 1 knows names only, and nothing in them can differ.
  if (theirs.mcpUrl === '') return 'same'
  if (ours.mcpUrl !== theirs.mcpUrl) return 'different'
  return fingerprint(theirs, ours) === fingerprint(ours, ours) ? 'same' : 'different'
}

/** Our own words for the starting Spaces are no difference. */
function fingerprint(entry: ManifestEntry, ours: ManifestEntry): string {
  const own = (remoteName: string): boolean =>
    ours.tools.some((tool) => tool.remoteName === remoteName && isOwnText(ours.slug, tool))
  const tools = entry.tools.map(({ id, remoteName, description, parameters }): [string, JsonObject] => [
    id,
    own(remoteName) ? { remoteName } : { remoteName, description, parameters },
  ])
  return hashOf(Object.fromEntries(tools))
}

export interface Imported {
  readonly entries: readonly ManifestEntry[]
  readonly pins: PinsFile
  readonly slugs: readonly string[]
}

/**
 * Our state with Spaces of a found list. Nobody has said yes to them: without a pin the first call asks, and where there is
 * one, what differs from it waits for a person as after any other change.
 *
 * @throws CompanionError `space/not-installed` for a slug that the list does not hold, `space/alias-conflict` when none of
 * them can be taken because of the names of others, `manifest/unreadable`, `manifest/newer`.
 */
export function imported({ path, read }: FoundManifest, slugs: readonly string[], before: SpacesState): Imported {
  if (read.state === 'read-only') throw new CompanionError(read.problem.code, read.problem.details ?? {})
  const offered = read.state === 'ok' ? read.entries : []
  let entries = before.entries
  const taken: string[] = []
  let refused: CompanionError | null = null
  for (const slug of slugs) {
    const entry = offered.find((one) => sameSlug(one.slug, slug))
    if (entry === undefined) throw new CompanionError('space/not-installed', { slug, path })
    const others = entries.filter((one) => !sameSlug(one.slug, slug))
    try {
      requireFreeAlias(entry.slug, others)
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      refused = error
      continue
    }
    const present = entries.find((one) => sameSlug(one.slug, slug))
    // A name alone is no reason to give up what is known here.
    if (entry.mcpUrl === '' && present !== undefined) continue
    entries = [...others, entry]
    taken.push(entry.slug)
  }
  if (taken.length === 0 && refused !== null) throw refused
  return { entries, pins: before.pins, slugs: taken }
}
