import { describe, expect, it } from 'vitest'

import { redact, redactText } from './redact.ts'

describe('redactText', () => {
  it.each([
    ['token hf_abcdefGHIJKL012345 refused', 'token hf_… refused'],
    ['key sk-proj-abc_DEF-123456', 'key sk-…'],
    ['Authorization: Bearer eyJhbGciOi.abc-_~', 'Authorization: Bearer …'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic …'],
    ['GET https://x.example/a?api_key=abc123&page=2', 'GET https://x.example/a?api_key=…&page=2'],
    ['https://s3.example/f?X-Amz-Signature=deadbeef', 'https://s3.example/f?X-Amz-Signature=…'],
    ['https://user:pass@proxy.example:8080', 'https://…@proxy.example:8080'],
    ['a sentence about tokens and the task-force', 'a sentence about tokens and the task-force'],
    ['https://huggingface.co/spaces/owner/name', 'https://huggingface.co/spaces/owner/name'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })
})

describe('redact', () => {
  it('looks into fields, arrays, errors and their causes', () => {
    const secret = 'hf_abcdefGHIJKL012345'
    const error = new Error(`with ${secret}`, { cause: Object.assign(new Error(secret), { code: 'ECONNREFUSED' }) })
    const text = JSON.stringify(
      redact({ error, list: [secret], apiKey: 'plain words', nested: { Cookie: 'a=b' }, n: 4n }),
    )
    expect(text).not.toContain(secret)
    expect(text).not.toContain('plain words')
    expect(text).not.toContain('a=b')
    expect(text).toContain('ECONNREFUSED')
  })

  it('ends in a circle', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(JSON.stringify(redact(circle))).toContain('…')
  })
})
