import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { startHub } from '../../e2e/servers/hub.ts'
import { startSpace, text } from '../../e2e/servers/space.ts'
import { CompanionError } from '../contract/index.ts'
import { createHub } from '../hub/index.ts'
import { createMcp } from '../mcp/index.ts'
import { createProfiles } from '../profiles/index.ts'
import { createStorage } from '../storage/index.ts'

import { createSpaces } from './spaces.ts'

import type { SpaceRecord, StandInHub } from '../../e2e/servers/hub.ts'
import type { SpaceTool, StandInSpace } from '../../e2e/servers/space.ts'
import type { Log, SpaceSearch } from '../contract/index.ts'
import type { Spaces } from './types.ts'

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const opened: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

interface House {
  readonly dir: string
  readonly hub: StandInHub
  readonly spaces: Spaces
  readonly tick: (ms: number) => void
  /** Starts a Space and lists it. */
  readonly space: (id: string, tools: SpaceTool[]) => Promise<StandInSpace>
}

async function house(spaces: SpaceRecord[] = []): Promise<House> {
  const dir = await mkdtemp(path.join(tmpdir(), 'browse-'))
  opened.push(() => rm(dir, { recursive: true }))
  const standIn = await startHub({ spaces })
  opened.push(() => standIn.close())
  let offset = 0
  const token = async (): Promise<string | null> => null
  const fetch = globalThis.fetch
  const storage = await createStorage({ dataDir: dir, log: silent })
  const hub = createHub({ endpoint: standIn.url, fetch, token, version: '0.0.0', log: silent })
  const mcp = createMcp({ fetch, version: '0.0.0', log: silent })
  const choice = { get: async () => null, set: async () => undefined }
  const profiles = createProfiles({ storage, shippedDir: dir, choice, log: silent })
  const now = (): number => Date.now() + offset
  const face = createSpaces({ storage, hub, mcp, profiles, fetch, token, log: silent, now })
  opened.push(async () => {
    face.dispose()
    profiles.dispose()
    await mcp.dispose()
    hub.dispose()
    await storage.dispose()
  })
  return {
    dir,
    hub: standIn,
    spaces: face,
    tick: (ms) => void (offset += ms),
    async space(id, tools) {
      const server = await startSpace({ id, tools })
      opened.push(() => server.close())
      standIn.spaces.push({ id, host: server.url, tags: ['mcp-server'] })
      return server
    },
  }
}

const SEEDS = ['search', 'time', 'weather'].map((name) => `pollen-robotics/reachy-mini-${name}-tool`)

/** A catalogue with the starting Spaces near its end. */
const many = (count: number): SpaceRecord[] => [
  ...Array.from({ length: count }, (_, i) => ({
    id: `acme/tool-${String(i).padStart(3, '0')}`,
    likes: 1_000 - i,
    tags: i % 2 === 0 ? ['mcp-server', 'mcp'] : ['mcp-server'],
    stage: i % 10 === 0 ? 'RUNNING' : 'SLEEPING',
  })),
  ...SEEDS.map((id) => ({ id, likes: 1, tags: ['reachy-mini-tool', 'mcp-server'] })),
]

const all = { query: '', filters: [], sort: 'likes', limit: 20 } as const
const slugs = ({ results }: SpaceSearch): string[] => results.map(({ slug }) => slug)

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'no failure'
  } catch (error) {
    if (error instanceof CompanionError) return error.code
    throw error
  }
}

async function whole(spaces: Spaces, first: SpaceSearch): Promise<string[]> {
  const found = slugs(first)
  let { next } = first
  for (let page = 0; next !== undefined && page < 50; page += 1) {
    const more = await spaces.more(next, 20)
    found.push(...slugs(more))
    next = more.next
  }
  return found
}

const until = async (done: () => Promise<boolean>): Promise<void> => {
  for (let turn = 0; turn < 200 && !(await done()); turn += 1) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await done()).toBe(true)
}
const cached = (dir: string, file: string): Promise<string> =>
  readFile(path.join(dir, 'cache', file), 'utf8').catch(() => '')

describe('a long list', () => {
  it('is read on to its end, the starting Spaces first, none twice', async () => {
    const h = await house(many(97))
    const first = await h.spaces.search(all)
    expect(slugs(first)).toHaveLength(20)
    expect(slugs(first).slice(0, 4)).toEqual([...SEEDS, 'acme/tool-000'])
    const found = await whole(h.spaces, first)
    expect(found).toHaveLength(100)
    expect(new Set(found).size).toBe(100)
    expect(found.at(-1)).toBe('acme/tool-096')
  })

  it('keeps the order of the Hub while a filter of ours thins it out', async () => {
    const h = await house(many(97))
    const found = await whole(h.spaces, await h.spaces.search({ ...all, filters: ['running'] }))
    expect(found).toEqual([...SEEDS, ...Array.from({ length: 10 }, (_, i) => `acme/tool-0${i}0`)])
  })

  it('filters by the tag mcp', async () => {
    const h = await house(many(9))
    const found = await h.spaces.search({ ...all, filters: ['tagged-mcp'] })
    expect(slugs(found)).toEqual(['acme/tool-000', 'acme/tool-002', 'acme/tool-004', 'acme/tool-006', 'acme/tool-008'])
    expect(found.next).toBeUndefined()
  })

  it('loses nothing when a page fails, and nothing to two askers at once', async () => {
    const h = await house(many(57))
    const first = await h.spaces.search(all)
    h.hub.fault('http500')
    // What was read ahead is told; then the failure.
    const ahead = await h.spaces.more(first.next ?? '', 20)
    expect(ahead.next).toBeDefined()
    expect(await codeOf(h.spaces.more(first.next ?? '', 20))).toBe('hub/error')
    h.hub.fault(null)
    const [a, b] = await Promise.all([h.spaces.more(first.next ?? '', 20), h.spaces.more(first.next ?? '', 20)])
    const found = [...slugs(first), ...slugs(ahead), ...slugs(a), ...slugs(b)]
    expect(found).toHaveLength(60)
    expect(new Set(found).size).toBe(60)
  })

  it('is forgotten after ten minutes, and when eight others came since', async () => {
    const h = await house(many(57))
    const old = await h.spaces.search(all)
    h.tick(10 * 60_000)
    expect(await codeOf(h.spaces.more(old.next ?? '', 20))).toBe('app/cancelled')

    const first = await h.spaces.search(all)
    for (const query of ['t', 'to', 'too', 'tool', 'o', 'l', 'ool', 'ol']) await h.spaces.search({ ...all, query })
    expect(await codeOf(h.spaces.more(first.next ?? '', 20))).toBe('app/cancelled')
    expect(await codeOf(h.spaces.more('nobody gave this', 20))).toBe('app/cancelled')
  })

  it('is there offline as far as it was read, page by page', async () => {
    const h = await house(many(57))
    const online = await whole(h.spaces, await h.spaces.search(all))
    await until(async () => (await cached(h.dir, 'spaces.json')).includes('acme/tool-056'))
    h.hub.fault('offline')
    // The answer of the last minute is still held by the Hub's client under its own limit.
    const offline = await h.spaces.search({ ...all, limit: 19 })
    expect(offline).toMatchObject({ from: 'cache', failure: { code: 'hub/offline' } })
    expect(offline.results).toHaveLength(19)
    expect(await whole(h.spaces, offline)).toEqual(online)
  })

  it('rate-limited: the last catalogue with the seconds left, and by itself no request', async () => {
    const h = await house(many(5))
    await h.spaces.search(all)
    h.hub.fault('rate-limited', { seconds: 40, times: 1 })
    const held = await h.spaces.search({ ...all, query: 'tool' })
    expect(held).toMatchObject({ from: 'cache', failure: { code: 'hub/rate-limited', details: { seconds: 41 } } })
    const asked = h.hub.requests.length
    const again = await h.spaces.search({ ...all, query: 'tool' })
    expect(again.failure?.code).toBe('hub/rate-limited')
    expect(Number(again.failure?.details?.['seconds'])).toBeLessThanOrEqual(41)
    expect(h.hub.requests).toHaveLength(asked)
  })
})

describe('a search under way', () => {
  it('ends when a newer one of the same name begins', async () => {
    const h = await house(many(5))
    h.hub.fault('slow-headers', { times: 1 })
    const old = codeOf(h.spaces.search({ ...all, query: 'tool-000', operationId: 'window' }))
    await until(async () => h.hub.requests.length > 0)
    const found = await h.spaces.search({ ...all, query: 'tool-001', operationId: 'window' })
    expect(await old).toBe('app/cancelled')
    expect(slugs(found)).toEqual(['acme/tool-001'])
  })

  it('ends when it is cancelled, and leaves others alone', async () => {
    const h = await house(many(5))
    h.hub.fault('slow-headers', { times: 1 })
    const old = codeOf(h.spaces.search({ ...all, query: 'tool-000', operationId: 'a' }))
    await until(async () => h.hub.requests.length > 0)
    const other = h.spaces.search({ ...all, query: 'tool-001', operationId: 'b' })
    h.spaces.cancel('a')
    expect(await old).toBe('app/cancelled')
    expect(slugs(await other)).toEqual(['acme/tool-001'])
  })
})

describe('a Space looked at', () => {
  const README =
    '---\ntitle: x\n---\n# Painter\n<script>x</script>\n\n![own](art/a.png) ![far](https://img.example/b.png)\n'

  it('has card, README and the installed tools, without asking the Space', async () => {
    const h = await house([
      { id: 'acme/painter', title: 'Painter', likes: 3, readme: README },
      { id: SEEDS[0] ?? '', tags: ['mcp-server'] },
    ])
    const detail = await h.spaces.detail('Acme/Painter')
    expect(detail).toMatchObject({
      card: { slug: 'acme/painter', title: 'Painter', likes: 3, installed: false },
      from: 'hub',
      readme: {
        markdown: `# Painter\n\n![own](${h.hub.url}/spaces/acme/painter/resolve/main/art/a.png) ![far](https://img.example/b.png)`,
        leftOut: { scripts: 1, frames: 0 },
        own: `${h.hub.url}/spaces/acme/painter/resolve/main/`,
      },
    })
    expect(detail.tools).toBeUndefined()

    const seed = await h.spaces.detail(SEEDS[0] ?? '')
    expect(seed.card.installed).toBe(true)
    expect(seed.tools).toHaveLength(1)
    expect(seed.tools?.[0]).toMatchObject({
      id: 'pollen_robotics_reachy_mini_search_tool__search_web',
      status: 'usable',
      warnings: [],
      parameters: { required: ['query'] },
    })
  })

  it('is shown as it was seen last while the Hub is silent, as a card when it was not, and says when it is gone', async () => {
    const h = await house([{ id: 'acme/painter', readme: README, tags: ['mcp-server'] }, ...many(3)])
    await h.spaces.search(all)
    await h.spaces.detail('acme/painter')
    await until(async () => (await cached(h.dir, 'space-details.json')).includes('Painter'))
    await until(async () => (await cached(h.dir, 'spaces.json')).includes('tool-001'))
    h.hub.fault('offline')
    const seen = await h.spaces.detail('acme/painter')
    expect(seen).toMatchObject({ from: 'cache', failure: { code: 'hub/offline' } })
    expect(seen.readme?.markdown).toContain('# Painter')
    expect(seen.cachedAt).toBeGreaterThan(0)
    expect(await h.spaces.detail('acme/tool-001')).toMatchObject({ from: 'cache', readme: null })
    expect(await h.spaces.detail(SEEDS[1] ?? '')).toMatchObject({
      from: 'cache',
      readme: null,
      card: { installed: true },
    })
    expect(await codeOf(h.spaces.detail('acme/never-seen'))).toBe('hub/offline')

    h.hub.fault(null)
    h.hub.spaces.length = 0
    expect(await codeOf(h.spaces.detail('acme/painter'))).toBe('space/not-found')
  })

  it('without a README, and with one that cannot be read now', async () => {
    const h = await house([{ id: 'acme/painter', readme: null }, { id: 'acme/other' }])
    expect(await h.spaces.detail('acme/painter')).toMatchObject({ readme: null, from: 'hub' })
    h.hub.fault('http500', { path: '/raw/' })
    const other = await h.spaces.detail('acme/other')
    expect(other).toMatchObject({ readme: null, from: 'hub', failure: { code: 'hub/error' } })
  })

  it('keeps at most 2 MB of what was looked at, the latest', async () => {
    const readme = 'word '.repeat(20_000)
    const records = Array.from({ length: 25 }, (_, i) => ({ id: `acme/long-${i}`, readme: `# N${i}\n\n${readme}` }))
    const h = await house(records)
    for (const { id } of records) await h.spaces.detail(id)
    await until(async () => (await cached(h.dir, 'space-details.json')).includes('# N24'))
    const file = await cached(h.dir, 'space-details.json')
    expect(Buffer.byteLength(file)).toBeLessThanOrEqual(2 * 1024 * 1024)
    expect(file).not.toContain('# N0\\n')
  })

  it('loads only pictures that its README names, and only after it was looked at', async () => {
    const h = await house([{ id: 'acme/painter', readme: README }])
    const own = `${h.hub.url}/spaces/acme/painter/resolve/main/art/a.png`
    expect(await codeOf(h.spaces.picture('acme/painter', own))).toBe('space/bad-origin')
    await h.spaces.detail('acme/painter')
    expect(await codeOf(h.spaces.picture('acme/painter', `${own}?x`))).toBe('space/bad-origin')
    expect(await codeOf(h.spaces.picture('acme/other', own))).toBe('space/bad-origin')
    // The stand-in has no such file: it was asked for it.
    expect(await codeOf(h.spaces.picture('Acme/painter', own))).toBe('space/unreachable')
    expect(h.hub.requests.at(-1)?.url).toBe('/spaces/acme/painter/resolve/main/art/a.png')
  })
})

describe('a try', () => {
  const tool = (name: string, run: SpaceTool['run'] = () => text(`ran ${name}`)): SpaceTool => ({
    name,
    description: 'Does it.',
    inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    run,
  })
  const ask = { operationId: 'try', slug: 'acme/door', remoteName: 'door_open', arguments: { q: 'now' } }

  it('goes to what a preview connected to, and writes nothing', async () => {
    const h = await house()
    const server = await h.space('acme/door', [tool('door_open')])
    expect(await codeOf(h.spaces.tryTool({ ...ask, previewId: 'p' }))).toBe('space/not-installed')
    await h.spaces.preview('p', 'acme/door')
    const result = await h.spaces.tryTool({ ...ask, previewId: 'p' })
    expect(result.answer).toMatchObject({ content: [{ type: 'text', text: 'ran door_open' }], isError: false })
    expect(result.received).toEqual({ content: [{ type: 'text', text: 'ran door_open' }], isError: false })
    expect(result.durationMs).toBeGreaterThan(0)
    expect(server.calls.map(({ args }) => args)).toEqual([{ q: 'now' }])
    expect(await codeOf(h.spaces.tryTool({ ...ask, previewId: 'p', remoteName: 'other' }))).toBe('tools/unknown')
    expect(await codeOf(h.spaces.tryTool({ ...ask, previewId: 'p', slug: 'acme/window' }))).toBe('space/not-installed')
    expect((await h.spaces.snapshot()).spaces.map(({ slug }) => slug)).toEqual(SEEDS)
    h.spaces.cancel('p')
    expect(await codeOf(h.spaces.tryTool({ ...ask, previewId: 'p' }))).toBe('space/not-installed')
  })

  it('is stopped by its name', async () => {
    const h = await house()
    let begun = false
    await h.space('acme/door', [
      tool('door_open', async (_, { signal }) => {
        begun = true
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        return text('too late')
      }),
    ])
    await h.spaces.preview('p', 'acme/door')
    const stopped = codeOf(h.spaces.tryTool({ ...ask, previewId: 'p' }))
    await until(async () => begun)
    h.spaces.cancel('try')
    expect(await stopped).toBe('tools/cancelled')
  })

  it('of a tool that is not what was shown is not sent', async () => {
    const h = await house()
    const server = await h.space('acme/door', [tool('door_open')])
    await h.spaces.preview('p', 'acme/door')
    server.fault('changedDescription', 'Does something else.')
    // The connection ends, as it does when a Space restarts.
    server.fault('asleep', 0)
    expect(await codeOf(h.spaces.tryTool({ ...ask, previewId: 'p' }))).toBe('space/changed')
    expect(server.calls).toHaveLength(0)
  })

  it('of an installed tool is a call like any other', async () => {
    const h = await house()
    await h.space('acme/door', [tool('door_open')])
    await h.spaces.preview('p', 'acme/door')
    await h.spaces.install('p', ['acme_door__open'], [])
    const { answer } = await h.spaces.tryTool(ask)
    expect(answer.content).toEqual([{ type: 'text', text: 'ran door_open' }])
  })
})
