import { plainText } from '../mcp/index.ts'

import { readManifest, writeManifest } from './manifest.ts'
import { NO_PINS, NO_QUARANTINE, pinsFileSchema, quarantineFileSchema, withheld } from './pins.ts'
import { isOfficial, SEEDS } from './seeds.ts'

import type { InstalledSpace, JsonObject, Problem, RemoteTool, SpacesSnapshot } from '../contract/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { BadEntry, ManifestEntry } from './manifest.ts'
import type { OtherTool, PinsFile, Quarantined, QuarantineFile, SpacePins } from './pins.ts'
import type { z } from 'zod'

export interface StateFiles {
  readonly manifest: string
  readonly pins: string
  readonly quarantine: string
}

/** The three files, read together. */
export interface SpacesState {
  /** No manifest exists: `entries` are the starting Spaces, in memory. */
  readonly seeded: boolean
  /** Why nothing is written. */
  readonly readOnly: Problem | null
  readonly entries: readonly ManifestEntry[]
  readonly bad: readonly BadEntry[]
  readonly extra: readonly JsonObject[]
  readonly pins: PinsFile
  readonly quarantine: QuarantineFile
  /** Files of our own that are broken. Without readable pins nothing counts as approved. */
  readonly broken: readonly string[]
  readonly pinsBroken: boolean
}

const NOTHING_APPROVED: SpacePins = {
  publisher: '',
  official: false,
  approvedAt: '',
  tools: {},
  rejected: [],
  gone: [],
}

export const pinsOf = (state: Pick<SpacesState, 'pins' | 'pinsBroken'>, slug: string): SpacePins | undefined =>
  state.pinsBroken ? NOTHING_APPROVED : state.pins.spaces[slug]

type Read = (path: string) => Promise<{ readonly bytes: Uint8Array } | null>

/** @param read of the disk, or of a transaction */
export async function readState(read: Read, files: StateFiles, hubIsLoopback: boolean): Promise<SpacesState> {
  const [manifestFile, pinsFile, quarantineFile] = await Promise.all([
    read(files.manifest),
    read(files.pins),
    read(files.quarantine),
  ])
  const manifest = readManifest(manifestFile?.bytes ?? null, { file: files.manifest, hubIsLoopback })
  const pins = parseOwn(pinsFile?.bytes, pinsFileSchema)
  const quarantine = parseOwn(quarantineFile?.bytes, quarantineFileSchema)
  return {
    seeded: manifest.state === 'absent',
    readOnly: manifest.state === 'read-only' ? manifest.problem : null,
    entries: manifest.state === 'ok' ? manifest.entries : manifest.state === 'absent' ? SEEDS : [],
    bad: manifest.state === 'ok' ? manifest.bad : [],
    extra: manifest.state === 'ok' ? manifest.extra : [],
    pins: pins ?? NO_PINS,
    quarantine: quarantine ?? NO_QUARANTINE,
    pinsBroken: pins === null,
    broken: [...(pins === null ? [files.pins] : []), ...(quarantine === null ? [files.quarantine] : [])],
  }
}

/** `undefined`: no file; `null`: broken. */
function parseOwn<S extends z.ZodType>(bytes: Uint8Array | undefined, schema: S): z.output<S> | undefined | null {
  if (bytes === undefined) return undefined
  try {
    const read = schema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    return read.success ? read.data : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

export interface StateChange {
  readonly entries: readonly ManifestEntry[]
  readonly pins: PinsFile
  /** Entries of the quarantine file, and of what is set aside now, that are settled by this change. */
  settled(entry: { readonly label: string; readonly raw: unknown }): boolean
}

/**
 * Queues the new state. What could not be read moves to the quarantine file, so that no write loses an entry; the manifest
 * keeps one backup.
 */
export function writeState(
  tx: Transaction,
  files: StateFiles,
  before: SpacesState,
  change: StateChange,
  now: number,
): void {
  const date = new Date(now).toISOString()
  const unaddressed = change.entries
    .filter(({ mcpUrl }) => mcpUrl === '')
    .map(({ slug, alias, problem }): BadEntry => ({
      label: slug,
      problem: problem ?? { code: 'manifest/bad-entry', details: { reason: 'needs to be added again' } },
      raw: { slug, alias },
    }))
  const kept = before.extra.map((raw): BadEntry => ({
    label: EXTRA_KEYS,
    problem: { code: 'manifest/bad-entry', details: { reason: 'unknown keys' } },
    raw,
  }))
  const fresh = [...before.bad, ...unaddressed, ...kept].map((entry): Quarantined => ({ date, ...entry }))
  const entries = [...before.quarantine.entries, ...fresh].filter((entry) => !change.settled(entry))

  tx.write(files.manifest, writeManifest(change.entries), { keepBackup: true })
  tx.write(files.pins, `${JSON.stringify(change.pins, null, 2)}\n`)
  if (entries.length > 0 || before.quarantine.entries.length > 0) {
    tx.write(files.quarantine, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`)
  }
}

const EXTRA_KEYS = '(unknown keys)'

/** Entries whose only fault is an address that version 1 did not hold, which wait in the quarantine after a write. */
function waiting(state: SpacesState): ManifestEntry[] {
  return state.quarantine.entries.flatMap(({ raw, problem, label }) => {
    const known = state.entries.some(({ slug }) => slug.toLowerCase() === label.toLowerCase())
    const alias =
      typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !('tool' in raw) ? raw.alias : undefined
    if (known || typeof alias !== 'string' || problem.details?.reason !== 'needs to be added again') return []
    return [{ slug: label, alias, mcpUrl: '', private: null, tools: [], problem }]
  })
}

/** Everything a screen shows. Remote texts without control characters. */
export function snapshotOf(state: SpacesState, manifest: string, version: number): SpacesSnapshot {
  const late = waiting(state)
  const quarantined = state.quarantine.entries.filter(
    ({ label }) => label !== EXTRA_KEYS && !late.some(({ slug }) => slug === label),
  )
  const problems = [...state.bad, ...quarantined].map(({ label, problem }) => ({
    entry: plainText(label, 200),
    problem,
  }))
  return {
    version,
    manifest,
    readOnly: state.readOnly !== null,
    spaces: [...state.entries, ...late].map((entry) => installedSpace(entry, pinsOf(state, entry.slug))),
    problems: state.readOnly === null ? problems : [{ entry: manifest, problem: state.readOnly }, ...problems],
  }
}

export function installedSpace(entry: ManifestEntry, pinned: SpacePins | undefined): InstalledSpace {
  const offered = entry.tools.map((tool): RemoteTool => {
    const problem = entry.problem ?? withheld(tool, pinned)
    const { id, remoteName } = tool
    const shown = { id, remoteName: plainText(remoteName, 200), description: plainText(tool.description, 4_000) }
    return problem === undefined ? { ...shown, status: 'usable' } : { ...shown, status: 'rejected', problem }
  })
  const others = [...(pinned?.rejected ?? []), ...(pinned?.gone ?? [])]
    .filter(({ id }) => id === null || !entry.tools.some((tool) => tool.id === id))
    .map((tool: OtherTool): RemoteTool => ({ ...tool, status: 'rejected', problem: tool.problem }))
  return {
    slug: entry.slug,
    alias: entry.alias,
    mcpUrl: entry.mcpUrl,
    private: entry.private ?? false,
    official: isOfficial(entry.slug),
    tools: [...offered, ...others],
    ...(entry.problem === undefined ? {} : { problem: entry.problem }),
  }
}
