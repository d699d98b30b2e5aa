import { setTimeout as sleep } from 'node:timers/promises'

import { chromium } from '@playwright/test'

import type { Browser, Page } from '@playwright/test'
import type { ChildProcess } from 'node:child_process'

const POLL_MS = 20

interface Target {
  readonly type: string
  readonly title: string
}

/** The address of Chromium's debugger, which it writes to stderr. @throws when the program ends first. */
function debuggerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      const address = /DevTools listening on (ws:\S+)/.exec(stderr)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the app ended with ${code}: ${stderr}`)))
  })
}

/**
 * Attaches to a program that was started with `--remote-debugging-port=0`, once its window's page has a title: Playwright
 * waits for ever when it attaches while the first page takes over from the empty one.
 * @param timeoutMs for the page to be there
 * @throws when the program ends or no page comes.
 */
export async function attachTo(child: ChildProcess, timeoutMs: number): Promise<{ browser: Browser; page: Page }> {
  const address = await debuggerOf(child)
  const list = new URL('/json/list', address.replace(/^ws/, 'http'))
  const end = performance.now() + timeoutMs
  for (;;) {
    const targets = (await (await fetch(list)).json()) as Target[]
    if (targets.some(({ type, title }) => type === 'page' && title !== '')) break
    if (performance.now() > end) throw new Error(`no page after ${timeoutMs} ms`)
    await sleep(POLL_MS)
  }
  const browser = await chromium.connectOverCDP(address)
  const page = browser.contexts()[0]?.pages()[0]
  if (page === undefined) throw new Error('the window has no page')
  return { browser, page }
}
