import { describe, expect, it } from 'vitest'

import { replaceOnLine, unknownLines } from './unknown-lines.ts'

import type { FileProblem } from '../../../../electron/contract/index.ts'

describe('unknownLines', () => {
  it('takes lines that name no tool, and no other problem', () => {
    const problems: FileProblem[] = [
      { file: 'tools.txt', line: 2, code: 'tools/unknown-id', details: { id: 'danse' }, suggestion: 'dance' },
      { file: 'tools.txt', line: 3, code: 'tools/duplicate-line', details: { id: 'dance' } },
      { file: 'tools.txt', line: 4, code: 'tools/unavailable', details: { id: 'camera', reason: 'no-camera' } },
      { file: 'tools.txt', line: 5, code: 'tools/space-not-installed', details: { id: 'a_b__c', alias: 'a_b' } },
      { file: 'tools.txt', line: null, code: 'profile/not-utf8' },
      { file: 'instructions.txt', line: 1, code: 'tools/unknown-id', details: { id: 'x' } },
      { file: 'tools.txt', line: 6, code: 'tools/renamed', details: { id: 'do_nothing', to: 'idle_do_nothing' } },
    ]
    expect(unknownLines(problems).map(({ line, id }) => [line, id])).toEqual([
      [2, 'danse'],
      [5, 'a_b__c'],
      [6, 'do_nothing'],
    ])
  })
})

describe('replaceOnLine', () => {
  it.each([
    ['danse\ndance\n', 1, 'danse', 'dance\ndance\n'],
    ['# c\r\n  danse  # why\r\nx', 2, 'danse', '# c\r\n  dance  # why\r\nx'],
    ['a\n\ndanse', 3, 'danse', 'a\n\ndance'],
    ['\uFEFFdanse', 1, 'danse', '\uFEFFdance'],
    ['a\u2028danse\vb', 2, 'danse', 'a\u2028dance\vb'],
    // The line says something else by now, or is gone.
    ['a\nb\n', 2, 'danse', 'a\nb\n'],
    ['danse\n', 4, 'danse', 'danse\n'],
  ])('%j line %i', (text, line, id, expected) => {
    expect(replaceOnLine(text, line, id, 'dance')).toBe(expected)
  })
})
