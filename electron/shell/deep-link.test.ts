import { describe, expect, it, vi } from 'vitest'

import { createLinks, linkAmong, spaceOfLink } from './deep-link.ts'

const S = 'reachy-mini-companion'

describe('spaceOfLink', () => {
  it.each([
    [`${S}://space/owner/name`, 'owner/name'],
    [`${S}://space/pollen-robotics/reachy_mini.tool-2`, 'pollen-robotics/reachy_mini.tool-2'],
    [`${S}://space/A/B`, 'A/B'],
    [`${S}://space/0/9..a`, '0/9..a'],
    [`${S}://space/${'o'.repeat(96)}/${'n'.repeat(96)}`, `${'o'.repeat(96)}/${'n'.repeat(96)}`],
  ])('%s names %s', (link, space) => {
    expect(spaceOfLink(link)).toBe(space)
  })

  it.each([
    ['nothing', ''],
    ['the scheme alone', `${S}:`],
    ['no host', `${S}://`],
    ['no name', `${S}://space`],
    ['an empty name', `${S}://space/`],
    ['an owner alone', `${S}://space/owner`],
    ['an owner and a slash', `${S}://space/owner/`],
    ['a slash at the end', `${S}://space/owner/name/`],
    ['a third part', `${S}://space/owner/name/install`],
    ['an empty owner, and a way up', `${S}://space//space/../x`],
    ['a way up', `${S}://space/../x`],
    ['a way up behind a name', `${S}://space/owner/../../etc/passwd`],
    ['a name of dots', `${S}://space/owner/..`],
    ['a name that begins with a dot', `${S}://space/owner/.git`],
    ['a name that begins with a hyphen', `${S}://space/-owner/name`],
    ['another verb', `${S}://install/owner/name`],
    ['another verb behind an empty one', `${S}:////install/owner/name`],
    ['another host', `${S}://spaces/owner/name`],
    ['a host that only begins like ours', `${S}://space.evil.example/owner/name`],
    ['a query', `${S}://space/owner/name?install=1`],
    ['an empty query', `${S}://space/owner/name?`],
    ['a fragment', `${S}://space/owner/name#install`],
    ['a user', `${S}://user@space/owner/name`],
    ['a password', `${S}://user:pass@space/owner/name`],
    ['a port', `${S}://space:80/owner/name`],
    ['a port of none', `${S}://space:/owner/name`],
    ['one slash', `${S}:/space/owner/name`],
    ['no slash', `${S}:space/owner/name`],
    ['three slashes', `${S}:///space/owner/name`],
    ['backslashes', `${S}:\\\\space\\owner\\name`],
    ['an upper-case scheme', `${S.toUpperCase()}://space/owner/name`],
    ['an upper-case host', `${S}://SPACE/owner/name`],
    ['an encoded slash', `${S}://space/owner%2fname`],
    ['an encoded slash within a part', `${S}://space/owner/name%2f..%2fx`],
    ['encoded dots', `${S}://space/%2e%2e/name`],
    ['an encoded letter', `${S}://space/own%65r/name`],
    ['a broken escape', `${S}://space/owner/%zz`],
    ['an encoded end of a text', `${S}://space/owner/name%00`],
    ['the end of a text', `${S}://space/owner/name\0`],
    ['a new line', `${S}://space/owner/name\n`],
    ['a second line', `${S}://space/owner/name\n--robot=serial:/dev/x`],
    ['a tab within the scheme', `reachy-mini\t-companion://space/owner/name`],
    ['a space before', ` ${S}://space/owner/name`],
    ['a space behind', `${S}://space/owner/name `],
    ['a flag behind', `${S}://space/owner/name --data-dir=/x`],
    ['a quote', `${S}://space/owner/name" --no-sandbox "`],
    ['letters that look alike', `${S}://space/оwner/name`],
    ['a text that reads backwards', `${S}://space/owner/\u202Ename`],
    ['a link of the web', 'https://huggingface.co/spaces/owner/name'],
    ['a link of the web inside', `${S}://space/https://evil.example`],
    ['a script', 'javascript:alert(1)'],
    ['a longer scheme', `x${S}://space/owner/name`],
    ['10 kB', `${S}://space/owner/${'n'.repeat(10_000)}`],
    ['10 kB of slashes', `${S}://space/${'/'.repeat(10_000)}`],
  ])('%s names nothing', (_what, link) => {
    expect(spaceOfLink(link)).toBeNull()
  })
})

it.each([
  [['electron', '.', '--data-dir', '/d'], null],
  [['app', `${S}://space/o/n`], `${S}://space/o/n`],
  [['app', '--', `${S}://space/o/n`], `${S}://space/o/n`],
  [['app', '--data-dir=/d', `${S.toUpperCase()}://x`, '--no-sandbox'], `${S.toUpperCase()}://x`],
  [['app', `${S}://a`, `${S}://b`], `${S}://a`],
  [['app', `--link=${S}://a`], null],
  [['app', 'https://example.com', S], null],
])('on the command line %j the link is %j', (argv, expected) => {
  expect(linkAmong(argv)).toBe(expected)
})

describe('createLinks', () => {
  const setUp = () => {
    const links = createLinks()
    const to = { open: vi.fn<(space: string) => void>(), refuse: vi.fn<(text: string) => void>() }
    return { links, to }
  }

  it('keeps one that came before the window until the page asks, once', () => {
    const { links, to } = setUp()
    links.arrive(`${S}://space/o/n`)
    links.connect(to)
    expect(links.take()).toBe('o/n')
    expect(links.take()).toBeNull()
    expect(to.open).not.toHaveBeenCalled()
  })

  it('keeps one that comes while the page loads, and hands over at once what comes later', () => {
    const { links, to } = setUp()
    links.connect(to)
    links.arrive(`${S}://space/o/first`)
    links.arrive(`${S}://space/o/second`)
    expect(links.take()).toBe('o/second')
    links.arrive(`${S}://space/o/third`)
    expect(to.open.mock.calls).toEqual([['o/third']])
    expect(links.take()).toBeNull()
  })

  it('keeps again while the page is loaded anew', () => {
    const { links, to } = setUp()
    links.connect(to)
    links.take()
    links.pageGone()
    links.arrive(`${S}://space/o/n`)
    expect(to.open).not.toHaveBeenCalled()
    expect(links.take()).toBe('o/n')
  })

  it('refuses each wrong one once, early or late, and keeps nothing of it', () => {
    const { links, to } = setUp()
    links.arrive(`${S}://install/o/n`)
    links.connect(to)
    links.arrive(`${S}://space/o/n?install=1`)
    expect(to.refuse.mock.calls).toEqual([[`${S}://install/o/n`], [`${S}://space/o/n?install=1`]])
    expect(links.take()).toBeNull()
    expect(to.open).not.toHaveBeenCalled()
  })
})
