/** Which folders hold profiles at this moment: ours, and those that the environment or the person points at. */
import { realpath } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { possibleRoots, rootsInFolder } from './instance.ts'
import { listProfiles } from './roots.ts'
import { STARTUP_FILE } from './selection.ts'

import type { ProfilesSnapshot } from '../contract/index.ts'
import type { Listing, Root } from './roots.ts'

export type FolderInForce = NonNullable<ProfilesSnapshot['folder']>

/** Keeps the path of a folder that was chosen in the app. */
export interface FolderChoice {
  get(): Promise<string | null>
  set(path: string | null): Promise<void>
}

export interface Places {
  /** Where lists of the person's own profiles are kept that go before those of a `profile.md`. */
  readonly userToolsets: NonNullable<Root['toolsets']>
  list(): Promise<Listing>
  /** The shipped ones alone. */
  shipped(): Promise<Listing>
  /** Folder of the robot's app that is edited in place; never two at once, the app's choice goes first. */
  folder(): Promise<FolderInForce | null>
  /** @param chosen `null`: none. @throws CompanionError `profile/no-profiles`. */
  choose(chosen: string | null): Promise<void>
  /** Folders and files to be watched, whether they exist or not. */
  watched(): Promise<string[]>
}

/** @param deps all paths absolute; `externalDir` is one more root, as a whole. */
export function createPlaces(deps: {
  shippedDir: string
  userRoot: string
  externalDir: string | undefined
  environmentFolder: string | undefined
  choice: FolderChoice
}): Places {
  const shippedRoot: Root = { source: 'shipped', dir: deps.shippedDir }
  // A profile.md that was taken over keeps its own list and the one that goes before it apart, as in the robot's app.
  const toolsets = { file: path.join(deps.userRoot, 'profile_toolsets.json'), prefix: 'user_personalities/' }
  const userRoot: Root = { source: 'user', dir: deps.userRoot, toolsets }
  const externalDir = deps.externalDir

  async function inForce(): Promise<Omit<FolderInForce, 'problem'> | null> {
    const chosen = await deps.choice.get()
    if (chosen !== null && chosen !== '') return { path: path.resolve(chosen), from: 'app' }
    return deps.environmentFolder === undefined ? null : { path: deps.environmentFolder, from: 'environment' }
  }

  /** The external folder itself also before it has profiles; what a person made there lies one folder below. */
  async function externalRoots(): Promise<Root[]> {
    if (externalDir === undefined) return []
    const found = await rootsInFolder(externalDir)
    return found.some(({ dir }) => dir === externalDir) ? found : [{ source: 'external', dir: externalDir }, ...found]
  }

  async function roots(): Promise<Root[]> {
    const folder = await inForce()
    const inFolder = folder === null ? [] : await rootsInFolder(folder.path)
    return withoutRepeats([shippedRoot, userRoot, ...(await externalRoots()), ...inFolder])
  }

  /** A folder that is a root of ours already, or of nothing. */
  async function holdsNothingNew(folder: string): Promise<boolean> {
    const known = await withoutRepeats([shippedRoot, userRoot])
    return (await withoutRepeats([...known, ...(await rootsInFolder(folder))])).length === known.length
  }

  return {
    userToolsets: toolsets,
    list: async () => listProfiles(await roots()),
    shipped: () => listProfiles([shippedRoot]),
    async folder() {
      const folder = await inForce()
      if (folder === null || !(await holdsNothingNew(folder.path))) return folder
      return { ...folder, problem: { code: 'profile/no-profiles', details: { path: folder.path } } }
    },
    async choose(chosen) {
      if (chosen !== null && (await holdsNothingNew(path.resolve(chosen)))) {
        throw new CompanionError('profile/no-profiles', { path: chosen })
      }
      await deps.choice.set(chosen === null ? null : path.resolve(chosen))
    },
    async watched() {
      const folder = await inForce()
      const holding = folder === null ? [] : await rootsInFolder(folder.path)
      const possible = folder === null ? [] : possibleRoots(folder.path).filter(({ dir }) => dir !== folder.path)
      const external = externalDir === undefined ? [] : [externalDir]
      const startup = folder === null ? [] : [path.join(folder.path, STARTUP_FILE)]
      return [...new Set([deps.userRoot, ...external, ...startup, ...[...holding, ...possible].map(({ dir }) => dir)])]
    },
  }
}

/** Two ways to one folder are one root. */
async function withoutRepeats(roots: readonly Root[]): Promise<Root[]> {
  const seen = new Set<string>()
  const result: Root[] = []
  for (const root of roots) {
    const real = await realOf(root.dir)
    if (seen.has(real)) continue
    seen.add(real)
    result.push(root)
  }
  return result
}

async function realOf(dir: string): Promise<string> {
  try {
    return await realpath(dir)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return path.resolve(dir)
  }
}
