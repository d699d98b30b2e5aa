import { describe, expect, it } from 'vitest'

import { checkInstructions, checkTools, LONG_PROMPT } from './check.ts'
import { KNOWN_TEXTS, placeholdersIn, resolveInstructions } from './instructions.ts'

const identity = KNOWN_TEXTS['identities/basic_info'] ?? ''

describe('resolveInstructions', () => {
  it.each([
    ['[default_prompt]', 'DEFAULT'],
    ['\uFEFF[default_prompt]\r\n\r\nStay brief.\r\n', 'DEFAULT\n\nStay brief.'],
    ['  \t[default_prompt]  \nmore', 'DEFAULT\nmore'],
    ['[identities/basic_info]', identity],
    ['[custom_prompt]\n\nStay extra brief.', '[custom_prompt]\n\nStay extra brief.'],
    ['text [default_prompt]', 'text [default_prompt]'],
    ['[default_prompt] text', '[default_prompt] text'],
    ['[../secret]', '[../secret]'],
    ['[__proto__]\n[constructor]', '[__proto__]\n[constructor]'],
    ['[default_prompt]\r[default_prompt]', 'DEFAULT\nDEFAULT'],
    ['  indented stays\n  as it is  ', 'indented stays\n  as it is'],
    ['', ''],
  ])('%j → %j', (source, expected) => {
    expect(resolveInstructions(source, 'DEFAULT')).toBe(expected)
  })

  it('does not look into what it put in', () => {
    expect(resolveInstructions('[default_prompt]', '[identities/basic_info]')).toBe('[identities/basic_info]')
  })
})

describe('checkInstructions', () => {
  it('names unknown placeholders by line, and [default_prompt] in default itself', () => {
    const text = '[default_prompt]\r\nHello [x].\r\n\r\n [Custom-1/a_b] \r\n[two words]\r\n'
    expect(placeholdersIn(text).map(({ line, name }) => [line, name])).toEqual([
      [1, 'default_prompt'],
      [4, 'Custom-1/a_b'],
    ])
    const found = (profile: string): unknown[] =>
      checkInstructions(profile, text, 'D').map(({ line, code, details }) => [line, code, details?.['placeholder']])
    expect(found('mine')).toEqual([[4, 'profile/unknown-placeholder', '[Custom-1/a_b]']])
    expect(found('default')).toEqual([
      [1, 'profile/unknown-placeholder', '[default_prompt]'],
      [4, 'profile/unknown-placeholder', '[Custom-1/a_b]'],
    ])
  })

  it('counts characters, not UTF-16 units, of what the model gets', () => {
    expect(checkInstructions('x', '𝄞'.repeat(LONG_PROMPT), 'D')).toEqual([])
    expect(checkInstructions('x', `[default_prompt]\n${'a'.repeat(LONG_PROMPT)}`, '')).toEqual([])
    expect(checkInstructions('x', '[default_prompt]', 'a'.repeat(LONG_PROMPT + 1))).toEqual([
      {
        file: 'instructions.txt',
        line: null,
        code: 'profile/long-prompt',
        details: { characters: LONG_PROMPT + 1, limit: LONG_PROMPT },
      },
    ])
  })
})

describe('checkTools', () => {
  it('reports marks, comments and duplicates by line', () => {
    const found = checkTools('\uFEFFdance # spin\n# dance\n\ndance\nmove_head\n')
    expect(found.map(({ line, code }) => [line, code])).toEqual([
      [1, 'tools/bom'],
      [1, 'tools/inline-comment'],
      [4, 'tools/duplicate-line'],
    ])
    expect(checkTools('dance\n#x\n')).toEqual([])
  })
})
