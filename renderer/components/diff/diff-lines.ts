import { diffItems } from './diff-items.ts'

import type { DiffKind, DiffRun } from './diff-items.ts'

export interface DiffPiece {
  readonly changed: boolean
  readonly text: string
}

/** One line of a difference. Numbers count from 1 on the side that the line belongs to (`after` for one that stayed). */
export interface DiffLine {
  readonly kind: DiffKind
  readonly number: number
  /** Together the line's text. */
  readonly pieces: readonly DiffPiece[]
}

/** When less than this share of the shorter line is in the other, they are shown as two lines, not as one that was edited. */
const ALIKE = 0.5

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'
const WORD = new RegExp(`[${CJK}]|(?:(?![${CJK}])[\\p{L}\\p{M}\\p{N}_])+|\\s+|[^]`, 'gu')

/** Words, runs of white space, and every other character by itself; together the text. */
export function words(text: string): string[] {
  return text.match(WORD) ?? []
}

/** The difference of two texts, line by line, with the words that changed inside of a line that was edited. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = []
  let oldAt = 1
  let newAt = 1
  const runs = diffItems(before, after)
  for (const [i, { kind, items }] of runs.entries()) {
    if (kind === 'same') {
      for (const text of items) {
        lines.push({ kind, number: newAt, pieces: [{ changed: false, text }] })
        oldAt += 1
        newAt += 1
      }
      continue
    }
    const other = kind === 'cut' ? runs[i + 1] : runs[i - 1]
    const partner = other && other.kind !== 'same' && other.kind !== kind ? other.items : []
    for (const [j, text] of items.entries()) {
      const against = partner[j]
      const pieces = against === undefined ? [{ changed: true, text }] : side(kind, text, against)
      lines.push({ kind, number: kind === 'cut' ? oldAt : newAt, pieces })
      if (kind === 'cut') oldAt += 1
      else newAt += 1
    }
  }
  return lines
}

/** The words of one side of an edited line. */
function side(kind: 'cut' | 'add', text: string, against: string): DiffPiece[] {
  const [old, young] = kind === 'cut' ? [text, against] : [against, text]
  const runs = tidied(diffItems(words(old), words(young)))
  const kept = runs.reduce(
    (sum, run) => sum + (run.kind === 'same' ? run.items.join('').replace(/\s/g, '').length : 0),
    0,
  )
  const shortest = Math.min(old.replace(/\s/g, '').length, young.replace(/\s/g, '').length)
  if (shortest > 0 && kept / shortest < ALIKE) return [{ changed: true, text }]
  const pieces = runs
    .filter((run) => run.kind === 'same' || run.kind === kind)
    .map((run): DiffPiece => ({ changed: run.kind !== 'same', text: run.items.join('') }))
  return smooth(pieces)
}

/**
 * The same edit, cut where a reader would: a word kept between two additions that stands at the end of the second as well
 * goes behind both, and punctuation goes with what it ends.
 */
function tidied(runs: readonly DiffRun<string>[]): DiffRun<string>[] {
  const result = runs.map(({ kind, items }) => ({ kind, items: [...items] }))
  for (let i = 0; i < result.length; i += 1) {
    const [first, kept, second, next] = [result[i - 1], result[i], result[i + 1], result[i + 2]]
    if (kept?.kind !== 'same' || !second || first?.kind !== second.kind || (next && next.kind !== 'same')) continue
    const tail = second.items.slice(-kept.items.length)
    if (tail.length !== kept.items.length || tail.some((item, j) => item !== kept.items[j])) continue
    first.items.push(...kept.items, ...second.items.slice(0, -kept.items.length))
    if (next) next.items.unshift(...tail)
    result.splice(i, 2, ...(next ? [] : [{ kind: 'same' as const, items: tail }]))
  }
  for (const [i, run] of result.entries()) {
    const [before, after] = [result[i - 1], result[i + 1]]
    if (run.kind === 'same' || before?.kind !== 'same' || after?.kind !== 'same') continue
    while (run.items[0] !== undefined && run.items[0] === after.items[0] && /^[^\s\p{L}\p{N}_]$/u.test(run.items[0])) {
      const [mark] = run.items.splice(0, 1)
      after.items.splice(0, 1)
      before.items.push(mark ?? '')
      run.items.push(mark ?? '')
    }
  }
  return result.filter(({ items }) => items.length > 0)
}

/** White space between two changed words belongs to the change: one mark in the place of two. */
function smooth(pieces: readonly DiffPiece[]): DiffPiece[] {
  const result: DiffPiece[] = []
  for (const [i, piece] of pieces.entries()) {
    const blank = !piece.changed && /^\s+$/.test(piece.text) && result.at(-1)?.changed && pieces[i + 1]?.changed
    const changed = piece.changed || blank === true
    const last = result.at(-1)
    if (last?.changed === changed) result[result.length - 1] = { changed, text: last.text + piece.text }
    else result.push({ changed, text: piece.text })
  }
  return result
}

/** How many words came and went, white space aside. */
export function wordCounts(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffKind): number =>
    lines
      .filter((line) => line.kind === kind)
      .flatMap((line) => line.pieces.filter((piece) => piece.changed))
      .reduce((sum, piece) => sum + words(piece.text).filter((word) => /[\p{L}\p{N}]/u.test(word)).length, 0)
  return { added: count('add'), removed: count('cut') }
}

export type FoldedLine = DiffLine | { readonly kind: 'fold'; readonly key: number; readonly lines: readonly DiffLine[] }

/** Hides long stretches that stayed as they were, all but `context` lines around each change. */
export function folded(lines: readonly DiffLine[], context = 3): FoldedLine[] {
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - context), i + context + 1).some((line) => line.kind !== 'same'),
  )
  const result: FoldedLine[] = []
  let hidden: DiffLine[] = []
  const flush = (): void => {
    // One line takes no more room than the button that would show it.
    if (hidden.length === 1) result.push(...hidden)
    else if (hidden.length > 1) result.push({ kind: 'fold', key: hidden[0]?.number ?? 0, lines: hidden })
    hidden = []
  }
  for (const [i, line] of lines.entries()) {
    if (near[i]) {
      flush()
      result.push(line)
    } else hidden.push(line)
  }
  flush()
  return result
}
