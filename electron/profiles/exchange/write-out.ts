/** Puts an export where the person wants it: all of it, or nothing. */
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'

type Files = ReadonlyMap<string, Uint8Array>

/** @throws CompanionError `storage/failed`, with everything as it was. */
async function staged(out: string, make: (folder: string) => Promise<string>): Promise<void> {
  const parent = path.dirname(out)
  let folder: string | undefined
  try {
    await mkdir(parent, { recursive: true })
    folder = await mkdtemp(path.join(parent, '.export-'))
    await rename(await make(folder), out)
  } catch (error) {
    if (error instanceof CompanionError) throw error
    throw new CompanionError('storage/failed', { path: out }, { cause: error })
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** What lies there already; `null`: nothing. */
async function present(out: string): Promise<'folder' | 'empty' | 'file' | null> {
  try {
    if (!(await stat(out)).isDirectory()) return 'file'
    return (await readdir(out)).length > 0 ? 'folder' : 'empty'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // Below a file nothing is there; making it fails with the right words.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** Makes the folder `out`. @throws CompanionError `profile/exists` when it is there and holds something. */
export async function writeFolder(out: string, files: Files): Promise<void> {
  const there = await present(out)
  if (there === 'folder' || there === 'file') throw new CompanionError('profile/exists', { name: out })
  await staged(out, async (folder) => {
    const made = path.join(folder, 'profile')
    await mkdir(made)
    for (const [name, bytes] of files) await writeFile(path.join(made, name), bytes)
    return made
  })
}

/**
 * Writes a zip with all files in one folder of the profile's name.
 * @param replace a file of this name, which the person agreed to.
 * @throws CompanionError `profile/exists`.
 */
export async function writeZip(out: string, name: string, files: Files, replace: boolean): Promise<void> {
  const there = await present(out)
  if (there !== null && !(there === 'file' && replace)) throw new CompanionError('profile/exists', { name: out })
  const { zipSync } = await import('fflate')
  const packed = zipSync(Object.fromEntries([...files].map(([file, bytes]) => [`${name}/${file}`, bytes])))
  await staged(out, async (folder) => {
    const made = path.join(folder, 'profile.zip')
    await writeFile(made, packed)
    return made
  })
}
