import { readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

import { z } from 'zod'

import { CompanionError } from '../../contract/index.ts'

import { cleanLine, readRecording, RECORDING_LIMITS, writeRecording } from './recording.ts'
import { describeMove, SOUND_ENDINGS, storedMove, storedMoveSchema } from './stored.ts'
import { FRAME_SECONDS } from './trajectory.ts'
import { createUndoList } from './undo.ts'

import type { Log, MoveImport } from '../../contract/index.ts'
import type { Receipt, Storage, Transaction } from '../../storage/index.ts'
import type { Frame } from '../kinematics/frame.ts'
import type { Move, MoveSource } from './move.ts'

export interface OwnMovesDeps {
  readonly storage: Pick<Storage, 'path' | 'transact' | 'setAside'>
  readonly log: Log
  readonly onChange: () => void
}

/** What a person wants to keep. */
export interface NewMove {
  readonly title: string
  readonly kind: Move['kind']
  readonly source: 'imported' | 'recorded'
  /** Of the file; else the one in it. */
  readonly description?: string
  readonly bytes: Uint8Array
  readonly sound?: { readonly ending: string; readonly bytes: Uint8Array } | undefined
}

/** Moves of the person's own, in `moves/` of the data directory. */
export interface OwnMoves extends MoveSource {
  /** @throws CompanionError `move/*`, `storage/*`. */
  add(move: NewMove): Promise<{ name: string; undoId: string }>
  /**
   * Takes over a file, or all moves of a folder (and its `data/`) with their sounds. One that is taken gets a number; what
   * cannot be read is told beside the others. @throws CompanionError `storage/*`.
   */
  import(place: string, kind: Move['kind']): Promise<MoveImport>
  /** @throws CompanionError `move/not-yours`, `move/bad-name`, `move/exists`, `storage/*`. */
  rename(name: string, to: string): Promise<{ name: string; undoId: string }>
  /** @throws CompanionError `move/not-yours`, `storage/*`. */
  remove(name: string): Promise<{ undoId: string }>
  /** @throws CompanionError `app/cancelled` when it is too late, `storage/conflict` when it changed since. */
  undo(undoId: string): Promise<void>
}

const PREFIX = 'mine'
const CATALOGUE = 'moves.json'
const MOST_MOVES = 500
const MOST_FILES = 1_000
const LARGEST_SOUND = 20_000_000
const entrySchema = storedMoveSchema.extend({ source: z.enum(['imported', 'recorded']) })
const catalogueSchema = z.object({ version: z.literal(1), moves: z.array(entrySchema) })
type Entry = z.infer<typeof entrySchema>

const TITLE = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,59}$/u
/** Names of devices, which are no names of files on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** The title that a name becomes: lower case, dashes for spaces. @throws CompanionError `move/bad-name`. */
export function titleFrom(text: string): string {
  const title = text.normalize('NFC').trim().toLowerCase().replace(/\s+/g, '-')
  // `moves` is the catalogue's own name.
  if (TITLE.test(title) && !DEVICE.test(title) && title !== 'moves') return title
  throw new CompanionError('move/bad-name', { text: cleanLine(text).slice(0, 60) })
}

export function createOwnMoves({ storage, log, onChange }: OwnMovesDeps): OwnMoves {
  const undos = createUndoList()
  const catalogue = storage.path('moves', CATALOGUE)
  const dir = path.dirname(catalogue)
  let listed: readonly Move[] | null = null

  const playable = (entries: readonly Entry[]): Move[] =>
    entries.map((entry) => storedMove(entry, { dir, source: entry.source, prefix: PREFIX, log }))
  const load = (): readonly Move[] => {
    let bytes: Uint8Array
    try {
      bytes = readFileSync(catalogue)
    } catch {
      return []
    }
    const entries = entriesIn(bytes)
    if (entries === null) log.error('the list of own moves cannot be read', { file: catalogue })
    return playable(entries ?? [])
  }

  const show = (): void => {
    listed = null
    onChange()
  }

  /** Changes the catalogue and files together. */
  const write = async <T>(
    label: string,
    edit: (entries: Entry[], tx: Transaction) => Promise<T>,
  ): Promise<{ value: T; before: readonly Entry[]; after: readonly Entry[]; files: Receipt['changes'] }> => {
    const { value, receipt } = await storage.transact(label, async (tx) => {
      const file = await tx.read(catalogue)
      const found = file === null ? [] : entriesIn(file.bytes)
      if (found === null) log.warn('the list of own moves was set aside', { as: await storage.setAside(catalogue) })
      const entries = [...(found ?? [])]
      const result = await edit(entries, tx)
      entries.sort((a, b) => (a.title < b.title ? -1 : 1))
      tx.write(catalogue, `${JSON.stringify({ version: 1, moves: entries }, null, 1)}\n`)
      return { value: result, before: found ?? [], after: entries }
    })
    show()
    return { ...value, files: receipt.changes.filter((one) => !one.path.endsWith(`${path.sep}${CATALOGUE}`)) }
  }

  /** The same, and what takes it back: also after other moves were changed, as long as these files are as they were. */
  const change = async <T>(
    label: string,
    edit: (entries: Entry[], tx: Transaction) => Promise<T>,
  ): Promise<[T, string]> => {
    const { value, before, after, files } = await write(label, edit)
    const has = (list: readonly Entry[], entry: Entry): boolean =>
      list.some(({ title, sha256 }) => title === entry.title && sha256 === entry.sha256)
    const gone = before.filter((entry) => !has(after, entry))
    const added = after.filter((entry) => !has(before, entry))
    const undoId = undos.add(async () => {
      await write(`undo: ${label}`, async (entries, tx) => {
        for (const entry of added) {
          const place = entries.findIndex((one) => has([one], entry))
          if (place < 0) throw new CompanionError('storage/conflict', { path: entry.file })
          entries.splice(place, 1)
        }
        for (const entry of gone) {
          if (entries.some(({ title }) => title === entry.title)) {
            throw new CompanionError('move/exists', { name: entry.title })
          }
          entries.push(entry)
        }
        for (const file of files) {
          const now = await tx.read(file.path)
          if (!sameBytes(now?.bytes ?? null, file.after))
            throw new CompanionError('storage/conflict', { path: file.path })
          tx.write(file.path, file.before)
        }
      })
    })
    return [value, undoId]
  }

  const put = (entries: Entry[], tx: Transaction, move: NewMove): string => {
    const title = titleFrom(move.title)
    if (entries.some((entry) => entry.title === title)) throw new CompanionError('move/exists', { name: title })
    if (entries.length >= MOST_MOVES)
      throw new CompanionError('move/too-large', { name: title, limit: `${MOST_MOVES}` })
    const bytes = tidy(title, move)
    const file = `${title}.json`
    const sound = move.sound === undefined ? undefined : `${title}.${move.sound.ending}`
    const family = move.kind === 'dance' ? 'dance' : 'other'
    const { notes } = readRecording(title, move.bytes)
    entries.push({
      ...describeMove(bytes, { title, file, kind: move.kind, family, sound }),
      notes: [...notes],
      source: move.source,
    })
    tx.write(path.join(dir, file), bytes)
    if (sound !== undefined && move.sound !== undefined) tx.write(path.join(dir, sound), move.sound.bytes)
    return title
  }
  const own = (entries: readonly Entry[], name: string): Entry => {
    const found = entries.find((entry) => `${PREFIX}:${entry.title}` === name)
    if (found === undefined) throw new CompanionError('move/not-yours', { name })
    return found
  }

  return {
    moves() {
      listed ??= load()
      return listed
    },
    async add(move) {
      const [title, undoId] = await change(`keep move ${move.title}`, async (entries, tx) => put(entries, tx, move))
      return { name: `${PREFIX}:${title}`, undoId }
    },
    async import(place, kind) {
      const { moves, problems } = await readPlace(place, kind)
      if (moves.length === 0) return { imported: [], problems }
      const [imported, undoId] = await change('import moves', async (entries, tx) => {
        const names: string[] = []
        for (const { file, move } of moves) {
          try {
            names.push(`${PREFIX}:${put(entries, tx, { ...move, title: freeTitle(entries, titleFrom(move.title)) })}`)
          } catch (error) {
            if (!(error instanceof CompanionError)) throw error
            problems.push({ file, code: error.code, details: error.details })
          }
        }
        return names
      })
      return { imported, problems, ...(imported.length === 0 ? {} : { undoId }) }
    },
    async rename(name, to) {
      const title = titleFrom(to)
      const [, undoId] = await change(`rename move ${name}`, async (entries, tx) => {
        const entry = own(entries, name)
        if (entry.title === title) return
        if (entries.some((one) => one.title === title)) throw new CompanionError('move/exists', { name: title })
        const renamed = { ...entry, title, file: `${title}.json` }
        await moveFile(tx, path.join(dir, entry.file), path.join(dir, renamed.file))
        if (entry.sound !== undefined) {
          renamed.sound = title + path.extname(entry.sound)
          await moveFile(tx, path.join(dir, entry.sound), path.join(dir, renamed.sound))
        }
        entries.splice(entries.indexOf(entry), 1, renamed)
      })
      return { name: `${PREFIX}:${title}`, undoId }
    },
    async remove(name) {
      const [, undoId] = await change(`remove move ${name}`, async (entries, tx) => {
        const entry = own(entries, name)
        entries.splice(entries.indexOf(entry), 1)
        for (const file of [entry.file, entry.sound]) if (file !== undefined) await dropFile(tx, path.join(dir, file))
      })
      return { undoId }
    },
    undo: (undoId) => undos.undo(undoId),
  }
}

function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0
}

function entriesIn(bytes: Uint8Array): Entry[] | null {
  try {
    const parsed = catalogueSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
    return parsed.success ? parsed.data.moves : null
  } catch {
    return null
  }
}

/** What was put right stays right: the file is written anew, sample by sample at 50 Hz. */
function tidy(title: string, { bytes, description }: NewMove): Uint8Array {
  const recording = readRecording(title, bytes)
  const count = Math.round(recording.duration / FRAME_SECONDS)
  const frames = Array.from({ length: count + 1 }, (_, k) => {
    const frame: Frame = new Float64Array(9)
    recording.sample(k * FRAME_SECONDS, frame)
    return frame
  })
  const text = writeRecording(cleanLine(description ?? recording.description), frames, FRAME_SECONDS)
  return new TextEncoder().encode(text)
}

function freeTitle(entries: readonly Entry[], title: string): string {
  const taken = new Set(entries.map((entry) => entry.title))
  for (let n = 2, next = title; ; n++) {
    if (!taken.has(next)) return next
    next = `${title.slice(0, 55)}-${n}`
  }
}

async function moveFile(tx: Transaction, from: string, to: string): Promise<void> {
  const file = await tx.read(from)
  if (file === null) return
  tx.write(to, file.bytes)
  tx.write(from, null)
}

async function dropFile(tx: Transaction, file: string): Promise<void> {
  if ((await tx.read(file)) !== null) tx.write(file, null)
}

interface Found {
  readonly moves: { readonly file: string; readonly move: NewMove }[]
  readonly problems: MoveImport['problems']
}

async function readPlace(place: string, kind: Move['kind']): Promise<Found> {
  const found: Found = { moves: [], problems: [] }
  for (const file of await filesOf(place)) {
    const name = path.basename(file)
    const title = name.slice(0, -path.extname(name).length)
    try {
      const { size } = await stat(file)
      if (size > RECORDING_LIMITS.bytes) {
        throw new CompanionError('move/too-large', { name: title, limit: `${RECORDING_LIMITS.bytes / 1_000_000} MB` })
      }
      const bytes = new Uint8Array(await readFile(file))
      // Refused here, one by one, before anything is written.
      readRecording(title, bytes)
      titleFrom(title)
      found.moves.push({ file: name, move: { title, kind, source: 'imported', bytes, sound: await soundBeside(file) } })
    } catch (error) {
      const failure =
        error instanceof CompanionError ? error : new CompanionError('storage/failed', { path: file }, { cause: error })
      found.problems.push({ file: name, code: failure.code, details: failure.details })
    }
  }
  return found
}

/** The file itself, or the moves of a folder: at its root and in `data/`, as in a dataset. */
async function filesOf(place: string): Promise<string[]> {
  try {
    if (!(await stat(place)).isDirectory()) return [place]
    const names = await readdir(place)
    const inData = names.includes('data')
      ? (await readdir(path.join(place, 'data'))).map((name) => path.join('data', name))
      : []
    return [...names, ...inData]
      .filter((name) => name.endsWith('.json') && !path.basename(name).startsWith('.'))
      .sort()
      .slice(0, MOST_FILES)
      .map((name) => path.join(place, name))
  } catch (error) {
    throw new CompanionError('storage/failed', { path: place }, { cause: error })
  }
}

/** The sound of a move, where it has one that can be read. */
async function soundBeside(file: string): Promise<NewMove['sound']> {
  const stem = file.slice(0, -'.json'.length)
  for (const ending of SOUND_ENDINGS) {
    try {
      const { size } = await stat(`${stem}.${ending}`)
      if (size <= LARGEST_SOUND) return { ending, bytes: new Uint8Array(await readFile(`${stem}.${ending}`)) }
    } catch {
      // Most moves have one kind of sound, or none.
    }
  }
  return undefined
}
