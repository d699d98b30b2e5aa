import { app, Menu, nativeImage, Tray } from 'electron'

import { trayTemplate } from './tray-menu.ts'

import type { Log } from '../contract/index.ts'
import type { DesktopWords } from '../strings/desktop.ts'
import type { BrowserWindow } from 'electron'

/** Points of an icon in the menu bar of macOS; other systems take the picture as it is. */
const MAC_POINTS = 16

export interface TrayIcon {
  /** Puts the icon up, or its menu in another language. */
  follow(words: DesktopWords): void
  dispose(): void
}

/**
 * The icon in the system's bar: Emergency stop is there while the window is hidden, covered or hung. A system without such a
 * bar shows none, which is no fault.
 * @param options `icon` is the file of its picture.
 */
export function createTray(options: {
  icon: string
  window: BrowserWindow
  emergencyStop: () => void
  log: Log
}): TrayIcon {
  const { icon, window, emergencyStop, log } = options
  let tray: Tray | null = null
  let refused = false
  let words: DesktopWords | null = null

  const make = (): Tray | null => {
    try {
      const picture = nativeImage.createFromPath(icon)
      const made = new Tray(process.platform === 'darwin' ? picture.resize({ width: MAC_POINTS }) : picture)
      made.setToolTip(app.name)
      return made
    } catch (error) {
      log.info('there is no place for an icon in the system’s bar', { error: String(error) })
      refused = true
      return null
    }
  }

  const actions = {
    emergencyStop,
    toggleWindow() {
      if (window.isVisible() && !window.isMinimized()) window.hide()
      else {
        if (window.isMinimized()) window.restore()
        window.show()
        window.focus()
      }
    },
    quit: () => app.quit(),
  }

  const show = (): void => {
    if (words === null || refused || window.isDestroyed()) return
    tray ??= make()
    const visible = window.isVisible() && !window.isMinimized()
    tray?.setContextMenu(Menu.buildFromTemplate(trayTemplate(words, actions, { visible })))
  }
  window.on('show', show)
  window.on('hide', show)
  window.on('minimize', show)
  window.on('restore', show)

  return {
    follow(next) {
      words = next
      show()
    },
    dispose() {
      tray?.destroy()
      tray = null
      refused = true
    },
  }
}
