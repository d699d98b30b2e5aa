import { isIP } from 'node:net'

import { CompanionError } from '../../contract/index.ts'

/** Port that a daemon listens on unless it is told otherwise (`--fastapi-port`). */
const DAEMON_PORT = 8000

/** Characters of a host name (RFC 1035 §2.3.4). */
const LONGEST_HOST = 253

/** Private and link-local ranges of IPv4 (RFC 1918, RFC 3927). */
const PRIVATE_V4 = /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/

/** Whether a host is this computer or a neighbour in the same network: there the daemon speaks plain http. */
export function isNearby(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(bare) === 4) return PRIVATE_V4.test(bare)
  // ::1, unique local fc00::/7 (RFC 4193), link-local fe80::/10 (RFC 4291).
  if (isIP(bare) === 6) return bare === '::1' || /^f[cd]/.test(bare) || /^fe[89ab]/.test(bare)
  return bare === 'localhost' || bare.endsWith('.local') || !bare.includes('.')
}

/**
 * The base address of a daemon from what a person typed: a host (`reachy-mini.local`), `host:port`, or a whole address.
 * Plain http goes to nearby hosts only: the daemon knows no password.
 * @returns without a slash at the end.
 * @throws CompanionError `robot/bad-place` when it is no such address.
 */
export function daemonAddress(text: string): string {
  const trimmed = text.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  const bad = new CompanionError('robot/bad-place')
  if (trimmed === '' || !URL.canParse(whole)) throw bad
  const url = new URL(whole)
  if (url.hostname.length > LONGEST_HOST) throw bad
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/')
    throw bad
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNearby(url.hostname))) throw bad
  // Only a daemon behind somebody's own https server is on another port than its usual one without saying so.
  if (url.protocol === 'http:' && url.port === '' && !/:80\/?$/.test(whole)) url.port = String(DAEMON_PORT)
  return url.origin
}

/** Address of the daemon's socket for streamed targets and joints. */
export function socketAddress(base: string): string {
  return `${base.replace(/^http/, 'ws')}/ws/sdk`
}
