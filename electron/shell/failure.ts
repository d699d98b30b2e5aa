import { CompanionError } from '../contract/index.ts'
import { strings } from '../strings/index.ts'

import { fill } from './fill.ts'

import type { Failure } from '../contract/index.ts'

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
