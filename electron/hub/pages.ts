import { CompanionError } from '../contract/index.ts'

import { isSentence, merged, readPage, semanticSearch } from './search.ts'

import type { Log } from '../contract/index.ts'
import type { Page } from './search.ts'
import type { Session } from './session.ts'
import type { Hub, SearchRequest, SpaceInfo } from './types.ts'

export interface PagesDeps {
  readonly session: Session
  readonly log: Log
  /** A first page of the same search that is recent enough, or `null`. */
  known(): Promise<Page | null>
  keep(page: Page): Promise<void>
}

type Pages = ReturnType<Hub['pages']>

/** A list that has nothing new for so many pages turns in circles: it ends. */
const MOST_EMPTY_PAGES = 5
/** Pages read for one call of `next` that has something to answer. */
const PAGES_AT_ONCE = 3

/**
 * One search, read on page by page: each page is asked for when the entries before it are used up. A page that fails is
 * asked for again by the next call; no entry is lost or told twice.
 */
export function createPages(request: SearchRequest, deps: PagesDeps): Pages {
  const queue: SpaceInfo[] = []
  const told = new Set<string>()
  /** Where the next page is; `null` for the first. */
  let address: string | null = null
  let ended = false
  let emptyPages = 0
  let byMeaning: 'open' | 'done' = isSentence(request.query) ? 'open' : 'done'
  let turn: Promise<unknown> = Promise.resolve()

  const add = (infos: readonly SpaceInfo[]): void => {
    for (const info of infos) {
      const key = info.slug.toLowerCase()
      if (told.has(key)) continue
      told.add(key)
      queue.push(info)
    }
  }
  const takePage = (page: Page): SpaceInfo[] => {
    emptyPages = page.entries.some(({ slug }) => !told.has(slug.toLowerCase())) ? 0 : emptyPages + 1
    ended = page.next === null || emptyPages >= MOST_EMPTY_PAGES
    address = page.next
    return page.entries
  }
  const ask = async (signal: AbortSignal | undefined): Promise<Page> => {
    const first = address === null
    const known = first && request.fresh !== true ? await deps.known() : null
    if (known !== null) return known
    const size = Math.min(Math.max(request.limit, 1), 100)
    const page = await deps.session.run({ limit: size, signal, publicToo: true }, (use) =>
      readPage(request, address, use),
    )
    if (first) await deps.keep(page)
    return page
  }
  /** The answer of the search by meaning comes first, with the fuller entries of the first page by words. */
  const openBoth = async (signal: AbortSignal | undefined): Promise<void> => {
    const meaning = deps.session.run({ limit: request.limit, signal, publicToo: true }, (use) =>
      semanticSearch(request, use),
    )
    const [found, words] = await Promise.allSettled([meaning, ask(signal)])
    if (found.status === 'rejected') {
      if (isCancelled(found.reason) || words.status === 'rejected') throw found.reason
      deps.log.info('search by meaning failed', { reason: String(found.reason) })
    }
    const semantic = found.status === 'fulfilled' ? found.value : []
    if (words.status === 'rejected' && (semantic.length === 0 || isCancelled(words.reason))) throw words.reason
    byMeaning = 'done'
    add(merged(semantic, words.status === 'fulfilled' ? takePage(words.value) : [], Infinity))
  }
  const next = async (limit: number, signal: AbortSignal | undefined): Promise<SpaceInfo[]> => {
    for (let pages = 0; queue.length < limit && !ended; pages++) {
      if (pages >= PAGES_AT_ONCE && queue.length > 0) break
      try {
        if (byMeaning === 'open') await openBoth(signal)
        else add(takePage(await ask(signal)))
      } catch (error) {
        // What is there already is told first; the failure comes with the next call, which asks again.
        if (queue.length === 0 || isCancelled(error)) throw error
        deps.log.info('a page failed, the entries before it are told', { reason: String(error) })
        break
      }
    }
    return queue.splice(0, limit)
  }

  return {
    next(limit, signal) {
      const mine = turn.then(() => next(limit, signal))
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}

const isCancelled = (error: unknown): boolean => error instanceof CompanionError && error.code === 'app/cancelled'
