import { Buffer } from 'node:buffer'

import { CompanionError } from '../contract/index.ts'

import { isRepositoryId } from './space-info.ts'

import type { Session, Use } from './session.ts'

/** Files of a repository that are fetched at most, and bytes of all of them. */
const MOST_FILES = 200
const MOST_BYTES = 10_000_000
/** Entries of a repository that are looked at: a larger one is no folder of profiles. */
const MOST_ENTRIES = 5_000

type Kind = 'space' | 'dataset' | 'model'

/** Where the Hub keeps files of a kind (https://huggingface.co/docs/hub/api). */
const PREFIX: Readonly<Record<Kind, string>> = { space: 'spaces/', dataset: 'datasets/', model: '' }

export interface RepositoryRef {
  readonly name: string
  /** The kinds that it may be, in the order in which they are tried. */
  readonly kinds: readonly Kind[]
}

/** Links are copied from the public site also where a mirror is asked. */
const PUBLIC_HUB = /^(?:www\.)?(?:huggingface\.co|hf\.co)$/

const isOfHub = (link: string, base: string): boolean => {
  if (!URL.canParse(link)) return false
  const { origin, hostname } = new URL(link)
  return origin === new URL(base).origin || PUBLIC_HUB.test(hostname)
}

/**
 * What a person typed: `owner/name`, with `spaces/`, `datasets/` or `models/` before it, or a link to a page of the Hub.
 * Pure.
 * @param base of the Hub that is asked.
 * @returns `null` for anything else.
 */
export function repositoryRef(text: string, base: string): RepositoryRef | null {
  const trimmed = text.trim()
  const isLink = /^https?:\/\//i.test(trimmed)
  if (isLink && !isOfHub(trimmed, base)) return null
  const parts = (isLink ? new URL(trimmed).pathname : trimmed).split('/').filter((part) => part !== '')
  const named = { spaces: 'space', datasets: 'dataset', models: 'model' } as const
  const kind = parts[0] !== undefined && Object.hasOwn(named, parts[0]) ? named[parts[0] as keyof typeof named] : null
  const [owner, name, ...rest] = kind === null ? parts : parts.slice(1)
  const id = `${owner ?? ''}/${name ?? ''}`
  if (!isRepositoryId(id) || (!isLink && rest.length > 0)) return null
  // A link without a word about the kind is one to a model.
  return { name: id, kinds: kind !== null ? [kind] : isLink ? ['model'] : ['space', 'dataset', 'model'] }
}

interface Listed {
  readonly path: string
  readonly size: number
}

async function listed(name: string, kind: Kind, use: Use): Promise<Listed[]> {
  const { listFiles } = await import('@huggingface/hub')
  const found: Listed[] = []
  const entries = listFiles({
    repo: { type: kind, name },
    recursive: true,
    hubUrl: use.base,
    fetch: use.fetch,
    ...(use.accessToken === undefined ? {} : { accessToken: use.accessToken }),
  })
  for await (const { type, path, size } of entries) {
    if (type === 'file' && typeof path === 'string') found.push({ path, size: Number(size) })
    if (found.length > MOST_ENTRIES) throw new CompanionError('profile/too-large', { path: name, limit: '10 MB' })
  }
  return found
}

async function fetched(name: string, kind: Kind, { path }: Listed, use: Use): Promise<Uint8Array> {
  const address = path.split('/').map(encodeURIComponent).join('/')
  const response = await use.fetch(`${use.base}/${PREFIX[kind]}${name}/raw/main/${address}`, {
    headers: use.accessToken === undefined ? {} : { authorization: `Bearer ${use.accessToken}` },
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  return new Uint8Array(await response.arrayBuffer())
}

/**
 * Files of a repository on its main branch, one after the other.
 * @throws CompanionError `space/bad-name`, `space/not-found`, `space/gated`, `profile/too-large`, `hub/*`.
 */
export async function readRepository(
  session: Session,
  base: string,
  ref: string,
  wanted: (path: string, bytes: number) => boolean,
  signal: AbortSignal,
): Promise<{ name: string; files: Array<{ path: string; bytes: Uint8Array }> }> {
  const asked = repositoryRef(ref, base)
  if (asked === null) throw new CompanionError('space/bad-name', { text: ref.slice(0, 100) })
  const { name } = asked
  const { kind, entries } = await firstOf(session, asked, signal)
  const chosen = entries.filter(({ path, size }) => wanted(path, size))
  const total = chosen.reduce((sum, { size }) => sum + size, 0)
  if (chosen.length > MOST_FILES || total > MOST_BYTES) {
    throw new CompanionError('profile/too-large', { path: name, limit: '10 MB' })
  }
  const files: Array<{ path: string; bytes: Uint8Array }> = []
  for (const entry of chosen) {
    const ask = { slug: name, signal, publicToo: true, content: 'text' } as const
    const bytes = await session.run(ask, (use) => fetched(name, kind, entry, use))
    files.push({ path: entry.path, bytes: Buffer.from(bytes) })
  }
  return { name, files }
}

async function firstOf(
  session: Session,
  { name, kinds }: RepositoryRef,
  signal: AbortSignal,
): Promise<{ kind: Kind; entries: Listed[] }> {
  let missing: unknown
  for (const kind of kinds) {
    try {
      const ask = { slug: name, signal, publicToo: true }
      return { kind, entries: await session.run(ask, (use) => listed(name, kind, use)) }
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'space/not-found') throw error
      missing ??= error
    }
  }
  throw missing
}
