import i18next from 'i18next'

import { namedDetails, strings } from '../../electron/strings/index.ts'

import type { Failure, Problem } from '../../electron/contract/index.ts'
import type { StringLanguage } from '../../electron/strings/index.ts'
import type { Namespace, TFunction } from 'i18next'

export interface FailureText {
  message: string
  hint: string | undefined
}

type LooseTranslate = (key: string, options: Readonly<Record<string, unknown>>) => string

const isLanguage = (tag: string | undefined): tag is StringLanguage => tag !== undefined && Object.hasOwn(strings, tag)

/**
 * A failure in the interface's language: what happened, and what to do next where there is something to do. A code
 * without a text of its own falls back to the English message that came with it, then to the code itself.
 */
export function failureText<N extends Namespace>(t: TFunction<N>, failure: Failure | Problem): FailureText {
  const message = 'message' in failure ? failure.message : failure.code
  const hint = 'hint' in failure ? (failure.hint ?? '') : ''
  // The code is data: its texts are looked up at run time, not checked as a literal key.
  const translate = t as unknown as LooseTranslate
  const language: StringLanguage = isLanguage(i18next.language) ? i18next.language : 'en'
  const options = { ...namedDetails(failure.details ?? {}, language), ns: 'errors' }
  return {
    message: translate(`${failure.code}.message`, { ...options, defaultValue: message }),
    hint: translate(`${failure.code}.hint`, { ...options, defaultValue: hint }) || undefined,
  }
}
