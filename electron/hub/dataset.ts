import { createHash } from 'node:crypto'

import { z } from 'zod'

import { CompanionError } from '../contract/index.ts'

import { getJson } from './search.ts'
import { isRepositoryId } from './space-info.ts'

import type { Session, Use } from './session.ts'
import type { DatasetFile, DatasetTree } from './types.ts'

/** Entries of a dataset that are looked at: a library of moves has some hundred. */
const MOST_ENTRIES = 5_000

const infoSchema = z.object({ id: z.string().optional(), sha: z.string().regex(/^[0-9a-f]{40}$/) })
const entrySchema = z.object({
  path: z.string().min(1).max(1_000),
  size: z.number().int().nonnegative(),
  oid: z.string().optional(),
  lfs: z.object({ oid: z.string(), size: z.number().int().nonnegative() }).optional(),
})

/** `sha256:`, in front of it, is how some versions of the Hub write it. */
const hex = (text: string): string => text.replace(/^sha256:/, '').toLowerCase()

/** The files of a dataset at a revision, by the commit that it is now. @throws as `Hub.dataset`. */
export async function readDataset(
  session: Session,
  id: string,
  revision: string,
  signal: AbortSignal,
): Promise<DatasetTree> {
  if (!isRepositoryId(id)) throw new CompanionError('library/unknown', { id: id.slice(0, 100) })
  return named(id, () =>
    session.run({ slug: id, signal, publicToo: true }, async (use) => {
      const address = `${use.base}/api/datasets/${id}/revision/${encodeURIComponent(revision)}`
      const info = infoSchema.safeParse(await getJson(address, use))
      if (!info.success) throw new CompanionError('hub/error', { status: 200, reason: 'unreadable' })
      return { revision: info.data.sha, files: await filesOf(id, info.data.sha, use) }
    }),
  )
}

async function filesOf(id: string, revision: string, use: Use): Promise<DatasetFile[]> {
  const { listFiles } = await import('@huggingface/hub')
  const files: DatasetFile[] = []
  const entries = listFiles({
    repo: { type: 'dataset', name: id },
    revision,
    recursive: true,
    hubUrl: use.base,
    fetch: use.fetch,
    ...(use.accessToken === undefined ? {} : { accessToken: use.accessToken }),
  })
  for await (const entry of entries) {
    if (entry.type !== 'file') continue
    const parsed = entrySchema.safeParse(entry)
    if (!parsed.success) throw new CompanionError('hub/error', { status: 200, reason: 'unreadable' })
    const { path, size, oid = '', lfs } = parsed.data
    files.push({ path, bytes: lfs?.size ?? size, digest: hex(lfs?.oid ?? oid) })
    if (files.length > MOST_ENTRIES)
      throw new CompanionError('library/too-large', { id, limit: `${MOST_ENTRIES} files` })
  }
  return files
}

/**
 * Whether the bytes are those that the list names: SHA-256 of large files, git's SHA-1 of a blob
 * (https://git-scm.com/book/en/v2/Git-Internals-Git-Objects) of small ones. Pure.
 */
export function isWhole(content: Uint8Array, { bytes, digest }: Pick<DatasetFile, 'bytes' | 'digest'>): boolean {
  if (content.length !== bytes) return false
  if (digest.length === 64) return createHash('sha256').update(content).digest('hex') === digest
  const blob = createHash('sha1').update(`blob ${content.length}\0`).update(content)
  return blob.digest('hex') === digest
}

/** Fetches one file and checks it. @throws as `Hub.datasetFile`. */
export async function fetchDatasetFile(
  session: Session,
  id: string,
  revision: string,
  file: DatasetFile,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<Uint8Array> {
  const content = await named(id, () =>
    session.run({ slug: id, signal, publicToo: true, content: 'file' }, async (use) => {
      const address = file.path.split('/').map(encodeURIComponent).join('/')
      const response = await use.fetch(`${use.base}/datasets/${id}/resolve/${revision}/${address}`, {
        headers: use.accessToken === undefined ? {} : { authorization: `Bearer ${use.accessToken}` },
      })
      if (!response.ok || response.body === null) {
        await response.body?.cancel()
        throw new Error(`status ${response.status}`)
      }
      return received(response.body, file.bytes, onBytes)
    }),
  )
  if (!isWhole(content, file)) throw new CompanionError('library/damaged', { path: file.path })
  return content
}

/** More than was announced is no reason to go on reading. */
async function received(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  onBytes: (count: number) => void,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let count = 0
  for await (const part of body) {
    parts.push(part)
    count += part.length
    onBytes(part.length)
    if (count > bytes) break
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** A dataset is no Space: what is missing is said in its own words. */
async function named<T>(id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const missing = error instanceof CompanionError && error.code === 'space/not-found'
    throw missing ? new CompanionError('library/not-found', { id }, { cause: error }) : error
  }
}
