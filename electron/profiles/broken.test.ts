import { describe, expect, it } from 'vitest'

import { placeOfFault } from './broken.ts'
import { decodeText } from './text-file.ts'
import { decodeWindows1252 } from './windows-1252.ts'

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

describe('placeOfFault', () => {
  it.each<[string, ReturnType<typeof placeOfFault>]>([
    ['Deux caf\xe9s', { line: 1, excerpt: [{ line: 1, before: 'Deux caf', bad: 'E9', after: 's' }] }],
    [
      'one\r\ntwo\rthree \xff!\nfour\nfive\nsix',
      {
        line: 3,
        excerpt: [
          { line: 1, before: 'one', after: '' },
          { line: 2, before: 'two', after: '' },
          { line: 3, before: 'three ', bad: 'FF', after: '!' },
          { line: 4, before: 'four', after: '' },
          { line: 5, before: 'five', after: '' },
        ],
      },
    ],
    ['a\0', { line: 1, excerpt: [{ line: 1, before: 'a', bad: '00', after: '' }] }],
    ['\xff', { line: 1, excerpt: [{ line: 1, before: '', bad: 'FF', after: '' }] }],
    ['a\n\n\xc3', { line: 3, excerpt: [{ line: 1, before: 'a', after: '' }, { line: 2, before: '', after: '' }, { line: 3, before: '', bad: 'C3', after: '' }] }], // prettier-ignore
    ['fine', { excerpt: [] }],
  ])('%j', (text, expected) => {
    expect(placeOfFault(decodeText(latin(text)))).toEqual(expected)
  })

  it('shows a part of a very long line', () => {
    const { excerpt } = placeOfFault(decodeText(latin(`${'a'.repeat(9_000)}\xff${'b'.repeat(9_000)}`)))
    expect(excerpt).toEqual([{ line: 1, before: 'a'.repeat(120), bad: 'FF', after: 'b'.repeat(120) }])
  })
})

describe('decodeWindows1252', () => {
  it.each([
    ['Deux caf\xe9s', 'Deux cafés'],
    ['\x93Hi\x94 \x96 5 \x80\x85', '“Hi” – 5 €…'],
    // Pasted from two sources: what is UTF-8 stays.
    ['\xc3\xa9 and \xe9', 'é and é'],
    ['\xef\xbb\xbfa\r\n\xff', '\uFEFFa\r\nÿ'],
    ['plain', 'plain'],
    ['', ''],
  ])('%j → %j', (text, expected) => {
    expect(decodeWindows1252(latin(text))).toBe(expected)
  })

  it.each(['\x81', 'a\x9db', 'a\0b\xe9', '\xff\xfea\0'])('%j is no text of this kind', (text) => {
    expect(decodeWindows1252(latin(text))).toBeNull()
  })
})
