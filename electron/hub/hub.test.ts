import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startHub, type SpaceRecord, type StandInHub } from '../../e2e/servers/hub.ts'
import { CompanionError } from '../contract/index.ts'

import { createHub, type HubDeps } from './hub.ts'

import type { Details, Log } from '../contract/index.ts'
import type { Hub, SearchRequest } from './types.ts'

const TOKEN = 'hf_test_token'

const SPACES: readonly SpaceRecord[] = [
  {
    id: 'acme/Rain',
    title: 'Rain or shine',
    likes: 5,
    tags: ['mcp-server'],
    shortDescription: 'The weather of a place',
  },
  {
    id: 'acme/clock',
    likes: 9,
    tags: ['mcp-server', 'time'],
    stage: ['SLEEPING', 'RUNNING'],
    renamedFrom: ['acme/watch'],
  },
  { id: 'acme/doctor-weather', likes: 2, stage: 'SLEEPING', shortDescription: 'Weather for joints' },
  { id: 'beta/locked', private: true },
  { id: 'beta/gated', gated: true },
  { id: 'beta/closed', disabled: 'blocked' },
  { id: 'beta/off', disabled: true },
  { id: 'beta/plain', stage: null, cardData: false, host: null, lastModified: null },
  { id: 'beta/here', host: 'http://127.0.0.1:7860', subdomain: 'here-i-am' },
]

let server: StandInHub
let hubs: Hub[]
let lines: string[]

const log: Log = {
  debug: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`),
  info: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`),
  warn: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`),
  error: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`),
}

beforeEach(async () => {
  server = await startHub({
    spaces: SPACES.map((record) => ({
      ...record,
      ...(Array.isArray(record.stage) ? { stage: [...(record.stage as string[])] } : {}),
    })),
  })
  hubs = []
  lines = []
})

afterEach(async () => {
  for (const hub of hubs) hub.dispose()
  await server.close()
})

function hub(token: string | null = null, deps: Partial<HubDeps> = {}): Hub {
  const made = createHub({
    endpoint: server.url,
    fetch: globalThis.fetch,
    token: async () => token,
    version: '1.2.3',
    log,
    ...deps,
  })
  hubs.push(made)
  return made
}

const request = (query: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  tags: [],
  sort: 'likes',
  limit: 20,
  ...more,
})

async function failure(promise: Promise<unknown>): Promise<[string, Details]> {
  try {
    await promise
  } catch (error) {
    if (error instanceof CompanionError) return [error.code, error.details]
    throw error
  }
  throw new Error('it did not fail')
}

const slugs = async (promise: Promise<readonly { slug: string }[]>): Promise<string[]> =>
  (await promise).map(({ slug }) => slug)

describe('search', () => {
  it('finds by word, tag and author, sorted, in one polite request', async () => {
    expect(await slugs(hub().search(request('', { tags: ['mcp-server'] })))).toEqual(['acme/clock', 'acme/Rain'])
    const [sent] = server.requests
    expect(server.requests).toHaveLength(1)
    expect(sent?.url).toContain('limit=20&')
    expect(sent?.headers).toMatchObject({ 'user-agent': 'reachy-mini-companion/1.2.3' })
    expect(sent?.headers).not.toHaveProperty('authorization')
    expect(await slugs(hub().search(request('rain', { author: 'ACME' })))).toEqual(['acme/Rain'])
    expect(await slugs(hub().search(request('', { tags: ['mcp-server', 'time'] })))).toEqual(['acme/clock'])
  })

  it('tells what the card says', async () => {
    const [info] = await hub().search(request('rain'))
    expect(info).toMatchObject({
      slug: 'acme/Rain',
      title: 'Rain or shine',
      author: 'acme',
      emoji: '🤖',
      likes: 5,
      sdk: 'gradio',
      stage: 'RUNNING',
      hardware: 'cpu-basic',
      description: 'The weather of a place',
      subdomain: 'acme-rain',
    })
  })

  it('takes pages until it has enough, and no more', async () => {
    expect(await slugs(hub().search(request('', { limit: 2 })))).toHaveLength(2)
    expect(server.requests).toHaveLength(1)
    server.spaces.push(...Array.from({ length: 230 }, (_, index): SpaceRecord => ({ id: `many/n${index}` })))
    expect(await slugs(hub().search(request('many', { limit: 150 })))).toHaveLength(150)
    expect(server.requests).toHaveLength(3)
    expect(server.requests[1]?.url).toContain('limit=100&')
  })

  it('searches a sentence by meaning too, each Space once', async () => {
    const found = hub().search(request('doctor weather'))
    expect(await slugs(found)).toEqual(['acme/doctor-weather', 'acme/Rain'])
    expect((await found)[0]).toMatchObject({ stage: 'SLEEPING' })
    expect(server.requests.map(({ url }) => url.split('?')[0]).sort()).toEqual([
      '/api/spaces',
      '/api/spaces/semantic-search',
    ])
  })

  it('does without the search by meaning when that fails, and without words when those do', async () => {
    server.fault('http500', { path: 'semantic' })
    server.spaces.push({ id: 'acme/two-words', title: 'Two words here' })
    expect(await slugs(hub().search(request('two words')))).toEqual(['acme/two-words'])
    server.fault('http500', { path: '/api/spaces?' })
    expect(await slugs(hub().search(request('doctor weather')))).toEqual(['acme/doctor-weather', 'acme/Rain'])
    expect(await failure(hub().search(request('nothing such')))).toMatchObject(['hub/error', { status: 500 }])
  })

  it('remembers an answer for a while, unless asked to look again', async () => {
    const one = hub()
    await one.search(request('rain'))
    await one.search(request(' rain '))
    expect(server.requests).toHaveLength(1)
    await one.search(request('rain', { fresh: true }))
    expect(server.requests).toHaveLength(2)
  })

  it('sends the token when there is one, and sees private Spaces with it', async () => {
    expect(await slugs(hub().search(request('locked')))).toEqual([])
    expect(await slugs(hub(TOKEN).search(request('locked')))).toEqual(['beta/locked'])
  })

  it('does not follow a list to another origin', async () => {
    server.fault('foreign-link')
    expect(await failure(hub(TOKEN).search(request('', { limit: 100 })))).toEqual([
      'hub/error',
      { status: 0, reason: 'foreign-origin', host: '127.0.0.1:9' },
    ])
  })

  it('sends at most four things at once', async () => {
    let now = 0
    let most = 0
    const counting: typeof fetch = async (input, init) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return fetch(input, init).finally(() => (now -= 1))
    }
    const one = hub(null, { fetch: counting })
    await Promise.all(Array.from({ length: 10 }, (_, index) => one.stage(`acme/s${index}`).catch(() => undefined)))
    expect(most).toBe(4)
    expect(server.requests).toHaveLength(10)
  })
})

describe('one Space', () => {
  it('has its canonical name and its host', async () => {
    expect(await hub().space('BETA/Here')).toMatchObject({
      slug: 'beta/here',
      host: 'http://127.0.0.1:7860',
      subdomain: 'here-i-am',
    })
    expect(await hub().space('acme/watch')).toMatchObject({ slug: 'acme/clock', stage: 'SLEEPING' })
    expect(await hub().space('beta/off')).toMatchObject({ disabled: true })
  })

  it('does without host, stage, card and date', async () => {
    const plain = await hub().space('beta/plain')
    expect(plain).toMatchObject({ slug: 'beta/plain', title: 'plain', description: '' })
    for (const key of ['host', 'subdomain', 'stage']) expect(plain).not.toHaveProperty(key)
    server.fault('html', { path: '/host' })
    expect(await hub().space('acme/rain')).toMatchObject({ subdomain: 'acme-rain' })
  })

  it('is found by its label', async () => {
    expect(await hub().spaceBySubdomain('Here-I-Am')).toMatchObject({
      slug: 'beta/here',
      host: 'http://127.0.0.1:7860',
    })
    expect(await failure(hub().spaceBySubdomain('nobody'))).toEqual(['space/not-found', { slug: 'nobody.hf.space' }])
    expect(await failure(hub().spaceBySubdomain('a/../b'))).toEqual(['space/bad-name', { text: 'a/../b' }])
  })

  it('tells its stage as it changes', async () => {
    const one = hub()
    expect([await one.stage('acme/clock'), await one.stage('acme/clock'), await one.stage('beta/plain')]).toEqual([
      'SLEEPING',
      'RUNNING',
      undefined,
    ])
  })

  it('is not asked for under a name that is none', async () => {
    for (const name of ['foo', 'a/b/c', 'a/b?x=1', '../api', 'a/b c']) {
      expect(await failure(hub().space(name))).toEqual(['space/bad-name', { text: name }])
      expect((await failure(hub().stage(name)))[0]).toBe('space/bad-name')
    }
    expect(server.requests).toEqual([])
  })
})

describe('what a refusal means', () => {
  it.each([
    ['missing, anonymous', 'acme/none', null, 'space/not-found', { slug: 'acme/none' }],
    ['missing, with token', 'acme/none', TOKEN, 'space/not-found', { slug: 'acme/none' }],
    ['private, anonymous', 'beta/locked', null, 'space/not-found', { slug: 'beta/locked' }],
    ['private, bad token', 'beta/locked', 'hf_expired', 'hub/token-rejected', {}],
    ['private, no token at all', 'beta/locked', 'abc', 'hub/token-rejected', {}],
    ['gated', 'beta/gated', null, 'space/gated', { slug: 'beta/gated' }],
    ['disabled', 'beta/closed', null, 'space/disabled', { slug: 'beta/closed' }],
  ])('%s', async (_what, slug, token, code, details) => {
    expect(await failure(hub(token).space(slug))).toEqual([code, details])
  })

  it('names the account once it is known', async () => {
    const one = hub(TOKEN)
    expect(await one.account()).toBe('tester')
    expect(await failure(one.space('acme/none'))).toEqual(['space/not-found', { slug: 'acme/none', account: 'tester' }])
  })

  it('a bad token does not hide what is public', async () => {
    expect(await hub('hf_expired').space('acme/rain')).toMatchObject({ slug: 'acme/Rain' })
    expect(await slugs(hub('hf_expired').search(request('rain')))).toEqual(['acme/Rain'])
    expect(await hub('abc').stage('acme/rain')).toBe('RUNNING')
    expect(lines.filter((line) => line.includes('refused the token'))).toHaveLength(3)
  })

  it.each([
    ['html', 'hub/error', { status: 503 }],
    ['html200', 'hub/error', { status: 200, reason: 'not-json' }],
    ['http500', 'hub/error', { status: 500 }],
    ['rate-limited', 'hub/rate-limited', { seconds: 56 }],
    ['slow-headers', 'hub/offline', { reason: 'timeout', step: 'headers' }],
    ['slow-body', 'hub/offline', { reason: 'timeout', step: 'body' }],
    ['offline', 'hub/offline', { reason: 'UND_ERR_SOCKET' }],
  ] as const)('%s', async (fault, code, details) => {
    server.fault(fault)
    for (const ask of [
      (one: Hub) => one.search(request('x')),
      (one: Hub) => one.space('acme/rain'),
      (one: Hub) => one.stage('acme/rain'),
    ]) {
      const [got, more] = await failure(
        ask(hub(null, fault.startsWith('slow') ? { limits: { headersMs: 250, idleMs: 250 } } : {})),
      )
      expect([got, more]).toMatchObject([code, details])
      if (got === 'hub/error') expect(more['requestId']).toMatch(/^Root=/)
    }
  })

  it('offline for good', async () => {
    const gone = await startHub()
    await gone.close()
    const refused = hub(null, { endpoint: gone.url }).space('acme/rain')
    expect(await failure(refused)).toEqual(['hub/offline', { reason: 'ECONNREFUSED' }])
  })

  it('an answer that never ends is cut', async () => {
    server.spaces.push({ id: 'acme/huge', shortDescription: 'x'.repeat(200_000) })
    expect(await failure(hub(null, { limits: { maxBytes: 100_000 } }).space('acme/huge'))).toMatchObject([
      'hub/error',
      { reason: 'too-large' },
    ])
  })
})

describe('a closed window', () => {
  it('holds requests back until it opens, then goes on by itself', async () => {
    const one = hub()
    server.fault('rate-limited', { seconds: 0 })
    expect(await failure(one.search(request('a')))).toEqual(['hub/rate-limited', { seconds: 1 }])
    server.fault(null)
    expect(await failure(one.space('acme/rain'))).toEqual(['hub/rate-limited', { seconds: 1 }])
    expect(server.requests).toHaveLength(1)
    await expect.poll(() => one.stage('acme/rain').catch(() => 'closed'), { timeout: 3_000 }).toBe('RUNNING')
    expect(server.requests).toHaveLength(2)
  })
})

describe('the account', () => {
  it('is null without a token, named with one, refused with a bad one', async () => {
    expect(await hub().account()).toBeNull()
    expect(server.requests).toEqual([])
    expect(await hub(TOKEN).account()).toBe('tester')
    expect(await failure(hub('hf_expired').account())).toEqual(['hub/token-rejected', {}])
    expect(await failure(hub('not a token').account())).toEqual(['hub/token-rejected', {}])
  })
})

describe('the endpoint', () => {
  it('is told, and is loopback here', () => {
    const one = hub(null, { endpoint: `${server.url}/` })
    expect([one.endpoint(), one.isLoopback()]).toEqual([server.url, true])
    expect([hub(null, { endpoint: undefined }).endpoint(), hub(null, { endpoint: undefined }).isLoopback()]).toEqual([
      'https://huggingface.co',
      false,
    ])
  })

  it('that is none is told by everything that needs it, and nothing is sent', async () => {
    const never: typeof fetch = () => Promise.reject(new Error('sent'))
    const one = hub(TOKEN, { endpoint: 'http://huggingface.co', fetch: never })
    const expected = ['hub/bad-endpoint', { text: 'http://huggingface.co/' }]
    expect(() => one.endpoint()).toThrow(CompanionError)
    expect(one.isLoopback()).toBe(false)
    for (const ask of [
      () => one.search(request('x')),
      () => one.space('a/b'),
      () => one.spaceBySubdomain('a'),
      () => one.stage('a/b'),
      () => one.account(),
    ]) {
      expect(await failure(ask())).toEqual(expected)
    }
  })

  it('is the only origin that is asked, whatever it answers', async () => {
    const origins = new Set<string>()
    const noting: typeof fetch = (input, init) => {
      origins.add(new URL(input instanceof Request ? input.url : input).origin)
      return fetch(input, init)
    }
    const elsewhere = await startHub({ spaces: [{ id: 'acme/rain' }] })
    const leading: typeof fetch = async (input, init) => {
      const answer = await noting(input, init)
      return answer.status === 307
        ? new Response(null, { status: 307, headers: { location: `${elsewhere.url}/api/spaces/acme/rain` } })
        : answer
    }
    const one = hub(TOKEN, { fetch: noting })
    await one.search(request('two words'))
    await one.space('acme/rain')
    await one.account()
    expect((await failure(hub(TOKEN, { fetch: leading }).space('acme/watch')))[1]).toMatchObject({
      reason: 'foreign-origin',
    })
    expect([...origins]).toEqual([server.url])
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })
})

describe('leaving', () => {
  it('a caller may leave at any time', async () => {
    server.fault('slow-headers')
    const leave = new AbortController()
    const asked = failure(hub().search(request('x'), leave.signal))
    setTimeout(() => leave.abort(), 30)
    expect((await asked)[0]).toBe('app/cancelled')
  })

  it('dispose ends what runs and what waits', async () => {
    server.fault('slow-headers')
    const one = hub()
    const asked = Array.from({ length: 6 }, () => failure(one.stage('acme/rain')))
    setTimeout(() => one.dispose(), 30)
    expect((await Promise.all(asked)).map(([code]) => code)).toEqual(Array.from({ length: 6 }, () => 'app/cancelled'))
  })
})

describe('the log', () => {
  it('has no token and no words that were searched for', async () => {
    const one = hub(TOKEN)
    await one.search(request('sorrow'))
    await one.space('acme/rain')
    await one.account()
    await one.search(request('private words'))
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.join('\n')).not.toMatch(/hf_test_token|sorrow|private words/)
  })
})
