import type { JsonValue } from '../../contract/index.ts'

/**
 * JSON as people write it into the settings of editors: with comments, trailing commas and a byte order mark.
 * @throws SyntaxError
 */
export function parseLenientJson(text: string): JsonValue {
  return JSON.parse(withoutTrailingCommas(withoutComments(text.replace(/^\ufeff/, '')))) as JsonValue
}

/** A text of JSON cut into its strings and what stands between them. */
const PIECES = /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g

const withoutComments = (text: string): string => text.replace(PIECES, (piece) => (piece.startsWith('"') ? piece : ' '))

const withoutTrailingCommas = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (piece) => (piece.startsWith('"') ? piece : ''))
