import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { aliasOf } from './alias.ts'
import { digestOf, hasUsableName, nameTools, wireName, wireNames } from './ids.ts'

const SLUG = 'example/search-tool'
const ALIAS = 'example_search_tool'

function namesOf(slug: string, remoteNames: readonly string[]): [string, string][] {
  const names = nameTools(slug, remoteNames)
  return remoteNames.map((remote) => [names.get(remote)?.id ?? '', names.get(remote)?.clientName ?? ''])
}

describe('prefix of the Space, alone in the list', () => {
  it.each([
    ['search_tool_search_web', 'search_web', 'search_tool_search_web'],
    ['search-tool-search-web', 'search_web', 'search_tool_search_web'],
    ['search_web', 'search_web', 'search_web'],
    ['search_tool', 'search_tool', 'search_tool'],
    ['search_tool_', 'search_tool', 'search_tool'],
    ['Search_Tool_search_web', 'Search_Tool_search_web', 'Search_Tool_search_web'],
    ['search_tool_search_tool_x', 'search_tool_x', 'search_tool_search_tool_x'],
    ['search_tool__x', 'x', 'search_tool_x'],
    ['search_tool_9lives', '9lives', 'search_tool_9lives'],
    ['9lives', 'tool_9lives', 'tool_9lives'],
    ['example_search_tool_x', 'example_search_tool_x', 'example_search_tool_x'],
    ['/predict', 'predict', 'predict'],
    ['predict', 'predict', 'predict'],
    ['_private', 'private', 'private'],
    ['a.b c', 'a_b_c', 'a_b_c'],
  ])('%s', (remote, local, client) => {
    expect(namesOf(SLUG, [remote])).toEqual([[`${ALIAS}__${local}`, `${ALIAS}__${client}`]])
  })

  it.each([
    ['foo/8bit', '8bit_render', 'foo_8bit__render'],
    ['foo/8bit', 'tool_8bit_render', 'foo_8bit__render'],
    ['foo/8bit', 'render', 'foo_8bit__render'],
    ['foo/Weather', 'Weather_get', 'foo_Weather__get'],
    ['foo/Weather', 'weather_get', 'foo_Weather__weather_get'],
    ['acme/My_Cool.Space-1', 'My_Cool_Space_1_letter_counter', 'acme_My_Cool_Space_1__letter_counter'],
  ])('%s offers %s', (slug, remote, id) => {
    expect(namesOf(slug, [remote])[0]?.[0]).toBe(id)
  })

  it.each(['', '!!!', '___', ' ', 'é'])('no name can be made of %j', (remote) => {
    expect(hasUsableName(remote)).toBe(false)
  })
})

describe('names that meet', () => {
  const D = (remote: string): string => digestOf(SLUG, remote, 8)

  it('both keep the long form when the short one is shared', () => {
    expect(namesOf(SLUG, ['search_tool_search_web', 'search_web']).map(([id]) => id)).toEqual([
      `${ALIAS}__search_tool_search_web`,
      `${ALIAS}__search_web`,
    ])
  })

  it('a-b and a_b: both get a digest, in ID and client name', () => {
    expect(namesOf(SLUG, ['a-b', 'a_b'])).toEqual([
      [`${ALIAS}__a_b_${D('a-b')}`, `${ALIAS}__a_b_${D('a-b')}`],
      [`${ALIAS}__a_b_${D('a_b')}`, `${ALIAS}__a_b_${D('a_b')}`],
    ])
  })

  it('a fallback that hits a third: the two that share it get digests', () => {
    const remotes = ['search_tool_a', 'a', 'search_tool_search_tool_a']
    expect(namesOf(SLUG, remotes).map(([id]) => id)).toEqual([
      `${ALIAS}__search_tool_a_${D('search_tool_a')}`,
      `${ALIAS}__a`,
      `${ALIAS}__search_tool_a_${D('search_tool_search_tool_a')}`,
    ])
  })

  it('the digest is the one of the rule', () => {
    // printf 'example/search-tool\0a-b' | sha256sum
    expect(digestOf(SLUG, 'a-b', 8)).toBe('50967271')
    expect(digestOf(SLUG, ' a-b ', 64)).toBe(digestOf(SLUG, 'a-b', 64))
    expect(digestOf('example/other', 'a-b', 8)).not.toBe(D('a-b'))
  })

  it('installed tools keep their names, new ones go around them', () => {
    const stored = new Map([['a_b', { id: `${ALIAS}__a_b`, clientName: `${ALIAS}__a_b` }]])
    const names = nameTools(SLUG, ['a-b', 'a_b'], stored)
    expect(names.get('a_b')?.id).toBe(`${ALIAS}__a_b`)
    expect(names.get('a-b')?.id).toBe(`${ALIAS}__a_b_${D('a-b')}`)
    const alone = nameTools(SLUG, ['a-b'], stored)
    expect(alone.get('a-b')?.id).toBe(`${ALIAS}__a_b_${D('a-b')}`)
  })
})

/** Upstream's rule, written down a second time and as plainly as possible. */
function upstreamLocalNames(slug: string, remotes: readonly string[]): string[] {
  const squash = (text: string): string =>
    text
      .split(/[^A-Za-z0-9]+/)
      .filter((part) => part !== '')
      .join('_')
  const normal = (text: string): string => (/^\d/.test(squash(text)) ? `tool_${squash(text)}` : squash(text))
  const space = normal(slug.slice(slug.indexOf('/') + 1))
  const strip = (remote: string): string => {
    const name = normal(remote)
    return name.startsWith(`${space}_`) && name !== `${space}_` ? name.slice(space.length + 1) : name
  }
  const short = remotes.map(strip)
  return remotes.map((remote, index) => {
    const shared = short.filter((name) => name === short[index]).length > 1
    return `${aliasOf(slug)}__${shared ? normal(remote) : (short[index] ?? '')}`
  })
}

const slugs = fc.constantFrom('example/search-tool', 'foo/8bit', 'a.b/c..d', 'Foo/Weather', 'a/b')
const pieces = fc.constantFrom(
  'search',
  'tool',
  'search_tool',
  '-',
  '_',
  '__',
  '.',
  '/',
  '8bit',
  'a',
  'A',
  'b',
  '9',
  'é',
  ' ',
)
const remoteName = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.array(pieces, { maxLength: 7 }).map((parts) => parts.join('')),
)
const remotes = fc
  .array(remoteName, { maxLength: 12 })
  .map((names) => [...new Set(names.map((name) => name.trim()))].filter(hasUsableName))

describe('for any list of remote names', () => {
  it('IDs and client names are unique, well-formed, and the same in any order and every time', () => {
    fc.assert(
      fc.property(slugs, remotes, fc.nat(), (slug, names, seed) => {
        const made = nameTools(slug, names)
        const ids = [...made.values()].map(({ id }) => id)
        const clients = [...made.values()].map(({ clientName }) => clientName)
        expect(new Set(ids).size).toBe(names.length)
        expect(new Set(clients).size).toBe(names.length)
        for (const name of [...ids, ...clients]) {
          expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]*$/)
          expect(name.startsWith(`${aliasOf(slug)}__`)).toBe(true)
        }
        const cut = names.length === 0 ? 0 : seed % names.length
        const turned = [...names.slice(cut), ...names.slice(0, cut)].reverse()
        expect(new Map([...nameTools(slug, turned)].sort())).toEqual(new Map([...made].sort()))
        expect(nameTools(slug, names, made)).toEqual(made)
      }),
      { numRuns: 300 },
    )
  })

  it('IDs are upstream’s wherever those are unique', () => {
    fc.assert(
      fc.property(slugs, remotes, (slug, names) => {
        const upstream = upstreamLocalNames(slug, names)
        fc.pre(new Set(upstream).size === upstream.length)
        expect(names.map((name) => nameTools(slug, names).get(name)?.id)).toEqual(upstream)
      }),
      { numRuns: 300 },
    )
  })

  it('wire names are unique, accepted by every model API, and stable', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(slugs, remoteName.filter(hasUsableName), fc.nat(3)), {
          maxLength: 12,
          selector: ([slug, name]) => `${slug}\0${name.trim()}`,
        }),
        (all) => {
          const tools = all.map(([slug, name, long]) => ({
            slug,
            remoteName: name,
            id: `${aliasOf(slug)}__${'long_'.repeat(long * 12)}x${digestOf(slug, name, 8)}`,
          }))
          const wires = wireNames(tools)
          expect(new Set(wires.values()).size).toBe(tools.length)
          for (const [id, wire] of wires) {
            expect(wire).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)
            if (id.length <= 64) expect(wire).toBe(id)
          }
          expect(wireNames(tools)).toEqual(wires)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('wire names', () => {
  const long = `${ALIAS}__${'n'.repeat(124)}`

  it('of 64 characters stays, of 65 becomes 55 and a digest', () => {
    const at64 = 'a'.repeat(64)
    const at65 = 'a'.repeat(65)
    const wires = wireNames([
      { id: at64, slug: 'o/n', remoteName: 'x' },
      { id: at65, slug: 'o/n', remoteName: 'y' },
    ])
    expect(wires.get(at64)).toBe(at64)
    expect(wires.get(at65)).toBe(`${'a'.repeat(55)}_${digestOf('o/n', 'y', 8)}`)
  })

  it('takes 47 and 16 digits where the first form is taken', () => {
    const short = wireName(long, SLUG, 'n')
    const wires = wireNames([
      { id: short, slug: '', remoteName: short },
      { id: long, slug: SLUG, remoteName: 'n' },
    ])
    expect(wires.get(short)).toBe(short)
    expect(wires.get(long)).toBe(`${long.slice(0, 47)}_${digestOf(SLUG, 'n', 16)}`)
  })

  it('is made accepted for IDs of other sources', () => {
    const wire = wireNames([{ id: '1-my tool', slug: '', remoteName: '1-my tool' }]).get('1-my tool')
    expect(wire).toMatch(/^t_?1_my_tool_[0-9a-f]{8}$/)
  })
})
