import { describe, expect, it } from 'vitest'

import { dropped } from './order.ts'
import { portions } from './use-gradually.ts'

describe('dropped', () => {
  const ids = ['a', 'b', 'c', 'd']
  it.each([
    ['a', 'c', { ids: ['b', 'c', 'a', 'd'], before: 'd' }],
    ['d', 'a', { ids: ['d', 'a', 'b', 'c'], before: 'a' }],
    ['a', 'd', { ids: ['b', 'c', 'd', 'a'], before: null }],
    ['c', 'b', { ids: ['a', 'c', 'b', 'd'], before: 'b' }],
    ['b', 'b', null],
    ['x', 'b', null],
    ['b', 'x', null],
  ])('%s over %s', (id, over, expected) => {
    expect(dropped(ids, id, over)).toEqual(expected)
  })
})

describe('portions', () => {
  it.each([
    [[3, 2, 4], 0, [0, 0, 0]],
    [[3, 2, 4], 4, [3, 1, 0]],
    [[3, 2, 4], 9, [3, 2, 4]],
    [[0, 5], 20, [0, 5]],
  ])('%j, %i drawn', (sizes, drawn, expected) => {
    expect(portions(sizes, drawn)).toEqual(expected)
  })
})
