import type { PromptPart } from '../../../../electron/contract/index.ts'
import type { PlaceholderEffect } from '../editor/placeholders.ts'

/** The name of the placeholder that stands for the prompt of the profile `default`. */
const DEFAULT_PROMPT = 'default_prompt'

/** What each known placeholder of the text stands for. */
export function effectsOf(
  parts: readonly PromptPart[],
  words: { readonly default: string; readonly known: string },
): PlaceholderEffect[] {
  const seen = new Set<string>()
  return parts.flatMap(({ origin, name, text }) => {
    if (name === undefined || seen.has(name)) return []
    seen.add(name)
    return [{ name, label: origin === 'default' || name === DEFAULT_PROMPT ? words.default : words.known, text }]
  })
}

/** Tokens of what the profile itself says, placeholders written out. */
export function ownTokens(parts: readonly PromptPart[]): number {
  return parts
    .filter(({ origin }) => origin !== 'app' && origin !== 'memory')
    .reduce((sum, { tokens }) => sum + tokens, 0)
}
