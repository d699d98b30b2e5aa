import { OFFICIAL_PUBLISHER, SEEDS } from './seeds.ts'
import { foldLetters } from './visible-text.ts'

/** Shorter names are ordinary words, which many Spaces have with good reason. */
const MIN_NAME = 4
/** Shorter ones differ from too many others by two letters. */
const MIN_LENGTH = 8
const NEAR = 2

/** What a name looks like at a glance: `0` is `o`, `1` and `i` are `l`, `rn` is `m`, signs between words do not count. */
export const glance = (name: string): string =>
  foldLetters(name)
    .replace(/[-_.]/g, '')
    .replace(/0/g, 'o')
    .replace(/[1i|]/g, 'l')
    .replace(/5/g, 's')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')

/**
 * Letters that have to be put in, left out, replaced or swapped with their neighbour to make `b` of `a`; counting ends
 * above `most` (optimal string alignment distance).
 */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

const near = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= MIN_LENGTH && distance(a, b, NEAR) <= NEAR)

/**
 * A well-known Space that `slug` could be taken for: one of the starting ones or of those installed, with another owner or
 * other letters; or the official publisher, when the owner merely looks like it. Spaces of one owner may be alike.
 *
 * @returns the slug, or the publisher's name; `undefined` when there is none
 */
export function looksLike(slug: string, installed: readonly string[]): string | undefined {
  const [owner = '', name = ''] = slug.split('/')
  if (owner.toLowerCase() === OFFICIAL_PUBLISHER) return undefined
  const known = [...SEEDS.map((seed) => seed.slug), ...installed]
  const alike = known.find((other) => {
    const [otherOwner = '', otherName = ''] = other.split('/')
    if (otherOwner.toLowerCase() === owner.toLowerCase()) return false
    const [mine, theirs] = [glance(name), glance(otherName)]
    return (mine.length >= MIN_NAME && near(mine, theirs)) || near(glance(slug), glance(other))
  })
  return alike ?? (near(glance(owner), glance(OFFICIAL_PUBLISHER)) ? OFFICIAL_PUBLISHER : undefined)
}
