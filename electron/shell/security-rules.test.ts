import { describe, expect, it } from 'vitest'

import { isOpenable, isPermissionAllowed, isSavable } from './security-rules.ts'

describe('isOpenable', () => {
  it.each([
    ['https://huggingface.co/spaces/owner/name', true],
    ['http://127.0.0.1:4000/spaces/owner/name', true],
    ['http://localhost:4000/', true],
    ['http://[::1]:4000/', true],
    ['http://huggingface.co/', false],
    ['http://localhost.example/', false],
    ['https://huggingface.co@evil.example/', false],
    ['https://user:pass@huggingface.co/', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['smb://host/share', false],
    ['ms-msdt:/id', false],
    ['huggingface.co', false],
    ['', false],
  ])('%s: %s', (url, expected) => {
    expect(isOpenable(url)).toBe(expected)
  })
})

describe('isPermissionAllowed', () => {
  it.each([
    ['clipboard-sanitized-write', 'app://companion/index.html', true],
    ['clipboard-sanitized-write', 'https://example.com/', false],
    ['clipboard-read', 'app://companion/', false],
    ['media', 'app://companion/', false],
    ['geolocation', 'app://companion/', false],
    ['hid', 'app://companion/', false],
    ['fullscreen', 'app://companion/', false],
  ])('%s for %s: %s', (permission, url, expected) => {
    expect(isPermissionAllowed(permission, url)).toBe(expected)
  })
})

describe('isSavable', () => {
  it.each([
    ['blob:app://companion/2f0b5f0e-0000-4000-8000-000000000000', true],
    ['blob:https://example.com/2f0b5f0e', false],
    ['blob:null/2f0b5f0e', false],
    ['app://companion/index.html', false],
    ['https://example.com/a.zip', false],
    ['data:text/plain,a', false],
    ['file:///etc/passwd', false],
    ['', false],
  ])('%s: %s', (url, expected) => {
    expect(isSavable(url)).toBe(expected)
  })
})
