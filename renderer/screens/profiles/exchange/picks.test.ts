import { describe, expect, it } from 'vitest'

import { firstPick, pickFault } from './picks.ts'

import type { ImportCandidate } from '../../../../electron/contract/index.ts'
import type { Pick } from './picks.ts'

const candidate = (more: Partial<ImportCandidate>): ImportCandidate => ({
  key: 'a',
  name: 'a',
  taken: false,
  format: 'txt',
  toolIds: [],
  excerpt: '',
  toolFiles: [],
  problems: [],
  ...more,
})

describe('what is picked at first', () => {
  it.each([
    ['a new one', {}, { take: true, name: 'a', format: 'txt', withToolFiles: false }],
    ['one whose name is taken', { taken: true }, { take: false }],
    ['a profile.md', { format: 'profile-md' as const }, { format: 'profile-md' }],
    ['both', { format: 'both' as const }, { format: 'txt' }],
    ['one with programs in it', { toolFiles: ['x.py'] }, { withToolFiles: false }],
  ])('%s', (_, more, expected) => {
    expect(firstPick(candidate(more))).toMatchObject(expected)
  })
})

describe('names of an import', () => {
  const pick = (name: string, take = true): Pick => ({ take, name, format: 'txt', withToolFiles: false })
  it.each<[string, Array<[string, Pick]>, string | null]>([
    ['fine', [['a', pick('new')]], null],
    ['taken, in other letters', [['a', pick('Default')]], 'exists'],
    ['of another one in it', [['a', pick('x')], ['b', pick('X')]], 'exists'],
    ['of another one that is left out', [['a', pick('x')], ['b', pick('x', false)]], null],
    ['bad', [['a', pick('../x')]], 'characters'],
    ['of a device', [['a', pick('NUL')]], 'device'],
    ['bad, but left out', [['a', pick('../x', false)]], null],
  ])('%s', (_, picks, fault) => {
    expect(pickFault('a', new Map(picks), ['default'])).toBe(fault)
  })
})
