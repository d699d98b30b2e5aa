/**
 * Shortens a tool ID in the middle so that both its origin and its own name stay readable.
 *
 * The part after the last `__` (the tool's own name, at most half of the room) is kept whole where it fits; the start
 * is cut. Counts characters, not UTF-16 units.
 */
export function shortenMiddle(id: string, max: number): string {
  const letters = Array.from(id)
  if (letters.length <= max) return id
  const room = Math.max(2, max - 1)
  const split = id.lastIndexOf('__')
  const ownLength = split > 0 ? Array.from(id.slice(split)).length : 0
  const tail = ownLength > 0 && ownLength <= Math.ceil(room * 0.7) ? ownLength : Math.floor(room / 2)
  return `${letters.slice(0, room - tail).join('')}…${letters.slice(letters.length - tail).join('')}`
}
