import { spawn, spawnSync } from 'node:child_process'

import { describe, expect, it } from 'vitest'

import { isRunning, ownIdentity, parseProcStat, parseStartTime } from './process-identity.ts'

describe('parseProcStat', () => {
  const rest = (state: string): string =>
    `${state} 1 2 2 0 -1 4194304 100 0 0 0 5 3 0 0 20 0 11 0 123456 1000000 500 18446744073709551615`

  it.each([
    ['an ordinary process', `42 (node) ${rest('S')}`, '123456'],
    ['a name with brackets and blanks', `42 (a) b (c) ${rest('R')}`, '123456'],
    ['a zombie', `42 (node) ${rest('Z')}`, null],
    ['nothing', '', null],
  ])('%s', (_name, text, expected) => {
    expect(parseProcStat(text)).toBe(expected)
  })
})

describe('parseStartTime', () => {
  it.each([
    ['Mon Nov 30  20:57:01 2026\n', new Date(2026, 10, 30, 20, 57, 1).getTime()],
    ['2026-11-30T20:57:01Z\r\n', Date.UTC(2026, 10, 30, 20, 57, 1)],
    ['', null],
    ['error: no such process', null],
  ])('%j', (text, expected) => {
    expect(parseStartTime(text)).toBe(expected)
  })
})

describe('isRunning', () => {
  it('knows itself', async () => {
    await expect(isRunning(await ownIdentity())).resolves.toBe(true)
  })

  it('knows a process that ended, and numbers that are none', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    await expect(isRunning({ pid, start: '1' })).resolves.toBe(false)
    await expect(isRunning({ pid: 0, start: '1' })).resolves.toBe(false)
    await expect(isRunning({ pid: -1, start: '1' })).resolves.toBe(false)
  })

  it('takes a running process whose start is not known for alive', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'])
    const start = process.platform === 'linux' ? '1' : String(Date.now())
    await expect(isRunning({ pid: child.pid ?? 0, start })).resolves.toBe(true)
    child.kill()
  })
})
