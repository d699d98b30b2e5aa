import { app, session } from 'electron'

import { isAppUrl } from './assets.ts'

import type { Log } from '../contract/index.ts'
import type { WebContents } from 'electron'

/** What a page of ours may ask the system for: writing a text to the clipboard, for the copy buttons. */
export function isPermissionAllowed(permission: string, url: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(url)
}

/** Whether an address may be handed to the system's browser: https, or http to this machine (a Hub for trying out). */
export function isOpenable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  const local = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && local)
}

/** A page may load itself again, and nothing else: no other page, no window, no frame of another kind. */
function closeIn(contents: WebContents, log: Log): void {
  contents.setWindowOpenHandler(({ url }) => {
    log.warn('a new window was refused', { url })
    return { action: 'deny' }
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  const refuseForeign = (event: { url: string; isMainFrame: boolean; preventDefault: () => void }): void => {
    if (isAppUrl(event.url) && event.isMainFrame) return
    log.warn('a navigation was refused', { url: event.url })
    event.preventDefault()
  }
  contents.on('will-navigate', refuseForeign)
  contents.on('will-redirect', refuseForeign)
  contents.on('will-frame-navigate', refuseForeign)
}

/**
 * Closes what Electron leaves open: windows, navigation, webviews and permissions. To be called before the first
 * window; https://www.electronjs.org/docs/latest/tutorial/security
 */
export function lockDown(log: Log): void {
  app.on('web-contents-created', (_event, contents) => closeIn(contents, log))
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, callback, details) =>
    callback(isPermissionAllowed(permission, details.requestingUrl)),
  )
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermissionAllowed(permission, `${origin}/`),
  )
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.on('will-download', (event, item) => {
    log.warn('a download was refused', { url: item.getURL() })
    event.preventDefault()
  })
}
