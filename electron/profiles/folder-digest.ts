/** Noticing that something in a folder changed, without reading it. */
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

import type { Stats } from 'node:fs'

/** A tool may bring a folder of its own. */
const DEPTH = 2
const MAX_ENTRIES = 500

/** Names, sizes and times of the files in a folder and the folders in it; empty where it cannot be listed. */
export async function folderDigest(dir: string, depth = DEPTH): Promise<string> {
  const names = await listed(dir)
  const parts = await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .sort()
      .slice(0, MAX_ENTRIES)
      .map(async (name) => {
        const found = await lstatIfPresent(path.join(dir, name))
        if (found === null) return ''
        if (!found.isDirectory()) return `${name} ${found.size} ${found.mtimeMs}`
        return `${name}/ ${depth > 1 ? await folderDigest(path.join(dir, name), depth - 1) : ''}`
      }),
  )
  return parts.join('\n')
}

async function listed(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return []
  }
}

async function lstatIfPresent(file: string): Promise<Stats | null> {
  try {
    return await lstat(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return null
  }
}
