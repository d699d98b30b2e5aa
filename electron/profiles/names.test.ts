import { describe, expect, it } from 'vitest'

import { isProfileName, selectedName } from './names.ts'

describe('isProfileName', () => {
  it.each(['default', 'a', 'A-1_b', '-', 'x'.repeat(64), 'console', 'com10', 'lpt'])('takes %j', (name) => {
    expect(isProfileName(name)).toBe(true)
  })

  it.each(
    ['', ' ', '.', '..', '../x', 'a/b', 'a\\b', '/abs', 'C:x', 'a b', 'a\n', '\na', 'bär', 'a.b', 'x'.repeat(65)].concat(
      ['con', 'NUL', 'Com1', 'lpt9', 'aux', 'PRN', 'com0', 'a\0', 'default\n'],
    ),
  )('refuses %j', (name) => {
    expect(isProfileName(name)).toBe(false)
  })
})

describe('selectedName', () => {
  it.each([
    [null, null],
    [undefined, null],
    ['  ', null],
    [' mine ', 'mine'],
    ['user_personalities/mine', 'mine'],
    ['user_personalities/../x', '../x'],
    ['other/mine', 'other/mine'],
  ])('%j → %j', (selection, name) => {
    expect(selectedName(selection)).toBe(name)
  })
})
