/** Where profiles live and which of them count. */
import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError, PROFILE_FILES } from '../contract/index.ts'

import { isProfileName, nameKey } from './names.ts'
import { isBelow } from './text-file.ts'

import type { Problem, ProfileFile, ProfileSummary } from '../contract/index.ts'

export type Source = ProfileSummary['source']

export interface Root {
  readonly source: Source
  readonly dir: string
  /** In a folder of the robot's app: its file of tool lists by name, and what the names of this root begin with there. */
  readonly toolsets?: { readonly file: string; readonly prefix: string }
}

/** A profile's folder, `dir`, in the root `root`. */
export interface Place extends Root {
  readonly name: string
  readonly root: string
  /** A copy in the user's root that hides the shipped profile of this name. */
  readonly edited: boolean
  /** Text files go before `profile.md` where a folder has both. */
  readonly format: ProfileSummary['format']
}

export interface Refused {
  readonly name: string
  readonly dir: string
  readonly format: Place['format']
  readonly source: Source
  readonly problem: Problem
}

export interface Listing {
  readonly places: readonly Place[]
  readonly refused: readonly Refused[]
}

export const FILE_NAMES = PROFILE_FILES
export type FileName = ProfileFile
/** The one file of a profile of the robot app from 0.11 on. */
export const PROFILE_MD = 'profile.md'

/**
 * All profiles. A user's copy takes the place of the shipped one of exactly that name; any other folder whose name is
 * taken, no name, or a link to somewhere else is refused, with the reason.
 * @param roots in order of precedence: shipped, user, external.
 */
export async function listProfiles(roots: readonly Root[]): Promise<Listing> {
  const places = new Map<string, Place>()
  const refused: Refused[] = []
  for (const { source, dir: root, toolsets } of roots) {
    for (const { name, format } of await profileFoldersIn(root)) {
      const dir = path.join(root, name)
      const problem = await problemOf(name, dir, root)
      const other = places.get(nameKey(name))
      const edited = source === 'user' && other?.source === 'shipped' && other.name === name
      if (problem !== null) refused.push({ name, source, dir, format, problem })
      else if (other !== undefined && !edited) {
        refused.push({ name, source, dir, format, problem: { code: 'profile/exists', details: { name, path: dir } } })
      } else {
        const own = toolsets === undefined ? {} : { toolsets }
        places.set(nameKey(name), { name, source, dir, root, edited, format, ...own })
      }
    }
  }
  return { places: [...places.values()].sort(inOrder), refused }
}

/** `default` first, then shipped ones and their copies, then the user's own, then external ones; each by name. */
function inOrder(a: Place, b: Place): number {
  const rank = (place: Place): number => {
    if (place.name === 'default') return 0
    if (place.source === 'shipped' || place.edited) return 1
    return place.source === 'user' ? 2 : 3
  }
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1)
}

/** Folders that hold at least one file of a profile, or that cannot be listed; the latter fail when they are read. */
export async function profileFoldersIn(root: string): Promise<Array<{ name: string; format: Place['format'] }>> {
  const names = (await namesIn(root)) ?? []
  const found = await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map(async (name) => {
        const format = formatOf(await namesIn(path.join(root, name)))
        return format === null ? [] : [{ name, format }]
      }),
  )
  return found.flat()
}

function formatOf(files: readonly string[] | null): Place['format'] | null {
  if (files === null || files.some((file) => FILE_NAMES.some((known) => known === file))) return 'txt'
  return files.includes(PROFILE_MD) ? 'profile-md' : null
}

/** `null`: there is a folder, and it cannot be listed. */
export async function namesIn(dir: string): Promise<string[] | null> {
  try {
    return await readdir(dir)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === '') throw error
    return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code) ? [] : null
  }
}

async function problemOf(name: string, dir: string, root: string): Promise<Problem | null> {
  if (!isProfileName(name)) return { code: 'profile/bad-name', details: { name } }
  const outside = (reason: string): Problem => ({ code: 'profile/unreadable', details: { name, file: dir, reason } })
  try {
    const [real, realRoot] = await Promise.all([realpath(dir), realpath(root)])
    return isBelow(realRoot, real) ? null : outside('a link out of the profiles')
  } catch (error) {
    // Taken away, or closed to us, since it was listed.
    if (!(error instanceof Error && 'code' in error)) throw error
    return outside(String(error.code))
  }
}

/** @throws CompanionError `profile/bad-name`, `profile/not-found`, or the reason why it was refused. */
export function placeOf(name: string, { places, refused }: Listing): Place {
  if (!isProfileName(name)) throw new CompanionError('profile/bad-name', { name })
  const place = places.find((candidate) => candidate.name === name)
  if (place !== undefined) return place
  const problem = refused.find((candidate) => candidate.name === name)?.problem
  if (problem !== undefined) throw new CompanionError(problem.code, problem.details)
  throw new CompanionError('profile/not-found', { name })
}
