import { describe, expect, it } from 'vitest'

import { buildCsp, securityHeaders, withNonce } from './csp.ts'

const nonce = 'q83vEjRWeJCrze8SNFZ4kA=='
const directives = new Map(
  buildCsp(nonce)
    .split('; ')
    .map((text) => [text.split(' ')[0] ?? '', text.split(' ').slice(1)]),
)

describe('buildCsp', () => {
  it('starts from nothing', () => {
    expect(directives.get('default-src')).toEqual(["'none'"])
  })

  it('allows nothing unsafe, no other host and no wildcard', () => {
    const sources = [...directives.values()].flat()
    expect(sources.filter((source) => /unsafe|\*|https?:|wss?:/.test(source))).toEqual([])
  })

  it.each(['base-uri', 'form-action', 'frame-ancestors'])('closes %s, which default-src does not cover', (name) => {
    expect(directives.get(name)).toEqual(["'none'"])
  })

  it('lets data: addresses in as pictures and sound only', () => {
    const names = [...directives].filter(([, sources]) => sources.includes('data:')).map(([name]) => name)
    expect(names).toEqual(['img-src', 'media-src'])
  })

  it('carries the nonce for styles, never for scripts', () => {
    expect(directives.get('style-src')).toContain(`'nonce-${nonce}'`)
    expect(directives.get('script-src')).toEqual(["'self'"])
  })

  it.each(['', 'short', "x' 'unsafe-inline'; script-src *"])('refuses the nonce %j', (bad) => {
    expect(() => buildCsp(bad)).toThrow()
  })
})

describe('securityHeaders', () => {
  it('forbids guessing types and keeps addresses to itself', () => {
    expect(securityHeaders(nonce)).toMatchObject({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    })
  })
})

describe('withNonce', () => {
  it.each([
    ['<head><meta name="csp-nonce" content="__CSP_NONCE__" /></head>'],
    ['<head><meta name="csp-nonce" content=""></head>'],
    ['<head></head>'],
    ['<head lang="en"><title>a</title></head>'],
  ])('puts it once into %s', (html) => {
    const result = withNonce(html, nonce)
    expect(result.match(/csp-nonce/g)).toHaveLength(1)
    expect(result).toContain(`content="${nonce}"`)
  })
})
