import { app } from 'electron'

import type { BrowserWindow } from 'electron'

/**
 * One app per data directory (Electron keys the lock by `userData`). A second start brings the first one's window to
 * the front and ends at once.
 * @returns false for the second one, which has to end.
 */
export function claimInstance(window: () => BrowserWindow | undefined): boolean {
  if (!app.requestSingleInstanceLock()) return false
  app.on('second-instance', () => {
    const first = window()
    if (first === undefined || first.isDestroyed()) return
    if (first.isMinimized()) first.restore()
    first.show()
    first.focus()
  })
  return true
}
