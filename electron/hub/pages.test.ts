import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startHub, type SpaceRecord, type StandInHub } from '../../e2e/servers/hub.ts'

import { createHub, type HubDeps } from './hub.ts'

import type { Log } from '../contract/index.ts'
import type { Hub, SearchRequest, SpaceInfo } from './types.ts'

const TOKEN = 'hf_test_token'
const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

let server: StandInHub
let hubs: Hub[]

const many = (count: number, owner = 'many'): SpaceRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${owner}/n${String(index).padStart(3, '0')}`,
    likes: 1_000 - index,
  }))

beforeEach(async () => {
  server = await startHub({ spaces: many(25) })
  hubs = []
})

afterEach(async () => {
  for (const hub of hubs) hub.dispose()
  await server.close()
})

function hub(deps: Partial<HubDeps> = {}): Hub {
  const made = createHub({
    endpoint: server.url,
    fetch: globalThis.fetch,
    token: async () => null,
    version: '1.2.3',
    log: silent,
    ...deps,
  })
  hubs.push(made)
  return made
}

const request = (query = '', more: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  tags: [],
  sort: 'likes',
  limit: 10,
  ...more,
})

const names = (infos: readonly SpaceInfo[]): string[] => infos.map(({ slug }) => slug)

/** All that a list tells, in the portions in which it told it. */
async function portions(list: ReturnType<Hub['pages']>, limit: number): Promise<string[][]> {
  const told: string[][] = []
  for (;;) {
    const infos = await list.next(limit)
    if (infos.length === 0) return told
    told.push(names(infos))
    if (told.length > 50) throw new Error('it does not end')
  }
}

describe('a list that is read on', () => {
  it('tells every Space once and in order, then nothing', async () => {
    const list = hub().pages(request())
    const told = await portions(list, 10)
    expect(told.map(({ length }) => length)).toEqual([10, 10, 5])
    expect(told.flat()).toEqual(server.spaces.map(({ id }) => id))
    expect(server.requests).toHaveLength(3)
    expect(await list.next(10)).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('asks for no page before its entries are wanted, whatever the portions', async () => {
    const list = hub().pages(request())
    expect(server.requests).toEqual([])
    for (const [limit, requests] of [
      [4, 1],
      [4, 1],
      [4, 2],
      [8, 2],
      [100, 3],
    ] as const) {
      await list.next(limit)
      expect(server.requests).toHaveLength(requests)
    }
    expect(server.requests[0]?.url).toMatch(/[?&]limit=10&/)
    expect(server.requests[1]?.url).toMatch(/[?&]cursor=10\b/)
  })

  it.each(['reachy-mini-tool', 'mcp', 'mcp-server'])('keeps the tag %s on every page', async (tag) => {
    server.spaces.push(...many(15, 'tagged').map((record) => ({ ...record, tags: [tag] })))
    const told = await portions(hub().pages(request('', { tags: [tag] })), 10)
    expect(told.flat()).toHaveLength(15)
    expect(told.flat().every((slug) => slug.startsWith('tagged/'))).toBe(true)
  })

  it('tells nothing twice when the list moves on meanwhile', async () => {
    const list = hub().pages(request())
    const first = names(await list.next(10))
    server.spaces.unshift({ id: 'new/one', likes: 5_000 })
    const rest = (await portions(list, 10)).flat()
    expect(rest).not.toContain(first[9])
    expect(new Set([...first, ...rest]).size).toBe(first.length + rest.length)
    expect(rest.at(-1)).toBe('many/n024')
  })

  it('calls at the same time get different entries', async () => {
    const list = hub().pages(request())
    const [one, two, three] = await Promise.all([list.next(10), list.next(10), list.next(10)])
    expect([...names(one), ...names(two), ...names(three)]).toEqual(server.spaces.map(({ id }) => id))
  })

  it('ends when the Hub turns in circles', async () => {
    const circling: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      const headers = new Headers(answer.headers)
      headers.set('link', `<${server.url}/api/spaces?limit=10&cursor=0&n=${Math.random()}>; rel="next"`)
      return new Response(answer.body, { status: answer.status, headers })
    }
    const told = await portions(hub({ fetch: circling }).pages(request()), 100)
    expect(told.flat()).toHaveLength(10)
    expect(server.requests.length).toBeLessThan(12)
  })

  it('does not follow to another origin', async () => {
    const list = hub({ token: async () => TOKEN }).pages(request('', { limit: 100 }))
    server.fault('foreign-link')
    await list.next(100)
    await expect(list.next(10)).rejects.toMatchObject({
      code: 'hub/error',
      details: { reason: 'foreign-origin', host: '127.0.0.1:9' },
    })
  })
})

describe('a page that fails', () => {
  it.each(['http500', 'html', 'offline', 'rate-limited'] as const)(
    '%s: is asked for again, and nothing is lost',
    async (fault) => {
      const list = hub().pages(request())
      const told = names(await list.next(10))
      server.fault(fault, { times: 1, seconds: 0 })
      await expect(list.next(10)).rejects.toMatchObject({ code: expect.stringMatching(/^hub\//) as string })
      if (fault === 'rate-limited') await new Promise((resolve) => setTimeout(resolve, 1_050))
      told.push(...(await portions(list, 10)).flat())
      expect(told).toEqual(server.spaces.map(({ id }) => id))
    },
  )

  it('tells what it has before it tells the failure', async () => {
    const list = hub().pages(request())
    await list.next(4)
    server.fault('http500')
    expect(await list.next(10)).toHaveLength(6)
    await expect(list.next(10)).rejects.toMatchObject({ code: 'hub/error' })
  })

  it('a caller may leave; the list goes on from there', async () => {
    const list = hub().pages(request())
    await list.next(10)
    server.fault('slow-headers', { times: 1 })
    const leaving = new AbortController()
    const left = list.next(10, leaving.signal)
    setTimeout(() => leaving.abort(), 30)
    await expect(left).rejects.toMatchObject({ code: 'app/cancelled' })
    expect(names(await list.next(10))[0]).toBe('many/n010')
  })

  it('a refused token is left out from the page on where it was refused', async () => {
    let token: string | null = null
    const list = hub({ token: async () => token }).pages(request())
    await list.next(10)
    token = 'hf_expired'
    expect(names(await list.next(10))[0]).toBe('many/n010')
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
      undefined,
      'Bearer hf_expired',
      undefined,
    ])
  })
})

describe('a sentence', () => {
  beforeEach(() => {
    server.spaces.push(...many(12, 'rain').map((record) => ({ ...record, title: 'rain today' })), {
      id: 'meant/weather',
      shortDescription: 'Tells if there is rain today',
      likes: 1,
    })
  })

  it('is answered by meaning first, then by words, each once', async () => {
    const list = hub().pages(request('rain today'))
    const told = (await portions(list, 10)).flat()
    expect(told).toHaveLength(13)
    expect(new Set(told).size).toBe(13)
    expect(told).toContain('meant/weather')
    const asked = server.requests.map(({ url }) => url.split('?')[0])
    expect(asked.filter((path) => path === '/api/spaces/semantic-search')).toHaveLength(1)
  })

  it('does without the search by meaning when that fails, and asks for it no more', async () => {
    server.fault('http500', { path: 'semantic' })
    const told = (await portions(hub().pages(request('rain today')), 10)).flat()
    expect(told).toHaveLength(12)
    expect(server.requests.filter(({ url }) => url.includes('semantic'))).toHaveLength(1)
  })

  it('does without the words when those fail, then asks for them again', async () => {
    server.fault('http500', { path: '/api/spaces?', times: 1 })
    const list = hub().pages(request('rain today'))
    expect((await list.next(100)).length).toBeGreaterThan(10)
    expect(await list.next(10)).toEqual([])
    expect(server.requests.filter(({ url }) => url.startsWith('/api/spaces?')).length).toBeGreaterThan(1)
  })

  it('fails when both do, and can be asked again', async () => {
    const list = hub().pages(request('rain today'))
    server.fault('http500')
    await expect(list.next(10)).rejects.toMatchObject({ code: 'hub/error' })
    server.fault(null)
    expect(await list.next(10)).toHaveLength(10)
  })
})

describe('the first page', () => {
  it('is remembered for a while, and read on from there', async () => {
    const one = hub()
    await one.pages(request()).next(10)
    const again = one.pages(request())
    expect(names(await again.next(10))[0]).toBe('many/n000')
    expect(server.requests).toHaveLength(1)
    expect(names(await again.next(10))[0]).toBe('many/n010')
    expect(server.requests).toHaveLength(2)
    await one.pages(request('', { fresh: true })).next(10)
    expect(server.requests).toHaveLength(3)
  })

  it('of one account is not shown to another', async () => {
    server.spaces.unshift({ id: 'mine/only', private: true, likes: 9_999 })
    let token: string | null = TOKEN
    const one = hub({ token: async () => token })
    expect(names(await one.pages(request()).next(1))).toEqual(['mine/only'])
    token = null
    expect(names(await one.pages(request()).next(1))).toEqual(['many/n000'])
  })
})

describe('the README', () => {
  it('is what the Space has; null when it has none', async () => {
    server.spaces.push(
      { id: 'a/told', readme: '# Grüße 🤖\n' },
      { id: 'a/bare', readme: null },
      { id: 'a/empty', readme: '' },
    )
    const one = hub()
    expect(await one.readme('A/Told')).toBe('# Grüße 🤖\n')
    expect(await one.readme('a/bare')).toBeNull()
    expect(await one.readme('a/empty')).toBe('')
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/spaces/A/Told/raw/main/README.md',
      '/spaces/a/bare/raw/main/README.md',
      '/spaces/a/empty/raw/main/README.md',
    ])
    expect(server.requests.every(({ headers }) => headers['authorization'] === undefined)).toBe(true)
  })

  it('of a private Space comes with the token, of a renamed one from its new place', async () => {
    server.spaces.push({ id: 'a/mine', private: true }, { id: 'a/new', renamedFrom: ['a/old'] })
    await expect(hub().readme('a/mine')).rejects.toMatchObject({ code: 'space/not-found' })
    const one = hub({ token: async () => TOKEN })
    expect(await one.readme('a/mine')).toContain('title: mine')
    expect(await one.readme('a/old')).toContain('title: new')
  })

  it('is cut at 256 KB, between two characters', async () => {
    const text = '€'.repeat(100_000)
    server.spaces.push({ id: 'a/long', readme: text })
    const read = await hub().readme('a/long')
    expect(read).toBe('€'.repeat(Math.floor((256 * 1024) / 3)))
  })

  it.each([
    ['html200', 'hub/error', { reason: 'not-text' }],
    ['http500', 'hub/error', { status: 500 }],
    ['rate-limited', 'hub/rate-limited', { seconds: 56 }],
    ['offline', 'hub/offline', {}],
    ['slow-headers', 'hub/offline', { step: 'headers' }],
    ['slow-body', 'hub/error', { reason: 'not-text' }],
  ] as const)('%s', async (fault, code, details) => {
    server.fault(fault)
    const one = hub({ limits: { headersMs: 250, idleMs: 250 } })
    await expect(one.readme('many/n000')).rejects.toMatchObject({ code, details })
  })

  it('is not asked for under a name that is none', async () => {
    await expect(hub().readme('a/../b')).rejects.toMatchObject({ code: 'space/bad-name' })
    expect(server.requests).toEqual([])
  })
})

describe('quiet', () => {
  it('begins when less than a tenth of the window is left, and ends with the window', async () => {
    const one = hub()
    expect(one.quiet()).toBe(false)
    server.remain(50)
    await one.stage('many/n000')
    expect(one.quiet()).toBe(false)
    server.remain(49)
    await one.stage('many/n000')
    expect(one.quiet()).toBe(true)
    expect(await one.stage('many/n000')).toBe('RUNNING')
  })

  it('holds while the window is closed', async () => {
    const one = hub()
    server.fault('rate-limited', { times: 1, seconds: 0 })
    await expect(one.stage('many/n000')).rejects.toMatchObject({ code: 'hub/rate-limited' })
    expect(one.quiet()).toBe(true)
    await expect.poll(() => one.quiet(), { timeout: 3_000 }).toBe(false)
  })
})
