import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { anyFile, FRESH, tidyFile } from './testing/any-file.ts'
import { editTools, onlySwitches } from './tools-edit.ts'
import { toolIds } from './tools-file.ts'

const BOM = '\uFEFF'
const MINE = '# my tools\n\ncamera   # keep\nfoo\n'

describe('without the text on disk', () => {
  it.each<[string, string[], string[], string]>([
    ['dance\na__x\n', ['b'], ['a__x'], 'dance\nb\n'],
    ['dance\r\na__x', [], ['dance'], 'a__x'],
    ['dance\n', ['dance'], ['dance'], 'dance\n'],
    ['a # note\nb\n', ['a'], ['a'], 'b\na\n'],
    ['', [], ['a'], ''],
  ])('%j, on %j, off %j → %j', (text, on, off, expected) => {
    expect(editTools(text, on, off)).toBe(expected)
  })
})

describe('with the text on disk', () => {
  it.each<[string, string, string[], string[], string]>([
    ['a\n  b  # why\nc\n', 'a\nc\n', ['b'], [], 'a\n  b  # why\nc\n'],
    ['# about a\na\n\n# about b\nb\n', '# about a\na\n\n# about b\n', ['b'], [], '# about a\na\n\n# about b\nb\n'],
    ['dance', 'dance\nb\n', [], ['b'], 'dance'],
    ['dance\r\nmove', 'dance\r\n', ['move'], [], 'dance\r\nmove'],
    [`${BOM}a\nb\n`, `${BOM}b\n`, ['a'], [], `${BOM}a\nb\n`],
    ['a\nb\na\n', 'b\n', ['a'], [], 'a\nb\na\n'],
    ['a\fb\u2028c', 'c', ['a', 'b'], [], 'a\fb\u2028c'],
    ['a\nb\n', 'b\nnew\n', ['a'], [], 'a\nb\nnew\n'],
    ['a\nb\n', 'a\nb\nnew\nnewer\n', [], ['new'], 'a\nb\nnewer\n'],
    ['a\nb\nc\nd\n', 'a\nd\n', ['b'], [], 'a\nb\nd\n'],
    ['', 'new\n', [], ['new'], ''],
    [MINE, MINE, ['dance'], [], `${MINE}dance\n`],
    [MINE, MINE, [], ['camera'], '# my tools\n\nfoo\n'],
    [MINE, '# my tools\n\nfoo\ndance\n', ['camera'], ['dance'], MINE],
    ['a\n', 'a\n', ['b', 'b'], ['a'], 'b\n'],
    ['a\n', 'a\n', ['a'], ['a'], 'a\n'],
  ])('%j, by now %j, on %j, off %j → %j', (base, text, on, off, expected) => {
    expect(editTools(text, on, off, base)).toBe(expected)
  })

  it.each<[string, string, string, string[], string[], string]>([
    ['a comment was typed elsewhere', 'a\nb\nc\n', '# mine\na\nc\n', ['b'], [], '# mine\na\nb\nc\n'],
    ['a comment was typed in its place', 'a\nb\nc\n', 'a\n# mine\nc\n', ['b'], [], 'a\n# mine\nc\nb\n'],
    ['its neighbours changed places', 'a\nb\nc\n', 'c\na\n', ['b'], [], 'c\na\nb\n'],
    ['a neighbour is off as well', 'a\nb\nc\nd\n', 'a\nd\n# x\n', ['c'], [], 'a\nc\nd\n# x\n'],
    ['it was the first', 'a\nb\n', 'b\n# x\n', ['a'], [], 'a\nb\n# x\n'],
    ['it is in two places', 'x\nb\nx\n', 'x\nx\n# y\n', ['b'], [], 'x\nb\nx\n# y\n'],
    ['the place is not clear', '\nb\n\n', '\n\n\n', ['b'], [], '\n\n\nb\n'],
    ['it was last, without an ending', 'a\nb', '# x\na\n', ['b'], [], '# x\na\nb'],
    ['a line came behind it meanwhile', 'a\nb', 'a\nnew\n# x\n', ['b'], [], 'a\nnew\n# x\nb\n'],
    ['an ID was typed that cannot be written', 'a\nb\n', 'b\nx\0y\n', ['a'], [], 'a\nb\nx\0y\n'],
    ['it goes off', 'a\nb\n', '# x\na\nb\n', [], ['b'], '# x\na\n'],
  ])('where the text was typed in: %s', (_what, base, text, on, off, expected) => {
    expect(editTools(text, on, off, base)).toBe(expected)
  })

  it('refuses an ID that would not be read back, and takes any that stands there', () => {
    expect(() => editTools('a\n', ['b # c'], [], 'a\n')).toThrow('tools/bad-tool-name')
    expect(editTools('b\n', ['a\0'], [], 'a\0\nb\n')).toBe('a\0\nb\n')
  })
})

describe('for any file', () => {
  const toggle =
    (base: string) =>
    (text: string, ids: readonly string[]): string => {
      const listed = new Set(toolIds(text))
      return editTools(
        text,
        ids.filter((id) => !listed.has(id)),
        ids.filter((id) => listed.has(id)),
        base,
      )
    }
  /** A press of one switch, or of all that a group has. */
  const presses = (base: string): fc.Arbitrary<string[][]> =>
    fc.array(fc.subarray([...toolIds(base), ...FRESH], { minLength: 1 }), { maxLength: 16 })

  it('any sequence of toggles and its reverse gives the same bytes back', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyFile, tidyFile).chain((base) => fc.tuple(fc.constant(base), presses(base))),
        ([base, sequence]) => {
          const there = sequence.reduce(toggle(base), base)
          expect(sequence.toReversed().reduce(toggle(base), there)).toBe(base)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('so does any other order that leaves every switch where it was', () => {
    fc.assert(
      fc.property(
        anyFile.chain((base) => {
          const ids = [...toolIds(base), ...FRESH]
          return fc.tuple(fc.constant(base), fc.shuffledSubarray([...ids, ...ids], { minLength: 2 * ids.length }))
        }),
        ([base, sequence]) => {
          expect(sequence.map((id) => [id]).reduce(toggle(base), base)).toBe(base)
        },
      ),
    )
  })

  it('lists what is on after any toggles, and is known to be made of switches only', () => {
    fc.assert(
      fc.property(
        anyFile.chain((base) => fc.tuple(fc.constant(base), presses(base))),
        ([base, sequence]) => {
          const on = new Set(toolIds(base))
          for (const id of sequence.flat()) if (!on.delete(id)) on.add(id)
          const text = sequence.reduce(toggle(base), base)
          expect(new Set(toolIds(text))).toEqual(on)
          expect(onlySwitches(base, text)).not.toBeNull()
        },
      ),
    )
  })

  it('switching off and on where the text was typed in leaves every other line alone', () => {
    fc.assert(
      fc.property(anyFile, tidyFile, (base, text) => {
        const ids = toolIds(text)
        const off = editTools(text, [], ids, base)
        expect(toolIds(off)).toEqual([])
        expect(new Set(toolIds(editTools(off, ids, [], base)))).toEqual(new Set(ids))
      }),
    )
  })
})
