import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import os from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { appSocketPath, askApp, serveApp } from './app-socket.ts'

import type { AppRequest } from './app-socket.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'app-socket-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('the place of the socket', () => {
  it.each([
    ['/home/me/data', 'linux', '/home/me/data/app.sock'],
    [`/home/${'deep/'.repeat(30)}data`, 'darwin', /reachy-mini-companion-[0-9a-f]{16}\.sock$/],
    ['/home/me/data', 'win32', /^\\\\\.\\pipe\\reachy-mini-companion-[0-9a-f]{16}$/],
  ] as const)('of %s on %s', (dataDir, platform, expected) => {
    const found = appSocketPath(dataDir, platform)
    if (typeof expected === 'string') expect(found).toBe(expected)
    else expect(found).toMatch(expected)
  })
})

describe.skipIf(process.platform === 'win32')('the socket', () => {
  const asked: AppRequest[] = []
  const answer = async (request: AppRequest) => {
    asked.push(request)
    return { robot: 'simulator', connection: 'ready', ...(request.do === 'stop' ? { confirmed: true } : {}) }
  }

  it('answers whoever asks, and is for its owner only', async () => {
    asked.length = 0
    const server = await serveApp(dir, answer)
    expect(statSync(appSocketPath(dir)).mode & 0o777).toBe(0o600)
    expect(await askApp(dir, { do: 'who' })).toEqual({ robot: 'simulator', connection: 'ready' })
    expect(await askApp(dir, { do: 'stop' })).toEqual({ robot: 'simulator', connection: 'ready', confirmed: true })
    expect(asked).toEqual([{ do: 'who' }, { do: 'stop' }])
    server.close()
    expect(await askApp(dir, { do: 'who' })).toBeNull()
  })

  it('takes the place of what an ended app left', async () => {
    writeFileSync(appSocketPath(dir), '')
    expect(await askApp(dir, { do: 'who' })).toBeNull()
    const server = await serveApp(dir, answer)
    expect(await askApp(dir, { do: 'who' })).not.toBeNull()
    server.close()
  })

  it.each(['{"do":"dance"}\n', 'nonsense\n', `${'x'.repeat(10_000)}`, '\n', 'null\n'])(
    'hangs up on %j and goes on',
    async (text) => {
      const server = await serveApp(dir, answer)
      const socket = createConnection(appSocketPath(dir))
      socket.write(text)
      await new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined))
      expect(await askApp(dir, { do: 'who' })).not.toBeNull()
      server.close()
    },
  )
})
