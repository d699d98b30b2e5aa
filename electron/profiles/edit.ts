/** Changes to profiles inside a transaction. */
import { constants } from 'node:fs'
import { access, readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { readMdInside, writeMdInside } from './formats/md-place.ts'
import { refuseNoText } from './profile-files.ts'
import { FILE_NAMES } from './roots.ts'
import { decodeText, isBelow, readTextFile } from './text-file.ts'
import { appendTools, ownTools, renameTools, stripTools } from './tools-file.ts'

import type { Transaction } from '../storage/index.ts'
import type { FileName, Place } from './roots.ts'
import type { TextFile } from './text-file.ts'

/** Nothing in a profile is larger; a film that lies in its folder would have to pass through memory. */
const MAX_COPIED_BYTES = 10_000_000

/** The profile as the transaction sees it, and where it is to be written. */
export interface Editable {
  readonly name: string
  readonly root: string
  /** The folder in force now. */
  readonly from: string
  /** The folder that is written: another one for a shipped profile, which is copied first. */
  readonly to: string
  readonly place: Place
}

/** @param userRoot folder of the user's profiles, where a shipped one is copied to under its name. */
export async function editable(tx: Transaction, place: Place, userRoot: string): Promise<Editable> {
  const { name, root, dir } = place
  if (place.source !== 'shipped') return { name, root, from: dir, to: dir, place }
  const copy = path.join(userRoot, name)
  if (await isCopied(tx, copy)) return { name, root: userRoot, from: copy, to: copy, place }
  return { name, root, from: dir, to: copy, place }
}

/** Perhaps a moment ago in this same transaction, when nothing of it is on the disk yet. */
async function isCopied(tx: Transaction, dir: string): Promise<boolean> {
  const contents = await Promise.all(FILE_NAMES.map((file) => tx.read(path.join(dir, file))))
  return contents.some((content) => content !== null)
}

/** The file with what the transaction has written to it so far. */
export async function readInside(tx: Transaction, profile: Editable, file: FileName): Promise<TextFile> {
  if (profile.place.format === 'profile-md') return readMdInside(tx, profile.place, file)
  const full = path.join(profile.from, file)
  const onDisk = await readTextFile(full, profile.root)
  if (onDisk.state === 'unreadable') return onDisk
  const content = await tx.read(full)
  return content === null ? { state: 'absent' } : decodeText(content.bytes)
}

/**
 * Writes one file of a profile; a shipped profile is copied whole, byte for byte, first.
 * @param text `null`: takes the file away.
 */
export async function writeInside(
  tx: Transaction,
  profile: Editable,
  file: FileName,
  text: string | null,
): Promise<string> {
  if (profile.place.format === 'profile-md') return writeMdInside(tx, profile.place, file, text)
  if (profile.from !== profile.to && !(await isCopied(tx, profile.to))) {
    await copyFolder(tx, profile.from, profile.to, profile.root)
  }
  const full = path.join(profile.to, file)
  tx.write(full, text, { keepBackup: true })
  return full
}

/** What saving and repairing left beside the files. */
const LEFTOVER = /\.bak$|\.bad-\d{8}T\d{6}Z(?:-\d+)?$/

/** Queues a copy of every file; backups and what was set aside stay behind. @throws CompanionError `profile/unreadable`. */
export async function copyFolder(tx: Transaction, from: string, to: string, root: string): Promise<void> {
  const realRoot = await naming(root, () => realpath(root))
  for (const name of await naming(from, () => readdir(from))) {
    if (name.startsWith('.') || LEFTOVER.test(name)) continue
    const file = path.join(from, name)
    const found = await naming(file, () => stat(file))
    if (!isBelow(realRoot, await naming(file, () => realpath(file)))) throw unreadable(file, 'a link out of the profiles')
    if (found.isDirectory()) await copyFolder(tx, file, path.join(to, name), root)
    else if (!found.isFile() || found.size > MAX_COPIED_BYTES) throw unreadable(file, 'larger than 10 MB or no file')
    else tx.write(path.join(to, name), await naming(file, () => readFile(file)))
  }
}

async function naming<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw unreadable(file, String(error.code), error)
    throw error
  }
}

function unreadable(file: string, reason: string, cause?: unknown): CompanionError {
  return new CompanionError('profile/unreadable', { name: path.basename(path.dirname(file)), file, reason }, { cause })
}

export interface ListChange {
  readonly ids: string[]
  /** The tools.txt that was written, or the one in force when nothing changed. */
  readonly path: string
}

/**
 * @param inherited text of the list that a profile without tools.txt has.
 * @throws CompanionError `profile/read-only`; `profile/not-utf8`, `profile/unreadable` for a list that is no text.
 */
export async function enableTools(
  tx: Transaction,
  profile: Editable,
  ids: readonly string[],
  inherited: string,
): Promise<ListChange> {
  const { text, added } = appendTools(await listText(tx, profile, inherited), ids)
  return { ids: added, path: await writeList(tx, profile, text, added.length > 0) }
}

/** @throws CompanionError as {@link enableTools}. */
export async function disableTools(
  tx: Transaction,
  profile: Editable,
  matches: (id: string) => boolean,
  inherited: string,
): Promise<ListChange> {
  const { text, removed } = stripTools(await listText(tx, profile, inherited), matches)
  return { ids: removed, path: await writeList(tx, profile, text, removed.length > 0) }
}

/** @throws CompanionError as {@link enableTools}, `tools/bad-tool-name`. */
export async function renameListed(
  tx: Transaction,
  profile: Editable,
  names: ReadonlyMap<string, string>,
): Promise<ListChange> {
  const { text, renamed } = renameTools(await listText(tx, profile, ''), names)
  return { ids: renamed, path: await writeList(tx, profile, text, renamed.length > 0) }
}

async function listText(tx: Transaction, profile: Editable, inherited: string): Promise<string> {
  const list = await readInside(tx, profile, 'tools.txt')
  if (list.state === 'ok') return list.text
  refuseNoText(profile.name, 'tools.txt', list)
  return ownTools(inherited)
}

async function writeList(tx: Transaction, profile: Editable, text: string, changed: boolean): Promise<string> {
  return changed ? writeInside(tx, profile, 'tools.txt', text) : path.join(profile.from, 'tools.txt')
}

/** Whether files can be replaced in this folder. */
export async function isWritableFolder(dir: string): Promise<boolean> {
  try {
    await access(dir, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return false
  }
}
