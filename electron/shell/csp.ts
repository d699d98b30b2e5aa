/**
 * The page's content security policy. Scripts only from the app itself; styles from the app and from elements that
 * carry the nonce of this page load (CodeMirror and Radix add such elements). Nothing else of the network is reachable
 * from a page: whatever comes from outside is fetched by the main process.
 * https://www.w3.org/TR/CSP3/
 */
export function buildCsp(nonce: string): string {
  if (!/^[A-Za-z0-9+/=_-]{16,}$/.test(nonce)) throw new Error('a nonce has at least 16 base64 characters')
  const directives: readonly (readonly [string, ...string[]])[] = [
    ['default-src', "'none'"],
    ['script-src', "'self'"],
    ['style-src', "'self'", `'nonce-${nonce}'`],
    ['img-src', "'self'", 'data:', 'blob:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'"],
    ['media-src', "'self'", 'blob:', 'data:'],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
    ['frame-ancestors', "'none'"],
  ]
  return directives.map((directive) => directive.join(' ')).join('; ')
}

/** All headers of a page of ours beside its type. */
export function securityHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': buildCsp(nonce),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
  }
}

/** Writes the nonce into the page, where the renderer's libraries find it. */
export function withNonce(html: string, nonce: string): string {
  const meta = `<meta name="csp-nonce" content="${nonce}" />`
  const existing = /<meta\s+name="csp-nonce"[^>]*>/
  return existing.test(html) ? html.replace(existing, meta) : html.replace(/<head[^>]*>/, (head) => `${head}${meta}`)
}
