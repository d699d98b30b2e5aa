import { toSpaceInfo } from './space-info.ts'

import type { Use } from './session.ts'
import type { SearchRequest, SpaceInfo } from './types.ts'

/** Asked for on top of what the library always asks for (sdk, likes, private, lastModified). */
export const FIELDS = ['author', 'cardData', 'disabled', 'runtime', 'subdomain', 'tags'] as const

/** A sentence rather than a name: worth a search by meaning. */
export function isSentence(query: string): boolean {
  return query.trim().split(/\s+/).length >= 2
}

/** One page of a search by words, and where the Hub says that the next one is; `null` at the end. */
export interface Page {
  readonly entries: SpaceInfo[]
  readonly next: string | null
}

/** Search by words in the id and the title. The library walks through all pages, so it is left after `limit` entries. */
export async function keywordSearch(request: SearchRequest, use: Use): Promise<SpaceInfo[]> {
  const found: SpaceInfo[] = []
  for await (const info of spacesOf(request, use)) {
    found.push(info)
    if (found.length >= request.limit) break
  }
  return found
}

/**
 * The page at `address` (the first one for `null`) of a search by words. The library is shown one page without its `Link`,
 * so that it ends there: a walk of its own is over for good after the first failure.
 */
export async function readPage(request: SearchRequest, address: string | null, use: Use): Promise<Page> {
  let next: string | null = null
  const onePage: typeof globalThis.fetch = async (url, init) => {
    const response = await use.fetch(address ?? url, init)
    next = nextOf(response.headers.get('link'))
    const headers = new Headers(response.headers)
    headers.delete('link')
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
  }
  const entries: SpaceInfo[] = []
  for await (const info of spacesOf(request, { ...use, fetch: onePage })) entries.push(info)
  return { entries, next }
}

/** The target of `rel="next"` in a `Link` header (RFC 8288 §3); its origin is checked where it is asked for. */
function nextOf(header: string | null): string | null {
  return /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(header ?? '')?.[1] ?? null
}

async function* spacesOf(request: SearchRequest, use: Use): AsyncGenerator<SpaceInfo> {
  const { listSpaces } = await import('@huggingface/hub')
  const entries = listSpaces({
    hubUrl: use.base,
    fetch: use.fetch,
    search: {
      query: request.query.trim(),
      tags: [...request.tags],
      ...(request.author === undefined ? {} : { owner: request.author }),
    },
    sort: request.sort,
    additionalFields: [...FIELDS],
    ...(use.accessToken === undefined ? {} : { accessToken: use.accessToken }),
  })
  for await (const { name, ...entry } of entries) {
    const info = toSpaceInfo({ ...entry, id: name })
    if (info !== null) yield info
  }
}

/** Search by meaning, sleeping Spaces included; the Hub orders by relevance (`search_spaces` of huggingface_hub). */
export async function semanticSearch(request: SearchRequest, use: Use): Promise<SpaceInfo[]> {
  const url = new URL(`${use.base}/api/spaces/semantic-search`)
  url.searchParams.set('q', request.query.trim())
  url.searchParams.set('sdk', 'gradio')
  for (const tag of request.tags) url.searchParams.append('filter', tag)
  url.searchParams.set('includeNonRunning', 'true')
  const answer = await getJson(url.href, use)
  const author = request.author?.toLowerCase()
  return (Array.isArray(answer) ? answer : [])
    .map(toSpaceInfo)
    .filter((info) => info !== null)
    .filter((info) => author === undefined || info.author.toLowerCase() === author)
}

/** Both lists as one, the more relevant first; an entry of the keyword list is the fuller one. */
export function merged(semantic: readonly SpaceInfo[], keyword: readonly SpaceInfo[], limit: number): SpaceInfo[] {
  const full = new Map(keyword.map((info) => [info.slug.toLowerCase(), info]))
  const bySlug = new Map<string, SpaceInfo>()
  for (const info of [...semantic, ...keyword]) {
    const key = info.slug.toLowerCase()
    if (!bySlug.has(key)) bySlug.set(key, { ...info, ...full.get(key) })
  }
  return [...bySlug.values()].slice(0, limit)
}

/** A call that the library does not have. @throws Error for other statuses; the trace tells which. */
export async function getJson(url: string, use: Use): Promise<unknown> {
  const response = await use.fetch(url, {
    headers: {
      accept: 'application/json',
      ...(use.accessToken === undefined ? {} : { authorization: `Bearer ${use.accessToken}` }),
    },
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  return response.json()
}
