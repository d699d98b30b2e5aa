export interface LineChanges {
  /** Lines of the new text, from 1, that are new or differ. */
  lines: number[]
  /** For people: a line that was rewritten counts once, one that was removed counts too. */
  count: number
}

/** Above this many cells the middle is taken as rewritten as a whole instead of being compared line by line. */
const MAX_CELLS = 1_000_000

function splitLines(text: string): string[] {
  return text.split(/\r\n?|\n/)
}

/** Lengths of the longest common subsequences of all tails, as rows of one flat table. */
function commonTails(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1
  const table = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const at = i * width + j
      table[at] =
        a[i] === b[j]
          ? (table[at + width + 1] ?? 0) + 1
          : Math.max(table[at + width] ?? 0, table[at + 1] ?? 0)
    }
  }
  return table
}

/**
 * Which lines of `after` differ from `before`. Line endings do not count: a file whose endings alone differ has no
 * changed line, though it has changed.
 */
export function changedLines(before: string, after: string): LineChanges {
  if (before === after) return { lines: [], count: 0 }
  const a = splitLines(before)
  const b = splitLines(after)
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1

  const oldPart = a.slice(start, a.length - end)
  const newPart = b.slice(start, b.length - end)
  if (oldPart.length * newPart.length > MAX_CELLS) {
    return { lines: newPart.map((_, i) => start + i + 1), count: Math.max(oldPart.length, newPart.length) }
  }
  return walk(oldPart, newPart, start)
}

function walk(a: readonly string[], b: readonly string[], offset: number): LineChanges {
  const table = commonTails(a, b)
  const width = b.length + 1
  const lines: number[] = []
  let count = 0
  let removed = 0
  let added = 0
  const closeHunk = (): void => {
    count += Math.max(removed, added)
    removed = 0
    added = 0
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      closeHunk()
      i += 1
      j += 1
    } else if (i >= a.length || (j < b.length && (table[i * width + j + 1] ?? 0) >= (table[(i + 1) * width + j] ?? 0))) {
      lines.push(offset + j + 1)
      added += 1
      j += 1
    } else {
      removed += 1
      i += 1
    }
  }
  closeHunk()
  return { lines, count }
}
