import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'

import { strings } from '../../electron/strings/index.ts'

import { failureText } from './failure-text.ts'

import type { ErrorCode, Failure } from '../../electron/contract/index.ts'

const failure = (code: ErrorCode, rest: Partial<Failure> = {}): Failure => ({
  code,
  message: 'English message',
  ...rest,
})

describe('failureText', () => {
  beforeAll(async () => {
    await i18next.init({
      lng: 'fr',
      fallbackLng: 'en',
      defaultNS: 'common',
      resources: strings,
      interpolation: { escapeValue: false },
    })
  })

  it('says it in the language of the interface, with the details filled in', () => {
    const text = failureText(i18next.t, failure('space/not-found', { details: { slug: 'owner/name' } }))
    expect(text.message).toContain('owner/name')
    expect(text.message).not.toContain('{{')
    expect(text.message).not.toBe('English message')
    expect(text.hint).toBeTruthy()
  })

  it('does not turn characters of the details into entities', () => {
    const text = failureText(i18next.t, failure('space/not-found', { details: { slug: 'a/b&c<d>' } }))
    expect(text.message).toContain('a/b&c<d>')
  })

  it('falls back to the words that came with a code that has no text', () => {
    const unknown = failure('future/code' as ErrorCode, { hint: 'English hint' })
    expect(failureText(i18next.t, unknown)).toEqual({ message: 'English message', hint: 'English hint' })
  })

  it('falls back to the code of a problem that came without words', () => {
    expect(failureText(i18next.t, { code: 'future/code' as ErrorCode })).toEqual({
      message: 'future/code',
      hint: undefined,
    })
  })
})
