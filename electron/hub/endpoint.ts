/** The public Hub. */
export const DEFAULT_ENDPOINT = 'https://huggingface.co'

export type Endpoint = { ok: true; base: string; loopback: boolean } | { ok: false; text: string }

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * The value of `HF_ENDPOINT` as a base URL without trailing slash. Empty or missing is the public Hub. Accepted: https,
 * or plain http on this computer; no user, no query, no fragment. A path is kept, as mirrors need one
 * (https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables#hfendpoint).
 */
export function parseEndpoint(value: string | undefined): Endpoint {
  const text = (value ?? '').trim()
  if (text === '') return { ok: true, base: DEFAULT_ENDPOINT, loopback: false }
  if (!URL.canParse(text)) return { ok: false, text }
  const url = new URL(text)
  const loopback = LOOPBACK.has(url.hostname)
  const scheme = url.protocol === 'https:' || (url.protocol === 'http:' && loopback)
  const bare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  // `URL` drops an empty query or fragment, the text still shows them.
  if (!scheme || !bare || /[?#]/.test(text)) return { ok: false, text: withoutUser(url) }
  return { ok: true, base: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), loopback }
}

/** A refused value may be shown, a password in it may not. */
function withoutUser(url: URL): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href.slice(0, 200)
}
