import { CompanionError } from '../contract/index.ts'

import { MAX_FILE, MAX_FILES, MAX_FILES_BYTES } from './results.ts'
import { mimeOf } from './sniff.ts'
import { cut, visible } from './text.ts'

import type { Log, Problem, ToolFile } from '../contract/index.ts'
import type { McpResult } from '../mcp/index.ts'

/** Fetches one file of a Space; see `Spaces.file`. */
export type FetchFile = (
  url: string,
  signal: AbortSignal,
) => Promise<{ bytes: Uint8Array; mimeType: string; name: string }>

/** Gradio's route for files (`gradio/routes.py`, `/gradio_api/file={path}`; before version 5 without the prefix). */
const FILE_ROUTE = /\/file=./

/**
 * The blocks that are nothing but the address of a file on the server's own origin, by their number: so Gradio answers
 * sounds, videos and files (`gradio/mcp.py`). An address behind a picture belongs to that picture.
 * @param origin of the server, as `https://owner-name.hf.space`.
 */
export function fileAddresses(answer: McpResult, origin: string): Map<number, string> {
  const found = new Map<number, string>()
  answer.content.forEach((block, k) => {
    if (block.type !== 'text' || answer.content[k - 1]?.type === 'image') return
    const text = block.text.trim()
    if (text.length > 4_000 || /\s/.test(text) || !URL.canParse(text)) return
    const url = new URL(text)
    const plain = url.username === '' && url.password === ''
    if (plain && url.origin === origin && FILE_ROUTE.test(url.pathname)) found.set(k, text)
  })
  return found
}

/** Fetches them one after another within the limits of an answer. What cannot be had keeps its reason. */
export async function fetchFiles(
  addresses: ReadonlyMap<number, string>,
  fetchFile: FetchFile,
  signal: AbortSignal,
  log: Log,
): Promise<Map<number, ToolFile>> {
  const files = new Map<number, ToolFile>()
  let all = 0
  for (const [k, url] of addresses) {
    signal.throwIfAborted()
    const tooLarge: Problem = { code: 'space/too-large', details: { slug: new URL(url).host } }
    if (files.size >= MAX_FILES || all >= MAX_FILES_BYTES) {
      files.set(k, missing(url, tooLarge))
      continue
    }
    try {
      const { bytes, name } = await fetchFile(url, signal)
      if (bytes.length > MAX_FILE || all + bytes.length > MAX_FILES_BYTES) {
        files.set(k, { ...missing(url, tooLarge), bytes: bytes.length })
        continue
      }
      all += bytes.length
      files.set(k, {
        name: fileName(name) || nameIn(url),
        mimeType: mimeOf(bytes),
        bytes: bytes.length,
        data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
      })
    } catch (error) {
      if (signal.aborted) throw error
      // The answer itself is good without its file; the card says why the file is missing.
      const known =
        error instanceof CompanionError ? error : new CompanionError('space/unreachable', {}, { cause: error })
      log.warn('a file of an answer could not be fetched', { code: known.code })
      files.set(k, missing(url, { code: known.code, details: { slug: new URL(url).host, ...known.details } }))
    }
  }
  return files
}

const missing = (url: string, problem: Problem): ToolFile => ({
  name: nameIn(url),
  mimeType: 'application/octet-stream',
  bytes: 0,
  problem,
})

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return fileName(decodeURIComponent(last)) || 'file'
  } catch (error) {
    if (error instanceof URIError) return fileName(last) || 'file'
    throw error
  }
}

/** A name that a system may be offered for saving: no path, no control or invisible characters, at most 100 characters. */
export function fileName(name: string): string {
  const bare = visible(name)
    .replace(/[\n\t]/g, ' ')
    .replace(/^.*[/\\]/, '')
    .replace(/^file=/, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^\.+/, '')
    .trim()
  if (bare.length <= 100) return bare
  const dot = bare.lastIndexOf('.')
  const end = dot > 0 && bare.length - dot <= 12 ? bare.slice(dot) : ''
  return `${cut(bare, 100 - end.length)}${end}`
}
