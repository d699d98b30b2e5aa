import { CompanionError } from './contract/index.ts'
import { errorWords } from './strings/index.ts'

import type { Failure } from './contract/index.ts'

/**
 * Any error as it crosses an edge, with English words; screens translate by the code. What is not ours becomes
 * `app/internal`: its text could hold anything and stays in the log.
 */
export function failureOf(error: unknown): Failure {
  const known = error instanceof CompanionError ? error : new CompanionError('app/internal')
  return {
    code: known.code,
    ...errorWords(known.code, known.details),
    ...(Object.keys(known.details).length === 0 ? {} : { details: known.details }),
  }
}
