import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { pause } from './http.ts'
import { startHub, type SpaceRecord, type StandInHub } from './hub.ts'

let hub: StandInHub

const spaces = (): SpaceRecord[] => [
  {
    id: 'acme/Rain-Or-Shine',
    title: 'Rain or shine',
    likes: 5,
    tags: ['mcp-server', 'reachy-mini-tool'],
    shortDescription: 'The weather of a place',
  },
  {
    id: 'acme/clock',
    likes: 9,
    tags: ['mcp-server'],
    stage: ['SLEEPING', 'APP_STARTING', 'RUNNING'],
    renamedFrom: ['acme/watch'],
  },
  { id: 'beta/locked', likes: 1, private: true },
  { id: 'beta/gated', gated: true },
  { id: 'beta/closed', disabled: 'blocked' },
  { id: 'beta/plain', stage: null, cardData: false, host: null, lastModified: null, likes: 2 },
  { id: 'beta/odd', stage: 'MELTING', host: 'http://127.0.0.1:1', subdomain: 'odd-one' },
]

beforeEach(async () => {
  hub = await startHub({ spaces: spaces() })
})

afterEach(() => hub.close())

function get(path: string, token?: string): Promise<Response> {
  return fetch(`${hub.url}${path}`, {
    redirect: 'manual',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
}

type Row = Record<string, unknown> & { id: string }

async function rows(path: string, token?: string): Promise<string[]> {
  return ((await (await get(path, token)).json()) as Row[]).map((row) => row.id)
}

describe('search', () => {
  it('filters by words, tags, author; sorts; hides private Spaces', async () => {
    expect(await rows('/api/spaces?search=RAIN')).toEqual(['acme/Rain-Or-Shine'])
    expect(await rows('/api/spaces?filter=mcp-server&sort=likes')).toEqual(['acme/clock', 'acme/Rain-Or-Shine'])
    expect(await rows('/api/spaces?filter=mcp-server&filter=reachy-mini-tool')).toEqual(['acme/Rain-Or-Shine'])
    expect(await rows('/api/spaces?author=Beta&search=lock')).toEqual([])
    expect(await rows('/api/spaces?author=beta&search=lock', 'hf_test_token')).toEqual(['beta/locked'])
  })

  it('pages with a Link until all were told', async () => {
    const seen: string[] = []
    let path: string | null = '/api/spaces?limit=2&sort=likes'
    let pages = 0
    while (path !== null) {
      const answer = await get(path)
      seen.push(...((await answer.json()) as Row[]).map((row) => row.id))
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      path = next === undefined ? null : next.slice(hub.url.length)
      pages += 1
    }
    expect(pages).toBe(3)
    expect(new Set(seen).size).toBe(6)
    expect(seen.slice(0, 2)).toEqual(['acme/clock', 'acme/Rain-Or-Shine'])
  })

  it('answers expanded fields only, and refuses unknown ones', async () => {
    const [row] = (await (await get('/api/spaces?search=rain&expand=likes&expand=sdk')).json()) as Row[]
    expect(row).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      id: 'acme/Rain-Or-Shine',
      likes: 5,
      sdk: 'gradio',
    })
    expect((await get('/api/spaces?expand=host')).status).toBe(400)
  })

  it('searches by meaning: running ones unless asked otherwise', async () => {
    expect(await rows('/api/spaces/semantic-search?q=weather%20clock')).toEqual(['acme/Rain-Or-Shine'])
    expect(await rows('/api/spaces/semantic-search?q=weather%20clock&includeNonRunning=true')).toEqual([
      'acme/Rain-Or-Shine',
      'acme/clock',
    ])
    expect((await get('/api/spaces/semantic-search?q=')).status).toBe(400)
  })
})

describe('one Space', () => {
  it('answers whole and expanded, by any case, under its canonical id', async () => {
    const whole = (await (await get('/api/spaces/ACME/rain-or-shine')).json()) as Row
    expect(whole).toMatchObject({
      id: 'acme/Rain-Or-Shine',
      author: 'acme',
      host: 'https://acme-rain-or-shine.hf.space',
      subdomain: 'acme-rain-or-shine',
      cardData: { title: 'Rain or shine' },
      runtime: { stage: 'RUNNING', hardware: { current: 'cpu-basic' } },
    })
    const some = (await (
      await get('/api/spaces/acme/rain-or-shine/revision/HEAD?expand=subdomain&expand=private')
    ).json()) as Row
    expect(Object.keys(some).sort()).toEqual(['_id', 'id', 'private', 'subdomain'])
  })

  it('leaves out what a record leaves out', async () => {
    const plain = (await (await get('/api/spaces/beta/plain')).json()) as Row
    for (const key of ['runtime', 'cardData', 'host', 'subdomain', 'lastModified'])
      expect(plain).not.toHaveProperty(key)
    expect((await get('/api/spaces/beta/plain/host')).status).toBe(404)
    expect(await (await get('/api/spaces/beta/plain/runtime')).json()).toEqual({})
  })

  it('tells host, stage and label', async () => {
    expect(await (await get('/api/spaces/beta/odd/host')).json()).toEqual({
      host: 'http://127.0.0.1:1',
      subdomain: 'odd-one',
    })
    expect(await (await get('/api/spaces/beta/odd/runtime')).json()).toMatchObject({ stage: 'MELTING' })
    expect(await (await get('/api/spaces/by-subdomain/odd-one')).json()).toMatchObject({ id: 'beta/odd' })
    expect((await get('/api/spaces/by-subdomain/nobody')).status).toBe(401)
  })

  it('walks through a list of stages, one a poll', async () => {
    const stages: unknown[] = []
    for (let poll = 0; poll < 4; poll += 1) {
      stages.push(((await (await get('/api/spaces/acme/clock/runtime')).json()) as Row)['stage'])
    }
    expect(stages).toEqual(['SLEEPING', 'APP_STARTING', 'RUNNING', 'RUNNING'])
  })

  it('sends to the new name', async () => {
    const answer = await get('/api/spaces/acme/Watch/revision/HEAD?expand=sdk')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      `${hub.url}/api/spaces/acme/clock/revision/HEAD?expand=sdk`,
    ])
  })
})

describe('access', () => {
  it.each([
    ['/api/spaces/acme/nothing', undefined, 401, 'Invalid username or password.', 'RepoNotFound'],
    ['/api/spaces/acme/nothing', 'hf_test_token', 404, 'Repository not found', 'RepoNotFound'],
    ['/api/spaces/beta/locked', undefined, 401, 'Invalid username or password.', 'RepoNotFound'],
    ['/api/spaces/acme/clock', 'hf_expired', 401, 'Invalid credentials in Authorization header', null],
    ['/api/spaces/beta/gated', undefined, 403, 'Access to space beta/gated is restricted.', 'GatedRepo'],
    ['/api/spaces/beta/closed', undefined, 403, 'Access to this resource is disabled.', null],
    ['/api/whoami-v2', undefined, 401, 'Invalid username or password.', null],
  ])('%s with token %s is %i', async (path, token, status, error, code) => {
    const answer = await get(path, token)
    expect([answer.status, await answer.json(), answer.headers.get('x-error-code')]).toEqual([status, { error }, code])
    expect(answer.headers.get('x-request-id')).toMatch(/^Root=/)
  })

  it('opens with a token that may read', async () => {
    expect((await get('/api/spaces/beta/locked', 'hf_test_token')).status).toBe(200)
    hub.tokens['hf_other'] = { name: 'other', mayRead: [] }
    expect((await get('/api/spaces/beta/locked', 'hf_other')).status).toBe(404)
    expect(await (await get('/api/whoami-v2', 'hf_other')).json()).toMatchObject({
      name: 'other',
      auth: { accessToken: { role: 'read' } },
    })
  })
})

describe('faults', () => {
  it('answers with another thing, until it is over', async () => {
    hub.fault('html')
    const html = await get('/api/spaces')
    expect([html.status, html.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    hub.fault('http500', { times: 1 })
    expect((await get('/api/spaces')).status).toBe(500)
    expect((await get('/api/spaces')).status).toBe(200)
    hub.fault('rate-limited', { seconds: 7, path: '/runtime' })
    expect((await get('/api/spaces')).headers.get('ratelimit')).toBe('"api";r=480;t=200')
    const limited = await get('/api/spaces/acme/clock/runtime')
    expect([limited.status, limited.headers.get('ratelimit')]).toEqual([429, '"api";r=0;t=7'])
    expect(limited.headers.get('ratelimit-policy')).toBe('"fixed window";"api";q=500;w=300')
    hub.fault('offline')
    await expect(get('/api/spaces')).rejects.toThrow('fetch failed')
    hub.fault(null)
    expect((await get('/api/spaces')).status).toBe(200)
  })

  it('is slow before the headers, or in the body', async () => {
    hub.fault('slow-headers')
    expect(await Promise.race([get('/api/spaces').catch(() => 'closed'), pause(80)])).toBeUndefined()
    hub.fault('slow-body')
    const answer = await get('/api/spaces')
    expect(answer.status).toBe(200)
    expect(await Promise.race([answer.text().catch(() => 'closed'), pause(80)])).toBeUndefined()
  })

  it('can point the next page elsewhere', async () => {
    hub.fault('foreign-link')
    expect((await get('/api/spaces')).headers.get('link')).toContain('<http://127.0.0.1:9/api/spaces?cursor=')
  })

  it('logs every request', async () => {
    await get('/api/spaces?search=x', 'hf_test_token')
    expect(hub.requests).toMatchObject([
      { method: 'GET', url: '/api/spaces?search=x', headers: { authorization: 'Bearer hf_test_token' } },
    ])
  })
})

describe('README.md', () => {
  const readme = 'spaces/acme/clock/raw/main/README.md'

  it.each(['raw/main', 'raw/HEAD', 'resolve/main'])('is served as %s, by any case of the id', async (way) => {
    const answer = await get(`/spaces/ACME/Clock/${way}/README.md`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await answer.text()).toContain('---\ntitle: clock\n')
  })

  it('is what the record says, or missing', async () => {
    hub.spaces.push({ id: 'acme/told', readme: '# Hello' }, { id: 'acme/bare', readme: null })
    expect(await (await get('/spaces/acme/told/raw/main/README.md')).text()).toBe('# Hello')
    for (const path of ['/spaces/acme/bare/raw/main/README.md', '/spaces/acme/told/raw/main/app.py']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'EntryNotFound'])
    }
  })

  it('is as private, gated or moved as its Space', async () => {
    expect((await get('/spaces/beta/locked/raw/main/README.md')).headers.get('x-error-code')).toBe('RepoNotFound')
    expect((await get('/spaces/beta/locked/raw/main/README.md', 'hf_test_token')).status).toBe(200)
    expect((await get('/spaces/beta/gated/raw/main/README.md')).headers.get('x-error-code')).toBe('GatedRepo')
    const moved = await get('/spaces/acme/watch/raw/main/README.md')
    expect([moved.status, moved.headers.get('location')]).toEqual([307, `${hub.url}/${readme}`])
  })

  it('is what the library downloads', async () => {
    const { downloadFile } = await import('@huggingface/hub')
    const file = await downloadFile({ repo: 'spaces/acme/clock', path: 'README.md', hubUrl: hub.url, xet: false })
    expect(await file?.text()).toBe(await (await get(`/${readme}`)).text())
    expect(await downloadFile({ repo: 'spaces/acme/clock', path: 'none.md', hubUrl: hub.url, xet: false })).toBeNull()
  })
})

it('tells how much of its window is left', async () => {
  hub.remain(12)
  expect((await get('/api/spaces')).headers.get('ratelimit')).toBe('"api";r=12;t=200')
})
