/** `npm run icons`: draws `resources/icons/icon.svg` into the files that the packages of each system need. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { encodeIcns, encodeIco, encodePng, parseShapes, rasterize } from './lib/raster.mjs'
import { program, root } from './lib/run.mjs'

const LINUX = [16, 24, 32, 48, 64, 128, 256, 512]
const WINDOWS = [16, 24, 32, 48, 64, 128, 256]
/** Apple's types for PNG pictures; the second of a size is the one for screens with twice the density. */
const APPLE = {
  icp4: 16,
  icp5: 32,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic10: 1024,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
}

await program(async () => {
  const dir = path.join(root, 'resources', 'icons')
  const shapes = parseShapes(await readFile(path.join(dir, 'icon.svg'), 'utf8'))
  const sizes = new Set([...LINUX, ...WINDOWS, ...Object.values(APPLE)])
  const pngs = new Map([...sizes].map((size) => [size, encodePng(rasterize(shapes, size), size)]))
  for (const size of LINUX) await writeFile(path.join(dir, `${size}x${size}.png`), pngs.get(size))
  await writeFile(path.join(dir, 'icon.ico'), encodeIco(WINDOWS.map((size) => ({ size, png: pngs.get(size) }))))
  const pictures = Object.entries(APPLE).map(([type, size]) => ({ type, png: pngs.get(size) }))
  await writeFile(path.join(dir, 'icon.icns'), encodeIcns(pictures))
  return 0
})
