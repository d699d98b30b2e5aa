import { describe, expect, it } from 'vitest'

import { ERROR_CODES } from './contract/index.ts'
import { strings } from './strings/index.ts'

const languages = ['en', 'zh-CN', 'fr'] as const

/** Every text of a language with the path to it. */
function flatten(value: unknown, at = ''): [string, string][] {
  if (typeof value === 'string') return [[at, value]]
  return Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => flatten(inner, `${at}/${key}`))
}

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1] ?? '').sort()

describe('texts', () => {
  it.each(languages)('%s has words and a hint for every error code, and no others', (language) => {
    expect(Object.keys(strings[language].errors).sort()).toEqual([...ERROR_CODES].sort())
  })

  it.each(['zh-CN', 'fr'] as const)('%s names the same values as English', (language) => {
    const english = new Map(flatten(strings.en))
    const other = new Map(flatten(strings[language]))
    const wrong = [...english].filter(
      ([key, text]) => placeholders(text).join() !== placeholders(other.get(key) ?? '').join(),
    )
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('French has a narrow no-break space before ; : ? ! and inside guillemets', () => {
    const wrong = flatten(strings.fr).filter(([, text]) => / [;?!»]|« | :(?!\/\/)/.test(text))
    expect(wrong).toEqual([])
  })

  it.each(languages)('%s never shouts', (language) => {
    expect(flatten(strings[language]).filter(([, text]) => /[!！]/.test(text.replaceAll('+!', '')))).toEqual([])
  })
})
