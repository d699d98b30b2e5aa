/** Files that come in from outside: a folder, a zip, a repository. Paths are checked before anything is made of them. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError, PROFILE_FILES } from '../../contract/index.ts'
import { PROFILE_MD } from '../roots.ts'
import { isBelow } from '../text-file.ts'

import { unpacked, zipEntries } from './zip.ts'

import type { ImportPreview } from '../../contract/index.ts'
import type { ZipEntry } from './zip.ts'

/** One file, by its path with `/` below the place it comes from. */
export interface Entry {
  readonly path: string
  readonly bytes: Uint8Array
}
export type Refusal = ImportPreview['refused'][number]
export interface Entries {
  readonly entries: readonly Entry[]
  readonly refused: readonly Refusal[]
}

/** Bytes of one file, of all files, and their number: far above any folder of profiles. */
export const MAX_ENTRY = 1_000_000
export const MAX_TOTAL = 20_000_000
export const MAX_ENTRIES = 2_000
/** Folders below folders: the robot's app has at most four. */
export const MAX_DEPTH = 6

export const TOOLSETS_FILE = 'profile_toolsets.json'
const TOOL_FILE = /^[^_.].*\.(?:py|m?js|m?ts)$/
const WANTED: ReadonlySet<string> = new Set([...PROFILE_FILES, PROFILE_MD, TOOLSETS_FILE, 'about.json'])

export const isToolFile = (name: string): boolean => TOOL_FILE.test(name)

/** Whether a profile can be made of a file of this name. */
export const isWanted = (file: string): boolean => {
  const name = file.split('/').at(-1) ?? ''
  return WANTED.has(name) || isToolFile(name)
}

/** Names that are devices on Windows, whatever comes behind the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i

/** Why an entry of this path is left out; `null` for one that is fine. Pure. */
export function refusalOf(entry: string): string | null {
  if (/[\0-\x1f\x7f]/.test(entry)) return 'its name holds a control character.'
  if (entry.includes('\\')) return 'its name holds a backslash.'
  if (/^[A-Za-z]:/.test(entry) || entry.startsWith('/')) return 'its path is an absolute one.'
  const parts = entry.split('/')
  if (parts.includes('..') || parts.includes('.')) return 'its path leads out of the folder.'
  if (parts.includes('')) return 'its path has an empty part.'
  if (parts.length > MAX_DEPTH) return 'it lies too deep.'
  if (parts.some((part) => DEVICE.test(part))) return 'its name is a device on Windows.'
  return null
}

export const refuse = (entry: string, reason: string): Refusal => {
  const shown = entry.replaceAll(/[\0-\x1f\x7f]/g, '?').slice(0, 200)
  return { entry: shown, problem: { code: 'profile/refused-entry', details: { entry: shown, reason } } }
}

/** Reads the files of a folder that a profile can be made of. Links that lead out of it are left out. */
export async function entriesOfFolder(folder: string): Promise<Entries> {
  const entries: Entry[] = []
  const refused: Refusal[] = []
  const root = await realpath(folder)
  let total = 0

  const visit = async (dir: string, below: string, depth: number): Promise<void> => {
    for (const name of (await readdir(dir)).sort()) {
      if (name.startsWith('.') || name === 'node_modules' || name === '__pycache__') continue
      const file = path.join(dir, name)
      const entry = below === '' ? name : `${below}/${name}`
      const reason = await visitOne(file, entry, depth)
      if (reason !== null) refused.push(refuse(entry, reason))
    }
  }

  const visitOne = async (file: string, entry: string, depth: number): Promise<string | null> => {
    try {
      if (!isBelow(root, await realpath(file))) return isWanted(entry) ? 'it is a link out of the folder.' : null
      const found = await stat(file)
      if (found.isDirectory()) {
        if (depth < MAX_DEPTH) await visit(file, entry, depth + 1)
        return null
      }
      if (!isWanted(entry)) return null
      const named = refusalOf(entry)
      if (named !== null) return named
      if (!found.isFile()) return 'it is no file.'
      if (found.size > MAX_ENTRY) return 'it is larger than 1 MB.'
      total += found.size
      if (entries.length >= MAX_ENTRIES || total > MAX_TOTAL) throw tooLarge(folder)
      entries.push({ path: entry, bytes: await readFile(file) })
      return null
    } catch (error) {
      if (error instanceof CompanionError || !(error instanceof Error && 'code' in error)) throw error
      return `it cannot be read (${String(error.code)}).`
    }
  }

  await visit(folder, '', 1)
  return { entries, refused }
}

export const tooLarge = (place: string): CompanionError =>
  new CompanionError('profile/too-large', { path: place, limit: '20 MB' })

/**
 * Reads a zip, entry by entry: one that is damaged, too large or no plain file is left out and named.
 * @throws CompanionError `profile/bad-archive`, `profile/too-large`.
 */
export async function entriesOfZip(file: string): Promise<Entries> {
  const { size } = await stat(file)
  if (size > MAX_TOTAL) throw tooLarge(file)
  const zip = await readFile(file)
  const listed = zipEntries(zip)
  if (listed === null) throw new CompanionError('profile/bad-archive', { path: file })
  const entries: Entry[] = []
  const refused: Refusal[] = []
  const seen = new Set<string>()
  let total = 0
  for (const entry of listed) {
    const { name } = entry
    // What a Mac adds to every zip, and folders.
    if (name.endsWith('/') || name.startsWith('__MACOSX/') || name.endsWith('.DS_Store')) continue
    const named = refusalOf(name)
    if (named === null && !isWanted(name)) continue
    const reason = named ?? (seen.has(name.toLowerCase()) ? 'another entry has this name.' : plainReason(entry))
    const bytes = reason ?? unpacked(zip, entry)
    if (typeof bytes === 'string') {
      refused.push(refuse(name, bytes))
      continue
    }
    seen.add(name.toLowerCase())
    total += bytes.length
    if (entries.length >= MAX_ENTRIES || total > MAX_TOTAL) throw tooLarge(file)
    entries.push({ path: name, bytes })
  }
  return { entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)), refused }
}

function plainReason({ link, encrypted, size }: ZipEntry): string | null {
  if (link) return 'it is a link.'
  if (encrypted) return 'it is encrypted.'
  return size > MAX_ENTRY ? 'it is larger than 1 MB.' : null
}
