import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

import type { ToolLanguage } from '../../contract/index.ts'
import type { LocalTool } from './types.ts'

const LANGUAGES: Readonly<Record<string, ToolLanguage>> = {
  '.mjs': 'javascript',
  '.js': 'javascript',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.py': 'python',
}

/** A line of tools.txt that a tool's file can be named by. */
const STEM = /^[A-Za-z][\w-]{0,63}$/
/** Files of one folder that are looked at; more is no folder of tools. */
const MOST_FILES = 500

/** What a file's name says; `null` for files that are no tools and are not meant to be. Pure. */
export function toolFileName(name: string): { id: string; language: ToolLanguage } | null {
  const extension = path.extname(name).toLowerCase()
  const language = Object.hasOwn(LANGUAGES, extension) ? LANGUAGES[extension] : undefined
  if (language === undefined || /^[._]/.test(name) || /\.(?:d\.m?ts|test\.\w+)$/.test(name)) return null
  return { id: name.slice(0, -extension.length), language }
}

export interface FoundFile {
  readonly id: string
  readonly path: string
  readonly language: ToolLanguage
  readonly profile: string | null
  readonly bytes: number
  readonly sha256: string
  readonly problem?: LocalTool['problem']
}

interface Digest {
  readonly size: number
  readonly mtime: number
  readonly sha256: string
}

/** Looks for tool files. Digests of files that did not change are remembered, so that looking often is cheap. */
export interface Discovery {
  /** @param profile whose folder it is; `null`: for all profiles. */
  scan(dir: string, profile: string | null): Promise<FoundFile[]>
}

export function createDiscovery(fileBytes: number): Discovery {
  const digests = new Map<string, Digest>()

  const digestOf = async (file: string, size: number, mtime: number): Promise<string> => {
    const known = digests.get(file)
    if (known !== undefined && known.size === size && known.mtime === mtime) return known.sha256
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
    digests.set(file, { size, mtime, sha256 })
    return sha256
  }

  const look = async (dir: string, name: string, profile: string | null): Promise<FoundFile | null> => {
    const named = toolFileName(name)
    if (named === null) return null
    const file = path.join(dir, name)
    const found = { ...named, path: file, profile, bytes: 0, sha256: '' }
    const bad = (reason: string): FoundFile => ({
      ...found,
      problem: { code: 'tools/bad-file', details: { path: file, reason } },
    })
    try {
      if (!STEM.test(named.id)) return bad('its name cannot stand in tools.txt')
      const [real, realDir] = await Promise.all([realpath(file), realpath(dir)])
      if (path.dirname(real) !== realDir) return bad('it is a link to somewhere else')
      const stats = await stat(file)
      const { size, mtimeMs } = stats
      if (!stats.isFile()) return bad('it is no file')
      if (size > fileBytes) return { ...bad(`it is larger than ${Math.round(fileBytes / 1_000_000)} MB`), bytes: size }
      return { ...found, bytes: size, sha256: await digestOf(file, size, mtimeMs) }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (code === '') throw error
      // It went away while it was looked at.
      return code === 'ENOENT' ? null : bad(`it cannot be read (${code})`)
    }
  }

  return {
    async scan(dir, profile) {
      let names: string[]
      try {
        names = (await readdir(dir)).sort().slice(0, MOST_FILES)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : ''
        if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return []
        throw error
      }
      const found = await Promise.all(names.map((name) => look(dir, name, profile)))
      return found.filter((file) => file !== null)
    },
  }
}
