import { isAppUrl } from './assets.ts'

/** What is looked at of the one who asks; Electron's `IpcMainInvokeEvent` has it. */
export interface Asker {
  readonly sender: object
  /** `null` when the frame has gone to another page meanwhile. */
  readonly senderFrame: { readonly url: string } | null
}

/** The one window that may ask. */
export interface OurWindow {
  isDestroyed(): boolean
  readonly webContents: { readonly mainFrame: object }
}

/** Our window, its main frame, a page of ours: all three, or the request is not even read. */
export function isTrusted({ sender, senderFrame }: Asker, window: OurWindow): boolean {
  if (senderFrame === null || window.isDestroyed()) return false
  return sender === window.webContents && senderFrame === window.webContents.mainFrame && isAppUrl(senderFrame.url)
}
