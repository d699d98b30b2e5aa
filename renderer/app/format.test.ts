import { describe, expect, it } from 'vitest'

import { formatDegrees, formatNumber, formatSeconds, signed, wholeDegrees } from './format.ts'

const rad = (degrees: number): number => (degrees * Math.PI) / 180

describe('signed', () => {
  it.each([
    [12, 0, '+12'],
    [-8, 0, '−8'],
    [0, 0, '0'],
    [-0.4, 0, '0'],
    [0.04, 1, '0.0'],
    [-3.25, 1, '−3.3'],
  ])('%d with %i decimals is %s', (value, digits, expected) => {
    expect(signed(value, digits)).toBe(expected)
  })
})

describe('angles', () => {
  it.each([
    [18.4, 18, '+18°'],
    [-0.3, 0, '0°'],
    [-159.6, -160, '−160°'],
  ])('%d degrees', (degrees, whole, text) => {
    expect(Object.is(wholeDegrees(rad(degrees)), whole)).toBe(true)
    expect(formatDegrees(rad(degrees))).toBe(text)
  })
})

describe('numbers of a language', () => {
  it.each([
    ['en', 2.84, '2.8 s'],
    ['fr', 2.84, '2,8 s'],
    ['zh-CN', 12, '12.0 s'],
  ])('%s', (language, seconds, expected) => {
    expect(formatSeconds(language, seconds)).toBe(expected)
  })

  it('uses a real minus', () => {
    expect(formatNumber('en', -1234.5, 1)).toBe('−1,234.5')
  })
})
