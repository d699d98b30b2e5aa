import type { JsonObject, JsonValue } from '../contract/index.ts'
import type { StrangersAnswer } from './types.ts'

/**
 * Characters of an answer that stand in an argument before the argument counts as taken from it. Shorter pieces are names,
 * addresses and titles, which a good call needs. Ours, not measured.
 */
export const MAX_CARRIED = 60

/** Letters and digits of every script, lower case: line ends and punctuation change on the way through a model. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * The answer that an argument repeats a piece of at least {@link MAX_CARRIED} characters of. A piece that the person wrote
 * too is theirs.
 */
export function carriedAnswer(
  args: JsonObject,
  answers: readonly StrangersAnswer[],
  userText: string,
): StrangersAnswer | undefined {
  const own = plain(userText)
  // All of it as one text: a piece may be spread over several arguments.
  const given = plain(textsOf(args).join(' '))
  if (given.length < MAX_CARRIED) return undefined
  const wanted = [...piecesOf(given)].filter((piece) => !own.includes(piece))
  return answers.find((answer) => {
    const pieces = piecesOf(plain(answer.text))
    return wanted.some((piece) => pieces.has(piece))
  })
}

function piecesOf(text: string): Set<string> {
  const pieces = new Set<string>()
  for (let at = 0; at + MAX_CARRIED <= text.length; at += 1) pieces.add(text.slice(at, at + MAX_CARRIED))
  return pieces
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [...(Array.isArray(value) ? [] : [name]), ...textsOf(one)])
}
