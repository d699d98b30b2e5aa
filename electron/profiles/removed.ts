/** Folders of profiles that were taken away: kept for a while, with whatever else lay in them. */
import { lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'
import { fileTime } from '../storage/index.ts'

import type { Log } from '../contract/index.ts'

const FOLDER = '.removed'
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000
/** `NAME-20261130T205700Z`, with a number behind it where two went in one second. */
const ENTRY = /^[A-Za-z0-9_-]{1,64}-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?$/

/**
 * Renames a folder out of sight, below the same root, so that it stays on the same disk.
 * @returns where it is.
 * @throws CompanionError `storage/failed`.
 */
export async function putAway(dir: string): Promise<string> {
  const bin = path.join(path.dirname(dir), FOLDER)
  return naming(dir, async () => {
    await mkdir(bin, { recursive: true, mode: 0o700 })
    const wanted = path.join(bin, `${path.basename(dir)}-${fileTime(new Date())}`)
    let free = wanted
    for (let count = 2; await exists(free); count += 1) free = `${wanted}-${count}`
    await rename(dir, free)
    return free
  })
}

/** Renames a folder back. @throws CompanionError `storage/conflict` when another one is in its place by now. */
export async function moveFolder(from: string, to: string): Promise<void> {
  const isSameFolder = from.toLowerCase() === to.toLowerCase()
  await naming(from, async () => {
    if ((!isSameFolder && (await exists(to))) || !(await exists(from))) {
      throw new CompanionError('storage/conflict', { path: to })
    }
    await rename(from, to)
    if (path.basename(path.dirname(from)) === FOLDER) await removeIfEmpty(path.dirname(from))
  })
}

/** Takes away for good what was removed more than seven days ago. What cannot be deleted is logged and stays. */
export async function emptyBin(root: string, now: number, log: Log): Promise<void> {
  const bin = path.join(root, FOLDER)
  try {
    const names = await readdir(bin)
    for (const name of names.filter((entry) => (removedAt(entry) ?? now) < now - KEPT_MS)) {
      await rm(path.join(bin, name), { recursive: true, force: true })
    }
    if (names.length > 0) await removeIfEmpty(bin)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (!['ENOENT', 'ENOTDIR'].includes(String(error.code))) {
      log.warn('removed profiles could not be deleted', { path: bin, reason: String(error.code) })
    }
  }
}

/** Milliseconds since 1970, `null` for what is no removed profile. */
function removedAt(name: string): number | null {
  const [, year, month, day, hour, minute, second] = ENTRY.exec(name) ?? []
  if (year === undefined) return null
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

export async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === '') throw error
    return !['ENOENT', 'ENOTDIR'].includes(code)
  }
}

async function removeIfEmpty(dir: string): Promise<void> {
  try {
    await rmdir(dir)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EPERM', 'EACCES', 'EBUSY'].includes(code)) throw error
  }
}

async function naming<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof CompanionError || !(error instanceof Error && 'code' in error)) throw error
    throw new CompanionError('storage/failed', { path: file }, { cause: error })
  }
}
