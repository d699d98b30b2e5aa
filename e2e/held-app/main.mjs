/**
 * The built app, held back until Playwright has attached, which calls `__playwright_run` then. With an executable of its
 * own Playwright leaves this out, and waits for ever when it attaches in the moment in which the window's first page
 * takes over from the empty one: 3 starts in 100 on a busy machine.
 * https://github.com/microsoft/playwright/blob/main/packages/playwright-core/src/server/electron/loader.ts
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { app } from 'electron'

const root = path.resolve(import.meta.dirname, '..', '..')
const { productName, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
app.setAppPath(root)
app.setName(productName)
app.setVersion(version)

const ready = app.whenReady()
const attached = new Promise((resolve) => {
  globalThis.__playwright_run = resolve
})
app.whenReady = async () => {
  await attached
  await ready
}
await import('../../out/main/main.js')
