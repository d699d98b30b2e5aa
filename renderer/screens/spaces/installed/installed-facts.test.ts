import { describe, expect, it } from 'vitest'

import { linesOf, opensUnfolded, profilesByTool, stateOf } from './installed-facts.ts'

import type { InstalledSpace, RemoteTool, ToolList } from '../../../../electron/contract/index.ts'

const tool = (change: Partial<RemoteTool> = {}): RemoteTool => ({
  id: 'a__x',
  remoteName: 'x',
  description: '',
  status: 'usable',
  ...change,
})

describe('stateOf', () => {
  const review = { changed: ['a__c'], added: ['a__n'], gone: [], since: 0 }
  it.each<[string, RemoteTool, string]>([
    ['usable', tool(), 'usable'],
    ['rejected', tool({ status: 'rejected', problem: { code: 'tools/bad-schema' } }), 'rejected'],
    ['rejected without an ID', tool({ id: null, status: 'rejected' }), 'rejected'],
    ['withheld', tool({ status: 'rejected', problem: { code: 'space/changed' } }), 'changed'],
    ['changed by the review', tool({ id: 'a__c' }), 'changed'],
    ['new', tool({ id: 'a__n' }), 'added'],
    ['new and unusable', tool({ id: 'a__n', status: 'rejected', problem: { code: 'tools/bad-schema' } }), 'rejected'],
    ['gone', tool({ status: 'rejected', problem: { code: 'tools/no-longer-offered' } }), 'gone'],
  ])('%s', (_, given, expected) => {
    expect(stateOf(given, review)).toBe(expected)
  })
})

const list = (...tools: [id: string, origin: string, enabled: boolean, source?: string][]): ToolList =>
  ({
    tools: tools.map(([id, origin, enabled, source = 'space']) => ({ id, origin, enabled, source })),
  }) as unknown as ToolList

const LISTS = {
  default: list(['a__x', 'o/a', true], ['a__y', 'o/a', false], ['camera', 'robot', true, 'built-in']),
  kids: list(['a__x', 'O/A', true], ['a__y', 'o/a', true], ['b__x', 'o/b', true]),
}

it('profilesByTool names the profiles of each tool of a Space', () => {
  expect([...profilesByTool(LISTS)]).toEqual([
    ['a__x', ['default', 'kids']],
    ['a__y', ['kids']],
    ['b__x', ['kids']],
  ])
})

it('linesOf counts the lines that a removal costs', () => {
  expect(linesOf('o/a', LISTS)).toEqual([
    { profile: 'default', count: 1 },
    { profile: 'kids', count: 2 },
  ])
  expect(linesOf('o/c', LISTS)).toEqual([])
})

it('both name profiles in one order, in whatever order their lists came', () => {
  const lists = { zoo: LISTS.kids, bees: LISTS.kids, default: LISTS.default }
  expect(profilesByTool(lists).get('a__x')).toEqual(['default', 'bees', 'zoo'])
  expect(linesOf('o/a', lists).map(({ profile }) => profile)).toEqual(['default', 'bees', 'zoo'])
})

it('opensUnfolded up to forty tools', () => {
  const spaces = (count: number): InstalledSpace[] =>
    [{ tools: Array.from({ length: count }, () => tool()) }] as unknown as InstalledSpace[]
  expect(opensUnfolded(spaces(40))).toBe(true)
  expect(opensUnfolded(spaces(41))).toBe(false)
})
