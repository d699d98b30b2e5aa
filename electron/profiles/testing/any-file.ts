import fc from 'fast-check'

const SEPARATORS = ['\n', '\r\n', '\r', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029']
const PIECES = ['dance', 'a__x', 'a__y', 'ab__x', ' ', '\t', '#', ' # note', '\u00a0', '\x1f', '\uFEFF', '𝄞', 'é', 'x']

/** Files out of everything that matters to the rules: all separators, blanks, comments, marks, known and odd IDs. */
export const anyFile = fc
  .array(fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...PIECES) }, fc.constantFrom(...SEPARATORS)), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''))

/** IDs that no {@link anyFile} names. */
export const FRESH = ['new__a', 'new__b', 'new__c']

/** Files as people write them: each tool once, with comments, blank lines, odd spacing and any line endings. */
export const tidyFile = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.shuffledSubarray(['dance', 'a__x', 'a__y', 'camera', 'move_head', 'é__𝄞']),
    fc.array(fc.constantFrom('', '# note', '  # more', '\t'), { minLength: 7, maxLength: 7 }),
    fc.array(fc.constantFrom('', '  ', ' # why'), { minLength: 6, maxLength: 6 }),
    fc.array(fc.constantFrom('\n', '\r\n', '\f', '\u2028'), { minLength: 14, maxLength: 14 }),
    fc.boolean(),
  )
  .map(([bom, ids, above, behind, endings, open]) => {
    const lines = [...ids.flatMap((id, index) => [above[index] ?? '', id + (behind[index] ?? '')]), above[6] ?? '']
    const text = lines.map((line, index) => line + (endings[index] ?? '\n')).join('')
    return bom + (open ? text.replace(/(?:\r\n|[\n\f\u2028])$/, '') : text)
  })
