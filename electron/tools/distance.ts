/**
 * Edits (insert, delete, replace, swap of neighbours) between two names, never more than `limit` + 1: beyond it the
 * exact number does not matter. Optimal string alignment distance.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, k) => k)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforeLast[j - 2]! + 1)
      row.push(best)
    }
    if (Math.min(...row) > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length]!, limit + 1)
}

/**
 * The known name that was probably meant, or `undefined`. A third of the letters may differ, at most three. A name
 * without its `alias__` prefix, and one that differs only in case or punctuation, is found too.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  const wanted = plain(name)
  if (wanted === '') return undefined
  const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)))
  let best: { id: string; distance: number } | undefined
  for (const id of known) {
    const short = id.includes('__') ? id.slice(id.indexOf('__') + 2) : id
    const exact = plain(id) === wanted || (!name.includes('__') && plain(short) === wanted)
    const distance = exact ? 0 : editDistance(name.toLowerCase(), id.toLowerCase(), limit)
    if (distance <= limit && (!best || distance < best.distance)) best = { id, distance }
  }
  return best?.id
}
