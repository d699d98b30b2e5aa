import { CompanionError } from '../contract/index.ts'

import { fetchDatasetFile, readDataset } from './dataset.ts'
import { parseEndpoint } from './endpoint.ts'
import { LIMITS, type Limits } from './hub-fetch.ts'
import { createPages } from './pages.ts'
import { readReadme } from './readme.ts'
import { readRepository } from './repository.ts'
import { FIELDS, getJson, isSentence, keywordSearch, merged, semanticSearch } from './search.ts'
import { createSession, type Use } from './session.ts'
import { isRepositoryId, toHost, toSpaceInfo, toStage } from './space-info.ts'

import type { Log } from '../contract/index.ts'
import type { Page } from './search.ts'
import type { Hub, SearchRequest, SpaceInfo } from './types.ts'

export interface HubDeps {
  /** The value of `HF_ENDPOINT`; the public Hub without one. */
  readonly endpoint: string | undefined
  readonly fetch: typeof globalThis.fetch
  /** Asked for every operation, so that a new one counts at once. */
  readonly token: () => Promise<string | null>
  /** Of the app, for `User-Agent`. */
  readonly version: string
  readonly log: Log
  /** Shorter ones for tests. */
  readonly limits?: Partial<Limits>
}

/** A search that was answered this recently is not sent again, ms. */
const SEARCH_KEPT_MS = 60_000
const SEARCHES_KEPT = 50

interface Recent<T> {
  /** `null` when there is none, or it is too old. */
  get(key: string): T | null
  keep(key: string, value: T): void
  clear(): void
}

function createRecent<T>(): Recent<T> {
  const entries = new Map<string, { at: number; value: T }>()
  return {
    get(key) {
      const entry = entries.get(key)
      return entry !== undefined && Date.now() - entry.at < SEARCH_KEPT_MS ? entry.value : null
    },
    keep(key, value) {
      entries.delete(key)
      entries.set(key, { at: Date.now(), value })
      const [oldest] = entries.keys()
      if (entries.size > SEARCHES_KEPT && oldest !== undefined) entries.delete(oldest)
    },
    clear: () => entries.clear(),
  }
}

/** The Hugging Face Hub as this app needs it. Nothing is sent before the first call. */
export function createHub(deps: HubDeps): Hub {
  const endpoint = parseEndpoint(deps.endpoint)
  const session = createSession({ ...deps, endpoint, limits: { ...LIMITS, ...deps.limits } })
  const searches = createRecent<SpaceInfo[]>()
  const firstPages = createRecent<Page>()
  /** The token is part of it: what is private to one account is not shown to another. */
  const keyOf = (request: SearchRequest, token: string | null): string =>
    JSON.stringify([request.query.trim(), request.tags, request.author, request.sort, request.limit, token])

  async function search(request: SearchRequest, signal: AbortSignal | undefined): Promise<SpaceInfo[]> {
    const ask = { limit: request.limit, signal, publicToo: true }
    const keyword = session.run(ask, (use) => keywordSearch(request, use))
    if (!isSentence(request.query)) return keyword
    const [byMeaning, byWords] = await Promise.allSettled([
      session.run(ask, (use) => semanticSearch(request, use)),
      keyword,
    ])
    if (byMeaning.status === 'rejected') {
      deps.log.info('search by meaning failed', { reason: String(byMeaning.reason) })
      if (byWords.status === 'rejected') throw byWords.reason
    }
    const semantic = byMeaning.status === 'fulfilled' ? byMeaning.value : []
    if (byWords.status === 'rejected' && semantic.length === 0) throw byWords.reason
    return merged(semantic, byWords.status === 'fulfilled' ? byWords.value : [], request.limit)
  }

  /** `host` is what the library cannot be asked for; without an answer the caller has `subdomain`. */
  async function withHost(info: SpaceInfo, use: Use): Promise<SpaceInfo> {
    try {
      return { ...info, ...toHost(await getJson(`${use.base}/api/spaces/${info.slug}/host`, use)) }
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'app/cancelled') throw error
      deps.log.debug('the Hub told no host', { slug: info.slug, reason: String(error) })
      return info
    }
  }

  const base = (): string => {
    if (!endpoint.ok) throw new CompanionError('hub/bad-endpoint', { text: endpoint.text })
    return endpoint.base
  }

  return {
    endpoint: base,
    isLoopback: () => endpoint.ok && endpoint.loopback,

    async search(request, signal) {
      const key = keyOf(request, await deps.token())
      const known = request.fresh === true ? null : searches.get(key)
      if (known !== null) return known
      const found = await search(request, signal)
      searches.keep(key, found)
      return found
    },

    pages(request) {
      return createPages(request, {
        session,
        log: deps.log,
        known: async () => firstPages.get(keyOf(request, await deps.token())),
        keep: async (page) => firstPages.keep(keyOf(request, await deps.token()), page),
      })
    },

    async readme(slug, signal) {
      if (!isRepositoryId(slug)) throw new CompanionError('space/bad-name', { text: slug.slice(0, 100) })
      return session.run({ slug, signal, publicToo: true, content: 'text' }, (use) => readReadme(slug, use))
    },

    quiet: () => session.isScarce(),

    async space(slug, signal) {
      if (!isRepositoryId(slug)) throw new CompanionError('space/bad-name', { text: slug.slice(0, 100) })
      return session.run({ slug, signal, publicToo: true }, async (use) => {
        const { spaceInfo } = await import('@huggingface/hub')
        const { name, ...entry } = await spaceInfo({
          name: slug,
          hubUrl: use.base,
          fetch: use.fetch,
          additionalFields: [...FIELDS],
          ...(use.accessToken === undefined ? {} : { accessToken: use.accessToken }),
        })
        return withHost(readable(toSpaceInfo({ ...entry, id: name })), use)
      })
    },

    async spaceBySubdomain(label, signal) {
      if (!/^[a-z0-9-]{1,200}$/i.test(label)) throw new CompanionError('space/bad-name', { text: label.slice(0, 100) })
      return session.run({ slug: `${label}.hf.space`, signal, publicToo: true }, async (use) =>
        readable(toSpaceInfo(await getJson(`${use.base}/api/spaces/by-subdomain/${label.toLowerCase()}`, use))),
      )
    },

    repository: async (ref, wanted, signal) => readRepository(session, base(), ref, wanted, signal),

    dataset: (id, revision, signal) => readDataset(session, id, revision, signal),
    datasetFile: (id, revision, file, signal, onBytes = () => undefined) =>
      fetchDatasetFile(session, id, revision, file, signal, onBytes),

    async stage(slug, signal) {
      if (!isRepositoryId(slug)) throw new CompanionError('space/bad-name', { text: slug.slice(0, 100) })
      return session.run({ slug, signal, publicToo: true }, async (use) =>
        toStage(await getJson(`${use.base}/api/spaces/${slug}/runtime`, use)),
      )
    },

    async account(signal) {
      if ((await deps.token()) === null) return null
      return session.run({ signal }, async (use) => {
        if (use.accessToken === undefined) return null
        const { whoAmI } = await import('@huggingface/hub')
        const { name } = await whoAmI({ accessToken: use.accessToken, hubUrl: use.base, fetch: use.fetch })
        session.knowAccount(name)
        return name
      })
    },

    dispose() {
      session.dispose()
      searches.clear()
      firstPages.clear()
    },
  }
}

function readable(info: SpaceInfo | null): SpaceInfo {
  if (info === null) throw new CompanionError('hub/error', { status: 200, reason: 'unreadable' })
  return info
}
