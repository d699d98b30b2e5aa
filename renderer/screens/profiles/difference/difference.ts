import { changedLines } from '../changed-lines.ts'

export interface Difference {
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Lines that differ; 0 where line endings alone do. */
  readonly count: number
}

/** Two texts as lines to be compared. Where line endings alone differ they are shown, else nobody would see a difference. */
export function differenceOf(before: string, after: string): Difference {
  const { count } = changedLines(before, after)
  const lines = count === 0 ? visibleEnds : plainLines
  return { before: lines(before), after: lines(after), count }
}

function plainLines(text: string): string[] {
  return withoutLastEnd(text.split(/\r\n?|\n/))
}

function visibleEnds(text: string): string[] {
  return withoutLastEnd(text.replace(/\r\n|\r|\n/g, (end) => `${SIGNS[end] ?? ''}\n`).split('\n'))
}

const SIGNS: Readonly<Record<string, string>> = { '\r\n': '␍␊', '\r': '␍', '\n': '␊' }

/** What is behind the last line ending is no line. */
function withoutLastEnd(lines: readonly string[]): string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines]
}
