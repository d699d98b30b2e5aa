import { describe, expect, it } from 'vitest'

import { fileChoices, fileName, fileNameFault, isCut } from './file-facts.ts'

describe('fileChoices', () => {
  it.each([
    ['not-allowed', { allow: 'first', forbid: false, log: false }],
    ['changed', { allow: 'again', forbid: true, log: true }],
    ['ready', { allow: null, forbid: true, log: true }],
    ['unusable', { allow: null, forbid: false, log: false }],
  ] as const)('%s', (state, choices) => {
    expect(fileChoices({ state })).toEqual(choices)
  })
})

describe('fileName', () => {
  it.each([
    ['/home/me/external_tools/roll.py', 'roll.py'],
    ['C:\\Users\\me\\roll.mjs', 'roll.mjs'],
    ['roll.ts', 'roll.ts'],
  ])('%s', (path, name) => {
    expect(fileName(path)).toBe(name)
  })
})

describe('fileNameFault', () => {
  const tools = [{ id: 'dance' }]
  it.each([
    ['', 'empty'],
    ['a'.repeat(64), null],
    ['a'.repeat(65), 'long'],
    ['roll_dice2', null],
    ['2roll', 'characters'],
    ['_roll', 'characters'],
    ['roll-dice', 'characters'],
    ['roll.dice', 'characters'],
    ['../roll', 'characters'],
    ['würfel', 'characters'],
    ['dance', 'exists'],
  ])('“%s”: %s', (name, fault) => {
    expect(fileNameFault(name, tools)).toBe(fault)
  })
})

it('knows a text that was cut', () => {
  expect(isCut('a'.repeat(199_999))).toBe(false)
  expect(isCut(`${'a'.repeat(200_000)}\n…`)).toBe(true)
})
