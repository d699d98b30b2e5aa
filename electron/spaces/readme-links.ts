/** Where the relative addresses of a README lead. */
export interface ReadmeBase {
  /** Folder that relative links are read against, with a slash at the end. */
  readonly pages: string
  /** The same for pictures: the raw files. */
  readonly files: string
  /** Plain http to this computer stays as it is (a Hub on loopback); any other http becomes https. */
  readonly loopbackHttp: boolean
}

/** Longest address that is kept. */
const MAX_ADDRESS = 2_000

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  colon: ':',
  tab: '\t',
  newline: '\n',
  lpar: '(',
  rpar: ')',
  sol: '/',
}

/** The character references that HTML and Markdown resolve in addresses and code (HTML 13.5), as far as they matter here. */
export function decodeReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? whole
    const code = typeof decimal === 'string' ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Characters that would end the address, or mean something else, inside Markdown. */
const MARKUP = /[()<>[\]`|\\"'\s]|&(?=#?\w{1,32};)/g

export type Target =
  | { readonly kind: 'ok'; readonly url: string }
  /** An address that runs code. */
  | { readonly kind: 'script' }
  /** Everything that leads nowhere from here: fragments, mail, other schemes, user info, what is no address. */
  | { readonly kind: 'none' }

/** An address of a README as an absolute https one. */
export function resolveTarget(text: string, folder: string, loopbackHttp: boolean): Target {
  // Browsers ignore these inside an address, and so may hide a scheme.
  const address = decodeReferences(text).replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e]/g, (one) =>
    one === ' ' ? '%20' : '',
  )
  const trimmed = address.replace(/^(?:%20)+|(?:%20)+$/g, '')
  if (/^(?:javascript|vbscript|livescript)\s*:/i.test(trimmed)) return { kind: 'script' }
  if (trimmed === '' || trimmed.startsWith('#') || trimmed.length > MAX_ADDRESS) return { kind: 'none' }
  if (!URL.canParse(trimmed, folder)) return { kind: 'none' }
  const url = new URL(trimmed, folder)
  if (url.username !== '' || url.password !== '') return { kind: 'none' }
  if (url.protocol === 'http:' && !(loopbackHttp && LOOPBACK.has(url.hostname))) url.protocol = 'https:'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { kind: 'none' }
  const safe = url.href.replace(MARKUP, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  return safe.length > MAX_ADDRESS ? { kind: 'none' } : { kind: 'ok', url: safe }
}
