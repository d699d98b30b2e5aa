import { describe, expect, it } from 'vitest'

import { changedLines } from './changed-lines.ts'

describe('changedLines', () => {
  it.each([
    ['the same', 'a\nb', 'a\nb', [], 0],
    ['one appended', 'a\nb\n', 'a\nb\nc\n', [3], 1],
    ['one removed', 'a\nb\nc', 'a\nc', [], 1],
    ['one rewritten counts once', 'a\nb\nc', 'a\nx\nc', [2], 1],
    ['two places', 'a\nb\nc\nd', 'x\nb\nc\ny', [1, 4], 2],
    ['moved: added here, removed there', 'a\nb\nc', 'b\nc\na', [3], 2],
    ['from nothing', '', 'a\nb', [1, 2], 2],
    ['to nothing', 'a\nb', '', [1], 2],
    ['one of two equal lines removed', 'a\na', 'a', [], 1],
    ['only the line endings', 'a\r\nb\r\n', 'a\nb\n', [], 0],
    ['last line end added', 'a', 'a\n', [2], 1],
  ] as const)('%s', (_, before, after, lines, count) => {
    expect(changedLines(before, after)).toEqual({ lines, count })
  })

  it('does not compare two huge texts line by line', () => {
    const old = Array.from({ length: 3000 }, (_, i) => `old ${i}`).join('\n')
    const changed = `${Array.from({ length: 2000 }, (_, i) => `new ${i}`).join('\n')}`
    const result = changedLines(`same\n${old}\nend`, `same\n${changed}\nend`)
    expect(result.count).toBe(3000)
    expect(result.lines).toHaveLength(2000)
    expect(result.lines[0]).toBe(2)
  })
})
