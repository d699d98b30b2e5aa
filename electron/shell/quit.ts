import { app } from 'electron'

import { endsWithin } from './ends-within.ts'

import type { Log } from '../contract/index.ts'
import type { BrowserWindow } from 'electron'

/** Everything ends in 5 s; 8 s when the motors hold torque, since the robot lies down first. Half a second is Electron's. */
const LIMIT_MS = 4_500
const LIMIT_WITH_TORQUE_MS = 7_500

/**
 * Electron ends at these by itself, until a library adds a listener of its own and takes it off again (`signal-exit` does):
 * Node then puts the system's default back, which kills. A listener that stays keeps that from happening.
 */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Makes every way to quit the same: the window goes at once, then `dispose` has its time, then the process ends with 0. */
export function quitCleanly(deps: {
  window: () => BrowserWindow | undefined
  motorsHoldTorque: () => boolean
  dispose: () => Promise<void>
  log: Log
}): void {
  const { window, motorsHoldTorque, dispose, log } = deps
  let ending: Promise<void> | undefined

  const end = async (): Promise<void> => {
    const limit = motorsHoldTorque() ? LIMIT_WITH_TORQUE_MS : LIMIT_MS
    const open = window()
    if (open !== undefined && !open.isDestroyed()) open.hide()
    try {
      if (!(await endsWithin(dispose(), limit))) log.error('quitting took too long; the rest was left', { limit })
    } catch (error) {
      log.error('quitting met an error', { error })
    }
    app.exit(0)
  }

  app.on('before-quit', (event) => {
    event.preventDefault()
    ending ??= end()
  })
  app.on('window-all-closed', () => app.quit())
  for (const signal of SIGNALS) process.on(signal, () => app.quit())
}
