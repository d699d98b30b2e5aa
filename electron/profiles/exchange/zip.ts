/** The list of a zip's entries, and one entry's bytes at a time: what an entry says about itself is believed of none. */
import { crc32, inflateRawSync } from 'node:zlib'

/** Signatures and offsets as in the .ZIP file format specification, sections 4.3.7, 4.3.12, 4.3.16. */
const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_SIZE = 22
const CENTRAL_SIZE = 46
const LOCAL_SIZE = 30
const MAX_COMMENT = 65_535
const ENCRYPTED = 0x1
const UNIX = 3
const TYPE_MASK = 0o170000
const LINK = 0o120000
const STORED = 0
const DEFLATED = 8

export interface ZipEntry {
  readonly name: string
  /** Bytes as the zip says, before anything is unpacked. */
  readonly size: number
  readonly packedSize: number
  readonly encrypted: boolean
  readonly link: boolean
  readonly method: number
  readonly crc: number
  readonly at: number
}

/** All entries in the order of the central directory; `null`: no zip, or one whose list is damaged. Pure. */
export function zipEntries(zip: Buffer): readonly ZipEntry[] | null {
  const end = endOf(zip)
  if (end === null) return null
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  const entries: ZipEntry[] = []
  for (let k = 0; k < count; k += 1) {
    if (at + CENTRAL_SIZE > end || zip.readUInt32LE(at) !== CENTRAL) return null
    const nameSize = zip.readUInt16LE(at + 28)
    const next = at + CENTRAL_SIZE + nameSize + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    if (next > end) return null
    const madeBy = zip.readUInt8(at + 5)
    const mode = zip.readUInt16LE(at + 40)
    entries.push({
      name: nameOf(zip.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameSize)),
      size: zip.readUInt32LE(at + 24),
      packedSize: zip.readUInt32LE(at + 20),
      encrypted: (zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      link: madeBy === UNIX && (mode & TYPE_MASK) === LINK,
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      at: zip.readUInt32LE(at + 42),
    })
    at = next
  }
  return entries
}

function endOf(zip: Buffer): number | null {
  const first = Math.max(0, zip.length - END_SIZE - MAX_COMMENT)
  for (let at = zip.length - END_SIZE; at >= first; at -= 1) if (zip.readUInt32LE(at) === END) return at
  return null
}

/** UTF-8 where it is such, else one character a byte. */
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return bytes.toString('latin1')
    throw error
  }
}

/**
 * Unpacks one entry. Pure.
 * @returns its bytes, or why they cannot be had: damaged, longer than it said, packed in another way.
 */
export function unpacked(zip: Buffer, entry: ZipEntry): Uint8Array | string {
  const { at, packedSize, size, method, crc } = entry
  if (at + LOCAL_SIZE > zip.length || zip.readUInt32LE(at) !== LOCAL) return 'it is damaged.'
  const from = at + LOCAL_SIZE + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  if (from + packedSize > zip.length) return 'it is damaged.'
  const packed = zip.subarray(from, from + packedSize)
  if (method !== STORED && method !== DEFLATED) return 'it is packed in a way that is not known.'
  let bytes: Uint8Array
  try {
    bytes = method === STORED ? Uint8Array.from(packed) : inflateRawSync(packed, { maxOutputLength: size + 1 })
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      return error.code === 'ERR_BUFFER_TOO_LARGE' ? 'it is longer than it says.' : 'it is damaged.'
    }
    throw error
  }
  if (bytes.length !== size) return bytes.length > size ? 'it is longer than it says.' : 'it is damaged.'
  return crc32(bytes) === crc ? bytes : 'it is damaged.'
}
