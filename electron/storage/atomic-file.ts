/**
 * Replacing one file so that readers and power cuts see the old or the new content, never a part.
 *
 * The package `write-file-atomic` is not used: it takes a short write (a disk filling up) for a whole one and renames the
 * torn file into place, replaces a dangling symbolic link instead of writing through it, makes up temporary names that a
 * later process could not find and remove, and listens to the signals of the process, which ends a clean quit early.
 */
import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, open, readFile, readlink, realpath, rename, rmdir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'

import type { FileContent } from './types.ts'

/** SHA-256, hex. */
export function digest(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error))
}

export function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b
  return Buffer.compare(a, b) === 0
}

/** `null` when there is no such file. @throws the system's error for anything else. */
export async function readIfPresent(file: string): Promise<Uint8Array | null> {
  try {
    const buffer = await readFile(file)
    return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

export function contentOf(bytes: Uint8Array | null): FileContent | null {
  return bytes === null ? null : { bytes, revision: digest(bytes) }
}

/** Most links that are followed, as Linux does (`path_resolution(7)`). */
const MAX_LINKS = 40

/** The file that a write to `file` has to replace: links resolved, also dangling ones, also below folders yet to be made. */
export async function resolveTarget(file: string, links = 0): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
  const link = await linkOf(file)
  if (link !== null) {
    if (links >= MAX_LINKS) throw Object.assign(new Error(`too many links: ${file}`), { code: 'ELOOP' })
    return resolveTarget(path.resolve(path.dirname(file), link), links + 1)
  }
  const parent = path.dirname(file)
  return parent === file ? file : path.join(await resolveTarget(parent, links), path.basename(file))
}

async function linkOf(file: string): Promise<string | null> {
  try {
    return await readlink(file)
  } catch (error) {
    if (isAbsent(error) || errnoOf(error) === 'EINVAL') return null
    throw error
  }
}

export function tempName(target: string, id: string): string {
  return path.join(path.dirname(target), `.${path.basename(target)}.${id}.tmp`)
}

/**
 * Writes `bytes` to `temp` and to the disk below. Mode and owner are those of `target`, or `mode` for a new file.
 * The file is created exclusively, so that a link planted under that name is not followed.
 */
export async function writeTemp(temp: string, target: string, bytes: Uint8Array, mode: number): Promise<void> {
  await unlinkIfPresent(temp)
  const present = await statIfPresent(target)
  const handle = await open(temp, 'wx', present === null ? mode : present.mode & 0o777)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (present !== null) await copyRights(temp, present)
}

async function copyRights(temp: string, like: { mode: number; uid: number; gid: number }): Promise<void> {
  await chmod(temp, like.mode & 0o7777)
  const own = await stat(temp)
  if (own.uid === like.uid && own.gid === like.gid) return
  try {
    await chown(temp, like.uid, like.gid)
  } catch (error) {
    // Only root may give files away; anyone else who may write here keeps the file as their own.
    if (!['EPERM', 'EINVAL', 'ENOSYS'].includes(errnoOf(error))) throw error
  }
}

async function statIfPresent(file: string): Promise<{ mode: number; uid: number; gid: number } | null> {
  try {
    return await stat(file)
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

export async function unlinkIfPresent(file: string): Promise<void> {
  try {
    await unlink(file)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

/** Virus scanners hold new files open for a moment on Windows, and renaming over them then fails. */
const RENAME_TRIES = process.platform === 'win32' ? 20 : 1
const RENAME_PAUSE_MS = 50

export async function renameOver(from: string, to: string): Promise<void> {
  for (let left = RENAME_TRIES; ; left -= 1) {
    try {
      await rename(from, to)
      return
    } catch (error) {
      if (left <= 1 || !['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, RENAME_PAUSE_MS))
    }
  }
}

/** Makes renames in a directory survive a power cut. Windows offers no such call for directories. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const handle = await open(dir, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    // Some file systems refuse to sync a directory, and some folders may be written but not listed; the rename is made.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EACCES', 'EPERM'].includes(errnoOf(error))) throw error
  }
}

/**
 * Replaces one file by itself, outside of any transaction. A process that dies in between leaves the old content and
 * a hidden temporary file, which the next call replaces. One caller a file at a time.
 * @param mode of a new file.
 * @throws the system's error; the old content is there then.
 */
export async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  const target = await resolveTarget(file)
  const temp = tempName(target, 'new')
  try {
    await writeTemp(temp, target, Buffer.from(content), mode)
    await renameOver(temp, target)
  } catch (error) {
    await unlinkIfPresent(temp)
    throw error
  }
  await syncDirectory(path.dirname(target))
}

async function isDirectory(dir: string): Promise<boolean> {
  try {
    return (await stat(dir)).isDirectory()
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/**
 * Makes a folder and what is missing above it, one by one. Node's `recursive` takes ENOENT for a missing parent and tries
 * again without end where the parent is there but takes no folder, as below Linux' /proc.
 * @throws the system's error.
 */
export async function makeDirectory(dir: string, mode: number): Promise<void> {
  if (await isDirectory(dir)) return
  const parent = path.dirname(dir)
  if (parent !== dir) await makeDirectory(parent, mode)
  try {
    await mkdir(dir, { mode })
  } catch (error) {
    const madeMeanwhile = errnoOf(error) === 'EEXIST' && (await isDirectory(dir))
    if (!madeMeanwhile) throw error
  }
}

/** Folders of the data directory hold conversations and keys: for their owner only. Outside of it the umask decides. */
export async function makeParents(target: string, dataDir: string): Promise<void> {
  await makeDirectory(path.dirname(target), isInside(dataDir, target) ? 0o700 : 0o777)
}

/** Removes folders that became empty, upwards, and never the data directory itself or anything outside of it. */
export async function removeEmptyParents(target: string, dataDir: string): Promise<void> {
  let dir = path.dirname(target)
  while (dir !== dataDir && isInside(dataDir, dir)) {
    try {
      await rmdir(dir)
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error))) return
      throw error
    }
    dir = path.dirname(dir)
  }
}

export function isInside(dir: string, file: string): boolean {
  const relative = path.relative(dir, file)
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

/** A time that may stand in a file name on every system: `20261130T205700Z`. */
export function fileTime(date: Date): string {
  return date.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')
}
