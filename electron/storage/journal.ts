/** What is written before a transaction touches its first file, so that whoever comes next can finish or undo it. */
import path from 'node:path'

import { z } from 'zod'

import { digest, isInside } from './atomic-file.ts'

/** One file of a transaction. `path` as the caller named it, `target` with links resolved: the file that is replaced. */
export interface Change {
  readonly path: string
  readonly target: string
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly keepBackup: boolean
}

export interface Journal {
  /** Part of the names of temporary files. */
  readonly id: string
  readonly label: string
  readonly changes: readonly Change[]
}

const bytesSchema = z
  .base64()
  .nullable()
  .transform((text) => (text === null ? null : new Uint8Array(Buffer.from(text, 'base64'))))

const journalSchema = z.object({
  version: z.literal(1),
  id: z.string().regex(/^[0-9a-f-]{1,64}$/),
  label: z.string(),
  changes: z.array(
    z.object({
      path: z.string(),
      target: z.string(),
      before: bytesSchema,
      after: bytesSchema,
      keepBackup: z.boolean(),
    }),
  ),
})

/** A line with the SHA-256 of the rest, then JSON. Files inside `dataDir` are named relative to it: it may be moved. */
export function encodeJournal(journal: Journal, dataDir: string): string {
  const name = (file: string): string => (isInside(dataDir, file) ? path.relative(dataDir, file) : file)
  const payload = JSON.stringify({
    version: 1,
    id: journal.id,
    label: journal.label,
    changes: journal.changes.map((change) => ({
      path: name(change.path),
      target: name(change.target),
      before: toBase64(change.before),
      after: toBase64(change.after),
      keepBackup: change.keepBackup,
    })),
  })
  return `${digest(payload)}\n${payload}\n`
}

/** `null` when the text is no whole journal. */
export function decodeJournal(text: string, dataDir: string): Journal | null {
  const end = text.indexOf('\n')
  const payload = text.slice(end + 1, -1)
  if (end < 0 || text.slice(0, end) !== digest(payload)) return null
  const parsed = journalSchema.safeParse(JSON.parse(payload))
  if (!parsed.success) return null
  return {
    id: parsed.data.id,
    label: parsed.data.label,
    changes: parsed.data.changes.map((change) => ({
      ...change,
      path: path.resolve(dataDir, change.path),
      target: path.resolve(dataDir, change.target),
    })),
  }
}

function toBase64(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('base64')
}
