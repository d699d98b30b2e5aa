import { app, dialog } from 'electron'

import { fill } from '../strings/fill.ts'

import { crashStep } from './crash-rules.ts'

import type { Log } from '../contract/index.ts'
import type { DesktopWords } from '../strings/desktop.ts'
import type { BrowserWindow } from 'electron'

/** A start takes less than a second; after this long something is wrong and a white window would say nothing. */
const START_LIMIT_MS = 20_000

export interface Watch {
  /** The page asked for something and was answered: it lives. */
  alive: () => void
}

/**
 * Sees to it that a window never stays white: a crashed page is loaded again once, then and when the start or the
 * page hangs a native message says so and offers what can be done.
 */
export function watchWindow(deps: {
  window: BrowserWindow
  words: () => Promise<DesktopWords>
  logs: string
  log: Log
}): Watch {
  const { window, words, logs, log } = deps
  const { webContents } = window
  const crashes: number[] = []
  let asking = false
  let timer: NodeJS.Timeout | undefined

  /** One message at a time; `actions` go with the buttons. */
  const ask = async (
    pick: (all: DesktopWords) => { message: string; detail: string; buttons: readonly string[] },
    actions: readonly (() => void)[],
  ): Promise<void> => {
    if (asking || window.isDestroyed()) return
    asking = true
    try {
      const { message, detail, buttons } = pick(await words())
      const options = { type: 'warning' as const, message, detail, buttons: [...buttons], noLink: true }
      // A window that was never shown cannot carry a message.
      const answer = await (window.isVisible()
        ? dialog.showMessageBox(window, options)
        : dialog.showMessageBox(options))
      if (!window.isDestroyed()) actions[answer.response]?.()
    } catch (error) {
      log.error('a native message failed', { error })
    } finally {
      asking = false
    }
  }

  const reload = (): void => {
    expectStart()
    webContents.reload()
  }
  const quit = (): void => app.quit()
  const restartWithoutGpu = (): void => {
    app.relaunch({ args: [...process.argv.slice(1).filter((word) => word !== '--disable-gpu'), '--disable-gpu'] })
    app.quit()
  }

  const tellLate = (): void => {
    log.error('the window has not started in time')
    const values = { seconds: START_LIMIT_MS / 1000, logs }
    void ask(
      ({ late }) => ({
        message: late.message,
        detail: fill(late.detail, values),
        buttons: [late.wait, late.reload, late.quit],
      }),
      [expectStart, reload, quit],
    )
  }
  function expectStart(): void {
    clearTimeout(timer)
    timer = setTimeout(tellLate, START_LIMIT_MS)
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    const step = crashStep(reason, crashes, Date.now())
    log.error('the page’s process is gone', { reason, exitCode, step })
    crashes.push(Date.now())
    if (step === 'reload') reload()
    if (step === 'ask') {
      clearTimeout(timer)
      void ask(
        ({ crashed }) => ({
          message: crashed.message,
          detail: fill(crashed.detail, { reason }),
          buttons: [crashed.reload, crashed.withoutGpu, crashed.quit],
        }),
        [reload, restartWithoutGpu, quit],
      )
    }
  })
  webContents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
    // −3 is "aborted": another load of the same page took over.
    if (!isMainFrame || code === -3) return
    log.error('the page could not be loaded', { code, description, url })
    tellLate()
  })
  window.on('unresponsive', () => {
    log.warn('the page does not respond')
    void ask(
      ({ hung }) => ({ message: hung.message, detail: hung.detail, buttons: [hung.wait, hung.reload] }),
      [
        () => undefined,
        () => {
          // A page in an endless loop hears no reload: its process has to go first, and is then loaded again.
          webContents.forcefullyCrashRenderer()
        },
      ],
    )
  })
  window.on('closed', () => clearTimeout(timer))
  expectStart()

  return { alive: () => clearTimeout(timer) }
}
