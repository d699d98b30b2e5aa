import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect, test } from '@playwright/test'

import { openPtyRobot } from '../electron/robot/testing/pty-robot.ts'
import { packagedExecutable } from '../scripts/lib/pack.mjs'

import { chromiumArguments, cleanEnvironment } from './app.ts'
import { attachTo } from './attach.ts'
import { frameOf } from './pages/frame.ts'
import { ProfilesPage } from './pages/profiles.ts'

import type { Page } from '@playwright/test'

function executable(): string {
  const file = packagedExecutable()
  if (file === null) throw new Error('There is no package yet: run `npm run package` first.')
  return file
}

interface Packaged {
  readonly page: Page
  readonly dataDir: string
  /** Asks the main process. */
  request: (route: string, payload?: object) => Promise<unknown>
}

/** Starts the package in an own data directory, and looks that it ends with 0 when it is asked to. */
async function inPackage(
  { files = {}, args = [] }: { files?: Readonly<Record<string, string>>; args?: readonly string[] },
  work: (packaged: Packaged) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'companion-packaged-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true })
    await writeFile(path.join(dataDir, name), text)
  }
  const flags = [...chromiumArguments('33', false), '--remote-debugging-port=0', '--data-dir', dataDir, ...args]
  // Its inspector is switched off by a fuse, so Playwright's launcher cannot be used; the page's debugger can.
  const child = spawn(executable(), flags, { env: cleanEnvironment() })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  try {
    const { browser, page } = await attachTo(child, 20_000)
    const request = (route: string, payload: object = {}): Promise<unknown> =>
      page.evaluate(
        ([name, given]) => {
          const { companion } = globalThis as unknown as {
            companion: { request(route: string, payload: object): Promise<unknown> }
          }
          return companion.request(name, given)
        },
        [route, payload] as const,
      )
    await work({ page, dataDir, request })
    await browser.close()
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

test('the packaged app starts, shows its frame, and quits with 0', async () => {
  await inPackage({}, async ({ page, dataDir, request }) => {
    const frame = frameOf(page)
    await expect(frame.rail).toBeVisible()
    await expect(frame.emergencyStop).toBeVisible()
    expect(page.url()).toBe('app://companion/index.html')
    expect(await request('app.info')).toMatchObject({ ok: true, value: { packaged: true, dataDir } })
    expect(await request('profiles.list'), 'the shipped profiles are in the package').toMatchObject({
      ok: true,
      value: { active: 'default' },
    })
    expect(await request('robot.moves'), 'so are the moves').toMatchObject({ ok: true })
  })
})

/** One tool of the user's own for each language that a file may be in. */
const OWN_TOOLS: Readonly<Record<string, string>> = {
  'plain.mjs': `export default {
  name: 'plain', description: 'Adds.', parameters: { type: 'object' }, async run() { return 1 + 1 }
}
`,
  'typed.ts': `interface Given { readonly a: number }
export default {
  name: 'typed', description: 'Adds.', parameters: { type: 'object' },
  async run({ a }: Given): Promise<number> { return a + 1 },
}
`,
  'snake.py': `from reachy_mini_conversation_app.tools.core_tools import Tool, ToolDependencies


class Snake(Tool):
    name = "snake"
    description = "Adds."
    parameters_schema = {"type": "object", "properties": {}, "required": []}

    async def __call__(self, deps: ToolDependencies, **kwargs):
        return {"sum": 2}
`,
}

test('files of the user’s own run in it, each in a process of its own', async () => {
  const files = Object.fromEntries(Object.entries(OWN_TOOLS).map(([name, text]) => [`external_tools/${name}`, text]))
  await inPackage({ files }, async ({ page }) => {
    const screen = new ProfilesPage(page)
    await screen.goTo()
    for (const id of Object.keys(OWN_TOOLS).map((name) => path.parse(name).name)) {
      await page.getByRole('button', { name: `Allow ${id}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Allow', exact: true }).click()
      await expect(dialog, id).toContainText('It offers one tool:')
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  })
})

test('a robot on a serial port is driven by it', async () => {
  const robot = openPtyRobot()
  try {
    await inPackage({ args: ['--robot', `serial:${robot.path}`] }, async ({ request }) => {
      await expect
        .poll(() => request('robot.state'), { timeout: 15_000 })
        .toMatchObject({
          ok: true,
          value: { kind: 'serial', connection: 'ready' },
        })
      expect(await request('robot.wake')).toMatchObject({ ok: true })
      await expect.poll(() => request('robot.state'), { timeout: 15_000 }).toMatchObject({ value: { torque: true } })
      expect(await request('robot.emergencyStop')).toMatchObject({ ok: true, value: { confirmed: true } })
    })
  } finally {
    robot.close()
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
