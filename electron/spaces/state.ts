import { CompanionError } from '../contract/index.ts'
import { plainText } from '../mcp/index.ts'

import { pendingOf } from './differences.ts'
import { clashOf, NEEDS_REFRESH, readEntry, readManifest, writeManifest } from './manifest.ts'
import { NO_PINS, NO_QUARANTINE, pinsFileSchema, quarantineFileSchema, withheld } from './pins.ts'
import { problemId, problemsOf } from './repairs.ts'
import { isOfficial, SEEDS } from './seeds.ts'

import type { InstalledSpace, JsonObject, JsonValue, Problem, RemoteTool, SpacesSnapshot } from '../contract/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Checks } from './keep.ts'
import type { BadEntry, ManifestEntry, ManifestRead } from './manifest.ts'
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
  /** Files of our own that are broken, to be set aside. Without readable pins nothing counts as approved. */
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
  const [manifest, pinsFile, quarantineFile] = await Promise.all([
    readWhole(read, files.manifest, hubIsLoopback),
    read(files.pins),
    read(files.quarantine),
  ])
  const pinsRead = readOwn(pinsFile?.bytes, pinsFileSchema)
  const quarantineRead = readOwn(quarantineFile?.bytes, quarantineFileSchema)
  const newer = newerProblem([files.pins, pinsRead], [files.quarantine, quarantineRead])
  // Approvals that cannot be read are none: each Space says why, and its tools stay withheld.
  const quarantine = quarantineRead.state === 'ok' ? quarantineRead.value : NO_QUARANTINE
  const present = manifest.state === 'ok' ? manifest.entries : manifest.state === 'absent' ? SEEDS : []
  const entries = manifest.state === 'read-only' ? present : [...present, ...waitingIn(quarantine, present)]
  const withheldAll = pinsRead.state === 'newer' ? newer : null
  return {
    seeded: manifest.state === 'absent',
    readOnly: manifest.state === 'read-only' ? manifest.problem : newer,
    entries: withheldAll === null ? entries : entries.map((entry) => ({ problem: withheldAll, ...entry })),
    bad: manifest.state === 'ok' ? manifest.bad : [],
    extra: manifest.state === 'ok' ? manifest.extra : [],
    pins: pinsRead.state === 'ok' ? pinsRead.value : NO_PINS,
    quarantine,
    pinsBroken: pinsRead.state === 'broken' || pinsRead.state === 'newer',
    broken: [
      ...(pinsRead.state === 'broken' ? [files.pins] : []),
      ...(quarantineRead.state === 'broken' ? [files.quarantine] : []),
    ],
  }
}

/** A file that the system does not give is as unreadable as one that is no JSON. */
async function readWhole(read: Read, file: string, hubIsLoopback: boolean): Promise<ManifestRead> {
  try {
    return readManifest((await read(file))?.bytes ?? null, { file, hubIsLoopback })
  } catch (error) {
    if (!(error instanceof CompanionError) || error.code !== 'storage/failed') throw error
    return { state: 'read-only', problem: { code: 'manifest/unreadable', details: { file } } }
  }
}

/** `newer`: of a version that this app does not know, and leaves alone. */
type OwnRead<T> =
  | { readonly state: 'absent' | 'broken' }
  | { readonly state: 'newer'; readonly version: number }
  | { readonly state: 'ok'; readonly value: T }

function readOwn<S extends z.ZodType>(bytes: Uint8Array | undefined, schema: S): OwnRead<z.output<S>> {
  if (bytes === undefined) return { state: 'absent' }
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined
    if (typeof version === 'number' && version > 1) return { state: 'newer', version }
    const read = schema.safeParse(value)
    return read.success ? { state: 'ok', value: read.data } : { state: 'broken' }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { state: 'broken' }
    throw error
  }
}

function newerProblem(...files: ReadonlyArray<readonly [string, OwnRead<unknown>]>): Problem | null {
  const newer = files.flatMap(([file, read]) => (read.state === 'newer' ? [{ file, version: read.version }] : []))
  return newer[0] === undefined ? null : { code: 'manifest/newer', details: newer[0] }
}

export interface StateChange {
  readonly entries: readonly ManifestEntry[]
  readonly pins: PinsFile
  /** Entries of the quarantine file, and of what is set aside now, that are settled by this change. */
  settled(entry: { readonly label: string; readonly raw: JsonValue }): boolean
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
    .map(({ slug, alias, problem, raw }): BadEntry => ({
      label: slug,
      problem: problem ?? { code: 'manifest/bad-entry', details: { slug, reason: NEEDS_REFRESH } },
      raw: raw ?? { slug, alias },
    }))
  const kept = before.extra.map((raw): BadEntry => ({
    label: EXTRA_KEYS,
    problem: { code: 'manifest/bad-entry', details: { reason: 'unknown keys' } },
    raw,
  }))
  const known = new Set(before.quarantine.entries.map(problemId))
  const fresh = [...before.bad, ...unaddressed, ...kept]
    .filter((entry) => !known.has(problemId(entry)))
    .map((entry): Quarantined => ({ date, ...entry }))
  const entries = [...before.quarantine.entries, ...fresh].filter((entry) => !change.settled(entry))

  tx.write(files.manifest, writeManifest(change.entries), { keepBackup: true })
  tx.write(files.pins, `${JSON.stringify(change.pins, null, 2)}\n`)
  if (entries.length > 0 || before.quarantine.entries.length > 0) {
    tx.write(files.quarantine, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`)
  }
}

const EXTRA_KEYS = '(unknown keys)'

/** Entries of the quarantine whose only fault is that they have no address: a look at the Space makes them whole. */
function waitingIn(quarantine: QuarantineFile, present: readonly ManifestEntry[]): ManifestEntry[] {
  const waiting: ManifestEntry[] = []
  for (const { raw, problem } of quarantine.entries) {
    if (problem.details?.reason !== NEEDS_REFRESH) continue
    const read = readEntry(raw, { hubIsLoopback: false })
    if (!('entry' in read) || read.entry.raw === undefined) continue
    if (clashOf(read.entry, [...present, ...waiting]) === null) waiting.push(read.entry)
  }
  return waiting
}

export interface SnapshotParts {
  /** Origin of the Hub, whose links count in a suggestion. */
  readonly hubEndpoint?: string | undefined
  readonly repair?: SpacesSnapshot['repair']
  /** Folder of the robot app whose manifest is in force. */
  readonly instance?: string | undefined
  /** The last look at each Space, by slug. */
  readonly checks?: Checks
}

/** Everything a screen shows. Remote texts without control characters. */
export function snapshotOf(
  state: SpacesState,
  manifest: string,
  version: number,
  parts: SnapshotParts = {},
): SpacesSnapshot {
  const waiting = new Set(state.entries.flatMap(({ raw }) => (raw === undefined ? [] : [problemId({ raw })])))
  const quarantined = state.quarantine.entries.filter(
    (entry) => entry.label !== EXTRA_KEYS && !waiting.has(problemId(entry)),
  )
  const problems = problemsOf([...state.bad, ...quarantined], parts.hubEndpoint)
  return {
    version,
    manifest,
    readOnly: state.readOnly !== null,
    spaces: state.entries.map((entry) => {
      const check = parts.checks?.get(entry.slug)
      const shown = installedSpace(entry, pinsOf(state, entry.slug))
      return check === undefined ? shown : { ...shown, check }
    }),
    problems:
      state.readOnly === null
        ? problems
        : [{ entry: String(state.readOnly.details?.file ?? manifest), problem: state.readOnly }, ...problems],
    ...(parts.repair === undefined ? {} : { repair: parts.repair }),
    ...(parts.instance === undefined ? {} : { instance: parts.instance }),
  }
}

export function installedSpace(entry: ManifestEntry, pinned: SpacePins | undefined): InstalledSpace {
  const offered = entry.tools.map((tool): RemoteTool => {
    const problem = entry.problem ?? withheld(tool, entry, pinned)
    const { id, remoteName } = tool
    const shown = { id, remoteName: plainText(remoteName, 200), description: plainText(tool.description, 4_000) }
    return problem === undefined ? { ...shown, status: 'usable' } : { ...shown, status: 'rejected', problem }
  })
  const others = [...(pinned?.rejected ?? []), ...(pinned?.gone ?? [])]
    .filter(({ id }) => id === null || !entry.tools.some((tool) => tool.id === id))
    .map(({ id, remoteName, description, problem }: OtherTool): RemoteTool => {
      return { id, remoteName, description, status: 'rejected', problem }
    })
  const review = pendingOf(entry, pinned)
  return {
    slug: entry.slug,
    alias: entry.alias,
    mcpUrl: entry.mcpUrl,
    private: entry.private ?? false,
    official: isOfficial(entry.slug),
    tools: [...offered, ...others],
    ...(entry.problem === undefined ? {} : { problem: entry.problem }),
    ...(review === undefined ? {} : { review }),
  }
}
