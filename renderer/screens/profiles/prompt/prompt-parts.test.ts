import { describe, expect, it } from 'vitest'

import { effectsOf, ownTokens } from './prompt-parts.ts'

import type { PromptPart } from '../../../../electron/contract/index.ts'

const words = { default: 'The prompt of default:', known: 'Stands for:' }
const basics: PromptPart = { origin: 'placeholder', name: 'identities/basic_info', text: 'A robot.', tokens: 3 }
const parts: PromptPart[] = [
  { origin: 'default', name: 'default_prompt', text: 'Be kind.', tokens: 3 },
  { origin: 'profile', text: 'Be brief.\n[unknown]', tokens: 5 },
  basics,
  basics,
  { origin: 'app', text: 'Use tools.', tokens: 100 },
  { origin: 'memory', text: 'Likes tea.', tokens: 50 },
]

describe('parts of a prompt', () => {
  it('tell what each known placeholder stands for, once', () => {
    expect(effectsOf(parts, words)).toEqual([
      { name: 'default_prompt', label: words.default, text: 'Be kind.' },
      { name: 'identities/basic_info', label: words.known, text: 'A robot.' },
    ])
  })
  it('a profile without instructions of its own has no placeholder', () => {
    expect(effectsOf([{ origin: 'default', text: 'Be kind.', tokens: 3 }], words)).toEqual([])
  })
  it('count for the profile but for what the app and the memory add', () => {
    expect(ownTokens(parts)).toBe(14)
  })
})
