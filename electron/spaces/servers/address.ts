import { CompanionError } from '../../contract/index.ts'

export interface Address {
  /** As it is stored and contacted: normalised by the URL parser, without fragment; path and final slash as given. */
  readonly url: string
  readonly plainHttp: boolean
}

/**
 * Reads the address of an MCP server. https may go anywhere; plain http only where it stays on this computer or the
 * local network: loopback, `*.localhost` (RFC 6761), `*.local` (RFC 6762), private (RFC 1918, RFC 4193) and link-local
 * addresses (RFC 3927, RFC 4291). Names that only look like those (`localhost.example.com`) are names like any other.
 *
 * @throws CompanionError `server/bad-address`.
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim()
  const refuse = (): never => {
    throw new CompanionError('server/bad-address', { url: trimmed.slice(0, 200) })
  }
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return refuse()
  const url = new URL(trimmed)
  const plainHttp = url.protocol === 'http:'
  if (url.username !== '' || url.password !== '' || url.hostname === '') return refuse()
  if (plainHttp && !isNear(url.hostname)) return refuse()
  url.hash = ''
  return { url: url.href, plainHttp }
}

/** Whether a host name or address, as the URL parser writes it, stays on this computer or the local network. */
function isNear(hostname: string): boolean {
  if (hostname.startsWith('[')) return isNearV6(hostname.slice(1, -1))
  const v4 = octets(hostname)
  if (v4 !== null) return isNearV4(v4)
  const name = hostname.replace(/\.$/, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || /^(?:[^.]+\.)+local$/.test(name)
}

type Octets = readonly [number, number, number, number]

function octets(text: string): Octets | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  return parts?.every((part) => part <= 255) === true ? (parts as unknown as Octets) : null
}

function isNearV4([a, b]: Octets): boolean {
  return (
    a === 127 || a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168) || (a === 169 && b === 254)
  )
}

/** @param text as the URL parser writes it: lower case, zeros shortened, IPv4 at the end in hexadecimal */
function isNearV6(text: string): boolean {
  if (text === '::1') return true
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text)
  if (mapped !== null) {
    const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
    return isNearV4([high >> 8, high & 255, low >> 8, low & 255])
  }
  return /^f[cd][0-9a-f]{2}:/.test(text) || /^fe[89ab][0-9a-f]:/.test(text)
}
