import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { protocol } from 'electron'

import { APP_SCHEME, assetPath, mediaType } from './assets.ts'
import { securityHeaders, withNonce } from './csp.ts'

import type { Log } from '../contract/index.ts'

/** Makes `app:` a scheme like https. To be called before Electron is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serves the built renderer, and nothing else, at `app://companion/`. `root` may lie inside an asar archive. */
export function serveApp(root: string, log: Log): void {
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
      const body = asset.endsWith('.html') ? withNonce(bytes.toString('utf8'), nonce) : new Uint8Array(bytes)
      return new Response(body, { headers: { ...securityHeaders(nonce), 'Content-Type': type } })
    } catch (error) {
      log.warn('page cannot be read', { asset, error })
      return nothing(request.url)
    }
  })
}
