import { describe, expect, it } from 'vitest'

import { editDraft } from './tools-draft.ts'

import type { ToolsChange } from './types.ts'

const INHERITED = '# of default\r\ndance\r\ncamera # why\r\n'

function edit(onDisk: string | null, held: string | null, change: Partial<ToolsChange>): [string, string | null] {
  const texts = { 'tools.txt': onDisk, 'instructions.txt': null, 'voice.txt': null, 'greeting.txt': null }
  const { text, toolsText } = editDraft({ texts, inheritedToolsText: INHERITED }, held, {
    enable: [],
    disable: [],
    ...change,
  })
  return [text, toolsText]
}

describe('editDraft', () => {
  it('leaves an inherited list inherited until it changes, and again when the change is taken back', () => {
    expect(edit(null, null, {})).toEqual(['dance\ncamera\n', null])
    const off = edit(null, null, { disable: ['dance'] })
    expect(off).toEqual(['camera\n', 'camera\n'])
    expect(edit(null, off[1], { enable: ['dance'] })).toEqual(['dance\ncamera\n', null])
    expect(edit(null, null, { move: { id: 'camera', before: 'dance' } })).toEqual(['camera\ndance\n', 'camera\ndance\n'])
    expect(edit(null, null, { order: ['camera', 'dance'] })[1]).toBe('camera\ndance\n')
  })

  it('brings a line back as it is on disk', () => {
    const onDisk = 'a\r\n  b # mine\r\nc'
    const [off] = edit(onDisk, onDisk, { disable: ['b', 'c'] })
    expect(off).toBe('a\r\n')
    expect(edit(onDisk, off, { enable: ['c', 'b'] })).toEqual([onDisk, onDisk])
  })

  it('keeps a list that says the same as the inherited one where there is a file, and an inherited one that was asked for', () => {
    expect(edit('dance\ncamera\n', 'dance\ncamera\n', {})[1]).toBe('dance\ncamera\n')
    expect(edit('a\n', null, {})).toEqual(['dance\ncamera\n', null])
    expect(edit('a\n', null, { enable: ['a'] })[1]).toBe('dance\ncamera\na\n')
    expect(edit(null, '', {})).toEqual(['', ''])
  })

  it('switches first, then orders, then moves', () => {
    const change = { enable: ['d'], disable: ['a'], order: ['c', 'b'], move: { id: 'd', before: 'c' } }
    expect(edit('a\nb\nc\n', 'a\nb\nc\n', change)[0]).toBe('d\nc\nb\n')
  })
})
