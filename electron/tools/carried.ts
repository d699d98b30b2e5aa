import type { JsonObject, JsonValue } from '../contract/index.ts'
import type { StrangersAnswer } from './types.ts'

/**
 * Letters and digits of an answer that stand in the arguments before they count as taken from it. Shorter pieces are names,
 * addresses and titles, which a good call needs. Ours, not measured.
 */
export const MAX_CARRIED = 60

/** Letters and digits of every script, lower case: spaces, line ends and punctuation change on the way through a model. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * The answer that the arguments repeat a piece of at least {@link MAX_CARRIED} letters of. A piece that the person wrote
 * too is theirs.
 */
export function carriedAnswer(
  args: JsonObject,
  answers: readonly StrangersAnswer[],
  userText: string,
): StrangersAnswer | undefined {
  const own = plain(userText)
  // All of it as one text, with the names and without: a piece may be spread over several arguments.
  const given = [textsOf(args, true), textsOf(args, false)].map((texts) => plain(texts.join('')))
  if (given.every((text) => text.length < MAX_CARRIED)) return undefined
  return answers.find((answer) => {
    const pieces = piecesOf(plain(answer.text))
    return pieces.size > 0 && given.some((text) => repeats(text, pieces, own))
  })
}

function repeats(text: string, pieces: ReadonlySet<string>, own: string): boolean {
  for (let at = 0; at + MAX_CARRIED <= text.length; at += 1) {
    const piece = text.slice(at, at + MAX_CARRIED)
    if (pieces.has(piece) && !own.includes(piece)) return true
  }
  return false
}

function piecesOf(text: string): Set<string> {
  const pieces = new Set<string>()
  for (let at = 0; at + MAX_CARRIED <= text.length; at += 1) pieces.add(text.slice(at, at + MAX_CARRIED))
  return pieces
}

function textsOf(value: JsonValue, withNames: boolean): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  const named = withNames && !Array.isArray(value)
  return Object.entries(value).flatMap(([name, one]) => [...(named ? [name] : []), ...textsOf(one, withNames)])
}
