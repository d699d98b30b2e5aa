import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { _electron, expect, test as base } from '@playwright/test'

import { presentRuntime } from '../scripts/lib/electron.mjs'

import type { Runtime } from '../scripts/lib/electron.mjs'
import type { ConsoleMessage, ElectronApplication, Page } from '@playwright/test'

export { expect } from '@playwright/test'

const root = path.resolve(import.meta.dirname, '..')
/** The app as it is, except that it waits for Playwright. */
const heldApp = path.join(import.meta.dirname, 'held-app')
/** A start takes one to five seconds, the longer time with both cores busy. */
const LAUNCH_MS = 30_000

export interface LaunchOptions {
  /** Added to a small environment; nothing of the developer's own settings and keys gets in. */
  readonly env?: Readonly<Record<string, string>>
  /** An existing data directory; else an empty one, deleted afterwards. */
  readonly dataDir?: string
  readonly args?: readonly string[]
  /** Files of the data directory that are there before the start, by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Draw in three dimensions. Off by default: without a GPU it takes both cores. */
  readonly webgl?: boolean
  /** Console errors that the test provokes. */
  readonly allow?: readonly RegExp[]
}

export interface RunningApp {
  readonly app: ElectronApplication
  readonly page: Page
  readonly dataDir: string
  /** What the main process wrote to stderr so far. */
  stderr: () => string
  /** Quits like a person does; resolves with exit code and duration (ms). */
  close: () => Promise<{ code: number | null; ms: number }>
  /** Ends it at once, without lying down first. */
  kill: () => Promise<void>
}

/** The Electron that `npm test` prepared. */
export function runtime(): Runtime {
  const found = presentRuntime()
  if (found === null) throw new Error('There is no Electron yet: run `npm test` or `node scripts/prepare.mjs` first.')
  return found
}

/** Flags of every start: root may not use the sandbox; the newer software renderer has to be asked for. */
export function chromiumArguments(version: string, webgl: boolean): string[] {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0
  const major = Number.parseInt(version, 10)
  return [
    ...(asRoot ? ['--no-sandbox'] : []),
    ...(webgl ? (major > 33 ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : []) : ['--disable-3d-apis']),
  ]
}

/** The system's variables without anything that the app reads; the Hub is where nobody listens. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const foreign = /^(HF_|OPENAI_|REACHY_MINI_|AUTOLOAD_EXTERNAL_TOOLS|ELECTRON_(?!OVERRIDE)|NODE_OPTIONS)/
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !foreign.test(entry[0]),
  )
  return {
    ...Object.fromEntries(kept),
    LANG: 'en_US.UTF-8',
    LANGUAGE: 'en',
    HF_ENDPOINT: 'http://127.0.0.1:9',
    ...extra,
  }
}

const isProblem = (message: ConsoleMessage): boolean =>
  message.type() === 'error' || /Electron Security Warning|Content Security Policy/.test(message.text())

/** Console errors, exceptions and refused loads of a page, from its first moment on. */
async function problemsOf(page: Page, allow: readonly RegExp[]): Promise<string[]> {
  if (page.isClosed()) return []
  const messages = (await page.consoleMessages()).filter(isProblem).map((message) => message.text())
  const errors = (await page.pageErrors()).map((error) => error.stack ?? error.message)
  return [...messages, ...errors].filter((text) => !allow.some((pattern) => pattern.test(text)))
}

async function launch(
  options: LaunchOptions,
  dataDir: string,
): Promise<{ running: RunningApp; problems: () => Promise<string[]> }> {
  const { executable, version } = runtime()
  const app = await _electron.launch({
    executablePath: executable,
    args: [
      ...chromiumArguments(version, options.webgl ?? false),
      heldApp,
      '--data-dir',
      dataDir,
      ...(options.args ?? []),
    ],
    cwd: root,
    env: cleanEnvironment(options.env),
    timeout: LAUNCH_MS,
  })
  askAgainWhenCollected(app)
  const child = app.process()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const page = await app.firstWindow({ timeout: LAUNCH_MS }).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw new Error(`The app opened no window. It said:\n${stderr}`, { cause: error })
  })
  let found: string[] = []
  let ended = false
  const allow = options.allow ?? []
  // Once the process is gone there is nothing left to ask, even before Playwright has noticed.
  const look = async (): Promise<string[]> => {
    if (!ended) found = [...new Set([...found, ...(await problemsOf(page, allow))])]
    return found
  }
  return {
    problems: look,
    running: {
      app,
      page,
      dataDir,
      stderr: () => stderr,
      async close() {
        await look()
        const start = performance.now()
        if (child.exitCode === null && child.signalCode === null) {
          // The answer may be cut off by the end of the process itself.
          await app.evaluate(({ app: electronApp }) => setImmediate(() => electronApp.quit())).catch(() => undefined)
        }
        const code = await exited
        ended = true
        return { code, ms: performance.now() - start }
      },
      async kill() {
        await look()
        child.kill('SIGKILL')
        await exited
        ended = true
      },
    },
  }
}

/**
 * V8 may collect the promise by which Playwright waits for an answer of the main process, chiefly while the app starts;
 * what was asked has been done then, or is done again.
 */
function askAgainWhenCollected(app: ElectronApplication): void {
  const evaluate = app.evaluate.bind(app) as (...args: unknown[]) => Promise<unknown>
  const again = async (...args: unknown[]): Promise<unknown> => {
    for (let left = 3; ; left -= 1) {
      try {
        return await evaluate(...args)
      } catch (error) {
        if (left === 0 || !String(error).includes('promise was garbage collected')) throw error
      }
    }
  }
  Object.assign(app, { evaluate: again })
}

/** Playwright's `test` with `launchApp`. A test fails when a page it opened reported an error or a refused load. */
export const test = base.extend<{ launchApp: (options?: LaunchOptions) => Promise<RunningApp> }>({
  launchApp: async ({}, use) => {
    const opened: { running: RunningApp; problems: () => Promise<string[]> }[] = []
    const folders: string[] = []
    await use(async (options = {}) => {
      let { dataDir } = options
      if (dataDir === undefined) {
        dataDir = await mkdtemp(path.join(os.tmpdir(), 'companion-'))
        folders.push(dataDir)
      }
      for (const [name, content] of Object.entries(options.files ?? {})) {
        await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true })
        await writeFile(path.join(dataDir, name), content)
      }
      const started = await launch(options, dataDir)
      opened.push(started)
      return started.running
    })
    for (const { running, problems } of opened) {
      const found = await problems()
      // Quitting properly takes seconds, since the robot lies down first; the tests of quitting ask for it.
      await running.kill()
      expect(found, 'errors and refused loads of the page').toEqual([])
    }
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  },
})
