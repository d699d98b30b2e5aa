import { describe, expect, it } from 'vitest'

import { CompanionError } from './contract/index.ts'
import { failureOf } from './failure.ts'
import { fill } from './strings/index.ts'

describe('failureOf', () => {
  it('names what happened in words, with the values of the case', () => {
    const failure = failureOf(new CompanionError('space/not-found', { slug: 'owner/name' }))
    expect(failure.message).toContain('owner/name')
    expect(failure).toMatchObject({ code: 'space/not-found', details: { slug: 'owner/name' } })
    expect(failure.hint).not.toBe('')
  })

  it.each([new Error('ENOENT /home/me/secret'), 'text', undefined, null])(
    'says nothing of what is not ours: %s',
    (error) => {
      const failure = failureOf(error)
      expect(failure.code).toBe('app/internal')
      expect(JSON.stringify(failure)).not.toContain('secret')
    },
  )
})

describe('fill', () => {
  it.each([
    ['{{a}} and {{ b }}', { a: 1, b: 'x' }, '1 and x'],
    ['{{missing}}', {}, '…'],
    ['{{toString}}', {}, '…'],
    ['no place', { a: 1 }, 'no place'],
    ['{{a}}', { a: '{{b}}', b: 'no' }, '{{b}}'],
  ])('%s', (text, details, expected) => {
    expect(fill(text, details)).toBe(expected)
  })
})
