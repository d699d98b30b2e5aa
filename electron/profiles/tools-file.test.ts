import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { anyFile, FRESH } from './testing/any-file.ts'
import {
  appendTools,
  isWritableId,
  newlineOf,
  parseTools,
  pythonStrip,
  renameTools,
  splitLines,
  stripTools,
  toolIds,
} from './tools-file.ts'

const BOM = '\uFEFF'
const BOTH = ['a__x', 'a__y']
const isOfA = (id: string): boolean => id.startsWith('a__')

describe('append', () => {
  it.each<[string, string, string[], string[]]>([
    ['', 'a__x\na__y\n', BOTH, BOTH],
    ['dance\n', 'dance\na__x\na__y\n', BOTH, BOTH],
    ['dance', 'dance\na__x\na__y\n', BOTH, BOTH],
    ['# a__x\ndance\n', '# a__x\ndance\na__x\na__y\n', BOTH, BOTH],
    ['a__x\n', 'a__x\na__y\n', BOTH, ['a__y']],
    ['  a__x  \n', '  a__x  \na__y\n', BOTH, ['a__y']],
    ['a__x\na__x\n', 'a__x\na__x\na__y\n', BOTH, ['a__y']],
    ['dance\r\nmove\r\n', 'dance\r\nmove\r\na__x\r\na__y\r\n', BOTH, BOTH],
    ['dance\r\nmove', 'dance\r\nmove\r\na__x\r\na__y\r\n', BOTH, BOTH],
    ['a__x # note\n', 'a__x # note\na__y\n', BOTH, ['a__y']],
    [`${BOM}a__x\n`, `${BOM}a__x\na__y\n`, BOTH, ['a__y']],
    [BOM, `${BOM}a__x\na__y\n`, BOTH, BOTH],
    ['dance\n\n\n', 'dance\n\n\na__x\na__y\n', BOTH, BOTH],
    ['dance\n', 'dance\na__x\n', ['a__x', 'a__x'], ['a__x']],
    ['dance\rmove', 'dance\rmove\ra__x\r', ['a__x'], ['a__x']],
    ['a\r\nb\nc\n', 'a\r\nb\nc\na__x\n', ['a__x'], ['a__x']],
    ['a\r\nb\n', 'a\r\nb\na__x\r\n', ['a__x'], ['a__x']],
    ['dance#a__x\n', 'dance#a__x\na__x\n', ['a__x'], ['a__x']],
    ['dance\f', 'dance\f\na__x\n', ['a__x'], ['a__x']],
    ['a__x\u2028a__y\n', 'a__x\u2028a__y\n', BOTH, []],
    ['a__x\ta__y\n', 'a__x\ta__y\na__y\n', ['a__y'], ['a__y']],
  ])('%j → %j', (before, after, ids, added) => {
    expect(appendTools(before, ids)).toEqual({ text: after, added })
  })

  it.each(['', ' ', '#x', ' a', 'a ', 'a\nb', 'a\u2028', 'a # b', `${BOM}a`, 'a\0', 'a\uD800'])(
    'refuses %j, which would not be read back as one ID',
    (id) => {
      expect(isWritableId(id)).toBe(false)
      expect(() => appendTools('dance\n', [id])).toThrow('tools/bad-tool-name')
    },
  )
})

describe('strip', () => {
  it.each<[string, string, string[]]>([
    ['dance\na__x\n# keep\n\na__y\nmove', 'dance\n# keep\n\nmove', BOTH],
    ['# a__x\ndance\n', '# a__x\ndance\n', []],
    ['dance\r\na__x\r\n', 'dance\r\n', ['a__x']],
    ['a__x', '', ['a__x']],
    ['ab__x\na__x\n', 'ab__x\n', ['a__x']],
    ['  a__x  \n', '', ['a__x']],
    ['a__x # note\ndance\n', 'dance\n', ['a__x']],
    [`${BOM}a__x\n`, BOM, ['a__x']],
    ['dance\fa__x\u2028move\n', 'dance\fmove\n', ['a__x']],
    ['a__x\na__y\na__x\n', '', BOTH],
    ['\tdance  \r\n a__x\rmove\n', '\tdance  \r\nmove\n', ['a__x']],
    ['', '', []],
  ])('%j → %j', (before, after, removed) => {
    expect(stripTools(before, isOfA)).toEqual({ text: after, removed })
  })
})

describe('rename', () => {
  const names = new Map([
    ['a__x', 'b__x'],
    ['a__y', 'b__y'],
  ])
  it.each<[string, string, string[]]>([
    ['dance\na__x\n# a__x\n\na__y\nmove', 'dance\nb__x\n# a__x\n\nb__y\nmove', BOTH],
    ['dance\r\n  a__x  # note a__x\r\n', 'dance\r\n  b__x  # note a__x\r\n', ['a__x']],
    [`${BOM}a__x\n`, `${BOM}b__x\n`, ['a__x']],
    ['b__x\na__x\nmove\n', 'b__x\nmove\n', ['a__x']],
    ['a__x\na__x\n', 'b__x\n', ['a__x']],
    ['ba__x\n', 'ba__x\n', []],
  ])('%j → %j', (before, after, renamed) => {
    expect(renameTools(before, names)).toEqual({ text: after, renamed })
  })

  it('refuses an ID that would not be read back', () => {
    expect(() => renameTools('a__x\n', new Map([['a__x', 'b #']]))).toThrow('tools/bad-tool-name')
  })
})

describe('parse', () => {
  it('reads lines, comments, duplicates and notes', () => {
    const text = `${BOM}dance\n# comment\n\n  move_head\t# looks around\ndance#x\ncamera\u0085dance\x1c`
    expect(parseTools(text)).toEqual([
      { line: 1, id: 'dance', duplicate: false, note: 'bom' },
      { line: 4, id: 'move_head', duplicate: false, note: 'inline-comment' },
      { line: 5, id: 'dance#x', duplicate: false },
      { line: 6, id: 'camera', duplicate: false },
      { line: 7, id: 'dance', duplicate: true },
    ])
    expect(toolIds(text)).toEqual(['dance', 'move_head', 'dance#x', 'camera'])
  })

  it.each([
    ['a\r\nb', ['a|\r\n', 'b|']],
    ['a\n\rb', ['a|\n', '|\r', 'b|']],
    ['a\vb\fc\x1cd\x1de\x1ef\x85g\u2028h\u2029', 'a\vb\fc\x1cd\x1de\x1ef\x85g\u2028h\u2029'.match(/[a-h][^]/g)?.map((p) => `${p[0]}|${p[1]}`)],
    ['a\x1fb\n', ['a\x1fb|\n']],
    ['', []],
    ['\n', ['|\n']],
  ])('splits %j as Python does', (text, expected) => {
    expect(splitLines(text).map((line) => `${line.text}|${line.ending}`)).toEqual(expected)
  })

  it.each([
    ['\x1c\x1f\x85 \u00a0\u3000x\u2009', 'x'],
    ['\uFEFFx', '\uFEFFx'],
    ['\u200bx\u180e', '\u200bx\u180e'],
    [' \t\r\n', ''],
  ])('strips %j as Python does', (text, expected) => {
    expect(pythonStrip(text)).toBe(expected)
  })

  it.each([
    ['', '\n'],
    ['a\r\nb\n', '\r\n'],
    ['a\nb\r\n', '\n'],
    ['a\nb\r\nc\r\n', '\r\n'],
    ['a\rb\rc\n', '\r'],
  ])('newline of %j', (text, expected) => {
    expect(newlineOf(text)).toBe(expected)
  })

  it('takes linear time over long runs of blanks', () => {
    const text = `${' '.repeat(300_000)}x${' '.repeat(300_000)}y #${' #'.repeat(100_000)}`
    const started = performance.now()
    expect(parseTools(text)).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('for any file', () => {
  it('splitting and joining gives the same text', () => {
    fc.assert(
      fc.property(fc.oneof(anyFile, fc.string({ unit: 'binary' })), (text) => {
        expect(splitLines(text).map((line) => line.text + line.ending).join('')).toBe(text)
      }),
    )
  })

  it('append then strip of the same IDs restores every byte, but for a missing last newline', () => {
    fc.assert(
      fc.property(anyFile, fc.subarray(FRESH, { minLength: 1 }), (before, ids) => {
        const { text, added } = appendTools(before, ids)
        expect(added).toEqual(ids)
        expect(text.startsWith(before)).toBe(true)
        const after = stripTools(text, (id) => ids.includes(id)).text
        const body = before.replace(BOM, '')
        const open = body !== '' && !/[\r\n]$/.test(before)
        expect(after).toBe(before + (open ? newlineOf(before) : ''))
      }),
    )
  })

  it('strip removes exactly the lines that name the ID, and append makes them named', () => {
    fc.assert(
      fc.property(anyFile, (before) => {
        const { text, removed } = stripTools(before, isOfA)
        expect(removed).toEqual(toolIds(before).filter(isOfA))
        expect(text === before).toBe(removed.length === 0)
        expect(toolIds(appendTools(before, BOTH).text)).toEqual(expect.arrayContaining(BOTH))
      }),
    )
  })
})
