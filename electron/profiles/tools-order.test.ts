import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { anyFile, tidyFile } from './testing/any-file.ts'
import { splitBom, splitLines, toolIds } from './tools-file.ts'
import { moveTool, orderTools } from './tools-order.ts'

const BOM = '\uFEFF'

describe('order', () => {
  it.each<[string, string[], string]>([
    ['a\nb\nc\n', ['c', 'a', 'b'], 'c\na\nb\n'],
    ['a\nb\nc\n', ['c', 'a'], 'c\nb\na\n'],
    ['a\nb\nc\n', ['a', 'b', 'c'], 'a\nb\nc\n'],
    ['a\nb\n', ['none', 'b', 'a', 'b'], 'b\na\n'],
    ['# about a\na\n  b  # why\n', ['b', 'a'], '  b  # why\n# about a\na\n'],
    ['# head\n\na\n\n# about b\nb\n# end\n', ['b', 'a'], '# head\n\n# about b\nb\n\na\n# end\n'],
    ['a\r\nb\n', ['b', 'a'], 'b\na\r\n'],
    ['a\r\nb', ['b', 'a'], 'b\r\na'],
    ['a\r\nb\nc', ['c', 'b', 'a'], 'c\r\nb\na'],
    ['a\nb\n# end', ['b', 'a'], 'b\na\n# end'],
    [`${BOM}a\nb\n`, ['b', 'a'], `${BOM}b\na\n`],
    ['a\fb\u2028', ['b', 'a'], 'b\u2028a\f'],
    ['a\nb\na\n', ['b', 'a'], 'b\na\na\n'],
    ['a\nb\na\n', ['a', 'b'], 'a\nb\na\n'],
    // "b\r" before the blank line would be one line ending.
    ['a\n\nb\r', ['b', 'a'], 'a\n\nb\r'],
    ['', ['a'], ''],
  ])('%j by %j → %j', (text, order, expected) => {
    expect(orderTools(text, order)).toBe(expected)
  })
})

describe('move', () => {
  it.each<[string, string, string | null, string]>([
    ['a\nb\nc\n', 'c', 'a', 'c\na\nb\n'],
    ['a\nb\nc\n', 'a', null, 'b\nc\na\n'],
    ['a\nb\nc\n', 'a', 'c', 'b\na\nc\n'],
    ['a\nb\nc\n', 'a', 'b', 'a\nb\nc\n'],
    ['a\nb\nc\n', 'c', null, 'a\nb\nc\n'],
    ['a\nb\n', 'a', 'a', 'a\nb\n'],
    ['a\nb\n', 'none', 'a', 'a\nb\n'],
    ['a\nb\n', 'a', 'none', 'b\na\n'],
    ['# about a\na\n\nb\n# end\n', 'a', null, 'b\n\n# about a\na\n# end\n'],
    ['a\nb', 'b', 'a', 'b\na'],
  ])('%j: %j before %j → %j', (text, id, before, expected) => {
    expect(moveTool(text, id, before)).toBe(expected)
  })
})

const pieces = (text: string): string[] => splitLines(splitBom(text).body).map((line) => line.text).sort()
const endings = (text: string): string[] => splitLines(splitBom(text).body).map((line) => line.ending).sort()

describe('for any file', () => {
  const moves = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 6 })

  it('moving there and back, step by step, gives the same bytes', () => {
    fc.assert(
      fc.property(tidyFile, moves, (text, steps) => {
        const back: Array<[string, string | null]> = []
        let moved = text
        for (const [from, to] of steps) {
          const ids = toolIds(moved)
          const id = ids[from % Math.max(1, ids.length)]
          if (id === undefined) return
          back.unshift([id, ids[ids.indexOf(id) + 1] ?? null])
          moved = moveTool(moved, id, ids[to % (ids.length + 1)] ?? null)
        }
        expect(back.reduce((now, [id, before]) => moveTool(now, id, before), moved)).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives the order that was asked for, and loses no line and no line ending', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyFile, tidyFile).chain((text) => fc.tuple(fc.constant(text), fc.shuffledSubarray(toolIds(text)))),
        ([text, order]) => {
          const result = orderTools(text, order)
          expect(pieces(result)).toEqual(pieces(text))
          expect(endings(result)).toEqual(endings(text))
          expect(splitBom(result).bom).toBe(splitBom(text).bom)
          if (/\r(?!\n)|.\uFEFF/s.test(text)) return
          expect(toolIds(result).filter((id) => order.includes(id))).toEqual(order)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('the order that there is changes nothing', () => {
    fc.assert(
      fc.property(anyFile, (text) => {
        expect(orderTools(text, toolIds(text))).toBe(text)
      }),
    )
  })
})
