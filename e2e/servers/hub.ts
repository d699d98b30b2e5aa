import { listenOnLoopback, logged, pause, readBody, sendHtml, sendJson, type LoggedRequest } from './http.ts'
import { answerDataset } from './hub-datasets.ts'
import { sendFile } from './hub-files.ts'
import {
  expanded,
  hostOf,
  readmeOf,
  runtimeAnswer,
  semanticAnswer,
  subdomainOf,
  wholeAnswer,
  type SpaceRecord,
} from './hub-records.ts'

import type { ServerResponse } from 'node:http'

export type { SpaceRecord } from './hub-records.ts'

export type HubFault =
  'html' | 'html200' | 'http500' | 'rate-limited' | 'slow-headers' | 'slow-body' | 'offline' | 'foreign-link'

export interface HubFaultOptions {
  /** `rate-limited`: seconds until the window opens. Default 55. */
  seconds?: number
  /** Only requests whose path contains this are hit. */
  path?: string
  /** How many requests are hit; then the fault is over. */
  times?: number
}

export interface HubAccount {
  name: string
  isPro?: boolean
  /** Private and gated Spaces that this account may see. Default: all. */
  mayRead?: readonly string[]
}

export interface HubOptions {
  spaces?: SpaceRecord[]
  /** Repositories with files, of any kind. */
  repositories?: RepositoryRecord[]
  /** Accepted tokens. Default: `hf_test_token` of the account `tester`. Any other token is refused with 401. */
  tokens?: Record<string, HubAccount>
  port?: number
}

/** A repository with text files, for those who list and fetch them. */
export interface RepositoryRecord {
  kind: 'spaces' | 'datasets' | 'models'
  /** `owner/name`. */
  id: string
  private?: boolean
  /** By path. */
  files: Record<string, string>
  /** Datasets: the commit that `main` is. Default: forty times `c`. */
  revision?: string
  /** Datasets: paths that lie on a content host, to which whoever fetches them is sent; by SHA-256. */
  large?: readonly string[]
  /** Datasets: what arrives instead of the file. */
  spoiled?: Record<string, string>
  /** Sizes that the list tells instead of the true ones. */
  sizes?: Record<string, number>
}

export interface StandInHub {
  /** Base URL for `HF_ENDPOINT`. */
  readonly url: string
  /** Change it at any time. */
  readonly spaces: SpaceRecord[]
  readonly repositories: RepositoryRecord[]
  readonly tokens: Record<string, HubAccount>
  readonly requests: LoggedRequest[]
  /** What every answer is from now on; `null` is the normal behaviour. */
  fault(name: HubFault | null, options?: HubFaultOptions): void
  /** How many of the 500 requests of its window the Hub says are left. Default 480. */
  remain(requests: number): void
  close(): Promise<void>
}

interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

type Reader = { kind: 'anonymous' } | { kind: 'account'; account: HubAccount } | { kind: 'rejected' }

const NOT_FOUND: Answer = {
  status: 404,
  body: { error: 'Repository not found' },
  headers: { 'x-error-code': 'RepoNotFound' },
}

const NOT_FOUND_OR_PRIVATE: Answer = {
  status: 401,
  body: { error: 'Invalid username or password.' },
  headers: { 'x-error-code': 'RepoNotFound', 'x-error-message': 'Invalid username or password.' },
}

const TOKEN_REJECTED: Answer = {
  status: 401,
  body: { error: 'Invalid credentials in Authorization header' },
  headers: { 'x-error-message': 'Invalid credentials in Authorization header' },
}

/**
 * A Hugging Face Hub for tests: the routes of its HTTP API that concern Spaces (described at
 * https://huggingface.co/docs/hub/api), on loopback, from a list that the test changes as it goes.
 */
export async function startHub(options: HubOptions = {}): Promise<StandInHub> {
  const spaces = options.spaces ?? []
  const repositories = options.repositories ?? []
  const tokens = options.tokens ?? { hf_test_token: { name: 'tester' } }
  const requests: LoggedRequest[] = []
  const stages = createStages()
  let fault: { name: HubFault; options: HubFaultOptions; left: number } | null = null
  let remaining = 480

  function faultFor(url: string): HubFault | null {
    if (fault === null || fault.left <= 0) return null
    if (fault.options.path !== undefined && !url.includes(fault.options.path)) return null
    fault.left -= 1
    return fault.name
  }

  const server = await listenOnLoopback(async (request, response) => {
    const body = (await readBody(request)).toString('utf8')
    requests.push(logged(request, body))
    response.setHeader('x-request-id', `Root=1-${requests.length.toString(16).padStart(8, '0')}`)
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const name = faultFor(request.url ?? '/')
    if (name !== null && (await answerFault(name, fault?.options ?? {}, response))) return
    const reader = readerOf(request.headers.authorization, tokens)
    const context = { spaces, reader, stages, origin: server.url, foreignLink: name === 'foreign-link' }
    if (answerDataset(request, response, url, { repositories, reader, origin: server.url, more: windowOf(remaining) }))
      return
    const stored = repositoryAnswer(url, repositories, reader)
    if (stored !== null) {
      if (typeof stored.body === 'string') return sendFile(request, response, stored.body, windowOf(remaining))
      return sendJson(response, stored.status, stored.body, { ...windowOf(remaining), ...stored.headers })
    }
    const file = /^\/spaces\/([^/]+\/[^/]+)\/(?:raw|resolve)\/([^/]+)\/(.+)$/.exec(url.pathname)
    if (file === null && !url.pathname.startsWith('/api/')) return sendHtml(response, 200, 'Hugging Face')
    const answer = file === null ? route(url, context) : fileOf(file, url, context)
    const headers = { ...windowOf(remaining), ...answer.headers }
    if (answer.status === 200 && typeof answer.body === 'string') {
      return sendFile(request, response, answer.body, headers)
    }
    sendJson(response, answer.status, answer.body, headers)
  }, options.port)

  return {
    url: server.url,
    spaces,
    repositories,
    tokens,
    requests,
    fault(name, faultOptions = {}) {
      fault = name === null ? null : { name, options: faultOptions, left: faultOptions.times ?? Infinity }
    },
    remain(requests) {
      remaining = requests
    },
    close: () => server.close(),
  }
}

const windowOf = (remaining: number): Record<string, string> => ({
  ratelimit: `"api";r=${remaining};t=200`,
  'ratelimit-policy': '"fixed window";"api";q=500;w=300',
})

/** @returns whether the request is answered (or will never be). */
async function answerFault(name: HubFault, options: HubFaultOptions, response: ServerResponse): Promise<boolean> {
  const seconds = options.seconds ?? 55
  switch (name) {
    case 'html':
      sendHtml(response, 503, 'Service Unavailable')
      return true
    case 'html200':
      sendHtml(response, 200, 'Maintenance')
      return true
    case 'http500':
      sendJson(response, 500, { error: 'Internal Error - We are working hard to fix this as soon as possible!' })
      return true
    case 'rate-limited':
      sendJson(
        response,
        429,
        { error: 'We had to rate limit your IP.' },
        { ratelimit: `"api";r=0;t=${seconds}`, 'ratelimit-policy': '"fixed window";"api";q=500;w=300' },
      )
      return true
    case 'slow-headers':
      await untilClosed(response)
      return true
    case 'slow-body':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[')
      await untilClosed(response)
      return true
    case 'offline':
      response.destroy()
      return true
    case 'foreign-link':
      return false
  }
}

function untilClosed(response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  return pause(600_000, gone.signal)
}

interface Stages {
  /** The stage now; `advance` moves a list of stages on. */
  of(record: SpaceRecord, advance?: boolean): string | undefined
}

function createStages(): Stages {
  const positions = new WeakMap<readonly string[], number>()
  return {
    of(record, advance = false) {
      const { stage } = record
      if (stage === null) return undefined
      if (stage === undefined) return 'RUNNING'
      if (typeof stage === 'string') return stage
      if (typeof stage === 'function') return stage()
      const position = positions.get(stage) ?? 0
      if (advance) positions.set(stage, Math.min(position + 1, stage.length - 1))
      return stage[position]
    },
  }
}

function readerOf(authorization: string | undefined, tokens: Record<string, HubAccount>): Reader {
  if (authorization === undefined) return { kind: 'anonymous' }
  const account = tokens[authorization.replace(/^Bearer /, '')]
  return account === undefined ? { kind: 'rejected' } : { kind: 'account', account }
}

function mayRead(reader: Reader, record: SpaceRecord): boolean {
  if (reader.kind !== 'account') return false
  return reader.account.mayRead === undefined || reader.account.mayRead.includes(record.id)
}

const mayFind = (record: SpaceRecord, { reader }: Context): boolean =>
  record.private !== true || mayRead(reader, record)

interface Context {
  spaces: readonly SpaceRecord[]
  reader: Reader
  stages: Stages
  origin: string
  foreignLink: boolean
}

function route(url: URL, context: Context): Answer {
  if (context.reader.kind === 'rejected') return TOKEN_REJECTED
  const parts = url.pathname.split('/').slice(2).map(decodeURIComponent)
  if (parts[0] === 'whoami-v2') return whoAmI(context.reader)
  if (parts[0] !== 'spaces')
    return { status: 404, body: { error: "Sorry, we can't find the page you are looking for." } }
  if (parts.length === 1) return search(url, context)
  if (parts[1] === 'semantic-search' && parts.length === 2) return semanticSearch(url, context)
  if (parts[1] === 'by-subdomain') {
    const record = context.spaces.find((space) => space.host !== null && subdomainOf(space) === parts[2]?.toLowerCase())
    return detail(record, [], url, context)
  }
  return bySlug(`${parts[1]}/${parts[2] ?? ''}`, parts.slice(3), url, context)
}

/** Lists and files of repositories (`/api/{kind}/{id}/tree/main`, `/{kind}/{id}/raw/main/{path}`); `null`: none of these. */
function repositoryAnswer(url: URL, repositories: readonly RepositoryRecord[], reader: Reader): Answer | null {
  const path = decodeURIComponent(url.pathname)
  const tree = /^\/api\/(spaces|datasets|models)\/([^/]+\/[^/]+)\/tree\/main$/.exec(path)
  const raw = /^\/(?:(spaces|datasets)\/)?([^/]+\/[^/]+)\/raw\/main\/(.+)$/.exec(path)
  const [, kind = 'models', id] = tree ?? raw ?? []
  const found = repositories.find((one) => one.kind === kind && one.id === id)
  if (tree === null && (raw === null || found === undefined)) return null
  if (reader.kind === 'rejected') return TOKEN_REJECTED
  const hidden = found?.private === true && reader.kind !== 'account'
  if (found === undefined || hidden) return reader.kind === 'account' ? NOT_FOUND : NOT_FOUND_OR_PRIVATE
  if (tree !== null) {
    const entries = Object.entries(found.files).map(([file, text]) => ({
      type: 'file',
      oid: '0',
      path: file,
      size: found.sizes?.[file] ?? Buffer.byteLength(text),
    }))
    return { status: 200, body: entries }
  }
  const text = found.files[raw?.[3] ?? '']
  return text === undefined ? { status: 404, body: { error: 'Entry not found' } } : { status: 200, body: text }
}

/** A file of a Space at any revision: the README is the only one. */
function fileOf([, slug = '', revision = '', file = '']: RegExpExecArray, url: URL, context: Context): Answer {
  const asked = decodeURIComponent(slug)
  const same = (id: string): boolean => id.toLowerCase() === asked.toLowerCase()
  const record = context.spaces.find(({ id }) => same(id))
  const moved = record ?? context.spaces.find(({ renamedFrom }) => renamedFrom?.some(same) === true)
  if (record === undefined && moved !== undefined && mayFind(moved, context)) {
    const location = `${context.origin}${url.pathname.replace(slug, moved.id)}`
    return { status: 307, body: { error: 'moved' }, headers: { location } }
  }
  const repository = detail(record, [], url, context)
  if (repository.status !== 200 || record === undefined) return repository
  const text = file === 'README.md' && ['main', 'HEAD'].includes(revision) ? readmeOf(record) : null
  if (text !== null) return { status: 200, body: text }
  const headers = { 'x-error-code': 'EntryNotFound', 'x-error-message': 'Entry not found' }
  return { status: 404, body: { error: 'Entry not found' }, headers }
}

function bySlug(asked: string, rest: readonly string[], url: URL, context: Context): Answer {
  const same = (id: string): boolean => id.toLowerCase() === asked.toLowerCase()
  const record = context.spaces.find((space) => same(space.id))
  const moved = record ?? context.spaces.find((space) => space.renamedFrom?.some(same) === true)
  if (record === undefined && moved !== undefined && mayFind(moved, context)) {
    const location = `${context.origin}/${['api/spaces', moved.id, ...rest].join('/')}${url.search}`
    return { status: 307, body: { error: 'moved' }, headers: { location } }
  }
  return detail(record, rest, url, context)
}

function detail(record: SpaceRecord | undefined, rest: readonly string[], url: URL, context: Context): Answer {
  const { reader, stages } = context
  if (record === undefined || (record.private === true && !mayRead(reader, record))) {
    return reader.kind === 'anonymous' ? NOT_FOUND_OR_PRIVATE : NOT_FOUND
  }
  if (record.gated === true && !mayRead(reader, record)) {
    const text = `Access to space ${record.id} is restricted.`
    return { status: 403, body: { error: text }, headers: { 'x-error-code': 'GatedRepo', 'x-error-message': text } }
  }
  if (record.disabled === 'blocked') {
    const text = 'Access to this resource is disabled.'
    return { status: 403, body: { error: text }, headers: { 'x-error-message': text } }
  }
  if (rest[0] === 'runtime') {
    const stage = stages.of(record, true)
    return { status: 200, body: stage === undefined ? {} : runtimeAnswer(record, stage) }
  }
  if (rest[0] === 'host') {
    const host = hostOf(record)
    return host === undefined
      ? { status: 404, body: { error: 'No host' } }
      : { status: 200, body: { host, subdomain: subdomainOf(record) } }
  }
  const whole = wholeAnswer(record, stages.of(record))
  const expand = url.searchParams.getAll('expand')
  if (expand.length === 0) return { status: 200, body: whole }
  const body = expanded(whole, expand)
  return body === null ? { status: 400, body: { error: '✖ Invalid option\n  → at expand' } } : { status: 200, body }
}

const SORT_KEYS: Record<string, (record: SpaceRecord) => number> = {
  likes: (record) => record.likes ?? 0,
  likes30d: (record) => record.likes ?? 0,
  trendingScore: (record) => record.trendingScore ?? 0,
  lastModified: (record) => Date.parse(record.lastModified ?? '2026-10-01T12:00:00.000Z'),
}

function visible(context: Context): SpaceRecord[] {
  return context.spaces.filter((space) => mayFind(space, context))
}

function matches(record: SpaceRecord, url: URL): boolean {
  const tags = [record.sdk ?? 'gradio', ...(record.tags ?? [])]
  const wanted = url.searchParams.getAll('filter').flatMap((value) => value.split(','))
  const author = url.searchParams.get('author')
  return (
    wanted.every((tag) => tags.includes(tag)) &&
    (author === null || record.id.toLowerCase().startsWith(`${author.toLowerCase()}/`))
  )
}

function search(url: URL, context: Context): Answer {
  const query = (url.searchParams.get('search') ?? '').toLowerCase()
  const limit = Number(url.searchParams.get('limit') ?? 500)
  const start = Number(url.searchParams.get('cursor') ?? 0)
  const sort = SORT_KEYS[url.searchParams.get('sort') ?? '']
  const found = visible(context).filter(
    (record) => matches(record, url) && `${record.id} ${record.title ?? ''}`.toLowerCase().includes(query),
  )
  if (sort !== undefined) found.sort((a, b) => sort(b) - sort(a))
  const page = found.slice(start, start + limit)
  const expand = url.searchParams.getAll('expand')
  const body = page.map((record) => {
    const whole = wholeAnswer(record, context.stages.of(record))
    return expand.length === 0 ? whole : expanded(whole, expand)
  })
  if (body.includes(null)) return { status: 400, body: { error: '✖ Invalid option\n  → at expand' } }
  if (start + limit >= found.length && !context.foreignLink) return { status: 200, body }
  const next = new URL(`${context.foreignLink ? 'http://127.0.0.1:9' : context.origin}/api/spaces${url.search}`)
  next.searchParams.set('cursor', String(start + limit))
  return { status: 200, body, headers: { link: `<${next.href}>; rel="next"` } }
}

function semanticSearch(url: URL, context: Context): Answer {
  const words = (url.searchParams.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { status: 400, body: { error: 'q is required' } }
  const sdk = url.searchParams.get('sdk')
  const everyStage = url.searchParams.get('includeNonRunning') === 'true'
  const found = visible(context).flatMap((record) => {
    const stage = context.stages.of(record)
    if (!matches(record, url) || (sdk !== null && (record.sdk ?? 'gradio') !== sdk)) return []
    if (!everyStage && stage !== 'RUNNING') return []
    const text = `${record.id} ${record.title ?? ''} ${record.shortDescription ?? ''}`.toLowerCase()
    const score = words.filter((word) => text.includes(word)).length / words.length
    return score > 0 ? [semanticAnswer(record, stage, score)] : []
  })
  found.sort((a, b) => Number(b['semanticRelevancyScore']) - Number(a['semanticRelevancyScore']))
  return { status: 200, body: found }
}

function whoAmI(reader: Reader): Answer {
  if (reader.kind !== 'account') return { status: 401, body: { error: 'Invalid username or password.' } }
  const { name, isPro = false } = reader.account
  return {
    status: 200,
    body: {
      type: 'user',
      id: '65a0c0ffee0000000000beef',
      name,
      fullname: name,
      isPro,
      orgs: [],
      auth: {
        type: 'access_token',
        accessToken: { displayName: 'companion', role: 'read', createdAt: '2026-01-01T00:00:00.000Z' },
      },
    },
  }
}
