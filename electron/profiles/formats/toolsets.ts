/**
 * `profile_toolsets.json`: lists of tools that go before those of the profiles, in the robot's conversation app from 0.11
 * on. One bad entry does not hide the others. Pure.
 */
import { normalisedTools } from './profile-md.ts'

import type { FileProblem } from '../../contract/index.ts'

const FILE = 'profile_toolsets.json'

export interface Toolsets {
  /** By the name that the robot's app has for a profile: `default`, `NAME`, `user_personalities/NAME`. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  readonly problems: readonly FileProblem[]
  /** It can be changed by us. */
  readonly writable: boolean
}

export const NO_TOOLSETS: Toolsets = { lists: new Map(), problems: [], writable: true }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** No name is `default`. */
export const canonicalName = (name: string): string => (name.trim() === '' ? 'default' : name.trim())

export function parseToolsets(text: string): Toolsets {
  const unreadable = (reason: string): Toolsets => ({
    lists: new Map(),
    writable: false,
    problems: [{ file: FILE, line: null, code: 'profile/toolsets-unreadable', details: { file: FILE, reason } }],
  })
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return unreadable(`${error instanceof Error ? error.message : String(error)}.`.slice(0, 200))
  }
  if (!isObject(value)) return unreadable('it is no JSON object.')
  if (value.version !== 1) return unreadable('its version is not 1.')
  const profiles = value.profiles ?? {}
  if (!isObject(profiles)) return unreadable('profiles is no object.')
  const lists = new Map<string, string[]>()
  const problems: FileProblem[] = []
  for (const [name, entries] of Object.entries(profiles)) {
    if (Array.isArray(entries) && entries.every((entry) => typeof entry === 'string')) {
      lists.set(canonicalName(name), normalisedTools(entries))
    } else {
      const details = { file: FILE, reason: `the entry ${name.slice(0, 80)} is no list of texts.` }
      problems.push({ file: FILE, line: null, code: 'profile/toolsets-unreadable', details })
    }
  }
  return { lists, problems, writable: true }
}

/**
 * The file with other lists; everything else in it stays, also entries that cannot be read.
 * @param text as it is on disk; `null`: no such file.
 * @param changes by name; `null` takes a list away, so that the profile's own counts again.
 * @returns `null` when nothing is left, and the file goes.
 */
export function editToolsets(text: string | null, changes: ReadonlyMap<string, readonly string[] | null>): string | null {
  const before = text === null ? {} : (JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>)
  const profiles = { ...(isObject(before.profiles) ? before.profiles : {}) }
  for (const [name, list] of changes) {
    const key = canonicalName(name)
    // The robot's app takes "" for `default`: one profile has one entry.
    if (key === 'default') delete profiles['']
    if (list === null) delete profiles[key]
    else profiles[key] = [...list]
  }
  const others = Object.keys(before).filter((key) => key !== 'version' && key !== 'profiles')
  if (Object.keys(profiles).length === 0 && others.length === 0) return null
  return `${JSON.stringify(sorted({ ...before, version: 1, profiles: sorted(profiles) }), null, 2)}\n`
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
