import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG (8 bit RGB, no interlace: https://www.w3.org/TR/png-3/) whose pixels come from `colourAt`, each value 0–255. */
export function png(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows.set(
        colourAt(x, y).map((value) => Math.round(Math.min(Math.max(value, 0), 255))),
        y * (1 + width * 3) + 1 + x * 3,
      )
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A number of 0 to 1 that is the same for the same text. */
export function luck(text: string): number {
  return crc32(text) / 0x1_0000_0000
}

/** Sky, sun, sea: a postcard whose colours follow the words. */
export function postcard(words: string, width = 320, height = 200): Buffer {
  const hue = luck(words) * 6
  const tint = (offset: number): number => 128 + 100 * Math.cos(((hue + offset) * Math.PI) / 3)
  const sky: Colour = [tint(0), tint(2), tint(4)]
  const sun = { x: width * (0.2 + 0.6 * luck(`${words}x`)), y: height * 0.35, radius: height * 0.16 }
  return png(width, height, (x, y) => {
    if (y > height * 0.62) {
      const wave = 10 * Math.sin(x / 9 + y / 3)
      return [sky[0] * 0.35 + wave, sky[1] * 0.45 + wave, sky[2] * 0.6 + 60 + wave]
    }
    if (Math.hypot(x - sun.x, y - sun.y) < sun.radius) return [255, 214, 120]
    const light = (y / height) * 140
    return [sky[0] + light, sky[1] + light, sky[2] + light]
  })
}
