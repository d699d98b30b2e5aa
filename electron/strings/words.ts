import { errors } from './errors.ts'
import { fill } from './fill.ts'
import { tools } from './tools.ts'

import type { Values } from './fill.ts'

type WordsLanguage = keyof typeof errors

/** Details as people read them: the short key of a known reason becomes its words. */
export function namedDetails(details: Values, language: WordsLanguage): Values {
  const reasons: Readonly<Record<string, string>> = tools[language].reasons
  const key = String(details['reason'])
  return Object.hasOwn(reasons, key) ? { ...details, reason: reasons[key] ?? key } : details
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
