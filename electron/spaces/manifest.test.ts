import { describe, expect, it } from 'vitest'

import { readManifest, writeManifest } from './manifest.ts'
import { isMcpUrl, spaceOrigin } from './origin.ts'
import { SEEDS } from './seeds.ts'

import type { ManifestRead } from './manifest.ts'

const options = { file: '/data/installed_tool_spaces.json', hubIsLoopback: false }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (value: unknown): ManifestRead =>
  readManifest(bytes(typeof value === 'string' ? value : JSON.stringify(value)), options)

function ok(value: unknown): Extract<ManifestRead, { state: 'ok' }> {
  const result = read(value)
  if (result.state !== 'ok') throw new Error(`state ${result.state}`)
  return result
}

const tool = (alias: string, name = 'x'): Record<string, unknown> => ({
  local_name: `${alias}__${name}`,
  client_tool_name: `${alias}__n_${name}`,
  remote_name: `n_${name}`,
  description: 'Does x.',
  parameters_schema: { type: 'object', properties: {} },
})
const entry = (slug: string, alias: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  slug,
  alias,
  mcp_url: `https://${slug.toLowerCase().replace(/[^a-z0-9]/g, '-')}.hf.space/gradio_api/mcp/`,
  private: false,
  tools: [tool(alias)],
  ...more,
})
const good = entry('o/n', 'o_n')
const v2 = (...spaces: unknown[]): unknown => ({ version: 2, spaces })
const reasons = (value: unknown): unknown[] => ok(value).bad.map(({ problem }) => problem.details?.reason)

describe('the whole file', () => {
  it('absent', () => {
    expect(readManifest(null, options)).toEqual({ state: 'absent' })
  })

  it.each<[string, unknown]>([
    ['not JSON', '{'],
    ['empty', ''],
    ['a list', []],
    ['null', 'null'],
    ['spaces not a list', { version: 2, spaces: {} }],
  ])('unreadable: %s', (_, value) => {
    expect(read(value)).toEqual({
      state: 'read-only',
      problem: { code: 'manifest/unreadable', details: { file: options.file } },
    })
  })

  it('unreadable: no UTF-8', () => {
    expect(readManifest(Uint8Array.of(0x7b, 0xff, 0x7d), options).state).toBe('read-only')
  })

  it('a newer version is only read', () => {
    expect(read({ version: 3, spaces: [good] })).toMatchObject({
      state: 'read-only',
      problem: { code: 'manifest/newer' },
    })
  })

  it.each<[string, unknown]>([
    ['no spaces', { version: 2 }],
    ['empty spaces', v2()],
  ])('nothing installed: %s', (_, value) => {
    expect(ok(value)).toEqual({ state: 'ok', entries: [], bad: [], extra: [] })
  })

  it.each<[string, unknown]>([
    ['no version', { spaces: [good] }],
    ['version 1', { version: 1, spaces: [good] }],
    ['version as a text', { version: '2', spaces: [good] }],
    ['a byte order mark', `\ufeff${JSON.stringify(v2(good))}`],
  ])('judged by content: %s', (_, value) => {
    expect(ok(value).entries).toHaveLength(1)
  })

  it('keeps keys that are not upstream’s for our own file', () => {
    const result = ok({ version: 2, spaces: [{ ...good, note: 'mine' }], owner: 'me' })
    expect(result.entries).toHaveLength(1)
    expect(result.extra).toEqual([{ extra: { owner: 'me' } }, { slug: 'o/n', extra: { note: 'mine' } }])
  })
})

describe('one bad entry costs only itself', () => {
  it.each<[string, unknown, string]>([
    ['not an object', 'x', 'not an object'],
    ['null', null, 'not an object'],
    ['no slug', { alias: 'a' }, 'no name of a Space'],
    ['bad slug', entry('https://huggingface.co/spaces/a/b', 'a_b'), 'no name of a Space'],
    ['listed twice', entry('O/N', 'O_N'), 'listed twice'],
    ['alias taken', entry('o/n_', 'o_n'), 'same tool names as o/n'],
  ])('%s', (_, bad, reason) => {
    const result = ok(v2(good, bad, entry('p/q', 'p_q')))
    expect(result.entries.map(({ slug }) => slug)).toEqual(['o/n', 'p/q'])
    expect(result.bad.map(({ problem, raw }) => [problem.code, problem.details?.reason, raw])).toEqual([
      ['manifest/bad-entry', reason, bad],
    ])
  })

  it.each<[string, unknown]>([
    ['of version 1', { alias: 'a_b', slug: 'a/b' }],
    ['with an empty address', entry('a/b', 'a_b', { mcp_url: '' })],
  ])('an entry %s stays and needs to be added again', (_, old) => {
    const [first] = ok(v2(old)).entries
    expect(first).toMatchObject({
      slug: 'a/b',
      mcpUrl: '',
      problem: { code: 'manifest/bad-entry', details: { reason: 'needs to be added again' } },
    })
  })

  it.each([
    'https://attacker.example/gradio_api/mcp/',
    'http://o-n.hf.space/gradio_api/mcp/',
    'http://127.0.0.1:9/gradio_api/mcp/',
    'https://o-n.hf.space/gradio_api/mcp/?x=1',
  ])('address %s: never contacted', (url) => {
    const [first] = ok(v2(entry('o/n', 'o_n', { mcp_url: url }))).entries
    expect(first?.problem).toEqual({ code: 'space/bad-origin', details: { slug: 'o/n' } })
    expect(first?.tools).toHaveLength(1)
  })

  it.each<[unknown, boolean | null]>([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    [undefined, null],
    [1, null],
  ])('private %j', (value, expected) => {
    expect(ok(v2(entry('o/n', 'o_n', { private: value }))).entries[0]?.private).toBe(expected)
  })

  it('an alias stored otherwise is computed again, and the names move with it', () => {
    const [first] = ok(v2(entry('o/n', 'old', { tools: [tool('old')] }))).entries
    expect(first).toMatchObject({ alias: 'o_n', tools: [{ id: 'o_n__x', clientName: 'o_n__n_x' }] })
  })
})

describe('one bad tool costs only itself', () => {
  const withTools = (...tools: unknown[]): unknown => v2(entry('o/n', 'o_n', { tools: [tool('o_n', 'y'), ...tools] }))

  it.each<[string, unknown]>([
    ['no local_name', { ...tool('o_n'), local_name: undefined }],
    ['no client_tool_name', { ...tool('o_n'), client_tool_name: undefined }],
    ['no remote_name', { ...tool('o_n'), remote_name: '' }],
    ['a name of another Space', tool('other')],
    ['a name with other characters', { ...tool('o_n'), local_name: 'o_n__a b' }],
    ['a repeated name', tool('o_n', 'y')],
    ['not an object', 7],
  ])('%s', (_, bad) => {
    const result = ok(withTools(bad))
    expect(result.entries[0]?.tools.map(({ id }) => id)).toEqual(['o_n__y'])
    expect(result.bad).toHaveLength(1)
    expect(result.bad[0]?.label).toBe('o/n')
  })

  it('tools that are no list', () => {
    expect(reasons(v2(entry('o/n', 'o_n', { tools: {} })))).toEqual(['tools is not a list'])
  })

  it.each([null, undefined, [], 'x'])('parameters_schema %j counts as unknown', (schema) => {
    expect(ok(withTools({ ...tool('o_n'), parameters_schema: schema })).entries[0]?.tools[1]?.parameters).toEqual({})
  })
})

describe('writing', () => {
  it('has upstream’s bytes', () => {
    const result = ok(
      v2(
        entry('z/é'.replace('é', 'e'), 'z_e', { tools: [] }),
        entry('B/a', 'B_a', {
          private: true,
          tools: [
            {
              ...tool('B_a'),
              description: 'Grüße 🤖 "x"\u007f',
              parameters_schema: { type: 'object', '10': 1, '9': [], a: {} },
            },
          ],
        }),
      ),
    )
    expect(writeManifest(result.entries)).toBe(`{
  "spaces": [
    {
      "alias": "B_a",
      "mcp_url": "https://b-a.hf.space/gradio_api/mcp/",
      "private": true,
      "slug": "B/a",
      "tools": [
        {
          "client_tool_name": "B_a__n_x",
          "description": "Gr\\u00fc\\u00dfe \\ud83e\\udd16 \\"x\\"\\u007f",
          "local_name": "B_a__x",
          "parameters_schema": {
            "10": 1,
            "9": [],
            "a": {},
            "type": "object"
          },
          "remote_name": "n_x"
        }
      ]
    },
    {
      "alias": "z_e",
      "mcp_url": "https://z-e.hf.space/gradio_api/mcp/",
      "private": false,
      "slug": "z/e",
      "tools": []
    }
  ],
  "version": 2
}
`)
  })

  it('reads back what it wrote, byte for byte', () => {
    const text = writeManifest(SEEDS)
    expect(writeManifest(ok(text).entries)).toBe(text)
  })
})

describe('the starting Spaces', () => {
  it('are upstream’s three, in its order', () => {
    expect(SEEDS.map(({ slug, tools }) => [slug, tools[0]?.id, tools[0]?.remoteName])).toEqual([
      [
        'pollen-robotics/reachy-mini-search-tool',
        'pollen_robotics_reachy_mini_search_tool__search_web',
        'reachy_mini_search_tool_search_web',
      ],
      [
        'pollen-robotics/reachy-mini-time-tool',
        'pollen_robotics_reachy_mini_time_tool__get_time',
        'reachy_mini_time_tool_get_time',
      ],
      [
        'pollen-robotics/reachy-mini-weather-tool',
        'pollen_robotics_reachy_mini_weather_tool__get_weather',
        'reachy_mini_weather_tool_get_weather',
      ],
    ])
    expect(SEEDS.every(({ mcpUrl, private: secret }) => isMcpUrl(mcpUrl, false) && secret === false)).toBe(true)
    const [search, time, weather] = SEEDS.map(({ tools }) => tools[0]?.parameters)
    expect(search).toMatchObject({
      properties: { query: { type: 'string' }, max_results: { type: 'integer', minimum: 1, maximum: 10, default: 5 } },
      required: ['query'],
    })
    expect(time).toMatchObject({
      properties: { timezone: { default: '' }, compare_timezone: { default: '' } },
      required: [],
    })
    expect(weather).toMatchObject({ properties: { location: { type: 'string' } }, required: ['location'] })
  })
})

describe('addresses', () => {
  it.each<[string, boolean, boolean]>([
    ['https://o-n.hf.space/gradio_api/mcp/', false, true],
    ['https://o-n.hf.space:443/gradio_api/mcp/', false, true],
    ['https://o-n.hf.space/gradio_api/mcp', false, false],
    ['https://o-n.hf.space/gradio_api/mcp/sse', false, false],
    ['https://o-n.hf.space:8443/gradio_api/mcp/', false, false],
    ['https://u:p@o-n.hf.space/gradio_api/mcp/', false, false],
    ['https://u@o-n.hf.space/gradio_api/mcp/', false, false],
    ['https://o-n.hf.space/gradio_api/mcp/?', false, false],
    ['https://o-n.hf.space/gradio_api/mcp/#x', false, false],
    ['https://hf.space/gradio_api/mcp/', false, false],
    ['https://evilhf.space/gradio_api/mcp/', false, false],
    ['https://o-n.hf.space.evil.example/gradio_api/mcp/', false, false],
    ['https://evil.example/gradio_api/mcp/', true, false],
    ['http://o-n.hf.space/gradio_api/mcp/', true, false],
    ['http://127.0.0.1:7860/gradio_api/mcp/', true, true],
    ['http://localhost:7860/gradio_api/mcp/', true, true],
    ['http://[::1]:7860/gradio_api/mcp/', true, true],
    ['http://127.0.0.1:7860/gradio_api/mcp/', false, false],
    ['http://127.0.0.1.evil.example/gradio_api/mcp/', true, false],
    ['http://192.168.1.5/gradio_api/mcp/', true, false],
    ['stdio://local', true, false],
    ['', true, false],
  ])('%s, Hub on loopback %s: %s', (url, loopback, expected) => {
    expect(isMcpUrl(url, loopback)).toBe(expected)
  })

  it.each<[string | undefined, string | undefined, boolean, string]>([
    ['https://o-n.hf.space', undefined, false, 'https://o-n.hf.space'],
    ['https://o-n.hf.space/', 'x', false, 'https://o-n.hf.space'],
    ['o-n.hf.space', undefined, false, 'https://o-n.hf.space'],
    [undefined, 'O-N', false, 'https://o-n.hf.space'],
    ['http://127.0.0.1:9', undefined, true, 'http://127.0.0.1:9'],
    ['', 'o-n', false, 'https://o-n.hf.space'],
  ])('host %s, subdomain %s', (host, subdomain, loopback, origin) => {
    const info = {
      slug: 'o/n',
      ...(host === undefined ? {} : { host }),
      ...(subdomain === undefined ? {} : { subdomain }),
    }
    expect(spaceOrigin(info, loopback)).toBe(origin)
  })

  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['https://custom.example', undefined],
    ['https://o-n.hf.space:8443', undefined],
    ['https://u@o-n.hf.space', undefined],
    ['https://o-n.hf.space/path', undefined],
    ['https://o-n.static.hf.space', undefined],
    ['https://custom.example', 'o-n'],
    ['https://evil.hf.space.example', 'o-n'],
    ['https://o-n.hf.space:8443', 'o-n'],
    ['https://u:p@o-n.hf.space', 'o-n'],
    ['http://o-n.hf.space', 'o-n'],
    ['http://169.254.169.254', 'o-n'],
    ['169.254.169.254', 'o-n'],
    ['file:///etc/passwd', 'o-n'],
    ['javascript:alert(1)', 'o-n'],
    ['no address', 'o-n'],
    [undefined, 'a.b'],
    [undefined, '-a'],
    [undefined, 'a/../b'],
  ])('host %s, subdomain %s: refused', (host, subdomain) => {
    const info = {
      slug: 'o/n',
      ...(host === undefined ? {} : { host }),
      ...(subdomain === undefined ? {} : { subdomain }),
    }
    expect(() => spaceOrigin(info, true)).toThrow('space/bad-origin')
  })
})
