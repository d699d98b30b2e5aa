const starts = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0))

/** Brands of AVIF files (AV1 Image File Format, section 6). */
const AVIF_BRANDS = ['avif', 'avis']

/**
 * What picture some bytes are, by their first ones; `null` for everything else. SVG is none: it is a document that can
 * hold scripts and addresses.
 */
export function pictureKind(bytes: Uint8Array): string | null {
  if (starts(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts(bytes, '\xff\xd8\xff')) return 'image/jpeg'
  if (starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a')) return 'image/gif'
  if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return 'image/webp'
  if (starts(bytes, 'ftyp', 4) && AVIF_BRANDS.some((brand) => starts(bytes, brand, 8))) return 'image/avif'
  return null
}
