import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { chromiumArguments, cleanEnvironment, expect, runtime, test } from './app.ts'
import { frameOf } from './pages/frame.ts'

import type { ElectronApplication, Page } from '@playwright/test'

const root = path.resolve(import.meta.dirname, '..')
const LINK = 'reachy-mini-companion://space/owner/name'

/** Each names a Space that a careless reader would find in it. */
const HOSTILE = [
  'reachy-mini-companion://install/owner/name',
  'reachy-mini-companion://space//space/../x',
  'reachy-mini-companion://space/owner/name?install=1',
  'reachy-mini-companion://space/owner%2f..%2fname',
  'reachy-mini-companion://space/owner/name\n--robot=serial:/dev/null',
  'REACHY-MINI-COMPANION://space/owner/name',
  `reachy-mini-companion://space/owner/${'n'.repeat(10_000)}`,
]

/** What the system does when a link is clicked while the app runs: a second start, with the link behind its arguments. */
async function click(dataDir: string, link: string): Promise<void> {
  const { executable, version } = runtime()
  const words = [...chromiumArguments(version, false), root, '--data-dir', dataDir, link]
  const child = spawn(executable, words, { env: cleanEnvironment(), stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code, 'the second start leaves the work to the first').toBe(0)
}

/** Writes down every navigation that the page is told of, from now on. */
async function recordNavigations(page: Page): Promise<() => Promise<unknown[]>> {
  await page.evaluate(() => {
    const scope = globalThis as unknown as {
      heard: unknown[]
      companion: { on(event: string, listener: (payload: unknown) => void): void }
    }
    scope.heard = []
    scope.companion.on('app.navigate', (payload) => scope.heard.push(payload))
  })
  return () => page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)
}

const hide = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())

const isShown = (app: ElectronApplication): Promise<boolean> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false)

const refusals = (stderr: string): number => stderr.split('a link that is none of ours was ignored').length - 1

test.describe('a link that names a Space', () => {
  test('starts the app with the Spaces screen, and installs nothing', async ({ launchApp }) => {
    const { page, dataDir } = await launchApp({ args: [LINK] })
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Spaces' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    expect(await readdir(dataDir)).not.toContain('installed_tool_spaces.json')
  })

  test('comes to the app that runs, from a second start', async ({ launchApp }) => {
    const { app, page, dataDir } = await launchApp()
    await expect(frameOf(page).rail).toBeVisible()
    const heard = await recordNavigations(page)
    await hide(app)
    await click(dataDir, LINK)
    await expect.poll(heard).toEqual([{ screen: 'spaces', space: 'owner/name' }])
    expect(await isShown(app)).toBe(true)
    await expect(frameOf(page).rail.getByRole('link', { name: 'Spaces' })).toHaveAttribute('aria-current', 'page')
    expect(await readdir(dataDir)).not.toContain('installed_tool_spaces.json')
  })
})

test.describe('a link with anything else in it', () => {
  test('starts the app, and that is all', async ({ launchApp }) => {
    const { page, stderr } = await launchApp({ args: [HOSTILE[0] ?? ''] })
    await expect(frameOf(page).rail.getByRole('link', { name: 'Chat' })).toHaveAttribute('aria-current', 'page')
    await expect.poll(() => refusals(stderr())).toBe(1)
  })

  test('brings the window to the front, and that is all', async ({ launchApp }) => {
    const { app, page, dataDir, stderr } = await launchApp()
    await expect(frameOf(page).rail).toBeVisible()
    const heard = await recordNavigations(page)
    for (const [index, link] of HOSTILE.entries()) {
      await hide(app)
      await click(dataDir, link)
      await expect.poll(() => isShown(app)).toBe(true)
      await expect.poll(() => refusals(stderr())).toBe(index + 1)
    }
    expect(await heard()).toEqual([])
    await expect(frameOf(page).rail.getByRole('link', { name: 'Chat' })).toHaveAttribute('aria-current', 'page')
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    const log = await readFile(path.join(dataDir, 'logs', 'main.log'), 'utf8')
    expect(log.length, 'a long link is not logged at length').toBeLessThan(6_000)
  })
})

test('an app that runs from its source takes no links from the system', async ({ launchApp }) => {
  const { app } = await launchApp()
  const registered = await app.evaluate(({ app: electronApp }) =>
    electronApp.isDefaultProtocolClient('reachy-mini-companion'),
  )
  expect(registered).toBe(false)
})
