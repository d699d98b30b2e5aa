import { errors } from './errors.ts'
import { fill } from './fill.ts'
import { stages } from './stages.ts'
import { tools } from './tools.ts'

import type { Values } from './fill.ts'

type WordsLanguage = keyof typeof errors

/**
 * Details as people read them: the short key of a known reason becomes its words, and `state` says what the Hub's word for
 * a Space's stage means.
 */
export function namedDetails(details: Values, language: WordsLanguage): Values {
  const reasons: Readonly<Record<string, string>> = tools[language].reasons
  const key = String(details['reason'])
  const named = Object.hasOwn(reasons, key) ? { ...details, reason: reasons[key] ?? key } : details
  return { ...named, state: stateWords(details['stage'], language) }
}

function stateWords(stage: Values[string] | undefined, language: WordsLanguage): string {
  const words: Readonly<Record<string, string>> = stages[language]
  const key = String(stage)
  if (stage === undefined) return words['other'] ?? ''
  return Object.hasOwn(words, key) ? (words[key] ?? key) : `${words['other'] ?? ''} (${key})`
}

/** What an error code says, and what to do next, in one language. */
export function errorWords(
  code: keyof (typeof errors)['en'],
  details: Values = {},
  language: WordsLanguage = 'en',
): { message: string; hint: string } {
  const { message, hint } = errors[language][code]
  const named = namedDetails(details, language)
  return { message: fill(message, named), hint: fill(hint, named) }
}
