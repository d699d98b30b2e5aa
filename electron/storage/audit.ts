/** `audit.jsonl`: one record a line, each holding the hash of the one before it. */
import { open, readFile } from 'node:fs/promises'

import { z } from 'zod'

import { digest, errnoOf, isAbsent } from './atomic-file.ts'

import type { Log } from '../contract/index.ts'
import type { Audit, AuditCheck, AuditEntry, AuditRecord } from './types.ts'
import type { FileHandle } from 'node:fs/promises'

/** `prev` of the first record. */
export const NO_RECORD = '0'.repeat(64)
/** Bytes of the end of the file that hold the last record for certain: previews are capped where entries are made. */
const TAIL = 65_536
/** Entries that wait for a disk that does not answer; more are counted as lost. */
const MAX_QUEUED = 1_000

/** What the chain needs of a record; the rest is whatever its kind holds. */
const chainSchema = z.looseObject({
  kind: z.string(),
  seq: z.number().int(),
  at: z.string(),
  prev: z.string(),
  hash: z.string(),
})

export interface AuditDeps {
  readonly file: string
  /** Runs alone among all processes of the data directory. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export function createAudit(deps: AuditDeps): Audit {
  const { file, exclusively, log } = deps
  const now = deps.now ?? Date.now
  let queued: Array<{ at: string; entry: AuditEntry }> = []
  let lost = 0
  let writing: Promise<void> = Promise.resolve()
  let scheduled = false

  const write = async (): Promise<void> => {
    scheduled = false
    const batch = queued
    queued = []
    const missing = lost
    const entries =
      missing > 0 ? [{ at: batch[0]?.at ?? '', entry: { kind: 'gap', lost: missing } as const }, ...batch] : batch
    try {
      await exclusively(() => appendRecords(file, entries, log))
      lost -= missing
    } catch (error) {
      lost += batch.length
      log.error('the audit log could not be written', {
        entries: batch.length,
        reason: errnoOf(error) || String(error),
      })
    }
  }

  return {
    append(entry) {
      if (queued.length >= MAX_QUEUED) {
        lost += 1
        return
      }
      queued.push({ at: new Date(now()).toISOString(), entry })
      if (scheduled) return
      // Everything that comes while others write goes into one append.
      scheduled = true
      writing = writing.then(write)
    },
    flush: () => writing,
    async read(limit = 500) {
      const { lines } = await linesOf(file)
      return lines.slice(-limit).flatMap((line) => recordIn(line) ?? [])
    },
    verify: async () => check((await linesOf(file)).lines),
  }
}

/** Continues the chain from what stands at the end of the file now. */
async function appendRecords(
  file: string,
  entries: ReadonlyArray<{ at: string; entry: AuditEntry }>,
  log: Log,
): Promise<void> {
  const handle = await open(file, 'a+', 0o600)
  try {
    let last = await lastRecord(handle, file, log)
    let text = ''
    for (const { at, entry } of entries) {
      const unsigned = { ...entry, seq: last.seq + 1, at, prev: last.hash }
      last = { seq: unsigned.seq, hash: hashOf(unsigned) }
      text += `${JSON.stringify({ ...unsigned, hash: last.hash })}\n`
    }
    await handle.appendFile(text)
  } finally {
    await handle.close()
  }
}

async function lastRecord(handle: FileHandle, file: string, log: Log): Promise<{ seq: number; hash: string }> {
  const { size } = await handle.stat()
  if (size === 0) return { seq: 0, hash: NO_RECORD }
  const length = Math.min(size, TAIL)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  const end = buffer.lastIndexOf('\n')
  const torn = buffer.length - 1 - end
  if (torn > 0) {
    // A process that was killed in the middle of a line: nobody was told that it is recorded.
    await handle.truncate(size - torn)
    log.warn('the audit log ended in the middle of a record, which was taken off', { path: file, bytes: torn })
  }
  const last = buffer.toString('utf8', 0, Math.max(end, 0)).split('\n').at(-1) ?? ''
  const record = recordIn(last)
  // Something that is no record is left where it is, for whoever looks; the chain goes on from its hash.
  return record ?? (last === '' ? { seq: 0, hash: NO_RECORD } : { seq: 0, hash: digest(last) })
}

async function linesOf(file: string): Promise<{ lines: string[] }> {
  try {
    const text = await readFile(file, 'utf8')
    return { lines: text.split('\n').filter((line, k, all) => line !== '' || k < all.length - 1) }
  } catch (error) {
    if (isAbsent(error)) return { lines: [] }
    throw error
  }
}

function recordIn(line: string): AuditRecord | null {
  try {
    const read = chainSchema.safeParse(JSON.parse(line))
    return read.success ? (read.data as unknown as AuditRecord) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function check(lines: readonly string[]): AuditCheck {
  let last = { seq: 0, hash: NO_RECORD }
  for (const [k, line] of lines.entries()) {
    const broken = (reason: NonNullable<AuditCheck['broken']>['reason']): AuditCheck => ({
      records: k,
      broken: { line: k + 1, reason },
    })
    const record = recordIn(line)
    if (record === null) return broken('not-a-record')
    const { hash, ...unsigned } = record
    if (hash !== hashOf(unsigned)) return broken('altered')
    if (record.seq !== last.seq + 1 || record.prev !== last.hash) return broken('out-of-order')
    last = record
  }
  return { records: lines.length, broken: null }
}

const hashOf = (record: unknown): string => digest(canonical(record))

/** JSON with the keys of every object in the order of their code units, so that the hash does not depend on who wrote it. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}
