import { describe, expect, it } from 'vitest'

import { base64Bytes, formatBytes } from './bytes.ts'

describe('sizes', () => {
  it.each(['', 'a', 'ab', 'abc', 'abcd'])('of base64: %j', (text) => {
    expect(base64Bytes(Buffer.from(text).toString('base64'))).toBe(text.length)
  })

  it.each([
    ['en', 0, '0 byte'],
    ['en', 999, '999 byte'],
    ['en', 1_000, '1 kB'],
    ['en', 1_440, '1.4 kB'],
    ['en', 212_300, '212 kB'],
    ['fr', 1_400_000, '1,4\u202fMo'],
  ])('%s: %i', (language, bytes, words) => {
    expect(formatBytes(language, bytes).replace('\u00a0', '\u202f')).toBe(words)
  })
})
