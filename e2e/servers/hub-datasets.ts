import { createHash } from 'node:crypto'

import { sendJson } from './http.ts'

import type { RepositoryRecord } from './hub.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

const MAIN = 'c'.repeat(40)

interface Context {
  readonly repositories: readonly RepositoryRecord[]
  readonly reader: { readonly kind: 'anonymous' | 'account' | 'rejected' }
  readonly origin: string
  readonly more: Readonly<Record<string, string>>
}

/**
 * Datasets by commit: `/api/datasets/{id}/revision/{rev}`, `/api/datasets/{id}/tree/{commit}` with git's or LFS's digests,
 * `/datasets/{id}/resolve/{commit}/{path}`, which sends large files to another host (the same server by another name).
 * @returns whether the request was one of these.
 */
export function answerDataset(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { repositories, reader, origin, more }: Context,
): boolean {
  const path = decodeURIComponent(url.pathname)
  const info = /^\/api\/datasets\/([^/]+\/[^/]+)\/revision\/([^/]+)$/.exec(path)
  const tree = /^\/api\/datasets\/([^/]+\/[^/]+)\/tree\/([0-9a-f]{40})$/.exec(path)
  const file = /^\/(?:datasets|content)\/([^/]+\/[^/]+)\/resolve\/([0-9a-f]{40})\/(.+)$/.exec(path)
  const [, id, revision = '', name = ''] = info ?? tree ?? file ?? []
  if (id === undefined) return false
  const found = repositories.find((one) => one.kind === 'datasets' && one.id === id)
  const commit = found?.revision ?? MAIN
  // An address on the content host is signed: whoever has it may fetch.
  const hidden = found?.private === true && reader.kind !== 'account' && !path.startsWith('/content/')
  if (found === undefined || hidden) {
    sendJson(
      response,
      reader.kind === 'account' ? 404 : 401,
      { error: 'Repository not found' },
      { 'x-error-code': 'RepoNotFound', ...more },
    )
  } else if (![commit, 'main'].includes(revision)) {
    sendJson(response, 404, { error: `Invalid rev id: ${revision}` }, { 'x-error-code': 'RevisionNotFound', ...more })
  } else if (info !== null) {
    sendJson(response, 200, { id, sha: commit, tags: ['reachy_mini_community_moves'] }, more)
  } else if (tree !== null) {
    sendJson(response, 200, entriesOf(found), more)
  } else {
    sendStored(request, response, found, name, { path: url.pathname, origin, more })
  }
  return true
}

function entriesOf({ files, large = [], sizes }: RepositoryRecord): unknown[] {
  return Object.entries(files).map(([path, text]) => {
    const bytes = Buffer.from(text)
    const size = sizes?.[path] ?? bytes.length
    const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
    const lfs = { oid: createHash('sha256').update(bytes).digest('hex'), size, pointerSize: 130 }
    return { type: 'file', oid, path, size, ...(large.includes(path) ? { lfs } : {}) }
  })
}

function sendStored(
  request: IncomingMessage,
  response: ServerResponse,
  { files, large = [], spoiled = {} }: RepositoryRecord,
  name: string,
  { path, origin, more }: { path: string; origin: string; more: Readonly<Record<string, string>> },
): void {
  const text = spoiled[name] ?? files[name]
  if (text === undefined) {
    return void sendJson(response, 404, { error: 'Entry not found' }, { 'x-error-code': 'EntryNotFound', ...more })
  }
  const stored = path.startsWith('/content/')
  if (large.includes(name) && !stored) {
    const host = origin.replace('127.0.0.1', 'localhost')
    response.writeHead(302, { location: `${host}${path.replace('/datasets/', '/content/')}`, ...more }).end()
    return
  }
  // What is meant for the Hub alone must not reach the host of the content.
  if (stored && request.headers.authorization !== undefined) return void response.writeHead(400).end()
  const bytes = Buffer.from(text)
  response
    .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length, ...more })
    .end(bytes)
}
