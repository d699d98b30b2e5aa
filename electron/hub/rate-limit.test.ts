import { describe, expect, it } from 'vitest'

import { createRateWindow, secondsOfCare, secondsToWait } from './rate-limit.ts'

const NOW = Date.parse('2026-11-30T12:00:00Z')

describe('secondsToWait', () => {
  it.each([
    ['"api";r=0;t=55', null, 56],
    ['"resolvers";r=0;t=7', '100', 8],
    ['"api"; r=0; t=0', null, 1],
    ['"api";r=0;t=999999', null, 3600],
    ['"api";r=0', '12', 12],
    [null, ' 12 ', 12],
    [null, 'Mon, 30 Nov 2026 12:00:30 GMT', 30],
    [null, 'Mon, 30 Nov 2026 11:00:00 GMT', 1],
    [null, 'soon', 60],
    [null, null, 60],
  ])('%s, %s → %i', (rateLimit, retryAfter, seconds) => {
    expect(secondsToWait(rateLimit, retryAfter, NOW)).toBe(seconds)
  })
})

describe('secondsOfCare', () => {
  it.each([
    ['"api";r=480;t=200', '"fixed window";"api";q=500;w=300', 0],
    ['"api";r=50;t=200', '"fixed window";"api";q=500;w=300', 0],
    ['"api";r=49;t=200', '"fixed window";"api";q=500;w=300', 201],
    ['"api";r=0;t=0', '"fixed window";"api";q=500;w=300', 1],
    ['"pages";r=5;t=9', '"fixed window";"api";q=500;w=300, "pages";q=100;w=300', 10],
    ['"pages";r=5;t=9', '"fixed window";"api";q=500;w=300', 0],
    ['"a.*";r=1;t=9', '"api";q=500;w=300', 0],
    ['api;r=1;t=9', '"api";q=500;w=300', 0],
    ['"api";r=1;t=99999', '"api";q=500;w=300', 3600],
    ['"api";r=1;t=9', null, 0],
    [null, '"api";q=500;w=300', 0],
  ])('%s, %s → %i', (rateLimit, policy, seconds) => {
    expect(secondsOfCare(rateLimit, policy)).toBe(seconds)
  })
})

describe('createRateWindow', () => {
  it('is closed until its time, and never opens earlier than told before', () => {
    let now = 0
    const rateWindow = createRateWindow(() => now)
    expect(rateWindow.secondsLeft()).toBe(0)
    rateWindow.close(10)
    rateWindow.close(3)
    now = 9_001
    expect(rateWindow.secondsLeft()).toBe(1)
    now = 10_000
    expect(rateWindow.secondsLeft()).toBe(0)
  })
})
