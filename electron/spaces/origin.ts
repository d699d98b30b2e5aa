import { CompanionError } from '../contract/index.ts'

/** The path at which every Gradio since 5.39 serves MCP; the slash at the end avoids a redirect to plain http. */
const MCP_PATH = '/gradio_api/mcp/'
const SSE_PATH = '/gradio_api/mcp/sse'
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** `null` for what is no absolute URL. */
export const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/**
 * Origin of the running Space, from what the Hub told: `host`, which must be `https://LABEL.hf.space`; the subdomain when
 * there is none. A host elsewhere is no reason to guess another one: the Space would merely look unreachable.
 * A loopback `host` over http counts only while the Hub itself is on loopback (development and tests).
 *
 * @throws CompanionError `space/bad-origin`: custom domains, ports and everything else is never contacted.
 */
export function spaceOrigin(
  info: { readonly slug: string; readonly host?: string; readonly subdomain?: string },
  hubIsLoopback: boolean,
): string {
  if (info.host !== undefined && info.host !== '') {
    const url = parseUrl(/^[a-z]+:\/\//i.test(info.host) ? info.host : `https://${info.host}`)
    if (url !== null && isBare(url) && isAllowedOrigin(url, hubIsLoopback)) return url.origin
    throw new CompanionError('space/bad-origin', { slug: info.slug })
  }
  const label = info.subdomain?.toLowerCase()
  if (label !== undefined && LABEL.test(label)) return `https://${label}.hf.space`
  throw new CompanionError('space/bad-origin', { slug: info.slug })
}

const isBare = (url: URL): boolean =>
  (url.pathname === '/' || url.pathname === '') &&
  url.search === '' &&
  url.hash === '' &&
  url.username === '' &&
  url.password === ''

function isAllowedOrigin(url: URL, hubIsLoopback: boolean): boolean {
  if (url.protocol === 'https:' && url.port === '' && url.hostname.endsWith('.hf.space')) {
    return LABEL.test(url.hostname.slice(0, -'.hf.space'.length))
  }
  return hubIsLoopback && url.protocol === 'http:' && LOOPBACK.has(url.hostname)
}

/**
 * Whether an MCP address from a manifest may be contacted; checked on install, on reading and before each connection, so
 * that an edited file cannot send a token elsewhere. The rule is upstream's: https, `*.hf.space`, no user, port 443, the
 * one path, no query, no fragment; with the loopback exception of {@link spaceOrigin}.
 */
export function isMcpUrl(text: string, hubIsLoopback: boolean): boolean {
  if (/[?#@\s]/.test(text)) return false
  const url = parseUrl(text)
  return url !== null && url.pathname === MCP_PATH && isAllowedOrigin(url, hubIsLoopback)
}

export const mcpUrlOf = (origin: string): string => `${origin}${MCP_PATH}`

/** Address of the older transport beside an MCP address. */
export const sseUrlOf = (mcpUrl: string): string => `${new URL(mcpUrl).origin}${SSE_PATH}`
