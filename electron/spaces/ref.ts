import { CompanionError } from '../contract/index.ts'
import { stripLikePython } from '../mcp/index.ts'

import { parseUrl } from './origin.ts'

export type SpaceRef =
  { readonly kind: 'slug'; readonly slug: string } | { readonly kind: 'subdomain'; readonly label: string }

/** What upstream accepts, so that each entry we write can be read by every version of it. */
const SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/
const HUB_HOSTS = new Set(['huggingface.co', 'www.huggingface.co', 'hf.co', 'www.hf.co'])
const SPACE_HOST = /^([a-z0-9][a-z0-9-]*)\.hf\.space$/

/** Whether the whole text is `owner/name` by upstream's pattern. */
export const isSlug = (text: string): boolean => SLUG.test(text)

/**
 * Reads what a person typed or pasted for a Space: `owner/name`, `spaces/owner/name`, a link to its page on the Hub (any
 * subpage, query or fragment), or a link to the running app on `*.hf.space`. Asks nobody.
 *
 * @param hubEndpoint origin of the Hub in use, whose links count as well
 * @throws CompanionError `space/bad-name` with `details.text`.
 */
export function parseSpaceRef(text: string, hubEndpoint?: string): SpaceRef {
  const typed = stripLikePython(text)
  const bad = (): CompanionError => new CompanionError('space/bad-name', { text: typed.slice(0, 200) })

  const url = asUrl(typed, hubEndpoint)
  if (url === 'unusable') throw bad()
  if (url === null) {
    const slug = slugOfPath(typed.replace(/\/$/, '').split('/'), { pageAllowed: false })
    if (slug === null) throw bad()
    return { kind: 'slug', slug }
  }
  const label = SPACE_HOST.exec(url.host)?.[1]
  if (label !== undefined) return { kind: 'subdomain', label }
  if (!isHubHost(url, hubEndpoint)) throw bad()
  const slug = slugOfPath(url.pathname.split('/').slice(1), { pageAllowed: true })
  if (slug === null) throw bad()
  return { kind: 'slug', slug }
}

/** `null`: not a link. Links without a scheme are told by their host. */
function asUrl(text: string, hubEndpoint: string | undefined): URL | 'unusable' | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!hasScheme) {
    const host = (text.split(/[/?#]/)[0] ?? '').toLowerCase()
    if (!HUB_HOSTS.has(host) && !SPACE_HOST.test(host) && host !== hostOf(hubEndpoint)) return null
  }
  const url = parseUrl(hasScheme ? text : `https://${text}`)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'unusable'
  return url.username === '' && url.password === '' ? url : 'unusable'
}

const hostOf = (endpoint: string | undefined): string | undefined =>
  endpoint === undefined ? undefined : parseUrl(endpoint)?.host

const isHubHost = (url: URL, hubEndpoint: string | undefined): boolean =>
  HUB_HOSTS.has(url.host) || url.host === hostOf(hubEndpoint)

/** Each part is decoded once. With `pageAllowed` the path must begin with `spaces` and may go on behind the name. */
function slugOfPath(parts: readonly string[], { pageAllowed }: { pageAllowed: boolean }): string | null {
  const prefixed = parts[0]?.toLowerCase() === 'spaces' && parts.length > (pageAllowed ? 0 : 2)
  if (pageAllowed && !prefixed) return null
  const rest = prefixed ? parts.slice(1) : parts
  if (!pageAllowed && rest.length !== 2) return null
  const slug = rest.slice(0, 2).map(decodeOnce).join('/')
  return SLUG.test(slug) ? slug : null
}

/** A broken escape is left as it is; the pattern refuses its `%`. */
function decodeOnce(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
