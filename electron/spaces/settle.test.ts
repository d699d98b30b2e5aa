import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decideOn } from './decision.ts'
import { differencesOf, pendingOf } from './differences.ts'
import { judgeListing } from './judge.ts'
import { offeredTools } from './merge.ts'
import { NO_QUARANTINE, pinsFileSchema } from './pins.ts'
import { settleListing } from './settle.ts'

import type { ListedTool } from '../mcp/index.ts'
import type { ManifestEntry } from './manifest.ts'
import type { SpacePins } from './pins.ts'
import type { Settled } from './settle.ts'
import type { SpaceTool } from './types.ts'

const SLUG = 'a/b'
const MCP_URL = 'https://a-b.hf.space/gradio_api/mcp/'

const listed = (remoteName: string, version: number): ListedTool => {
  const description = `Version ${version} of ${remoteName}.`
  const inputSchema = { type: 'object', properties: {} }
  return { remoteName, description, inputSchema, status: 'usable', raw: { name: remoteName, description, inputSchema } }
}

interface World {
  readonly entry: ManifestEntry | undefined
  readonly pins: SpacePins | undefined
}

const settle = (
  world: World,
  tools: readonly ListedTool[],
  more: Partial<Parameters<typeof settleListing>[0]>,
): Settled =>
  settleListing({
    slug: SLUG,
    official: false,
    mcpUrl: MCP_URL,
    private: false,
    tools: judgeListing(SLUG, tools, world.entry, world.pins),
    before: world.entry,
    pins: world.pins,
    seen: false,
    acceptChanges: false,
    consented: new Set(),
    date: '2026-12-01T00:00:00.000Z',
    ...more,
  })

/** As it comes back from the disk. */
const stored = (pins: SpacePins): SpacePins => {
  const file = pinsFileSchema.parse(JSON.parse(JSON.stringify({ version: 1, spaces: { [SLUG]: pins } })))
  return file.spaces[SLUG] ?? pins
}

const offered = ({ entry, pins }: World): SpaceTool[] => {
  if (entry === undefined || pins === undefined) return []
  return offeredTools(entry, {
    seeded: false,
    readOnly: null,
    entries: [entry],
    bad: [],
    extra: [],
    pins: { version: 1, spaces: { [SLUG]: pins } },
    quarantine: NO_QUARANTINE,
    broken: [],
    pinsBroken: false,
  })
}

const names = ['x', 'y', 'search-it', 'search_it', 'constructor', '__proto__']
const listing = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 })), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 6,
  })
  .map((tools) => tools.map(([name, version]) => listed(name, version)))
const decision = fc.record({
  approve: fc.array(fc.nat(5), { maxLength: 3 }),
  keepOff: fc.array(fc.nat(5), { maxLength: 3 }),
})
const step = fc.oneof(
  listing.map((tools) => ({ kind: 'look' as const, tools })),
  decision.map((picked) => ({ kind: 'decide' as const, picked })),
)

describe('any course of listings and decisions', () => {
  it('never offers words under a yes that was not given to them, and settles', () => {
    fc.assert(
      fc.property(listing, fc.array(step, { maxLength: 12 }), (first, steps) => {
        const ids = (tools: readonly ListedTool[]): Set<string> =>
          new Set(judgeListing(SLUG, tools, undefined, undefined).flatMap(({ id }) => (id === null ? [] : [id])))
        const installed = settle({ entry: undefined, pins: undefined }, first, { seen: true, consented: ids(first) })
        let world: World = { entry: installed.entry, pins: stored(installed.pins) }
        const approved = new Set(first.map(({ description }) => description))
        const idOf = new Map(installed.entry.tools.map(({ id, remoteName }) => [remoteName, id]))

        for (const one of steps) {
          const { entry, pins } = world
          if (entry === undefined || pins === undefined) throw new Error('nothing installed')
          if (one.kind === 'look') {
            const looked = settle(world, one.tools, {})
            world = { entry: looked.entry, pins: stored(looked.pins) }
            const again = settle(world, one.tools, { date: '2027-01-01T00:00:00.000Z' })
            expect(again.differs).toBe(false)
            expect(again.changes).toEqual({ added: [], removed: [], changed: [] })
          } else {
            const open = differencesOf(entry, pins)
            const pick = (at: readonly number[]): string[] => at.flatMap((index) => open[index]?.id ?? [])
            const [approve, keepOff] = [pick(one.picked.approve), pick(one.picked.keepOff)]
            for (const difference of open)
              if (approve.includes(difference.id) && difference.after !== undefined)
                approved.add(difference.after.description)
            const decided = decideOn(entry, pins, { approve, keepOff }, '2026-12-02T00:00:00.000Z')
            world = { entry: decided.entry, pins: stored(decided.pins) }
          }
          for (const tool of offered(world)) if (tool.consented) expect(approved).toContain(tool.description)
          const tools = world.entry?.tools ?? []
          expect(new Set(tools.map(({ id }) => id)).size).toBe(tools.length)
          // An ID belongs to one remote name for good.
          for (const { id, remoteName } of tools) {
            expect(idOf.get(remoteName) ?? id).toBe(id)
            idOf.set(remoteName, id)
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('after a decision about everything nothing waits', () => {
    fc.assert(
      fc.property(listing, listing, fc.boolean(), (first, second, yes) => {
        const installed = settle({ entry: undefined, pins: undefined }, first, { seen: true })
        const looked = settle({ entry: installed.entry, pins: stored(installed.pins) }, second, {})
        const all = differencesOf(looked.entry, looked.pins).map(({ id }) => id)
        const answer = yes ? { approve: all, keepOff: [] } : { approve: [], keepOff: all }
        const decided = decideOn(looked.entry, stored(looked.pins), answer, '2026-12-02T00:00:00.000Z')
        expect(pendingOf(decided.entry, stored(decided.pins))).toBeUndefined()
        if (yes)
          expect(
            offered(decided)
              .map(({ description }) => description)
              .sort(),
          ).toEqual(second.map(({ description }) => description).sort())
      }),
      { numRuns: 150 },
    )
  })

  it('a server that invents names for ever does not fill the disk', () => {
    let world: World = { entry: undefined, pins: undefined }
    for (let round = 0; round < 20; round++) {
      const tools = Array.from({ length: 50 }, (_, i) => listed(`tool_${round}_${i}`, 1))
      const looked = settle(world, tools, {})
      world = { entry: looked.entry, pins: looked.pins }
    }
    expect(world.pins?.gone).toHaveLength(200)
    expect(Object.keys(world.pins?.tools ?? {})).toHaveLength(250)
  })
})
