import { ipcMain } from 'electron'

import { EVENT_CHANNEL, REQUEST_CHANNEL } from '../contract/channels.ts'

import { isTrusted } from './sender.ts'

import type { Emit } from './handlers.ts'
import type { Router } from './router.ts'
import type { BrowserWindow } from 'electron'

/** Answers everything with why the rooms are not there. */
async function routerOfFailure(error: unknown): Promise<Router> {
  const { failureOf } = await import('../failure.ts')
  const failure = failureOf(error)
  return () => Promise.resolve({ ok: false, error: failure })
}

/**
 * Opens the request channel for a window. A request that comes before the rooms are there waits for them.
 * `onAnswer` tells of every answer, by which the start is judged.
 */
export function serveRequests(window: BrowserWindow, router: Promise<Router>, onAnswer: () => void): void {
  const answering = router.catch(routerOfFailure)
  ipcMain.handle(REQUEST_CHANNEL, async (event, route: unknown, payload: unknown) => {
    const trusted = isTrusted(event, window)
    const answer = await (await answering)({ trusted }, route, payload)
    if (trusted) onAnswer()
    return answer
  })
}

/** Sends events to the window. The robot's state, up to 20 times a second, only while somebody can see it. */
export function createEmit(window: BrowserWindow): Emit {
  return (event, payload) => {
    if (window.isDestroyed() || window.webContents.isCrashed()) return
    if (event === 'robot.changed' && !isSeen(window)) return
    window.webContents.send(EVENT_CHANNEL, event, payload)
  }
}

export const isSeen = (window: BrowserWindow): boolean => window.isVisible() && !window.isMinimized()
