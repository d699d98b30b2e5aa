import { CompanionError } from '../contract/index.ts'
import { strings } from '../strings/index.ts'

import type { Details, Failure } from '../contract/index.ts'

/** Fills `{{name}}` from an error's details; a missing value shows as an ellipsis. */
export function fill(text: string, details: Details): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_match, key: string) => String(details[key] ?? '…'))
}

/** Any error as a message or a call shows it, in English; the screen translates by the code. */
export function failureOf(error: unknown): Failure {
  const known = error instanceof CompanionError ? error : new CompanionError('app/internal')
  const { message, hint } = strings.en.errors[known.code]
  return {
    code: known.code,
    message: fill(message, known.details),
    hint: fill(hint, known.details),
    ...(Object.keys(known.details).length === 0 ? {} : { details: known.details }),
  }
}

/** The same for people who read another language than the edge. */
export function wordsOf(failure: Failure, language: keyof typeof strings): string {
  return fill(strings[language].errors[failure.code].message, failure.details ?? {})
}
