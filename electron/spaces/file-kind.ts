import { Buffer } from 'node:buffer'

import { plainText } from '../mcp/index.ts'

/** What begins a file of each kind: bytes from `at`, as hex. */
const SIGNATURES: ReadonlyArray<{ readonly mimeType: string; readonly at: number; readonly hex: string }> = [
  { mimeType: 'image/png', at: 0, hex: '89504e470d0a1a0a' },
  { mimeType: 'image/jpeg', at: 0, hex: 'ffd8ff' },
  { mimeType: 'image/gif', at: 0, hex: '474946383761' },
  { mimeType: 'image/gif', at: 0, hex: '474946383961' },
  { mimeType: 'image/bmp', at: 0, hex: '424d' },
  { mimeType: 'audio/mpeg', at: 0, hex: '494433' },
  { mimeType: 'audio/ogg', at: 0, hex: '4f676753' },
  { mimeType: 'audio/flac', at: 0, hex: '664c6143' },
  { mimeType: 'video/webm', at: 0, hex: '1a45dfa3' },
  { mimeType: 'application/pdf', at: 0, hex: '255044462d' },
  { mimeType: 'application/zip', at: 0, hex: '504b0304' },
  { mimeType: 'application/gzip', at: 0, hex: '1f8b08' },
]

/** Kinds inside a RIFF container, by the word at byte 8. */
const RIFF: Readonly<Record<string, string>> = { WEBP: 'image/webp', WAVE: 'audio/wav', 'AVI ': 'video/x-msvideo' }
/** Brands of the ISO media container; every other one is taken for a film. */
const BRANDS: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  heic: 'image/heic',
  'M4A ': 'audio/mp4',
  'qt  ': 'video/quicktime',
}

const UNKNOWN = 'application/octet-stream'

/**
 * What a file is by its bytes, never by what a server says of it (the WHATWG's MIME Sniffing standard lists the
 * signatures). Text is `text/plain` whatever it contains: nothing of a stranger is ever a page or a script.
 */
export function kindOf(bytes: Uint8Array): string {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (at: number): string => data.toString('latin1', at, at + 4)
  if (word(0) === 'RIFF' && data.length >= 12) return RIFF[word(8)] ?? UNKNOWN
  if (word(4) === 'ftyp' && data.length >= 12) return BRANDS[word(8)] ?? 'video/mp4'
  const known = SIGNATURES.find(({ at, hex }) => data.toString('hex', at, at + hex.length / 2) === hex)
  if (known !== undefined) return known.mimeType
  if (isMpegFrame(data)) return 'audio/mpeg'
  return isText(data) ? 'text/plain' : UNKNOWN
}

/** An MPEG audio frame without a tag in front: eleven set bits, then a layer, a bit rate and a sample rate that exist. */
function isMpegFrame(data: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = data
  const layer = (second >> 1) & 3
  return first === 0xff && (second & 0xe0) === 0xe0 && layer !== 0 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3
}

/** UTF-8 without the control characters that no text has; the end may cut a character. */
function isText(data: Buffer): boolean {
  if (data.length === 0) return false
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(0, 4_096), { stream: true })
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text)
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/bmp': 'bmp',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/wav': 'wav',
  'audio/mp4': 'm4a',
  'video/webm': 'webm',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'text/plain': 'txt',
}
/** Endings of text that programs do not run. */
const TEXT_ENDINGS = new Set(['txt', 'csv', 'md', 'json', 'srt', 'vtt', 'tsv', 'log', 'xml', 'yaml', 'yml'])
/** Device names of Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i

/**
 * A name under which a file may be offered for saving: the last part of its path without what a system reads as something
 * else, with an ending that belongs to its kind.
 */
export function fileNameOf(path: string, mimeType: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? ''
  const clean = plainText(last)
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, '')
    .replace(/[<>:"|?*\r\n\t]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  const dot = clean.lastIndexOf('.')
  const ending = dot > 0 ? clean.slice(dot + 1).toLowerCase() : ''
  const stem = (dot > 0 ? clean.slice(0, dot) : clean).slice(0, 80).replace(/[.\s]+$/, '') || 'file'
  const right = EXTENSIONS[mimeType]
  const fits =
    ending === right ||
    (mimeType === 'image/jpeg' && ending === 'jpeg') ||
    (mimeType === 'text/plain' && TEXT_ENDINGS.has(ending))
  const name = `${stem}.${fits ? ending : (right ?? 'bin')}`
  return DEVICE.test(name) ? `_${name}` : name
}
