/** Reading a person's text file without losing a byte. */
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

/** Far above any prompt or list of tools; a larger file is a mistake, and would not fit into a model's context either. */
export const MAX_FILE_BYTES = 1_000_000

export type TextFile =
  | { readonly state: 'absent' }
  /** `text` keeps a byte order mark and all line endings: encoding it gives `bytes` back. */
  | { readonly state: 'ok'; readonly text: string; readonly bytes: Uint8Array }
  /** Not UTF-8, or a NUL byte; `position` counts bytes from 0. */
  | { readonly state: 'not-utf8'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly state: 'unreadable'; readonly reason: string; readonly bytes: Uint8Array | null }

/** Decodes bytes without loss, or says where they are no text. */
export function decodeText(bytes: Uint8Array): TextFile {
  if (bytes.length > MAX_FILE_BYTES) return { state: 'unreadable', reason: 'larger than 1 MB', bytes }
  const zero = bytes.indexOf(0)
  const invalid = firstInvalidByte(bytes)
  const position = Math.min(zero < 0 ? Infinity : zero, invalid ?? Infinity)
  if (position !== Infinity) return { state: 'not-utf8', position, bytes }
  return { state: 'ok', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), bytes }
}

/** Position of the first byte that begins no well-formed UTF-8 sequence (RFC 3629 §4), `null` when all is well. */
export function firstInvalidByte(bytes: Uint8Array): number | null {
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) return at
    at += length
  }
  return null
}

/** RFC 3629 §4: second bytes that are narrower than 80–BF, against overlong forms, surrogates and beyond U+10FFFF. */
const SECOND_BYTE: Readonly<Record<number, readonly [number, number]>> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
}

/** Bytes of the well-formed UTF-8 sequence that begins at `at`; 0 when none does. */
export function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let offset = 1; offset < length; offset += 1) {
    const byte = bytes[at + offset] ?? 0
    const [low, high] = (offset === 1 ? SECOND_BYTE[first] : undefined) ?? [0x80, 0xbf]
    if (byte < low || byte > high) return 0
  }
  return length
}

/**
 * Reads a file whose real path, links followed, lies inside `root`: a link in a downloaded profile must not hand a
 * private file to a model. Never throws for what is on the disk.
 */
export async function readTextFile(file: string, root: string): Promise<TextFile> {
  try {
    const [real, realRoot] = await Promise.all([realpath(file), realpath(root)])
    if (!isBelow(realRoot, real)) return { state: 'unreadable', reason: 'a link out of the profiles', bytes: null }
    const { size } = await stat(real)
    if (size > MAX_FILE_BYTES) return { state: 'unreadable', reason: 'larger than 1 MB', bytes: null }
    return decodeText(await readFile(real))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === '') throw error
    if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'absent' }
    return { state: 'unreadable', reason: code === 'EISDIR' ? 'a folder' : code, bytes: null }
  }
}

export function isBelow(dir: string, file: string): boolean {
  const relative = path.relative(dir, file)
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}
