import { app } from 'electron'

import { linkAmong } from './deep-link.ts'

import type { Links } from './deep-link.ts'
import type { BrowserWindow } from 'electron'

/**
 * One app per data directory (Electron keys the lock by `userData`). A second start brings the first one's window to
 * the front and ends at once; of its command line nothing counts but a link.
 * @returns false for the second one, which has to end.
 */
export function claimInstance(window: () => BrowserWindow | undefined, links: Links): boolean {
  if (!app.requestSingleInstanceLock()) return false
  const toFront = (): void => {
    const first = window()
    if (first === undefined || first.isDestroyed()) return
    if (first.isMinimized()) first.restore()
    first.show()
    first.focus()
  }
  app.on('second-instance', (_event, argv) => {
    toFront()
    const link = linkAmong(argv)
    if (link !== null) links.arrive(link)
  })
  // On macOS a link comes to the app that runs, without a second start.
  app.on('open-url', toFront)
  return true
}
