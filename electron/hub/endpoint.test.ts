import { describe, expect, it } from 'vitest'

import { parseEndpoint } from './endpoint.ts'

describe('parseEndpoint', () => {
  it.each([
    [undefined, 'https://huggingface.co', false],
    ['', 'https://huggingface.co', false],
    ['  ', 'https://huggingface.co', false],
    ['https://hub.example.org', 'https://hub.example.org', false],
    [' https://hub.example.org// ', 'https://hub.example.org', false],
    ['https://hub.example.org/mirror/hf/', 'https://hub.example.org/mirror/hf', false],
    ['HTTPS://HUB.example.org', 'https://hub.example.org', false],
    ['https://127.0.0.1:8443', 'https://127.0.0.1:8443', true],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000', true],
    ['http://localhost:8000', 'http://localhost:8000', true],
    ['http://[::1]:8000', 'http://[::1]:8000', true],
  ])('%j is %s', (value, base, loopback) => {
    expect(parseEndpoint(value)).toEqual({ ok: true, base, loopback })
  })

  it.each([
    'http://huggingface.co',
    'http://127.0.0.1.evil.org',
    'http://localhost.evil.org',
    'http://10.0.0.2',
    'https://user@hub.example.org',
    'https://hub.example.org?x=1',
    'https://hub.example.org/?',
    'https://hub.example.org#a',
    'ftp://hub.example.org',
    'file:///etc/passwd',
    'huggingface.co',
    'nonsense',
  ])('refuses %s', (value) => {
    expect(parseEndpoint(value).ok).toBe(false)
  })

  it('does not repeat a password', () => {
    expect(parseEndpoint('https://me:secret@hub.example.org')).toEqual({ ok: false, text: 'https://hub.example.org/' })
  })
})
