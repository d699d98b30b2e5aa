import { describe, expect, it } from 'vitest'

import { nextOption } from './next-option.ts'

const options = [
  { value: 'a', label: 'default' },
  { value: 'b', label: 'chef', disabled: true },
  { value: 'c', label: 'detective' },
  { value: 'd', label: 'écolier' },
]

describe('nextOption', () => {
  it.each([
    ['ArrowDown', 'a', 'c'],
    ['ArrowUp', 'c', 'a'],
    ['ArrowDown', 'd', 'd'],
    ['ArrowUp', 'a', 'a'],
    ['Home', 'd', 'a'],
    ['End', 'a', 'd'],
    ['d', 'a', 'c'],
    ['d', 'c', 'a'],
    ['É', 'a', 'd'],
    ['c', 'a', null],
    ['x', 'a', null],
    ['Shift', 'a', null],
  ])('%s at %s goes to %s', (key, active, expected) => {
    expect(nextOption(options, active, key)).toBe(expected)
  })

  it('goes nowhere in an empty list', () => {
    expect(nextOption([], 'a', 'ArrowDown')).toBeNull()
  })
})
