/** New profiles. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { isProfileName, nameKey } from './names.ts'

import type { Transaction } from '../storage/index.ts'
import type { Listing } from './roots.ts'
import type { NewProfile } from './types.ts'

/**
 * @param except a profile that is about to give its name up.
 * @throws CompanionError `profile/bad-name`, `profile/exists`: also where a folder of that name holds something else.
 */
export async function assertFree(name: string, listing: Listing, root: string, except?: string): Promise<void> {
  if (!isProfileName(name)) throw new CompanionError('profile/bad-name', { name })
  const taken = [...listing.places, ...listing.refused].some(
    (other) => other.name !== except && nameKey(other.name) === nameKey(name),
  )
  if (taken || (await isOccupied(name, root, except))) throw new CompanionError('profile/exists', { name })
}

async function isOccupied(name: string, root: string, except: string | undefined): Promise<boolean> {
  const present = await namesIn(root)
  const same = present.filter((other) => other !== except && nameKey(other) === nameKey(name))
  const held = await Promise.all(same.map((other) => holdsSomething(path.join(root, other))))
  return held.includes(true)
}

async function holdsSomething(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length > 0
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return error.code !== 'ENOENT'
  }
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return []
  }
}

/** Queues the files of a new profile. @throws CompanionError `profile/refused-entry` for a path that would leave its folder. */
export function writeNew(tx: Transaction, root: string, { name, files }: NewProfile): void {
  for (const [file, bytes] of files) {
    const parts = file.split('/')
    const isSafe = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\0-\x1f]/.test(part))
    if (!isSafe) throw new CompanionError('profile/refused-entry', { entry: file, reason: 'a path out of the profile' })
    tx.write(path.join(root, name, ...parts), bytes)
  }
}
