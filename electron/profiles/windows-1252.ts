/** Text that an older editor on Windows wrote. Pure. */
import { sequenceLength } from './text-file.ts'

/**
 * Characters of the bytes 80 … 9F ("index-windows-1252", https://encoding.spec.whatwg.org/); 0 where there is none. A table
 * of our own: Node decodes these as ISO 8859-1 in some versions (https://github.com/nodejs/node/issues/56542).
 */
const HIGH = [
  0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0, 0, 0x2018,
  0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e, 0x178,
] as const

/**
 * Bytes that are not UTF-8, read as Windows-1252; sequences that are UTF-8 stay what they are, as files are pasted together
 * from both. `null` for bytes that mean nothing there, and for NUL, which no text has.
 */
export function decodeWindows1252(bytes: Uint8Array): string | null {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const pieces: string[] = []
  let from = 0
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    const byte = bytes[at] ?? 0
    if (byte === 0) return null
    if (length > 0) {
      at += length
      continue
    }
    const code = byte < 0xa0 ? (HIGH[byte - 0x80] ?? 0) : byte
    if (code === 0) return null
    pieces.push(decoder.decode(bytes.subarray(from, at)), String.fromCharCode(code))
    at += 1
    from = at
  }
  return pieces.join('') + decoder.decode(bytes.subarray(from))
}
