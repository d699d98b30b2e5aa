import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { z } from 'zod'

import { CompanionError } from '../../contract/index.ts'
import { isWhole } from '../../hub/index.ts'
import { replaceFile } from '../../storage/index.ts'

import { familyOf } from './families.ts'
import { describeMove, SOUND_ENDINGS, STEM, storedMove, storedMoveSchema } from './stored.ts'

import type { Log, MoveLibraryState, Problem } from '../../contract/index.ts'
import type { DatasetFile, DatasetTree, Hub } from '../../hub/index.ts'
import type { Move, MoveSource } from './move.ts'
import type { StoredMove } from './stored.ts'

/** Where the official recorded moves lie. Nothing of them is shipped: they are fetched when the person asks. */
export const LIBRARIES = [
  { id: 'emotions', dataset: 'pollen-robotics/reachy-mini-emotions-library', kind: 'emotion' },
  { id: 'dances', dataset: 'pollen-robotics/reachy-mini-dances-library', kind: 'dance' },
] as const
export type LibraryId = (typeof LIBRARIES)[number]['id']

export interface LibrariesDeps {
  /** Folder of their own, made when needed. */
  readonly dir: string
  readonly hub: Pick<Hub, 'dataset' | 'datasetFile'>
  readonly log: Log
  /** Moves or the state of a library changed. */
  readonly onChange: () => void
}

/** Libraries of recorded moves: what is here, and fetching, keeping and removing it. */
export interface Libraries extends MoveSource {
  list(): MoveLibraryState[]
  /**
   * Fetches what is missing of a library. Only files that arrived whole are kept; the one that is here stays in use until
   * the new one is complete. A library keeps to the commit that it was first fetched at.
   * @param options `newest`: take the commit that the dataset is at now
   * @throws CompanionError `library/*`, `hub/*`, `storage/failed`, `app/cancelled`. The state tells it too.
   */
  download(id: string, options?: { newest?: boolean }): Promise<void>
  /** Ends a download; what arrived stays for the next one. */
  cancel(id: string): void
  /** Takes a library off this computer, and what a download left. */
  remove(id: string): Promise<void>
  /** Ends all downloads. */
  dispose(): Promise<void>
}

const currentSchema = z.object({ revision: z.string().regex(/^[0-9a-f]{40}$/), bytes: z.number() })
const indexSchema = z.object({ version: z.literal(1), moves: z.array(storedMoveSchema).max(2_000) })
const CURRENT = 'current.json'
const INDEX = 'index.json'
/** Folder of a download that is not complete; its commit follows. */
const PART = 'part-'

/** The official ones have 170 files and some 60 MB. */
const MOST_FILES = 2_000
const MOST_BYTES = 300_000_000
const LARGEST = { json: 32_000_000, sound: 60_000_000 }
/** The Hub is asked for four things at once at most: one stays free for what a person does meanwhile. */
const AT_ONCE = 3
const PROGRESS_MS = 200

interface Download {
  readonly cancel: AbortController
  readonly ended: Promise<void>
  done: number
  total: number
}

interface Shelf {
  readonly id: LibraryId
  readonly dataset: string
  readonly kind: Move['kind']
  readonly dir: string
  current: { revision: string; bytes: number; moves: readonly Move[] } | null
  download: Download | null
  problem: Problem | null
  resumable: boolean
}

export function createLibraries(deps: LibrariesDeps): Libraries {
  const { hub, log, onChange } = deps
  let shelves: readonly Shelf[] | null = null
  let listed: readonly Move[] = []

  const all = (): readonly Shelf[] => {
    if (shelves !== null) return shelves
    shelves = LIBRARIES.map((library) => openShelf({ ...library, dir: path.join(deps.dir, library.id) }, log))
    listed = shelves.flatMap(({ current }) => current?.moves ?? [])
    return shelves
  }
  const shelfOf = (id: string): Shelf => {
    const found = all().find((shelf) => shelf.id === id)
    if (found === undefined) throw new CompanionError('library/unknown', { id: id.slice(0, 100) })
    return found
  }
  const changed = (): void => {
    listed = all().flatMap(({ current }) => current?.moves ?? [])
    onChange()
  }

  const fetchAll = async (shelf: Shelf, newest: boolean, progress: Download): Promise<void> => {
    const { signal } = progress.cancel
    if (shelf.current !== null && !newest) return
    const tree = await treeOf(shelf, newest, signal)
    if (shelf.current?.revision === tree.revision) return
    const wanted = wantedFiles(tree, shelf.dataset)
    progress.total = wanted.reduce((sum, { bytes }) => sum + bytes, 0)
    const part = path.join(shelf.dir, PART + tree.revision)
    await clear(shelf.dir, [CURRENT, path.basename(part), shelf.current?.revision ?? ''])
    await mkdir(path.join(part, 'data'), { recursive: true })
    shelf.resumable = true

    let toldAt = 0
    const arrived = (count: number): void => {
      progress.done += count
      if (Date.now() - toldAt < PROGRESS_MS) return
      toldAt = Date.now()
      onChange()
    }
    await eachOf(wanted, AT_ONCE, async (file) => {
      if (await isHere(path.join(part, file.path), file)) return arrived(file.bytes)
      const bytes = await hub.datasetFile(shelf.dataset, tree.revision, file, signal, arrived)
      await writeWhole(path.join(part, file.path), bytes)
    })
    await indexAll(shelf, wanted, part, signal, log)
    await finish(shelf, tree, part, progress.total)
  }

  /** The commit of a download that was begun, while the dataset still has it; else what it is now. */
  const treeOf = async ({ dir, dataset }: Shelf, newest: boolean, signal: AbortSignal): Promise<DatasetTree> => {
    const begun = newest ? undefined : partOf(dir)
    if (begun === undefined) return hub.dataset(dataset, 'main', signal)
    try {
      return await hub.dataset(dataset, begun, signal)
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'library/not-found') throw error
      return hub.dataset(dataset, 'main', signal)
    }
  }

  const finish = async (shelf: Shelf, tree: DatasetTree, part: string, bytes: number): Promise<void> => {
    const final = path.join(shelf.dir, tree.revision)
    await rm(final, { recursive: true, force: true })
    await rename(part, final)
    await replaceFile(path.join(shelf.dir, CURRENT), JSON.stringify({ revision: tree.revision, bytes }), 0o600)
    const moves = readIndex(shelf, tree.revision, log)
    shelf.current = { revision: tree.revision, bytes, moves: moves ?? [] }
    shelf.resumable = false
    await clear(shelf.dir, [CURRENT, tree.revision])
  }

  const begin = (shelf: Shelf, newest: boolean): Download => {
    const cancel = new AbortController()
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const progress: Download = { cancel, ended, done: 0, total: 0 }
    shelf.download = progress
    shelf.problem = null
    onChange()
    const run = async (): Promise<void> => {
      try {
        await fetchAll(shelf, newest, progress)
      } catch (error) {
        const failure = await failed(shelf, error, log)
        if (failure.code !== 'app/cancelled') shelf.problem = { code: failure.code, details: failure.details }
        throw failure
      } finally {
        shelf.download = null
        end()
        changed()
      }
    }
    running.set(progress, run())
    return progress
  }
  const running = new Map<Download, Promise<void>>()

  return {
    moves() {
      all()
      return listed
    },
    list: () =>
      all().map(({ id, dataset, kind, current, download, problem, resumable }) => ({
        id,
        dataset,
        kind,
        state: current === null ? 'absent' : 'ready',
        moves: current?.moves.length ?? 0,
        bytes: current?.bytes ?? 0,
        resumable: resumable && download === null,
        ...(current === null ? {} : { revision: current.revision }),
        ...(download === null ? {} : { progress: { done: download.done, total: download.total } }),
        ...(problem === null ? {} : { problem }),
      })),
    async download(id, { newest = false } = {}) {
      const shelf = shelfOf(id)
      const download = shelf.download ?? begin(shelf, newest)
      try {
        await running.get(download)
      } finally {
        running.delete(download)
      }
    },
    cancel(id) {
      shelfOf(id).download?.cancel.abort()
    },
    async remove(id) {
      const shelf = shelfOf(id)
      const { download } = shelf
      download?.cancel.abort()
      await download?.ended
      shelf.current = null
      shelf.problem = null
      shelf.resumable = false
      try {
        await rm(shelf.dir, { recursive: true, force: true })
      } catch (error) {
        throw new CompanionError('storage/failed', { path: shelf.dir }, { cause: error })
      } finally {
        changed()
      }
    },
    async dispose() {
      const downloads = (shelves ?? []).flatMap(({ download }) => download ?? [])
      for (const { cancel } of downloads) cancel.abort()
      await Promise.all(downloads.map(({ ended }) => ended))
    },
  }
}

/**
 * The moves of a dataset and their sounds: at its root or in `data/`, by names that stay in the folder they are put into.
 * @throws CompanionError `library/no-moves`, `library/too-large`.
 */
export function wantedFiles({ files }: DatasetTree, id: string): DatasetFile[] {
  const parsed = files.flatMap((file) => {
    const [, folder = '', stem = '', ending = ''] = /^(data\/)?([^/]+)\.([a-z0-9]{3,4})$/.exec(file.path) ?? []
    return STEM.test(stem) ? [{ file, folder, stem, ending }] : []
  })
  const moves = parsed.filter(({ ending, file }) => ending === 'json' && file.bytes <= LARGEST.json)
  const names = new Set(moves.map(({ folder, stem }) => folder + stem))
  const sounds = parsed.filter(
    ({ folder, stem, ending, file }) =>
      SOUND_ENDINGS.includes(ending) && names.has(folder + stem) && file.bytes <= LARGEST.sound,
  )
  const wanted = [...moves, ...sounds].map(({ file }) => file)
  const bytes = wanted.reduce((sum, file) => sum + file.bytes, 0)
  if (moves.length === 0) throw new CompanionError('library/no-moves', { id })
  if (wanted.length > MOST_FILES || bytes > MOST_BYTES) {
    throw new CompanionError('library/too-large', { id, limit: `${MOST_BYTES / 1_000_000} MB` })
  }
  return wanted
}

function openShelf(library: Pick<Shelf, 'id' | 'dataset' | 'kind' | 'dir'>, log: Log): Shelf {
  const shelf: Shelf = { ...library, current: null, download: null, problem: null, resumable: false }
  shelf.resumable = partOf(shelf.dir) !== undefined
  let text: string
  try {
    text = readFileSync(path.join(shelf.dir, CURRENT), 'utf8')
  } catch {
    return shelf
  }
  const current = currentSchema.safeParse(jsonOrNull(text))
  const moves = current.success ? readIndex(shelf, current.data.revision, log) : null
  if (current.success && moves !== null) shelf.current = { ...current.data, moves }
  else log.warn('a library of moves has to be fetched anew', { id: shelf.id })
  return shelf
}

/** Commit of a download that was begun. */
function partOf(dir: string): string | undefined {
  try {
    return readdirSync(dir)
      .find((name) => name.startsWith(PART))
      ?.slice(PART.length)
  } catch {
    return undefined
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function readIndex({ id, dir }: Shelf, revision: string, log: Log): readonly Move[] | null {
  const folder = path.join(dir, revision)
  let text: string
  try {
    text = readFileSync(path.join(folder, INDEX), 'utf8')
  } catch {
    return null
  }
  const index = indexSchema.safeParse(jsonOrNull(text))
  if (!index.success) return null
  return index.data.moves.map((move) => storedMove(move, { dir: folder, source: id, prefix: id, log }))
}

/** Reads every move once and writes down what a list needs. A broken one is left out and logged. */
async function indexAll(
  { id, dataset, kind }: Shelf,
  files: readonly DatasetFile[],
  part: string,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const paths = new Set(files.map((file) => file.path))
  const moves: StoredMove[] = []
  const titles = new Set<string>()
  for (const { path: file } of files) {
    if (!file.endsWith('.json')) continue
    if (signal.aborted) throw new CompanionError('app/cancelled')
    // The control loop has its turn between two moves.
    await new Promise((resolve) => setImmediate(resolve))
    const base = file.slice(0, -'.json'.length)
    const title = path.posix.basename(base)
    const sound = SOUND_ENDINGS.map((ending) => `${base}.${ending}`).find((name) => paths.has(name))
    try {
      if (titles.has(title)) throw new Error('twice in the dataset')
      const family = kind === 'dance' ? 'dance' : familyOf(title)
      moves.push(describeMove(await readFile(path.join(part, file)), { title, file, kind, family, sound }))
      titles.add(title)
    } catch (error) {
      log.warn('a move of a library was left out', { id, file, error: String(error) })
    }
  }
  if (moves.length === 0) throw new CompanionError('library/no-moves', { id: dataset })
  moves.sort((a, b) => (a.title < b.title ? -1 : 1))
  await replaceFile(path.join(part, INDEX), JSON.stringify({ version: 1, moves }), 0o600)
}

async function isHere(file: string, { bytes, digest }: DatasetFile): Promise<boolean> {
  try {
    const content = await readFile(file)
    return isWhole(content, { bytes, digest })
  } catch {
    return false
  }
}

/** A file that is there is whole. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const temp = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(temp, bytes, { mode: 0o600 })
    await rename(temp, file)
  } catch (error) {
    await rm(temp, { force: true })
    throw error
  }
}

/** Removes everything of a library's folder but these. */
async function clear(dir: string, keep: readonly string[]): Promise<void> {
  let names: string[]
  try {
    names = readdirSync(dir)
  } catch {
    return
  }
  for (const name of names) {
    if (!keep.includes(name)) await rm(path.join(dir, name), { recursive: true, force: true })
  }
}

async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  let broken = false
  const worker = async (): Promise<void> => {
    while (!broken && next < items.length) {
      const item = items[next++] as T
      try {
        await work(item)
      } catch (error) {
        broken = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  const failure = workers.find((one) => one.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

/** What went wrong, in our words; a full disk gets back what the download took of it. */
async function failed(shelf: Shelf, error: unknown, log: Log): Promise<CompanionError> {
  if (error instanceof CompanionError) return error
  log.warn('a library of moves could not be kept', { id: shelf.id, error: String(error) })
  const full = error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))
  const part = partOf(shelf.dir)
  if (full && part !== undefined) {
    await rm(path.join(shelf.dir, PART + part), { recursive: true, force: true })
    shelf.resumable = false
  }
  return new CompanionError('storage/failed', { path: shelf.dir }, { cause: error })
}
