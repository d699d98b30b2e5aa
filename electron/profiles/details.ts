/** What the app keeps about profiles beside their files: `profile_details.json`, and `about.json` of a shipped one. */
import path from 'node:path'

import { z } from 'zod'

import { avatarSchema, CompanionError, languageSchema, profileDetailsSchema } from '../contract/index.ts'

import { jsonOf } from './json.ts'
import { readTextFile } from './text-file.ts'

import type { Language, Log, ProfileDetails } from '../contract/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { Place } from './roots.ts'
import type { DetailsChange } from './types.ts'

/** Travels with a profile's folder. */
export const ABOUT_FILE = 'about.json'

const detailsFileSchema = z.looseObject({
  version: z.literal(1),
  profiles: z.record(z.string(), z.looseObject({})).default({}),
})
type DetailsFile = z.output<typeof detailsFileSchema>
const EMPTY: DetailsFile = { version: 1, profiles: {} }
type Entry = Readonly<Record<string, unknown>>

const aboutSchema = z.object({
  version: z.literal(1),
  purpose: z.partialRecord(languageSchema, z.string().max(200)).optional(),
  avatar: avatarSchema.optional(),
})
type About = z.output<typeof aboutSchema>

export interface DetailsStore {
  /** Path of the file. */
  readonly file: string
  /** What holds for a profile: what a person set, else what came with it. */
  of(place: Pick<Place, 'name' | 'dir' | 'root'>, language: Language): Promise<ProfileDetails>
  /** The file as a text that changes with it. */
  fingerprint(): Promise<string>
  change(tx: Transaction, name: string, change: DetailsChange): Promise<void>
  /** @param details what a new profile begins with. */
  begin(tx: Transaction, name: string, details: ProfileDetails): Promise<void>
  /** What was set about a profile holds for its copy, but for its title and whether it is hidden. */
  copy(tx: Transaction, from: string, to: string): Promise<void>
  /** What a person set about a profile, kept as it is, unknown keys too; `undefined`: nothing. */
  take(tx: Transaction, name: string): Promise<Entry | undefined>
  put(tx: Transaction, name: string, entry: Entry | undefined): Promise<void>
}

export function createDetails({ storage, log }: { storage: Storage; log: Log }): DetailsStore {
  const file = storage.path('profile_details.json')
  const warned = new Set<string>()

  /** Each once: profiles are read again at every change. */
  function warn(message: string, details: Record<string, string>): void {
    const key = JSON.stringify([message, details])
    if (warned.has(key)) return
    warned.add(key)
    log.warn(message, details)
  }

  async function load(): Promise<DetailsFile> {
    try {
      const read = await storage.readJson(file, detailsFileSchema)
      if (read.state === 'ok') return read.value
      if (read.state === 'absent') return EMPTY
      warn('what is kept about profiles cannot be read', { path: file, reason: read.reason })
    } catch (error) {
      // Profiles can be used without: nothing that lies beside them may keep the app from starting.
      if (!(error instanceof CompanionError)) throw error
      warn('what is kept about profiles cannot be read', { path: file, reason: String(error.cause) })
    }
    return EMPTY
  }

  /** Under the lock; `null` when it cannot be read. */
  async function present(tx: Transaction): Promise<DetailsFile | null> {
    try {
      const content = await tx.read(file)
      return content === null ? EMPTY : parsed(content.bytes)
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      return null
    }
  }

  /** Under the lock: what another process has just written. A broken file is set aside before it is written anew. */
  async function update(tx: Transaction, name: string, change: (entry: Entry) => Entry | undefined): Promise<void> {
    const found = await present(tx)
    const { profiles, ...rest } = found ?? EMPTY
    const before = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    const after = change(before ?? {})
    const others = Object.entries(profiles).filter(([other]) => other !== name)
    const own = after === undefined || Object.keys(after).length === 0 ? [] : [[name, after] as const]
    if (before === undefined && own.length === 0) return
    if (found === null) await storage.setAside(file)
    const next = { ...rest, profiles: Object.fromEntries([...others, ...own]) }
    tx.write(file, `${JSON.stringify(next, null, 2)}\n`)
  }

  async function aboutOf({ name, dir, root }: Pick<Place, 'name' | 'dir' | 'root'>): Promise<About | null> {
    const about = path.join(dir, ABOUT_FILE)
    const read = await readTextFile(about, root)
    if (read.state === 'absent') return null
    const value = read.state === 'ok' ? aboutSchema.safeParse(jsonOf(read.text)) : null
    if (value?.success === true) return value.data
    warn('about.json of a profile cannot be used', { profile: name, path: about })
    return null
  }

  return {
    file,
    async of(place, language) {
      const [{ profiles }, about] = await Promise.all([load(), aboutOf(place)])
      const own = Object.hasOwn(profiles, place.name) ? validDetails(profiles[place.name] ?? {}) : {}
      const purpose = about?.purpose?.[language] ?? about?.purpose?.en
      return {
        ...(purpose === undefined ? {} : { purpose }),
        ...(about?.avatar === undefined ? {} : { avatar: about.avatar }),
        ...own,
      }
    },
    async fingerprint() {
      return JSON.stringify((await load()).profiles)
    },
    change: (tx, name, change) => update(tx, name, (entry) => changedDetails(entry, change)),
    begin: (tx, name, details) => update(tx, name, () => changedDetails({}, details)),
    async copy(tx, from, to) {
      let source: Entry = {}
      await update(tx, from, (entry) => {
        source = entry
        return entry
      })
      const { title: _, hidden: __, ...rest } = source
      await update(tx, to, () => rest)
    },
    async take(tx, name) {
      let taken: Entry | undefined
      await update(tx, name, (entry) => {
        taken = Object.keys(entry).length === 0 ? undefined : entry
        return undefined
      })
      return taken
    },
    put: (tx, name, entry) => update(tx, name, () => entry),
  }
}

function parsed(bytes: Uint8Array): DetailsFile | null {
  const value = detailsFileSchema.safeParse(jsonOf(new TextDecoder().decode(bytes)))
  return value.success ? value.data : null
}

/** The keys that are what they should be: one that somebody broke does not take the others along. */
export function validDetails(entry: Entry): ProfileDetails {
  const result = Object.entries(profileDetailsSchema.shape).flatMap(([key, schema]) => {
    const value = schema.safeParse(entry[key])
    return value.success && value.data !== undefined ? [[key, value.data] as const] : []
  })
  return Object.fromEntries(result)
}

/** An entry with a change made to it; keys that nobody here knows stay. */
export function changedDetails(entry: Entry, change: DetailsChange): Entry {
  const next: Record<string, unknown> = { ...entry }
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) continue
    const set = key === 'permissions' ? mergedPermissions(entry.permissions, change.permissions ?? {}) : cleaned(value)
    if (set === null || set === '' || set === false) delete next[key]
    else next[key] = set
  }
  return next
}

function mergedPermissions(present: unknown, change: NonNullable<DetailsChange['permissions']>): object | null {
  const before = validDetails({ permissions: present }).permissions ?? {}
  const after = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null)
  return after.length === 0 ? null : Object.fromEntries(after)
}

/** Titles and purposes are one line each. */
function cleaned(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[\p{Cc}\s]+/gu, ' ').trim() : value
}
