import type { MoveFamily, MoveInfo } from '../../../electron/contract/index.ts'

/** Families in the order of the palette: from bright to dark, then what is no feeling. */
export const FAMILIES: readonly MoveFamily[] = [
  'joy',
  'calm',
  'curious',
  'unsure',
  'sad',
  'fear',
  'anger',
  'dance',
  'other',
]

export interface FamilyGroup {
  family: MoveFamily
  moves: readonly MoveInfo[]
}

/** Lower case without accents, so that "tristesse" finds "Tristesse" and "epuise" finds "épuisé". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** The moves whose name, description or family holds every word of the query; an empty query keeps all. */
export function searchMoves(
  moves: readonly MoveInfo[],
  query: string,
  familyName: (family: MoveFamily) => string,
): readonly MoveInfo[] {
  const words = plain(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return moves
  return moves.filter((move) => {
    const text = plain(`${move.name} ${move.description} ${move.family} ${familyName(move.family)}`)
    return words.every((word) => text.includes(word))
  })
}

/** Groups by family, in the palette's order; families without a move are left out. */
export function groupMoves(moves: readonly MoveInfo[]): readonly FamilyGroup[] {
  return FAMILIES.map((family) => ({ family, moves: moves.filter((move) => move.family === family) })).filter(
    (group) => group.moves.length > 0,
  )
}
