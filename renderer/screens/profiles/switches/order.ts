/** Where a line is dropped: before another one, or behind the last (`null`). */
export interface Drop {
  /** The new order of all. */
  readonly ids: readonly string[]
  readonly before: string | null
}

/**
 * Takes one ID to the place of another one, as a list one drags in does: the others make room. `null` when nothing moves.
 */
export function dropped(ids: readonly string[], id: string, over: string): Drop | null {
  const from = ids.indexOf(id)
  const to = ids.indexOf(over)
  if (from < 0 || to < 0 || from === to) return null
  const others = ids.filter((other) => other !== id)
  return { ids: [...others.slice(0, to), id, ...others.slice(to)], before: others[to] ?? null }
}
