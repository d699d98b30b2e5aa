import { describe, expect, it } from 'vitest'

import { assetPath, assetsNamedIn, isAppUrl, mediaType } from './assets.ts'

describe('assetsNamedIn', () => {
  it('takes what the page loads, and nothing of elsewhere', () => {
    const page =
      '<script type="module" src="./assets/index-a.js"></script><link rel="stylesheet" href="./assets/a.css">' +
      '<a href="https://example.com/x">x</a>'
    expect(assetsNamedIn(page)).toEqual(['assets/index-a.js', 'assets/a.css'])
    expect(assetsNamedIn('<p>nothing</p>')).toEqual([])
  })
})

describe('assetPath', () => {
  it.each([
    ['app://companion/', 'index.html'],
    ['app://companion/index.html', 'index.html'],
    ['app://companion/index.html?x=1#y', 'index.html'],
    ['app://companion/assets/index-Dk3.js', 'assets/index-Dk3.js'],
    ['app://companion/assets/a%20b.png', 'assets/a b.png'],
    ['app://companion/a/../index.html', 'index.html'],
    ['app://companion/../../etc/passwd', 'etc/passwd'],
  ])('%s is %s', (url, expected) => {
    expect(assetPath(url)).toBe(expected)
  })

  it.each([
    'app://other/index.html',
    'app://companion.example/index.html',
    'file:///etc/passwd',
    'https://companion/index.html',
    'app://companion/..%2f..%2fetc%2fpasswd',
    'app://companion/%2e%2e%2f%2e%2e%2fetc',
    'app://companion/..%5c..%5cwindows',
    'app://companion/a%00.html',
    'app://companion/c:/windows',
    'app://companion//etc/passwd',
    'app://companion/.git/config',
    'app://companion/%zz',
    'not an address',
  ])('%s is nothing', (url) => {
    expect(assetPath(url)).toBeNull()
  })
})

describe('isAppUrl', () => {
  it.each([
    ['app://companion/index.html', true],
    ['app://companion@evil.example/', false],
    ['APP://companion/', true],
    ['app://companion:80/', false],
    ['about:blank', false],
    ['', false],
  ])('%s: %s', (url, expected) => {
    expect(isAppUrl(url)).toBe(expected)
  })
})

describe('mediaType', () => {
  it('knows scripts as modules need them and refuses what is not served', () => {
    expect(mediaType('assets/x.js')).toContain('text/javascript')
    expect(mediaType('x.JS')).toContain('text/javascript')
    expect(mediaType('secrets.sqlite')).toBeNull()
  })
})
