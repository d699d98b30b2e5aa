/** Texts that were typed and not saved, for the case that the app or the computer ends before they are. */
import { z } from 'zod'

import { CompanionError, profileTextsSchema } from '../contract/index.ts'

import { jsonOf } from './json.ts'
import { isProfileName } from './names.ts'

import type { Log, ProfileTexts, UnsavedProfile } from '../contract/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'

/** Profiles that one person has open and unsaved at a time, with room to spare. */
const MAX_PROFILES = 20
/** Of the file; the oldest go first. */
const MAX_CHARACTERS = 8_000_000

const entrySchema = z.object({ base: profileTextsSchema, texts: profileTextsSchema, at: z.number() })
const fileSchema = z.object({ version: z.literal(1), profiles: z.record(z.string(), z.unknown()) })

export interface UnsavedStore {
  keep(name: string, unsaved: { base: ProfileTexts; texts: ProfileTexts } | null): Promise<void>
  list(): Promise<UnsavedProfile[]>
  /** Inside the transaction that saves, renames or takes back: both or neither. */
  move(tx: Transaction, name: string, to: string | null): Promise<void>
}

export function createUnsaved({ storage, log }: { storage: Storage; log: Log }): UnsavedStore {
  const file = storage.path('unsaved_profiles.json')

  async function list(): Promise<UnsavedProfile[]> {
    try {
      const read = await storage.readJson(file, fileSchema)
      if (read.state === 'ok') return entriesOf(read.value)
      if (read.state === 'unreadable') log.warn('unsaved texts cannot be read', { path: file, reason: read.reason })
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      log.warn('unsaved texts cannot be read', { path: file, reason: String(error.cause) })
    }
    return []
  }

  async function present(tx: Transaction): Promise<UnsavedProfile[]> {
    const bytes = await bytesIn(tx)
    if (bytes === null) return []
    const read = fileSchema.safeParse(jsonOf(new TextDecoder().decode(bytes)))
    if (read.success) return entriesOf(read.data)
    log.warn('unsaved texts could not be read and were kept under another name', { path: await storage.setAside(file) })
    return []
  }

  /** Empty for what cannot be read: it is no JSON either. */
  async function bytesIn(tx: Transaction): Promise<Uint8Array | null> {
    try {
      return (await tx.read(file))?.bytes ?? null
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      return new Uint8Array()
    }
  }

  function write(tx: Transaction, entries: readonly UnsavedProfile[]): void {
    const kept = capped(entries)
    const profiles = Object.fromEntries(kept.map(({ name, ...entry }) => [name, entry]))
    tx.write(file, kept.length === 0 ? null : `${JSON.stringify({ version: 1, profiles })}\n`)
  }

  return {
    list,
    async keep(name, unsaved) {
      if (unsaved === null && !(await list()).some((entry) => entry.name === name)) return
      await storage.transact(`unsaved texts of ${name}`, async (tx) => {
        const others = (await present(tx)).filter((entry) => entry.name !== name)
        write(tx, unsaved === null ? others : [...others, { name, ...unsaved, at: Date.now() }])
      })
    },
    async move(tx, name, to) {
      const entries = await present(tx)
      const own = entries.find((entry) => entry.name === name)
      if (own === undefined) return
      const others = entries.filter((entry) => entry.name !== name && entry.name !== to)
      write(tx, to === null ? others : [...others, { ...own, name: to }])
    },
  }
}

/** Oldest first. */
function entriesOf(file: z.output<typeof fileSchema>): UnsavedProfile[] {
  return Object.entries(file.profiles)
    .flatMap(([name, value]) => {
      const entry = entrySchema.safeParse(value)
      return entry.success && isProfileName(name) ? [{ name, ...entry.data }] : []
    })
    .sort((a, b) => a.at - b.at)
}

/** The newest that fit; always the last one, which was typed a moment ago. */
export function capped(entries: readonly UnsavedProfile[]): UnsavedProfile[] {
  let left = MAX_CHARACTERS
  const kept: UnsavedProfile[] = []
  for (const entry of [...entries].reverse()) {
    left -= charactersOf(entry)
    if (kept.length > 0 && (left < 0 || kept.length >= MAX_PROFILES)) break
    kept.unshift(entry)
  }
  return kept
}

function charactersOf({ base, texts }: UnsavedProfile): number {
  return [...Object.values(base), ...Object.values(texts)].reduce((sum, text) => sum + (text?.length ?? 0), 0)
}
