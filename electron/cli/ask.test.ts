import { describe, expect, it } from 'vitest'

import { answerOf, questionOf } from './ask.ts'

describe('answerOf', () => {
  it.each([
    ['y', true, 'once'],
    [' YES ', false, 'once'],
    ['a', true, 'always'],
    ['always', true, 'always'],
    ['a', false, 'deny'],
    ['', true, 'deny'],
    ['yes please', true, 'deny'],
    ['n', true, 'deny'],
    ['1', true, 'deny'],
  ])('%j (always possible: %s) is %s', (text, canAlways, expected) => {
    expect(answerOf(text, canAlways)).toBe(expected)
  })
})

describe('questionOf', () => {
  it('says who gets what and why it asks', () => {
    const text = questionOf({
      toolId: 'acme_tools__find',
      arguments: { query: 'socks' },
      approval: { reason: 'first-use', riskClass: 2, goesTo: 'acme/tools', canAlways: true },
    })
    expect(text).toContain('acme_tools__find {"query":"socks"}')
    expect(text).toContain('Nobody has allowed this tool')
    expect(text).toContain('Sent to acme/tools.')
    expect(text.endsWith('[y]es, [a]lways, [N]o ')).toBe(true)
  })

  it('arguments cannot draw on the terminal', () => {
    const text = questionOf({
      toolId: 'move_head',
      arguments: { direction: '\u001b[2Kleft\u202e' },
      approval: { reason: 'tainted', riskClass: 1, afterToolId: 'acme_tools__find', canAlways: false },
    })
    expect(text).not.toMatch(/[\u001b\u202e]/)
    expect(text).toContain('an answer of acme_tools__find')
    expect(text).toContain('Nothing leaves this computer.')
    expect(text).not.toContain('always')
  })
})
