export type DiffKind = 'same' | 'cut' | 'add'

export interface DiffRun<T> {
  readonly kind: DiffKind
  readonly items: readonly T[]
}

/** Beyond this many differences the middle is shown as replaced: the search for the shortest edit grows with their square. */
const MAX_EDITS = 1_200

/**
 * The shortest edit from one sequence to another, as runs in reading order: what was cut stands before what was added.
 * Greedy search after E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
 */
export function diffItems<T>(before: readonly T[], after: readonly T[]): DiffRun<T>[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1
  }
  const old = before.slice(head, before.length - tail)
  const young = after.slice(head, after.length - tail)
  const middle = shortestEdit(old, young) ?? replaced(old, young)
  return joined([
    { kind: 'same', items: before.slice(0, head) },
    ...middle,
    { kind: 'same', items: before.slice(before.length - tail) },
  ])
}

function replaced<T>(old: readonly T[], young: readonly T[]): DiffRun<T>[] {
  return [
    { kind: 'cut', items: old },
    { kind: 'add', items: young },
  ]
}

/** `null` when it would take more than {@link MAX_EDITS}. */
function shortestEdit<T>(old: readonly T[], young: readonly T[]): DiffRun<T>[] | null {
  const [n, m] = [old.length, young.length]
  if (n === 0 || m === 0) return replaced(old, young)
  // furthest[k]: how far `old` is used up on the diagonal k; one copy per number of edits leads the way back.
  let furthest = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let edits = 0; edits <= Math.min(n + m, MAX_EDITS); edits += 1) {
    trace.push(furthest)
    const next = new Map<number, number>()
    for (let k = -edits; k <= edits; k += 2) {
      const down = furthest.get(k + 1) ?? -1
      const right = furthest.get(k - 1) ?? -1
      let x = k === -edits || (k !== edits && right < down) ? down : right + 1
      let y = x - k
      while (x < n && y < m && old[x] === young[y]) {
        x += 1
        y += 1
      }
      next.set(k, x)
      if (x >= n && y >= m) return wayBack(old, young, trace, edits)
    }
    furthest = next
  }
  return null
}

function wayBack<T>(
  old: readonly T[],
  young: readonly T[],
  trace: readonly Map<number, number>[],
  edits: number,
): DiffRun<T>[] {
  const runs: DiffRun<T>[] = []
  let x = old.length
  let y = young.length
  for (let d = edits; d > 0; d -= 1) {
    const furthest = trace[d] ?? new Map<number, number>()
    const k = x - y
    const down = furthest.get(k + 1) ?? -1
    const right = furthest.get(k - 1) ?? -1
    const added = k === -d || (k !== d && right < down)
    const fromX = added ? down : right
    const fromY = fromX - (added ? k + 1 : k - 1)
    const [atX, atY] = added ? [fromX, fromY + 1] : [fromX + 1, fromY]
    runs.push({ kind: 'same', items: old.slice(atX, x) })
    runs.push(added ? { kind: 'add', items: young.slice(fromY, atY) } : { kind: 'cut', items: old.slice(fromX, atX) })
    x = fromX
    y = fromY
  }
  runs.push({ kind: 'same', items: old.slice(0, x) })
  return runs.reverse()
}

/** Without empty runs; neighbours of one kind are one, and in each changed place the cut stands first. */
function joined<T>(runs: readonly DiffRun<T>[]): DiffRun<T>[] {
  const result: DiffRun<T>[] = []
  let cut: T[] = []
  let add: T[] = []
  const flush = (): void => {
    if (cut.length > 0) result.push({ kind: 'cut', items: cut })
    if (add.length > 0) result.push({ kind: 'add', items: add })
    cut = []
    add = []
  }
  for (const { kind, items } of runs) {
    if (items.length === 0) continue
    if (kind === 'cut') cut = [...cut, ...items]
    else if (kind === 'add') add = [...add, ...items]
    else {
      const last = result.at(-1)
      if (cut.length === 0 && add.length === 0 && last?.kind === 'same') {
        result[result.length - 1] = { kind: 'same', items: [...last.items, ...items] }
      } else {
        flush()
        result.push({ kind, items })
      }
    }
  }
  flush()
  return result
}
