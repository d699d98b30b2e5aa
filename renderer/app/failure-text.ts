import { namedDetails } from '../../electron/strings/index.ts'

import { currentLanguage } from './language.ts'

import type { Failure, Problem } from '../../electron/contract/index.ts'
import type { Namespace, TFunction } from 'i18next'

export interface FailureText {
  message: string
  hint: string | undefined
}

type LooseTranslate = (key: string, options: Readonly<Record<string, unknown>>) => string

/**
 * A failure in the interface's language: what happened, and what to do next where there is something to do. A code
 * without a text of its own falls back to the English message that came with it, then to the code itself.
 */
export function failureText<N extends Namespace>(t: TFunction<N>, failure: Failure | Problem): FailureText {
  const message = 'message' in failure ? failure.message : failure.code
  const hint = 'hint' in failure ? (failure.hint ?? '') : ''
  // The code is data: its texts are looked up at run time, not checked as a literal key.
  const translate = t as unknown as LooseTranslate
  const options = { ...namedDetails(failure.details ?? {}, currentLanguage()), ns: 'errors' }
  return {
    message: translate(`${failure.code}.message`, { ...options, defaultValue: message }),
    hint: translate(`${failure.code}.hint`, { ...options, defaultValue: hint }) || undefined,
  }
}
