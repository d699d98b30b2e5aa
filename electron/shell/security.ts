import { app, session } from 'electron'

import { isAppUrl } from './assets.ts'
import { isPermissionAllowed, isSavable } from './security-rules.ts'

import type { Log } from '../contract/index.ts'
import type { WebContents } from 'electron'

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
    if (isSavable(item.getURL())) return
    log.warn('a download was refused', { url: item.getURL() })
    event.preventDefault()
  })
}
