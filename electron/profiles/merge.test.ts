import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { mergeTexts } from './merge.ts'
import { FRESH, tidyFile } from './testing/any-file.ts'
import { editTools } from './tools-edit.ts'
import { toolIds } from './tools-file.ts'

import type { Text } from './merge.ts'
import type { FileName } from './roots.ts'

const PROMPT = 'instructions.txt'
const TOOLS = 'tools.txt'

describe('mergeTexts', () => {
  it.each<[string, FileName, Text, Text, Text, Text]>([
    ['only mine changed', PROMPT, 'a', 'b', 'a', 'b'],
    ['only theirs changed', PROMPT, 'a', 'a', 'b', 'b'],
    ['both the same', PROMPT, 'a', 'b', 'b', 'b'],
    ['I took it away', PROMPT, 'a', null, 'a', null],
    ['they took it away', PROMPT, 'a', 'a', null, null],
    ['they made it', PROMPT, null, null, 'a', 'a'],
    ['other lines', PROMPT, 'a\n\nb\n\nc\n', 'A\n\nb\n\nc\n', 'a\n\nb\n\nC\n', 'A\n\nb\n\nC\n'],
    ['line endings stay', PROMPT, 'a\r\n\r\nb\rc', 'A\r\n\r\nb\rc', 'a\r\n\r\nb\rc\n', 'A\r\n\r\nb\rc\n'],
    ['a last line without ending', PROMPT, 'a\nb\nc', 'x\na\nb\nc', 'a\nb\nc\nd', 'x\na\nb\nc\nd'],
    ['lines taken and put', PROMPT, '1\n2\n3\n4\n5\n', '1\n3\n4\n5\n', '1\n2\n3\n4\nx\n5\n', '1\n3\n4\nx\n5\n'],
    ['both put the same among others', PROMPT, 'a\nb\nc\n', 'a\nx\nb\nc\n', 'a\nx\nb\nd\n', 'a\nx\nb\nd\n'],
    ['both append a tool', TOOLS, 'a\n', 'a\nmine\n', 'a\ntheirs\n', 'a\ntheirs\nmine\n'],
    ['both append the same', TOOLS, 'a\n', 'a\nx\n', 'a\nx\ny\n', 'a\nx\ny\n'],
    ['the last line had no ending', TOOLS, 'a', 'a\nmine\n', 'a\r\ntheirs', 'a\r\ntheirs\r\nmine\r\n'],
    ['switched off beside another', TOOLS, 'a\nb\nc\n', 'a\nc\n', 'a\nb\n', 'a\n'],
    ['they wrote comments', TOOLS, 'a\nb\n', 'a\nb\nc\n', '# mine\na\nb # why\n', '# mine\na\nb # why\nc\n'],
    ['I wrote comments, they appended', TOOLS, 'a\nb\n', 'a\n# last\nb\n', 'a\nb\nc\n', 'a\n# last\nb\nc\n'],
    ['they moved what I switch off', TOOLS, 'a\nb\nc\n', 'b\nc\n', 'c\nb\na\n', 'c\nb\n'],
    ['they took all, I add', TOOLS, 'a\nb\n', 'a\nb\nc\n', '', 'c\n'],
  ])('%s', async (_what, file, base, mine, theirs, expected) => {
    expect(await mergeTexts(file, base, mine, theirs)).toEqual({ state: 'merged', text: expected })
  })

  it.each<[string, FileName, Text, Text, Text]>([
    ['the same line', PROMPT, 'a\n', 'b\n', 'c\n'],
    ['lines beside each other', PROMPT, 'a\nb\n', 'A\nb\n', 'a\nB\n'],
    ['both at the end', PROMPT, 'a\n', 'a\nb\n', 'a\nc\n'],
    ['I changed what they took away', PROMPT, 'a\n', 'b\n', null],
    ['I took away what they changed', PROMPT, 'a\n', null, 'b\n'],
    ['both made it', PROMPT, null, 'a\n', 'b\n'],
    ['they converted all line endings', PROMPT, 'a\nb\nc\n', 'a\nB\nc\n', 'a\r\nb\r\nc\r\n'],
    ['they wrote beside a tool that I switch off', TOOLS, 'a\nb\n', 'b\n', 'a # why\nb\n'],
    ['both moved lines', TOOLS, 'a\nb\nc\n', 'b\na\nc\n', 'c\na\nb\n'],
    ['I want the inherited list again', TOOLS, 'a\n', null, 'a\nb\n'],
  ])('never guesses: %s', async (_what, file, base, mine, theirs) => {
    expect(await mergeTexts(file, base, mine, theirs)).toEqual({ state: 'conflict' })
  })

  it('gives a very long text with changes all over to the person, and soon', async () => {
    const lines = Array.from({ length: 200_000 }, () => '')
    const text = (first: string, last: string): string => [first, ...lines, last].join('\n')
    const started = performance.now()
    expect(await mergeTexts(PROMPT, text('a', 'z'), text('b', 'z'), text('a', 'y'))).toEqual({ state: 'conflict' })
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('of two sets of switches keeps both, whoever saves first', async () => {
    const switches = (base: string): fc.Arbitrary<string[]> => fc.subarray([...toolIds(base), ...FRESH])
    await fc.assert(
      fc.asyncProperty(
        tidyFile.chain((base) => fc.tuple(fc.constant(base), switches(base), switches(base))),
        async ([base, ours, others]) => {
          const known = new Set(toolIds(base))
          const press = (ids: readonly string[]): string =>
            editTools(base, ids.filter((id) => !known.has(id)), ids.filter((id) => known.has(id)), base) // prettier-ignore
          const merged = await mergeTexts(TOOLS, base, press(ours), press(others))
          const expected = new Set(known)
          for (const id of new Set([...ours, ...others])) if (!expected.delete(id)) expected.add(id)
          expect(merged.state === 'merged' && new Set(toolIds(merged.text ?? ''))).toEqual(expected)
        },
      ),
    )
  })

  it('a text that one side left alone is the other side’s to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (base, changed) => {
        expect(await mergeTexts(PROMPT, base, base, changed)).toEqual({ state: 'merged', text: changed })
        expect(await mergeTexts(TOOLS, base, changed, base)).toEqual({ state: 'merged', text: changed })
      }),
    )
  })

  it('merges changes of different paragraphs to what both changes one after the other give', async () => {
    const paragraphs = fc.array(fc.constantFrom('one', 'two', 'three'), { minLength: 4, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(paragraphs, fc.constantFrom('\n', '\r\n', '\r'), async (words, newline) => {
        const text = (first: string, last: string): string =>
          [first, '-', ...words, '-', last].map((word, index) => `${index} ${word}`).join(newline)
        const merged = await mergeTexts(PROMPT, text('a', 'z'), text('b', 'z'), text('a', 'y'))
        expect(merged).toEqual({ state: 'merged', text: text('b', 'y') })
      }),
    )
  })
})
