import { describe, expect, it } from 'vitest'

import { differenceOf } from './difference.ts'

describe('differenceOf', () => {
  it.each([
    ['a\nb\n', 'a\nc\n', { before: ['a', 'b'], after: ['a', 'c'], count: 1 }],
    ['a\r\nb', 'a\r\nb\r\nc', { before: ['a', 'b'], after: ['a', 'b', 'c'], count: 1 }],
    ['', 'a\n', { before: [], after: ['a'], count: 1 }],
    ['a\r\nb\r\n', 'a\nb\n', { before: ['a␍␊', 'b␍␊'], after: ['a␊', 'b␊'], count: 0 }],
    ['a\rb', 'a\nb', { before: ['a␍', 'b'], after: ['a␊', 'b'], count: 0 }],
  ])('%j and %j', (before, after, expected) => {
    expect(differenceOf(before, after)).toEqual(expected)
  })
})
