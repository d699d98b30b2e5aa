import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { NO_HISTORY, changeBetween, recorded, redoing, undoing, withChange } from './edit-history.ts'

import type { EditHistory } from './edit-history.ts'

const FILE = 'instructions.txt'

/** Types the texts one after the other; times in milliseconds. */
function typing(texts: readonly string[], times: readonly number[]): EditHistory {
  return texts.slice(1).reduce(
    (history, text, k) =>
      recorded(history, FILE, texts[k] ?? '', text, { group: 2 * k, at: times[k] ?? 0, typed: true }),
    NO_HISTORY,
  )
}

describe('changeBetween', () => {
  it.each([
    ['', '', null],
    ['a', 'a', null],
    ['ab', 'axb', { from: 1, removed: '', inserted: 'x' }],
    ['aaa', 'aa', { from: 2, removed: 'a', inserted: '' }],
    ['a\r\nb', 'a\nb', { from: 1, removed: '\r', inserted: '' }],
    ['😀', '😁', { from: 0, removed: '😀', inserted: '😁' }],
    ['😀', '🤀', { from: 0, removed: '😀', inserted: '🤀' }],
  ])('%j → %j', (before, after, change) => {
    expect(changeBetween(before, after)).toEqual(change)
  })
})

describe('steps', () => {
  it.each([
    ['letters in a row', ['', 'a', 'ab', 'abc'], [0, 100, 200], 1],
    ['a pause between', ['', 'a', 'ab'], [0, 900], 2],
    ['two places', ['xy', 'axy', 'axyb'], [0, 10], 2],
    ['backspace in what was typed', ['', 'ab', 'a'], [0, 10], 1],
    ['typed and deleted at once', ['', 'a', ''], [0, 10], 0],
    ['backspaces in a row', ['abc', 'ab', 'a'], [0, 10], 1],
    ['deletes at one place', ['abc', 'bc', 'c'], [0, 10], 1],
  ])('%s', (_, texts, times, steps) => {
    expect(typing(texts, times).past).toHaveLength(steps)
  })

  it('of one action on two files are taken back together', () => {
    const mark = { group: 1, at: 0, typed: false }
    const history = recorded(recorded(NO_HISTORY, FILE, 'a', 'b', mark), 'tools.txt', 'c', 'd', mark)
    expect(undoing(history)?.changes.map(({ file }) => file)).toEqual(['tools.txt', FILE])
  })
})

describe('any sequence of changes', () => {
  it('is taken back and done again to the byte', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '#', '😀', '\uFEFF'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 12 }), fc.boolean(), (texts, typed) => {
        let history = texts.slice(1).reduce(
          (held, next, k) => recorded(held, FILE, texts[k] ?? '', next, { group: 2 * k, at: k, typed }),
          NO_HISTORY,
        )
        let now: string | null = texts.at(-1) ?? ''
        for (const [way, end] of [
          [undoing, texts[0]],
          [redoing, texts.at(-1)],
        ] as const) {
          for (let step = way(history); step; step = way(history)) {
            history = step.history
            for (const change of step.changes) now = now === null ? null : withChange(now, change)
          }
          expect(now).toBe(end)
        }
      }),
    )
  })
})
