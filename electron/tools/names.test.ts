import { describe, expect, it } from 'vitest'

import { uniqueNames } from './names.ts'
import { offer } from './offer.ts'
import { ofLocalTool } from './registered.ts'
import { buildRegistry, resolveName } from './registry.ts'

import type { Problem } from '../contract/index.ts'
import type { SpaceTool } from '../spaces/index.ts'
import type { LocalTool } from './local/index.ts'
import type { Registry } from './registry.ts'

const parameters = { type: 'object', properties: {} }

const spaceTool = (id: string, slug = 'acme/one'): SpaceTool => ({
  id,
  slug,
  remoteName: id.split('__').at(-1)!,
  description: 'Does it.',
  parameters,
  consented: true,
})

/** A file whose tools have these names; none: it was never allowed. */
const file = (id: string, members: readonly string[], more: Partial<LocalTool> = {}): LocalTool => ({
  id,
  path: `/home/me/external_tools/${id}.mjs`,
  language: 'javascript',
  bytes: 10,
  sha256: 'a'.repeat(64),
  profile: null,
  state: members.length > 0 ? 'ready' : 'not-allowed',
  members: members.map((name) => ({ name, description: `Says ${name}.`, parameters })),
  ...(members.length > 0 ? {} : { problem: { code: 'tools/not-allowed' as const } }),
  ...more,
})

const registryOf = (spaceTools: readonly SpaceTool[], files: readonly LocalTool[]): Registry =>
  buildRegistry(
    {
      body: { intents: [], dances: [] },
      spaceTools,
      spaces: { version: 1, manifest: '', readOnly: false, spaces: [], problems: [] },
      serverTools: [],
      servers: { version: 1, path: '', readOnly: false, servers: [], problems: [] },
      files,
    },
    (tools) => new Map(tools.map(({ id }) => [id, id.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 64)])),
  )
const problemsOf = ({ tools }: Registry): Record<string, Problem> =>
  Object.fromEntries(
    tools.flatMap(({ id, problem }) => (problem && problem.code !== 'tools/unavailable' ? [[id, problem]] : [])),
  )
const duplicate = (id: string, first: string, second: string): Problem => ({
  code: 'tools/duplicate-name',
  details: { id, first, second },
})
const at = (name: string): string => `/home/me/external_tools/${name}.mjs`

describe('one tool for every name', () => {
  it.each<[string, SpaceTool[], LocalTool[], Record<string, Problem>]>([
    ['different names', [spaceTool('a__x')], [file('dice', ['roll'])], {}],
    ['a file that is called as what is inside', [], [file('dice', ['dice'])], {}],
    [
      'a Space and the stem of a file',
      [spaceTool('a__x'), spaceTool('a__y')],
      [file('a__x', ['inside'])],
      { a__x: duplicate('a__x', 'acme/one (x)', at('a__x')) },
    ],
    [
      'a Space and a file that nobody allowed yet',
      [spaceTool('a__x')],
      [file('a__x', [])],
      { a__x: duplicate('a__x', 'acme/one (x)', at('a__x')) },
    ],
    [
      'a Space and a name inside a file',
      [spaceTool('a__x')],
      [file('dice', ['a__x', 'roll'])],
      {
        a__x: duplicate('a__x', 'acme/one (x)', `${at('dice')} (a__x)`),
        dice: duplicate('a__x', 'acme/one (x)', `${at('dice')} (a__x)`),
      },
    ],
    [
      'names inside two files',
      [],
      [file('dice', ['roll']), file('coin', ['roll', 'flip']), file('card', ['draw'])],
      {
        dice: duplicate('roll', `${at('dice')} (roll)`, `${at('coin')} (roll)`),
        coin: duplicate('roll', `${at('dice')} (roll)`, `${at('coin')} (roll)`),
      },
    ],
    [
      'a stem and a name inside another file',
      [],
      [file('dice', ['roll']), file('roll', ['throw'])],
      {
        dice: duplicate('roll', `${at('dice')} (roll)`, at('roll')),
        roll: duplicate('roll', `${at('dice')} (roll)`, at('roll')),
      },
    ],
    [
      'one stem in two folders',
      [],
      [file('dice', ['roll']), file('dice', ['throw'], { path: '/data/profiles/me/dice.py', profile: 'me' })],
      { dice: duplicate('dice', at('dice'), '/data/profiles/me/dice.py') },
    ],
    [
      'three sources',
      [spaceTool('a__x'), spaceTool('a__x', 'acme/two')],
      [file('a__x', [])],
      { a__x: duplicate('a__x', 'acme/one (x)', `acme/two (x), ${at('a__x')}`) },
    ],
  ])('%s', (_, spaceTools, files, expected) => {
    const registry = registryOf(spaceTools, files)
    expect(problemsOf(registry)).toEqual(expected)
    expect(registry.notices).toEqual([])
    expect(new Set(registry.tools.map(({ id }) => id)).size).toBe(registry.tools.length)
    // Nothing in doubt reaches a model, and its names are unique.
    const { tools } = offer(
      registry,
      registry.tools.map(({ id }) => id),
    )
    expect(tools.filter(({ id }) => id in expected)).toEqual([])
    expect(new Set(tools.map(({ wireName }) => wireName)).size).toBe(tools.length)
  })

  it.each<[string, SpaceTool[], LocalTool[], Problem, string | null]>([
    ['a remote tool', [spaceTool('dance')], [], duplicate('dance', 'robot (dance)', 'acme/one (dance)'), null],
    ['the stem of a file', [], [file('dance', ['waltz'])], duplicate('dance', 'robot (dance)', at('dance')), null],
    [
      'a name inside a file',
      [],
      [file('steps', ['waltz', 'dance'])],
      duplicate('dance', 'robot (dance)', `${at('steps')} (dance)`),
      'steps',
    ],
    [
      'one of the two that are always on',
      [],
      [file('status', ['task_status'])],
      duplicate('task_status', 'system (task_status)', `${at('status')} (task_status)`),
      'status',
    ],
  ])('of the robot stays its own: %s that has one is told and not used', (_, spaceTools, files, told, listed) => {
    const registry = registryOf([...spaceTools, spaceTool('a__y')], [...files, file('coin', ['flip'])])
    expect(registry.notices).toEqual([told])
    expect(registry.byId.get('dance')).toMatchObject({ source: 'built-in', origin: 'robot' })
    expect(registry.byId.get('task_status')?.source).toBe('built-in')
    expect(problemsOf(registry)).toEqual(listed === null ? {} : { [listed]: told })
    const { tools } = offer(
      registry,
      registry.tools.map(({ id }) => id),
    )
    expect(tools.filter(({ id }) => !registry.byId.get(id)?.system).map(({ wireName }) => wireName)).toEqual(
      expect.arrayContaining(['dance', 'a__y', 'flip']) as string[],
    )
    expect(tools.some(({ wireName }) => wireName === 'waltz')).toBe(false)
  })

  it('keeps every tool when nothing is shared', () => {
    const tools = [file('a', ['b']), file('c', ['d'])].map(ofLocalTool)
    expect(uniqueNames([], tools)).toEqual({ tools, notices: [] })
  })
})

describe('what is called', () => {
  const registry = registryOf(
    [spaceTool('a__x')],
    [file('dice', ['roll']), file('cards', ['draw', 'shuffle']), file('new_one', []), file('odd', ['say-hello'])],
  )

  it.each<[string, string | undefined, string | undefined]>([
    ['dance', 'dance', undefined],
    ['a__x', 'a__x', undefined],
    ['dice', 'dice', 'roll'],
    ['roll', 'dice', 'roll'],
    ['draw', 'cards', 'draw'],
    ['shuffle', 'cards', 'shuffle'],
    // Which of the two is not known.
    ['cards', 'cards', undefined],
    ['new_one', 'new_one', undefined],
    ['say-hello', 'odd', 'say-hello'],
    ['say_hello', 'odd', 'say-hello'],
    ['odd', 'odd', 'say-hello'],
    ['nobody', undefined, undefined],
  ])('%s', (name, id, member) => {
    const called = resolveName(registry, name)
    expect([called?.tool.id, called?.member?.name]).toEqual([id, member])
  })

  it('a file is one switch and several tools of a model, which hears no path', () => {
    const { tools } = offer(registry, ['cards', 'new_one'])
    expect(tools.filter(({ id }) => id === 'cards')).toEqual([
      expect.objectContaining({ wireName: 'draw', member: 'draw', description: '[from cards.mjs] Says draw.' }),
      expect.objectContaining({ wireName: 'shuffle', member: 'shuffle' }),
    ])
    expect(tools.map(({ id }) => id)).not.toContain('new_one')
  })

  it('a bad schema takes no other tool of its file with it', () => {
    const bad = file('cards', ['draw', 'shuffle'])
    const members = bad.members.map((member, k) => (k === 0 ? { ...member, parameters: { type: 'array' } } : member))
    const { tools, leftOut } = offer(registryOf([], [{ ...bad, members }]), ['cards'])
    expect(tools.map(({ wireName }) => wireName)).toContain('shuffle')
    expect(leftOut).toEqual([])
    const worse = bad.members.map((member) => ({ ...member, parameters: { type: 'array' } }))
    expect(offer(registryOf([], [{ ...bad, members: worse }]), ['cards']).leftOut).toMatchObject([
      { id: 'cards', problem: { code: 'tools/bad-schema' } },
    ])
  })

  it('what the profile refuses is not offered', () => {
    const names = offer(registry, ['dance', 'dice'], new Set(['dance'])).tools.map(({ wireName }) => wireName)
    expect(names).toEqual(['task_status', 'task_cancel', 'roll'])
  })
})
