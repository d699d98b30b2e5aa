import { describe, expect, it } from 'vitest'

import { groupState, rowState, shortReason } from './row-state.ts'

import type { ErrorCode, ToolEntry } from '../../../../electron/contract/index.ts'

function tool(id: string, change: Partial<ToolEntry> = {}): ToolEntry {
  return {
    id,
    shortName: id,
    source: 'space',
    origin: 'acme/weather',
    description: '',
    parameters: {},
    enabled: false,
    available: true,
    system: false,
    ...change,
  }
}

const broken = (code: ErrorCode): Partial<ToolEntry> => ({ available: false, problem: { code, details: {} } })

describe('rowState', () => {
  it.each<[string, Partial<ToolEntry>, boolean, ReturnType<typeof rowState>]>([
    ['off', {}, false, { kind: 'usable', on: false, works: false, fixed: false }],
    ['on', {}, true, { kind: 'usable', on: true, works: true, fixed: false }],
    ['always on', { system: true }, false, { kind: 'system', on: true, works: true, fixed: true }],
    ['autoloaded', { autoloaded: true }, false, { kind: 'autoloaded', on: true, works: true, fixed: true }],
    [
      'cannot, off',
      broken('tools/unavailable'),
      false,
      { kind: 'cannot', on: false, works: false, fixed: true },
    ],
    // It stands in the list and can be taken off it, and it does nothing.
    ['cannot, on', broken('tools/unavailable'), true, { kind: 'cannot', on: true, works: false, fixed: false }],
    ['two of one name', broken('tools/duplicate-name'), true, { kind: 'cannot', on: true, works: false, fixed: false }],
    ['changed, off', broken('space/changed'), false, { kind: 'changed', on: false, works: false, fixed: false }],
    ['changed, on', broken('space/changed'), true, { kind: 'changed', on: true, works: false, fixed: false }],
    ['not allowed', broken('tools/not-allowed'), true, { kind: 'not-allowed', on: true, works: false, fixed: false }],
    [
      'file changed',
      broken('tools/file-changed'),
      false,
      { kind: 'file-changed', on: false, works: false, fixed: false },
    ],
    ['refused', { permission: 'refuse' }, true, { kind: 'refused', on: true, works: false, fixed: false }],
    ['asked about', { permission: 'ask' }, true, { kind: 'usable', on: true, works: true, fixed: false }],
    [
      'autoloaded and not allowed',
      { autoloaded: true, ...broken('tools/not-allowed') },
      false,
      { kind: 'not-allowed', on: true, works: false, fixed: true },
    ],
  ])('%s', (_, change, listed, expected) => {
    expect(rowState(tool('a', change), listed, false)).toEqual(expected)
  })

  it('moves nothing of a file that cannot be written', () => {
    expect(rowState(tool('a'), true, true)).toMatchObject({ on: true, fixed: true })
  })
})

describe('groupState', () => {
  const tools = [tool('a'), tool('b'), tool('c', broken('tools/unavailable')), tool('d', broken('space/changed'))]
  it.each<[string[], Partial<ReturnType<typeof groupState>>]>([
    [[], { on: 0, all: 4, choice: 'none', enable: ['a', 'b', 'd'], disable: [] }],
    [['a'], { on: 1, choice: 'some', enable: ['b', 'd'], disable: ['a'] }],
    [['a', 'b', 'd'], { on: 2, choice: 'all', enable: [], disable: ['a', 'b', 'd'] }],
    // What cannot be used and is listed can be taken off with the others.
    [['c'], { on: 0, choice: 'some', enable: ['a', 'b', 'd'], disable: ['c'] }],
  ])('%j', (listed, expected) => {
    expect(groupState(tools, (id) => listed.includes(id), false)).toMatchObject(expected)
  })

  it('has nothing to decide where nothing can be moved', () => {
    const fixed = [tool('a', { system: true }), tool('c', broken('tools/unavailable'))]
    expect(groupState(fixed, () => false, false)).toEqual({ on: 1, all: 2, choice: 'none', enable: [], disable: [] })
    expect(groupState(tools, () => true, true)).toMatchObject({ on: 2, enable: [], disable: [] })
  })
})

describe('shortReason', () => {
  it.each<[ErrorCode, Record<string, string> | undefined, 'en' | 'fr', string | undefined]>([
    ['tools/unavailable', { id: 'camera', reason: 'no-camera' }, 'en', 'No camera is connected to this app'],
    ['tools/unavailable', { id: 'x', reason: 'école fermée' }, 'fr', 'École fermée'],
    ['tools/unavailable', { id: 'x' }, 'en', undefined],
    ['tools/unavailable', undefined, 'en', undefined],
    ['tools/duplicate-name', { id: 'x', reason: 'no-camera' }, 'en', undefined],
  ])('%s %j', (code, details, language, expected) => {
    expect(shortReason({ code, ...(details ? { details } : {}) }, language)).toBe(expected)
  })
})
