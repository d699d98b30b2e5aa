import { describe, expect, it } from 'vitest'

import { CompanionError } from '../contract/index.ts'

import { causeCode, neverSent, toCompanionError } from './failures.ts'
import { DEFAULT_LIMITS, nextBackoff } from './limits.ts'
import { createSlots } from './slots.ts'
import { plainText, stripLikePython } from './text.ts'
import { HttpFailure, parseRetryAfter, RpcFailure, StreamLimit } from './wire-failures.ts'

describe('Retry-After', () => {
  it.each<[string | null, number | null]>([
    ['30', 30],
    [' 0 ', 0],
    ['999999', 3600],
    ['Mon, 30 Nov 2026 12:00:10 GMT', 10],
    ['Mon, 30 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    [null, null],
  ])('%s', (header, seconds) => {
    expect(parseRetryAfter(header, Date.parse('2026-11-30T12:00:00Z'))).toBe(seconds)
  })
})

describe('back-off', () => {
  it('doubles from 1 s to 60 s, its upper half random', () => {
    expect([1, 2, 3, 4].map((failures) => nextBackoff(failures, DEFAULT_LIMITS, 0.999999))).toEqual([
      1000, 2000, 4000, 8000,
    ])
    expect(nextBackoff(1, DEFAULT_LIMITS, 0)).toBe(500)
    expect(nextBackoff(50, DEFAULT_LIMITS, 0.999999)).toBe(60_000)
  })
})

describe('failures by status, type and code', () => {
  const http = (status: number, type = '', retryAfter: number | null = null): HttpFailure =>
    new HttpFailure(status, type, retryAfter)
  const rpc = (code: number, why: RpcFailure['why'] = null): Error =>
    new RpcFailure(code, 'whatever the server said', why)

  it.each<[string, unknown, string, object]>([
    ['200 page', http(200, 'text/html'), 'space/not-running', { stage: 'text/html' }],
    ['401', http(401), 'space/unauthorized', { status: 401 }],
    ['403', http(403), 'space/unauthorized', { status: 403 }],
    ['404', http(404), 'space/no-mcp', { status: 404 }],
    ['405', http(405), 'space/no-mcp', { status: 405 }],
    ['413', http(413), 'space/too-large', { status: 413 }],
    ['429 with a time', http(429, '', 30), 'space/rate-limited', { seconds: 30 }],
    ['429 without', http(429), 'space/rate-limited', { seconds: 60 }],
    ['500', http(500), 'space/crashed', { status: 500 }],
    ['502', http(502), 'space/not-running', { stage: 'HTTP 502' }],
    ['503', http(503), 'space/not-running', { stage: 'HTTP 503' }],
    ['504', http(504), 'space/not-running', { stage: 'HTTP 504' }],
    ['a redirect', http(302), 'space/protocol', { reason: 'redirect 302' }],
    ['418', http(418), 'space/protocol', { reason: 'HTTP 418' }],
    ['a dropped stream', rpc(-32000, 'eof'), 'space/dropped', { why: 'eof' }],
    ['a silent stream', rpc(-32000, 'idle'), 'space/dropped', { why: 'idle' }],
    ['too much', rpc(-32000, 'too large'), 'space/too-large', {}],
    ['a malformed answer', rpc(-32000, 'malformed'), 'space/protocol', {}],
    ['closed', rpc(-32000, 'closed'), 'space/dropped', { why: 'closed' }],
    ['a JSON-RPC error', rpc(-32603), 'space/protocol', { reason: 'JSON-RPC error -32603' }],
    ['a cut JSON body', new StreamLimit('reset'), 'space/dropped', { why: 'reset' }],
    [
      'no network',
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }),
      'space/unreachable',
      { reason: 'ENOTFOUND' },
    ],
    [
      'a version',
      new Error("Server's protocol version is not supported: 2031-01-01"),
      'space/protocol',
      { reason: 'protocol version 2031-01-01' },
    ],
    ['anything', new Error('<html>secret</html>'), 'space/protocol', { reason: 'unexpected answer' }],
  ])('%s', (_, error, code, details) => {
    const failure = toCompanionError(error, 'call', 'o/n')
    expect(failure.code).toBe(code)
    expect(failure.details).toMatchObject({ slug: 'o/n', step: 'call', ...details })
    expect(failure.cause).toBe(error)
  })

  it('leaves ours alone', () => {
    const ours = new CompanionError('tools/timeout')
    expect(toCompanionError(ours, 'call', 'o/n')).toBe(ours)
  })

  it('finds the system code in a chain and in many attempts', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
    expect(causeCode(new TypeError('fetch failed', { cause: new AggregateError([refused]) }))).toBe('ECONNREFUSED')
    expect(causeCode('text')).toBe('unknown')
    expect(neverSent(new TypeError('fetch failed', { cause: refused }))).toBe(true)
    expect(
      neverSent(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) })),
    ).toBe(false)
  })
})

describe('slots', () => {
  it('lets two in, the third waits, one who leaves the queue is skipped', async () => {
    const slots = createSlots(2)
    const order: string[] = []
    const never = new AbortController().signal
    const first = await slots.acquire(never)
    const second = await slots.acquire(never)
    const leaving = new AbortController()
    const gone = slots.acquire(leaving.signal)
    const third = slots.acquire(never).then((release) => {
      order.push('third')
      return release
    })
    leaving.abort(new Error('left'))
    await expect(gone).rejects.toThrow('left')
    order.push('released')
    first()
    first()
    ;(await third)()
    second()
    expect(order).toEqual(['released', 'third'])
    const [a, b] = await Promise.all([slots.acquire(never), slots.acquire(never)])
    a()
    b()
  })
})

describe('remote text', () => {
  it('loses control characters and what is too much', () => {
    expect(plainText('a\u0000\u001b[31mb\u009fc\td\r\n')).toBe('a[31mbc\td\r\n')
    expect(plainText('abcdef', 4)).toBe('abc…')
  })

  it.each([
    ['\u001c x \u0085\n', 'x'],
    ['\ufeffx', '\ufeffx'],
    ['\u3000a b\u00a0', 'a b'],
    ['', ''],
  ])('is stripped as Python strips: %j', (text, expected) => {
    expect(stripLikePython(text)).toBe(expected)
  })
})
