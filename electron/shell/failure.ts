import { CompanionError } from '../contract/index.ts'
import { strings } from '../strings/index.ts'

import type { Details, Failure } from '../contract/index.ts'

/** Fills `{{name}}` from an error's details; a value that is missing shows as an ellipsis, never as a brace. */
export function fill(text: string, details: Details): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_match, key: string) => String(details[key] ?? '…'))
}

/**
 * Any error as it goes to a page, with English words; the page translates by the code. What is not ours is
 * `app/internal`: its text could hold anything and stays in the log.
 */
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
