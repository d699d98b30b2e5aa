import { lookup } from 'node:dns/promises'

import { CompanionError } from '../contract/index.ts'

import { pictureKind } from './picture-kind.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

import type { ToolImage } from '../contract/index.ts'

/** Addresses of a host; for tests. */
export type Lookup = (host: string) => Promise<readonly { readonly address: string }[]>

export interface PictureDeps {
  readonly fetch: typeof globalThis.fetch
  readonly hub: { endpoint(): string; isLoopback(): boolean }
  /** The Hub token. It goes to the Hub only, and only for a private Space. */
  readonly token: () => Promise<string | null>
  readonly lookup?: Lookup
  /** Milliseconds in all. */
  readonly timeoutMs?: number
}

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const resolveHost: Lookup = (host) => lookup(host, { all: true })

/**
 * Fetches a picture from anywhere on the public internet, without cookies, referrer or (but to the Hub) token. Each
 * address on the way is looked at before it is asked: a README must not make this computer ask its own network.
 *
 * @throws CompanionError `space/bad-origin` for an address that is not asked, `space/unreachable`, `space/timeout`,
 * `space/too-large`, `space/protocol` when it is no picture (PNG, JPEG, GIF, WebP, AVIF, told by the bytes)
 */
export async function fetchPicture(address: string, isPrivate: boolean, deps: PictureDeps): Promise<ToolImage> {
  const timeoutMs = deps.timeoutMs ?? TIMEOUT_MS
  const signal = AbortSignal.timeout(timeoutMs)
  let host = ''
  try {
    let url = new URL(address)
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      host = url.host
      await requireAllowed(url, deps, signal)
      const response = await deps.fetch(url.href, {
        redirect: 'manual',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        headers: {
          accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
          ...(await auth(url, isPrivate, deps)),
        },
        signal,
      })
      const location = response.headers.get('location')
      if (!REDIRECTS.has(response.status) || location === null) return await readPicture(response, host)
      await response.body?.cancel()
      if (!URL.canParse(location, url.href)) break
      url = new URL(location, url.href)
    }
    throw new CompanionError('space/unreachable', { slug: host })
  } catch (error) {
    if (error instanceof CompanionError) throw error
    if (signal.aborted) throw new CompanionError('space/timeout', { slug: host, seconds: Math.round(timeoutMs / 1000) })
    throw new CompanionError('space/unreachable', { slug: host }, { cause: error })
  }
}

async function auth(url: URL, isPrivate: boolean, deps: PictureDeps): Promise<Record<string, string>> {
  if (!isPrivate || url.origin !== new URL(deps.hub.endpoint()).origin) return {}
  const token = await deps.token()
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

async function requireAllowed(url: URL, deps: PictureDeps, signal: AbortSignal): Promise<void> {
  const refused = new CompanionError('space/bad-origin', { slug: url.host })
  const local = deps.hub.isLoopback()
  if (url.username !== '' || url.password !== '') throw refused
  if (url.protocol !== 'https:' && !(local && url.protocol === 'http:')) throw refused
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await until((deps.lookup ?? resolveHost)(bare), signal)
  // Plain http is for this computer alone, where the stand-in Hub of tests runs.
  const isFine = ({ address }: { readonly address: string }): boolean =>
    (local && isLoopbackAddress(address)) || (url.protocol === 'https:' && isPublicAddress(address))
  if (addresses.length === 0 || !addresses.every(isFine)) throw refused
}

/** The resolver of the system cannot be stopped; its answer is not waited for any longer. */
async function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

async function readPicture(response: Response, host: string): Promise<ToolImage> {
  const tooLarge = new CompanionError('space/too-large', { slug: host })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new CompanionError('space/unreachable', { slug: host, status: response.status })
  }
  if (Number(response.headers.get('content-length') ?? 0) > MAX_PICTURE_BYTES) {
    await response.body.cancel()
    throw tooLarge
  }
  const chunks: Uint8Array[] = []
  let total = 0
  // Leaving the loop ends the transfer.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    total += chunk.byteLength
    if (total > MAX_PICTURE_BYTES) throw tooLarge
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const mimeType = pictureKind(bytes)
  if (mimeType === null) throw new CompanionError('space/protocol', { slug: host })
  return { mimeType, data: bytes.toString('base64') }
}
