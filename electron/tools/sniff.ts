/** Bytes at a place. */
interface Mark {
  readonly at: number
  readonly bytes: string
}

const mark = (bytes: string, at = 0): Mark => ({ at, bytes })

/** What files begin with (IANA media types, the formats' own specifications). All marks of an entry must be there. */
const FORMATS: ReadonlyArray<readonly [string, readonly Mark[]]> = [
  ['image/png', [mark('\x89PNG\r\n\x1a\n')]],
  ['image/jpeg', [mark('\xff\xd8\xff')]],
  ['image/gif', [mark('GIF8')]],
  ['image/webp', [mark('RIFF'), mark('WEBP', 8)]],
  ['audio/wav', [mark('RIFF'), mark('WAVE', 8)]],
  ['audio/flac', [mark('fLaC')]],
  ['audio/ogg', [mark('OggS')]],
  ['audio/mpeg', [mark('ID3')]],
  ['audio/mp4', [mark('ftypM4A', 4)]],
  ['video/mp4', [mark('ftyp', 4)]],
  ['video/webm', [mark('\x1a\x45\xdf\xa3')]],
  ['application/pdf', [mark('%PDF-')]],
  ['application/zip', [mark('PK\x03\x04')]],
  ['model/gltf-binary', [mark('glTF')]],
]

/** The type of some bytes by what they are, never by what a server calls them; `application/octet-stream` when unknown. */
export function mimeOf(bytes: Uint8Array): string {
  const known = FORMATS.find(([, marks]) =>
    marks.every((one) => [...one.bytes].every((byte, k) => bytes[one.at + k] === byte.charCodeAt(0))),
  )
  if (known) return known[0]
  if (isMpegFrame(bytes)) return 'audio/mpeg'
  return isText(bytes) ? 'text/plain' : 'application/octet-stream'
}

/** An MPEG audio frame: eleven set bits, then a version, a layer and a bit rate that exist. */
function isMpegFrame(bytes: Uint8Array): boolean {
  const [a = 0, b = 0, c = 0] = bytes
  return a === 0xff && (b & 0xe0) === 0xe0 && (b & 0x18) !== 0x08 && (b & 0x06) !== 0 && (c & 0xf0) !== 0xf0
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Length in seconds of a WAVE file by its chunks; `undefined` when they do not tell. @param data base64 */
export function wavSeconds(data: string): number | undefined {
  const bytes = Buffer.from(data, 'base64')
  let bytesPerSecond = 0
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4)
    const name = bytes.toString('latin1', at, at + 4)
    if (name === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16)
    if (name === 'data') {
      // A stream that was written before its length was known says 0xffffffff.
      const length = Math.min(size, bytes.length - at - 8)
      return bytesPerSecond > 0 ? length / bytesPerSecond : undefined
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}
