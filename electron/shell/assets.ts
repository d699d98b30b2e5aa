import path from 'node:path'

/** Scheme and host of the app's own pages. The scheme is standard, so this is an origin as on the web. */
export const APP_SCHEME = 'app'
export const APP_ORIGIN = 'app://companion'
export const START_URL = `${APP_ORIGIN}/index.html`

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Media type by file name; `null` for a kind of file that the app does not serve. */
export function mediaType(file: string): string | null {
  return TYPES[path.extname(file).toLowerCase()] ?? null
}

/** Whether a page address is the app's own. */
export function isAppUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  return protocol === `${APP_SCHEME}:` && host === 'companion'
}

/** The files that a page names, relative to the renderer's folder: scripts, modules to preload, styles. */
export function assetsNamedIn(page: string): string[] {
  return [...page.matchAll(/\b(?:src|href)="\.\/([^"]+)"/g)].flatMap(([, file]) => (file === undefined ? [] : [file]))
}

/**
 * The file of a request, relative to the renderer's folder, or `null` when there is nothing to serve. The parser has
 * resolved `..` already; what is left to refuse are separators and dots that come in encoded.
 */
export function assetPath(url: string): string | null {
  if (!isAppUrl(url)) return null
  let pathname: string
  try {
    pathname = decodeURIComponent(new URL(url).pathname)
  } catch {
    // A stray percent sign: no file of ours has such a name.
    return null
  }
  const segments = pathname.split('/').slice(1)
  if (segments.length === 1 && segments[0] === '') return 'index.html'
  const wrong = segments.some((segment) => segment === '' || segment.startsWith('.') || /[\\:\0]/.test(segment))
  return wrong ? null : segments.join('/')
}
