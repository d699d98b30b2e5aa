import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { protocol } from 'electron'

import { APP_SCHEME, assetPath, assetsNamedIn, mediaType } from './assets.ts'
import { securityHeaders, withNonce } from './csp.ts'
import { withLook } from './page-look.ts'

import type { Log } from '../contract/index.ts'
import type { PageLook } from './window-state.ts'

/** Makes `app:` a scheme like https. To be called before Electron is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/**
 * Serves the built renderer, and nothing else, at `app://companion/`. `root` may lie inside an asar archive.
 * @param look how the page is to draw its first frame, `null` when it has to ask for the settings first
 * @returns when the first page was handed out with everything that it names: scripts, modules to preload, styles. The
 * main thread is free then, while the page's process reads them.
 */
export function serveApp(root: string, look: () => PageLook | null, log: Log): Promise<void> {
  let tellFirst: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    tellFirst = resolve
  })
  /** What the first page names and has not got yet; `null` before that page was asked for. */
  let awaited: Set<string> | null = null
  const handedOut = (asset: string, page: string | null): void => {
    if (page === null) awaited?.delete(asset)
    else awaited ??= new Set(assetsNamedIn(page))
    if (awaited?.size === 0) setImmediate(tellFirst)
  }
  const nothing = (url: string): Response => {
    log.warn('no such page', { url })
    return new Response('Not found', { status: 404, headers: { 'Content-Type': 'text/plain' } })
  }
  protocol.handle(APP_SCHEME, async (request) => {
    const asset = assetPath(request.url)
    const type = asset === null ? null : mediaType(asset)
    if (asset === null || type === null || request.method !== 'GET') return nothing(request.url)
    try {
      const bytes = await readFile(path.join(root, asset))
      // The nonce is new for every load of a page; it means nothing on other files.
      const nonce = randomBytes(18).toString('base64')
      const isPage = asset.endsWith('.html')
      const body = isPage ? withLook(withNonce(bytes.toString('utf8'), nonce), look()) : new Uint8Array(bytes)
      handedOut(asset, typeof body === 'string' ? body : null)
      return new Response(body, { headers: { ...securityHeaders(nonce), 'Content-Type': type } })
    } catch (error) {
      log.warn('page cannot be read', { asset, error })
      return nothing(request.url)
    }
  })
  return first
}
