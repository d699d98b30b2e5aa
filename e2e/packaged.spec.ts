import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect, test } from '@playwright/test'

import { packagedExecutable } from '../scripts/lib/pack.mjs'

import { chromiumArguments, cleanEnvironment } from './app.ts'
import { attachTo } from './attach.ts'
import { frameOf } from './pages/frame.ts'

function executable(): string {
  const file = packagedExecutable()
  if (file === null) throw new Error('There is no package yet: run `npm run package` first.')
  return file
}

test('the packaged app starts, shows its frame, and quits with 0', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'companion-packaged-'))
  const args = [...chromiumArguments('33', false), '--remote-debugging-port=0', '--data-dir', dataDir]
  // Its inspector is switched off by a fuse, so Playwright's launcher cannot be used; the page's debugger can.
  const child = spawn(executable(), args, { env: cleanEnvironment() })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  try {
    const { browser, page } = await attachTo(child, 20_000)
    const frame = frameOf(page)
    await expect(frame.rail).toBeVisible()
    await expect(frame.emergencyStop).toBeVisible()
    expect(page.url()).toBe('app://companion/index.html')
    const info = await page.evaluate(() => {
      const { companion } = globalThis as unknown as {
        companion: { request(route: string, payload: object): Promise<unknown> }
      }
      return Promise.all(['app.info', 'profiles.list', 'robot.moves'].map((route) => companion.request(route, {})))
    })
    expect(info[0]).toMatchObject({ ok: true, value: { packaged: true, dataDir } })
    expect(info[1], 'the shipped profiles are in the package').toMatchObject({ ok: true, value: { active: 'default' } })
    expect(info[2], 'so are the moves').toMatchObject({ ok: true })
    await browser.close()
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
})

test('its fuses are set', async () => {
  const wire = await getCurrentFuseWire(executable())
  // The wire holds a character a fuse: '1' on, '0' off.
  const isOn = (fuse: FuseV1Options): boolean => String.fromCharCode(Number(wire[fuse])) === '1'
  expect({
    runAsNode: isOn(FuseV1Options.RunAsNode),
    cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
    nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
    onlyFromAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
    fileProtocol: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    runAsNode: false,
    cookieEncryption: true,
    nodeOptions: false,
    inspect: false,
    onlyFromAsar: true,
    fileProtocol: false,
  })
})
