import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'

import { lineSeparatorOf } from './line-ends.ts'

const texts = [
  ['', '\n'],
  ['dance', '\n'],
  ['a\nb\n', '\n'],
  ['a\r\nb\r\n', '\r\n'],
  ['a\r\n\r\nb', '\r\n'],
  ['a\r\nb\n', '\n'],
  ['\na\r\n', '\n'],
  ['a\rb\r\n', '\n'],
  ['a\rb', '\n'],
  ['\uFEFFa\r\nb', '\r\n'],
] as const

describe('lineSeparatorOf', () => {
  it.each(texts)('%j: %j', (text, separator) => {
    expect(lineSeparatorOf(text)).toBe(separator)
  })

  it.each(texts)('the editor gives %j back as it was', (text) => {
    const state = EditorState.create({
      doc: text,
      extensions: EditorState.lineSeparator.of(lineSeparatorOf(text)),
    })
    expect(state.sliceDoc()).toBe(text)
  })
})
