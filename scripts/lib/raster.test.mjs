import { inflateSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { encodeIcns, encodeIco, encodePng, parseShapes, rasterize } from './raster.mjs'

const svg =
  '<svg viewBox="0 0 8 8"><rect x="0" y="0" width="8" height="4" rx="0" fill="#102030" /><circle cx="4" cy="2" r="1" fill="#ffffff" /></svg>'

it('draws what lies on top, leaves the rest clear, and smooths edges', () => {
  const pixels = rasterize(parseShapes(svg), 8)
  const at = (x, y) => [...pixels.subarray((y * 8 + x) * 4, (y * 8 + x) * 4 + 4)]
  expect(at(0, 0)).toEqual([0x10, 0x20, 0x30, 255])
  expect(at(0, 7)[3]).toBe(0)
  const edge = at(4, 1)[0]
  expect(edge).toBeGreaterThan(0x10)
  expect(edge).toBeLessThan(255)
  const half = rasterize(
    parseShapes('<svg viewBox="0 0 2 2"><rect x="0" y="0" width="1" height="2" rx="0" fill="#000000" /></svg>'),
    1,
  )
  expect(half[3]).toBe(128)
})

it('the files hold the pixels', () => {
  const pixels = rasterize(parseShapes(svg), 4)
  const png = encodePng(pixels, 4)
  const length = png.readUInt32BE(33)
  expect(png.subarray(37, 41).toString()).toBe('IDAT')
  expect(inflateSync(png.subarray(41, 41 + length)).subarray(1, 17)).toEqual(pixels.subarray(0, 16))
  const ico = encodeIco([{ size: 256, png }])
  expect([ico[6], ico.readUInt32LE(14), ico.readUInt32LE(18)]).toEqual([0, png.length, 22])
  const icns = encodeIcns([{ type: 'ic07', png }])
  expect([icns.readUInt32BE(4), icns.subarray(8, 12).toString()]).toEqual([icns.length, 'ic07'])
})
