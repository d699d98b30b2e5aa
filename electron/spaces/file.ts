import { Buffer } from 'node:buffer'

import { CompanionError } from '../contract/index.ts'

import { fileNameOf, kindOf } from './file-kind.ts'
import { parseUrl } from './origin.ts'

export interface FileDeps {
  readonly fetch: typeof globalThis.fetch
  /** For the request; a token is among them for private Spaces only. */
  readonly headers: Readonly<Record<string, string>>
  readonly limits: FileLimits
}

/** Bytes and milliseconds. */
export interface FileLimits {
  readonly bytes: number
  readonly ms: number
}

export const DEFAULT_FILE_LIMITS: FileLimits = { bytes: 25 * 1024 * 1024, ms: 30_000 }

export interface SpaceFile {
  readonly bytes: Uint8Array
  /** What the bytes are, whatever the server says. */
  readonly mimeType: string
  readonly name: string
}

/** Gradio serves files of its results below it (`api_prefix` of its config is `/gradio_api` unless the app changed it). */
const FILE_PATH = /^(?:\/[A-Za-z0-9_-]{1,40}){0,2}\/file=/

/**
 * Whether an address may be fetched as a file of the Space at `mcpUrl`: on its own origin, Gradio's file route, nothing
 * of a user or another path in it.
 */
export function fileUrl(text: string, mcpUrl: string): URL | null {
  const url = parseUrl(text)
  if (url === null || url.origin !== new URL(mcpUrl).origin || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return FILE_PATH.test(url.pathname) ? url : null
}

/**
 * Fetches a file that a result names. Redirects are refused, since they could lead a token elsewhere.
 *
 * @param space whose result named it
 * @throws CompanionError `space/bad-origin`, `space/too-large`, `space/timeout`, `space/unauthorized`, `space/file-gone`,
 * `space/not-running`, `space/unreachable`, `space/dropped`, `tools/cancelled`.
 */
export async function fetchFile(
  space: { readonly slug: string; readonly mcpUrl: string },
  text: string,
  deps: FileDeps,
  signal?: AbortSignal,
): Promise<SpaceFile> {
  const { slug } = space
  const { limits } = deps
  const url = fileUrl(text, space.mcpUrl)
  if (url === null) throw new CompanionError('space/bad-origin', { slug })
  const late = AbortSignal.timeout(limits.ms)
  const both = signal === undefined ? late : AbortSignal.any([signal, late])
  let answered = false
  try {
    const response = await deps.fetch(url, { redirect: 'manual', headers: deps.headers, signal: both })
    answered = true
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel()
      throw failureOf(response, slug)
    }
    const bytes = await readUpTo(response, response.body, limits.bytes, slug)
    const mimeType = kindOf(bytes)
    return { bytes, mimeType, name: fileNameOf(decodedPath(url), mimeType) }
  } catch (error) {
    if (signal?.aborted === true) throw new CompanionError('tools/cancelled', { slug, id: slug }, { cause: error })
    if (error instanceof CompanionError) throw error
    if (late.aborted) throw new CompanionError('space/timeout', { slug, step: 'file', seconds: limits.ms / 1000 })
    throw new CompanionError(answered ? 'space/dropped' : 'space/unreachable', { slug }, { cause: error })
  }
}

function failureOf(response: Response, slug: string): CompanionError {
  const { status } = response
  // `manual` gives an opaque answer without a status in browsers, and the real one in Node.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    return new CompanionError('space/bad-origin', { slug, status })
  if (status === 401) return new CompanionError('space/unauthorized', { slug, status })
  // Gradio answers 403 for files that it deleted.
  if (status === 403 || status === 404 || status === 410) return new CompanionError('space/file-gone', { slug, status })
  if (status === 429) return new CompanionError('space/rate-limited', { slug, status, seconds: 60 })
  return new CompanionError('space/not-running', { slug, status, stage: `HTTP ${status}` })
}

async function readUpTo(
  response: Response,
  body: ReadableStream<Uint8Array>,
  limit: number,
  slug: string,
): Promise<Uint8Array> {
  const tooLarge = (): CompanionError => new CompanionError('space/too-large', { slug, limit })
  if (Number(response.headers.get('content-length') ?? 0) > limit) {
    await body.cancel()
    throw tooLarge()
  }
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of body) {
    total += chunk.byteLength
    if (total > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, total)
}

/** A broken escape is left as it is. */
function decodedPath(url: URL): string {
  try {
    return decodeURIComponent(url.pathname)
  } catch (error) {
    if (error instanceof URIError) return url.pathname
    throw error
  }
}
