import { realpath, stat } from 'node:fs/promises'

import { CompanionError } from '../contract/index.ts'
import { fileTime } from '../storage/index.ts'

import { readManifest } from './manifest.ts'
import { SEEDS } from './seeds.ts'

import type { SpacesSnapshot } from '../contract/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { SpacesState, StateFiles } from './state.ts'

/** Storage keeps one backup beside the file that it replaced: behind a link, beside what the link leads to. */
async function backupOf(manifest: string): Promise<string> {
  try {
    return `${await realpath(manifest)}.bak`
  } catch (error) {
    if (error instanceof Error && 'code' in error) return `${manifest}.bak`
    throw error
  }
}

type Read = (file: string) => Promise<{ readonly bytes: Uint8Array } | null>

async function readableBackup(read: Read, file: string): Promise<Uint8Array | null> {
  const backup = await readOrNull(read, file)
  return backup !== null && readManifest(backup, { file, hubIsLoopback: false }).state === 'ok' ? backup : null
}

/** `null` also for what the system does not give. */
async function readOrNull(read: Read, file: string): Promise<Uint8Array | null> {
  try {
    return (await read(file))?.bytes ?? null
  } catch (error) {
    if (error instanceof CompanionError && error.code === 'storage/failed') return null
    throw error
  }
}

/** What can be put in the place of a manifest that cannot be read; a backup that is as broken is not offered. */
export async function repairOf(
  state: SpacesState,
  files: StateFiles,
  read: Read,
): Promise<SpacesSnapshot['repair'] | undefined> {
  if (state.readOnly?.code !== 'manifest/unreadable') return undefined
  const file = await backupOf(files.manifest)
  return { backupAt: (await readableBackup(read, file)) === null ? null : (await stat(file)).mtimeMs }
}

/**
 * Puts the backup, or nothing and with it the starting Spaces, in the place of a manifest that cannot be read. The broken
 * file is kept as `NAME.bad-<time>`, written in the same transaction, so that no moment has neither.
 *
 * @throws CompanionError `storage/conflict` when the manifest can be read after all, `manifest/unreadable` when the backup
 * cannot, and the reason why nothing is written otherwise.
 */
export async function restoreIn(
  tx: Transaction,
  storage: Pick<Storage, 'setAside'>,
  files: StateFiles,
  before: SpacesState,
  from: 'backup' | 'start',
  now: number,
): Promise<void> {
  const { readOnly } = before
  if (readOnly === null) throw new CompanionError('storage/conflict', { path: files.manifest })
  if (readOnly.code !== 'manifest/unreadable') throw new CompanionError(readOnly.code, readOnly.details ?? {})
  const read: Read = (file) => tx.read(file)
  const backup = await backupOf(files.manifest)
  const content = from === 'backup' ? await readableBackup(read, backup) : null
  if (from === 'backup' && content === null) throw new CompanionError('manifest/unreadable', { file: backup })

  const broken = await readOrNull(read, files.manifest)
  if (broken === null) await storage.setAside(files.manifest)
  else tx.write(await freeName(read, `${files.manifest}.bad-${fileTime(new Date(now))}`), broken)
  tx.write(files.manifest, content)
  if (from === 'start' && !before.pinsBroken) {
    // Approvals belong to what the servers of the starting Spaces said, which is gone.
    const spaces = Object.entries(before.pins.spaces).filter(([slug]) => !SEEDS.some((seed) => seed.slug === slug))
    if (spaces.length < Object.keys(before.pins.spaces).length) {
      tx.write(files.pins, `${JSON.stringify({ version: 1, spaces: Object.fromEntries(spaces) }, null, 2)}\n`)
    }
  }
}

async function freeName(read: Read, wanted: string): Promise<string> {
  let free = wanted
  for (let count = 2; (await read(free)) !== null; count += 1) free = `${wanted}-${count}`
  return free
}
