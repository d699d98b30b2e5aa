import { describe, expect, it } from 'vitest'

import { dayWord, momentWords } from './when.ts'

const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

describe('moments', () => {
  it.each([
    ['en', at(30, 8), 'today'],
    ['en', at(29, 23), 'yesterday'],
    ['en', at(28, 23), 'November 28, 2026'],
    ['fr', at(29, 0), 'hier'],
    ['zh-CN', at(29, 12), '昨天'],
  ])('%s: %i', (language, then, words) => {
    expect(dayWord(language, then, at(30, 12))).toBe(words)
  })

  it('with the time', () => {
    expect(momentWords('fr', at(29, 18, 40), at(30, 0, 5))).toBe('hier, 18:40')
  })
})
