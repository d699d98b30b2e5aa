import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { chromiumArguments, cleanEnvironment, expect, runtime, test } from './app.ts'
import { frameOf } from './pages/frame.ts'

const root = path.resolve(import.meta.dirname, '..')

/** Starts the app on a data directory that is in use; resolves with its exit code and what it said. */
function startAgain(dataDir: string): Promise<{ code: number | null; stderr: string }> {
  const { executable, version } = runtime()
  const child = spawn(executable, [...chromiumArguments(version, false), root, '--data-dir', dataDir], {
    env: cleanEnvironment(),
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve({ code, stderr }))
  })
}

test.describe('the page is locked in', () => {
  test('it has no Node, no Electron and only the bridge', async ({ launchApp }) => {
    const { app, page } = await launchApp()
    await expect(frameOf(page).rail).toBeVisible()
    const seen = await page.evaluate(() => {
      const names = ['require', 'process', 'module', 'Buffer', 'global', '__dirname', 'ipcRenderer', 'electron']
      const bridge = (globalThis as unknown as { companion: object }).companion
      return { names: names.filter((name) => name in globalThis), bridge: Object.keys(bridge).sort() }
    })
    expect(seen).toEqual({ names: [], bridge: ['on', 'request'] })
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      return contents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false })
  })

  test('windows, navigation, frames and files are refused', async ({ launchApp }) => {
    const { app, page } = await launchApp({
      allow: [/Content Security Policy|Not allowed to (load|navigate)|ERR_|status of 404/],
    })
    await expect(frameOf(page).rail).toBeVisible()
    const url = page.url()
    const opened = await page.evaluate(() => window.open('https://example.com/') === null)
    expect(opened).toBe(true)
    for (const target of ['https://example.com/', 'file:///etc/passwd', 'app://other/index.html', 'data:text/html,x']) {
      await page.evaluate((address) => {
        const link = document.createElement('a')
        link.href = address
        document.body.append(link)
        link.click()
        link.remove()
      }, target)
    }
    const reached = await page.evaluate(async () => {
      const results: string[] = []
      for (const address of ['file:///etc/passwd', 'https://example.com/', 'app://companion/..%2f..%2fpackage.json']) {
        try {
          const response = await fetch(address)
          results.push(response.ok ? `reached ${address}` : 'refused')
        } catch {
          results.push('refused')
        }
      }
      const frame = document.createElement('iframe')
      frame.src = 'https://example.com/'
      document.body.append(frame)
      await new Promise((resolve) => setTimeout(resolve, 300))
      results.push(frame.contentDocument === null ? 'refused' : (frame.contentDocument.body.textContent ?? ''))
      frame.remove()
      return results
    })
    expect(reached.filter((result) => result.startsWith('reached'))).toEqual([])
    expect(page.url()).toBe(url)
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    // By script: Playwright still waits for the navigations that were refused.
    expect(await page.evaluate(() => document.querySelector('nav') !== null)).toBe(true)
  })

  test('its policy has nothing unsafe and a new nonce for each load', async ({ launchApp }) => {
    const { page } = await launchApp({ allow: [/Refused to execute inline script|Executing inline script violates/] })
    const load = () =>
      page.evaluate(async () => {
        const response = await fetch('app://companion/index.html')
        const nonce = /name="csp-nonce" content="([^"]+)"/.exec(await response.text())?.[1] ?? ''
        return { policy: response.headers.get('Content-Security-Policy') ?? '', nonce }
      })
    const [first, second] = [await load(), await load()]
    expect(first.policy).toContain("default-src 'none'")
    expect(first.policy).not.toContain('unsafe')
    expect(first.policy).toContain(`'nonce-${first.nonce}'`)
    expect(first.nonce).not.toBe(second.nonce)
    const inline = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'globalThis.injected = true'
      document.body.append(script)
      return 'injected' in globalThis
    })
    expect(inline).toBe(false)
  })

  test('permissions are refused', async ({ launchApp }) => {
    const { page } = await launchApp()
    const states = await page.evaluate(async () => {
      const names = ['camera', 'geolocation', 'notifications'] as const
      const answers = await Promise.all(names.map((name) => navigator.permissions.query({ name: name })))
      return answers.map((answer) => answer.state)
    })
    expect(states).toEqual(['denied', 'denied', 'denied'])
  })

  test('an unknown route and a request that does not fit are answered, not run', async ({ launchApp }) => {
    const { page } = await launchApp()
    const answers = await page.evaluate(async () => {
      const { companion } = globalThis as unknown as {
        companion: { request(route: unknown, payload: unknown): Promise<{ error?: { code: string } }> }
      }
      const asked = [companion.request('fs.read', { path: '/etc/passwd' }), companion.request('chat.send', { text: 5 })]
      return (await Promise.all(asked)).map((answer) => answer.error?.code)
    })
    expect(answers).toEqual(['ipc/no-route', 'ipc/invalid'])
  })
})

test.describe('life of the window', () => {
  test('it quits in time with exit code 0', async ({ launchApp }) => {
    const { page, close } = await launchApp()
    await expect(frameOf(page).rail).toBeVisible()
    const { code, ms } = await close()
    expect(code).toBe(0)
    expect(ms).toBeLessThan(8_000)
  })

  test('a second start brings the first one to the front and ends', async ({ launchApp }) => {
    const { app, page, dataDir } = await launchApp()
    await expect(frameOf(page).rail).toBeVisible()
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
    const second = await startAgain(dataDir)
    expect(second.code).toBe(0)
    expect(second.stderr).toContain('running already')
    // Repeated as a whole: V8 may collect the promise that Playwright waits for in the main process.
    await expect(async () => {
      const visible = await app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((one) => one.isVisible()),
      )
      expect(visible).toEqual([true])
    }).toPass({ timeout: 10_000 })
  })

  test('it opens where and as large as it was', async ({ launchApp }) => {
    const first = await launchApp()
    await expect(frameOf(first.page).rail).toBeVisible()
    await first.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 40, width: 1010, height: 650 }),
    )
    await first.close()
    const second = await launchApp({ dataDir: first.dataDir })
    const bounds = await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
    expect(bounds).toEqual({ x: 60, y: 40, width: 1010, height: 650 })
  })

  test('a page that crashes is loaded again once, then a person is asked', async ({ launchApp }) => {
    const { app, page } = await launchApp()
    await expect(frameOf(page).rail).toBeVisible()
    await app.evaluate(({ dialog }) => {
      const asked: unknown[] = []
      ;(globalThis as unknown as { asked: unknown[] }).asked = asked
      dialog.showMessageBox = ((_window: unknown, options: unknown) => {
        asked.push(options)
        return Promise.resolve({ response: 0, checkboxChecked: false })
      }) as typeof dialog.showMessageBox
    })
    const crash = () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer())
    // A script sent to a page that is just going is never answered, hence the limit.
    const lives = () =>
      app.evaluate(({ BrowserWindow }) =>
        Promise.race([
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("document.querySelector('nav') !== null"),
          new Promise((resolve) => setTimeout(() => resolve('no answer'), 1_000)),
        ]),
      )
    const asked = () => app.evaluate(() => (globalThis as unknown as { asked: { buttons: string[] }[] }).asked)

    await crash()
    await expect.poll(lives).toBe(true)
    expect(await asked()).toEqual([])
    await crash()
    await expect
      .poll(async () => (await asked()).map((options) => options.buttons))
      .toEqual([['Reload', 'Restart without GPU', 'Quit']])
    await expect.poll(lives).toBe(true)
  })
})

test.describe('bad files', () => {
  for (const [name, text] of [
    ['settings.json', '{'],
    ['settings.json', ''],
    ['settings.json', '{"language":5,"provider":[]}'],
    ['window.json', '{"width":-5}'],
    ['secrets.json', 'nothing'],
    ['installed_tool_spaces.json', '[]'],
  ] as const) {
    test(`${name} with ${JSON.stringify(text)}: the window opens`, async ({ launchApp }) => {
      const { page } = await launchApp({ files: { [name]: text } })
      await expect(frameOf(page).rail).toBeVisible()
      await expect(frameOf(page).emergencyStop).toBeVisible()
    })
  }

  test('a broken settings.json is kept under another name', async ({ launchApp }) => {
    const { page, dataDir } = await launchApp({ files: { 'settings.json': '{"theme":' } })
    await expect(frameOf(page).rail).toBeVisible()
    const kept = async () => (await readdir(dataDir)).filter((name) => name.startsWith('settings.json.bad-'))
    await expect.poll(async () => (await kept()).length).toBe(1)
    expect(await readFile(path.join(dataDir, (await kept())[0] ?? ''), 'utf8')).toBe('{"theme":')
  })
})

test('without network and with an empty data directory every screen says something', async ({ launchApp }) => {
  const { page } = await launchApp()
  const frame = frameOf(page)
  await expect(frame.emergencyStop).toBeVisible()
  for (const screen of ['Chat', 'Spaces', 'Profiles', 'Robot', 'Settings'] as const) {
    await frame.open(screen)
    await expect(page.getByRole('main')).not.toBeEmpty()
    await expect(frame.emergencyStop).toBeVisible()
  }
})
