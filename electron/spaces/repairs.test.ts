import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { problemId, problemsOf, suggestionFor } from './repairs.ts'
import { readState, snapshotOf, writeState } from './state.ts'

import type { JsonObject, JsonValue } from '../contract/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { SpacesState } from './state.ts'

const FILES = { manifest: '/m/installed_tool_spaces.json', pins: '/m/pins.json', quarantine: '/m/quarantine.json' }

/** The three files in memory, through the same reads and writes that a transaction makes. */
function disk(manifest: JsonValue | string) {
  const files = new Map<string, string>()
  if (manifest !== '') files.set(FILES.manifest, typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
  const read = async (file: string): Promise<{ bytes: Uint8Array; revision: string } | null> => {
    const content = files.get(file)
    return content === undefined ? null : { bytes: new TextEncoder().encode(content), revision: '' }
  }
  const tx: Transaction = {
    read,
    write: (file, content) => void files.set(file, typeof content === 'string' ? content : ''),
  }
  const state = (): Promise<SpacesState> => readState(read, FILES, false)
  return {
    state,
    /** Writes what was read, as a change of something else does. */
    async rewrite(settled: (entry: { raw: JsonValue }) => boolean = () => false) {
      const before = await state()
      writeState(tx, FILES, before, { entries: before.entries, pins: before.pins, settled }, 0)
    },
    json: (file: keyof typeof FILES): JsonObject => JSON.parse(files.get(FILES[file]) ?? '{}') as JsonObject,
  }
}

const tool = (alias: string, name: string): JsonObject => ({
  local_name: `${alias}__${name}`,
  client_tool_name: `${alias}__n_${name}`,
  remote_name: `n_${name}`,
  description: `Does ${name}.`,
  parameters_schema: { type: 'object', properties: {} },
})
const entry = (slug: string, more: JsonObject = {}): JsonObject => {
  const alias = slug.replace(/[^A-Za-z0-9_]+/g, '_')
  const mcp_url = `https://${slug.toLowerCase().replace(/[^a-z0-9]/g, '-')}.hf.space/gradio_api/mcp/`
  return { slug, alias, mcp_url, private: false, tools: [tool(alias, 'x'), tool(alias, 'y')], ...more }
}

/** One of every kind, each by itself beside two good ones. */
const KINDS: readonly [name: string, raw: JsonValue, reason: string, suggestion: string | undefined][] = [
  ['a text that names a Space', 'acme/tools', 'not an object', 'acme/tools'],
  ['a text', 'junk', 'not an object', undefined],
  ['null', null, 'not an object', undefined],
  ['a list', [1], 'not an object', undefined],
  ['an empty object', {}, 'no name of a Space', undefined],
  ['a slug that is a link', entry('https://huggingface.co/spaces/Acme/Tools?x=1'), 'no name of a Space', 'Acme/Tools'],
  ['a slug that is an address', { slug: 'acme-tools.hf.space' }, 'no name of a Space', 'acme-tools.hf.space'],
  ['a slug with a prefix', { slug: 'spaces/acme/tools' }, 'no name of a Space', 'acme/tools'],
  ['a slug of nothing', { slug: 'foo/bär' }, 'no name of a Space', undefined],
  [
    'no slug but an address',
    { mcp_url: 'https://acme-tools.hf.space/gradio_api/mcp/' },
    'no name of a Space',
    'acme-tools.hf.space',
  ],
  [
    'an address elsewhere and no slug',
    { mcp_url: 'https://evil.example/gradio_api/mcp/' },
    'no name of a Space',
    undefined,
  ],
  ['the same Space again', entry('GOOD/one'), 'listed twice', 'GOOD/one'],
  ['the alias of another', entry('good/one_'), 'same tool names as good/one', 'good/one_'],
  ['tools that are no list', entry('odd/tools', { tools: {} }), 'tools is not a list', 'odd/tools'],
  ['a tool that is none', entry('odd/tools', { tools: [7] }), 'a tool is not an object', 'odd/tools'],
  ['a tool without names', entry('odd/tools', { tools: [{}] }), 'a tool without its names', 'odd/tools'],
  [
    'a tool of another Space',
    entry('odd/tools', { tools: [tool('other', 'x')] }),
    'a tool without its names',
    'odd/tools',
  ],
  [
    'a tool twice',
    entry('odd/tools', { tools: [tool('odd_tools', 'x'), tool('odd_tools', 'x')] }),
    'a tool is listed twice',
    'odd/tools',
  ],
  [
    'a tool whose parameters nobody knows',
    entry('odd/tools', { tools: [{ ...tool('odd_tools', 'x'), parameters_schema: null }] }),
    'the parameters of a tool are unknown',
    'odd/tools',
  ],
]

describe('a bad entry of every kind', () => {
  it.each(KINDS)('%s: named, with what it probably means', async (_, raw, reason, suggestion) => {
    const d = disk({ version: 2, spaces: [entry('good/one'), raw, entry('good/two')] })
    const { problems } = snapshotOf(await d.state(), FILES.manifest, 1)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.problem).toEqual({ code: 'manifest/bad-entry', details: { reason } })
    expect(problems[0]?.suggestion).toBe(suggestion)
    expect(problems[0]?.id).toMatch(/^[0-9a-f]{16}$/)
  })

  it('all in one file: every good Space is there, and a write loses none of the others', async () => {
    const bad = KINDS.map(([, raw]) => raw).filter(
      (raw) => typeof raw !== 'object' || raw === null || Array.isArray(raw) || raw.slug !== 'odd/tools',
    )
    const d = disk({ version: 2, spaces: [bad[0] ?? null, entry('good/one'), ...bad.slice(1), entry('good/two')] })
    const before = await d.state()
    expect(before.entries.map(({ slug }) => slug)).toEqual(['good/one', 'good/two'])
    await d.rewrite()
    expect((d.json('manifest').spaces as JsonObject[]).map(({ slug }) => slug)).toEqual(['good/one', 'good/two'])
    const kept = (d.json('quarantine').entries as JsonObject[]).map(({ raw }) => raw)
    for (const raw of bad) expect(kept).toContainEqual(raw)
    const again = await d.state()
    expect(snapshotOf(again, FILES.manifest, 1).problems).toEqual(snapshotOf(before, FILES.manifest, 1).problems)
    await d.rewrite()
    expect((d.json('quarantine').entries as JsonObject[]).map(({ raw }) => raw)).toEqual(kept)
  })

  it('the name stays the same on disk and in the quarantine, whatever the order of its keys', async () => {
    expect(problemId({ raw: { a: 1, b: [{ c: 2 }] } })).toBe(problemId({ raw: { b: [{ c: 2 }], a: 1 } }))
    expect(problemId({ raw: { a: 1 } })).not.toBe(problemId({ raw: { a: 2 } }))
    const d = disk({ version: 2, spaces: ['junk', 'junk'] })
    const [first, ...others] = snapshotOf(await d.state(), FILES.manifest, 1).problems
    expect(others).toEqual([])
    await d.rewrite()
    expect(snapshotOf(await d.state(), FILES.manifest, 1).problems).toEqual([first])
  })

  it('links to the Hub in use count', () => {
    expect(suggestionFor({ slug: 'http://127.0.0.1:9/spaces/acme/tools' }, 'http://127.0.0.1:9')).toBe('acme/tools')
    expect(suggestionFor({ slug: 'http://127.0.0.1:9/spaces/acme/tools' })).toBeUndefined()
  })

  it('a name with control characters is shown without them', () => {
    const problem = { code: 'manifest/bad-entry' } as const
    expect(problemsOf([{ label: 'a\u001b[31mb', problem, raw: 1 }])[0]?.entry).not.toContain('\u001b')
  })
})

describe('no write loses an entry', () => {
  const slug = fc.constantFrom('a/b', 'A/b', 'a/b_', 'c/d', 'e/f', 'g/h.i', '8bit/x')
  const junk: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
    fc.record({ slug: fc.constantFrom('x', 'https://huggingface.co/spaces/a/b', '', '-a/b') }),
  )
  const version1 = slug.map((one): JsonValue => ({ slug: one, alias: one.replace(/\W+/g, '_'), note: 'kept' }))
  const odd = slug.map((one): JsonValue => entry(one, { mcp_url: 'https://evil.example/gradio_api/mcp/' }))
  const oddTools = fc
    .tuple(slug, fc.array(junk, { maxLength: 3 }))
    .map(([one, tools]): JsonValue => entry(one, { tools }))
  const any = fc.oneof(
    slug.map((one): JsonValue => entry(one)),
    version1,
    odd,
    oddTools,
    junk,
  )

  /** What of an entry must be found again somewhere: itself in the quarantine, or its tools in either file. */
  function isKept(raw: JsonValue, manifest: JsonObject[], quarantined: JsonValue[]): boolean {
    const same = (one: JsonValue): boolean => problemId({ raw: one }) === problemId({ raw })
    if (quarantined.some(same)) return true
    const name = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw.slug : undefined
    const written = manifest.find((one) => one.slug === name)
    if (written === undefined) return false
    const tools = (raw as JsonObject).tools
    if (!Array.isArray(tools)) return tools === undefined || quarantined.some((one) => contains(one, tools))
    return tools.every(
      (one) =>
        (written.tools as JsonObject[]).some((kept) => kept.remote_name === (one as JsonObject | null)?.remote_name) ||
        quarantined.some((held) => contains(held, one)),
    )
  }
  const contains = (held: JsonValue, part: JsonValue): boolean =>
    typeof held === 'object' &&
    held !== null &&
    Object.values(held).some((value) => problemId({ raw: value }) === problemId({ raw: part }))

  it('over any mixture, twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 8 }), async (spaces) => {
        const d = disk({ version: 2, spaces })
        const shown = (await d.state()).entries.map(({ slug: one }) => one).sort()
        for (let round = 0; round < 2; round += 1) {
          await d.rewrite()
          const manifest = d.json('manifest').spaces as JsonObject[]
          const quarantined = ((d.json('quarantine').entries ?? []) as JsonObject[]).map(({ raw }) => raw ?? null)
          for (const raw of spaces) expect(isKept(raw, manifest, quarantined), JSON.stringify(raw)).toBe(true)
          expect((await d.state()).entries.map(({ slug: one }) => one).sort()).toEqual(shown)
        }
      }),
      { numRuns: 120 },
    )
  })

  it('discarding one leaves all others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(junk, { maxLength: 8, selector: (raw) => problemId({ raw }) }),
        async (spaces) => {
          const d = disk({ version: 2, spaces })
          const { problems } = snapshotOf(await d.state(), FILES.manifest, 1)
          const [victim, ...rest] = problems
          if (victim?.id === undefined) return
          await d.rewrite((one) => problemId(one) === victim.id)
          expect(snapshotOf(await d.state(), FILES.manifest, 1).problems).toEqual(rest)
        },
      ),
      { numRuns: 100 },
    )
  })
})
