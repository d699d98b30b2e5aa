import { crc32, deflateSync } from 'node:zlib'

const SAMPLES = 8

function attributes(text) {
  return Object.fromEntries([...text.matchAll(/([a-z]+)="([^"]*)"/g)].map((match) => [match[1], match[2]]))
}

const rgb = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

function insideRect({ x, y, width, height, rx }, px, py) {
  const dx = Math.max(x + rx - px, px - (x + width - rx), 0)
  const dy = Math.max(y + rx - py, py - (y + height - rx), 0)
  return dx * dx + dy * dy <= rx * rx
}

const insideCircle = ({ cx, cy, r }, px, py) => (px - cx) ** 2 + (py - cy) ** 2 <= r * r

/**
 * Shapes of a picture that consists of filled circles and rounded rectangles only, which is all an icon of two dots
 * needs; a whole SVG renderer would be a large dependency.
 */
export function parseShapes(svg) {
  const side = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1])
  const shapes = [...svg.matchAll(/<(rect|circle)\s([^>]*?)\/>/g)].map(([, kind, text]) => {
    const { fill, ...numbers } = attributes(text)
    const values = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]))
    const inside = kind === 'rect' ? insideRect : insideCircle
    return { colour: rgb(fill), contains: (x, y) => inside(values, x, y) }
  })
  return { side, shapes }
}

/** Draws the shapes into `size` × `size` RGBA bytes; each pixel is the mean of 8 × 8 samples. */
export function rasterize({ side, shapes }, size) {
  const pixels = Buffer.alloc(size * size * 4)
  const step = side / size / SAMPLES
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const sum = [0, 0, 0]
      let covered = 0
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const x = (column * SAMPLES + (sample % SAMPLES) + 0.5) * step
        const y = (row * SAMPLES + Math.floor(sample / SAMPLES) + 0.5) * step
        const top = shapes.findLast((shape) => shape.contains(x, y))
        if (top === undefined) continue
        covered++
        for (let channel = 0; channel < 3; channel++) sum[channel] += top.colour[channel]
      }
      const at = (row * size + column) * 4
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] = covered && Math.round(sum[channel] / covered)
      pixels[at + 3] = Math.round((covered / SAMPLES ** 2) * 255)
    }
  }
  return pixels
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const result = Buffer.alloc(body.length + 8)
  result.writeUInt32BE(data.length, 0)
  body.copy(result, 4)
  result.writeUInt32BE(crc32(body), body.length + 4)
  return result
}

/** A PNG file of RGBA bytes. https://www.w3.org/TR/png-3/ */
export function encodePng(pixels, size) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits a channel, colour with alpha.
  header.set([8, 6, 0, 0, 0], 8)
  const rows = Buffer.alloc((size * 4 + 1) * size)
  for (let row = 0; row < size; row++) pixels.copy(rows, row * (size * 4 + 1) + 1, row * size * 4, (row + 1) * size * 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An .ico file with PNG pictures, which Windows reads since Vista. @param {{ size: number, png: Buffer }[]} pictures */
export function encodeIco(pictures) {
  const header = Buffer.alloc(6 + 16 * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  pictures.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index
    // 0 stands for 256.
    header.set([size % 256, size % 256, 0, 0, 1, 0, 32, 0], at)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  })
  return Buffer.concat([header, ...pictures.map(({ png }) => png)])
}

/** An .icns file with PNG pictures. @param {{ type: string, png: Buffer }[]} pictures `type` is Apple's four letters. */
export function encodeIcns(pictures) {
  const entries = pictures.map(({ type, png }) => {
    const head = Buffer.alloc(8)
    head.write(type, 0, 'latin1')
    head.writeUInt32BE(png.length + 8, 4)
    return Buffer.concat([head, png])
  })
  const body = Buffer.concat(entries)
  const head = Buffer.alloc(8)
  head.write('icns', 0, 'latin1')
  head.writeUInt32BE(body.length + 8, 4)
  return Buffer.concat([head, body])
}
