import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'

import { unpacked, zipEntries } from './zip.ts'

const TEXT = 'dance\n'.repeat(60)
const zipOf = (files: Record<string, string>, level: 0 | 6 = 6): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])), { level }))

/** The zip with bytes of its central directory's first entry replaced. */
function changed(change: (zip: Buffer, central: number, local: number) => void, level: 0 | 6 = 6): Buffer {
  const zip = zipOf({ 'a/tools.txt': TEXT }, level)
  const at = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  change(zip, at, 0)
  return zip
}

const outcome = (zip: Buffer): unknown => {
  const entry = zipEntries(zip)?.[0]
  if (!entry) return null
  const bytes = unpacked(zip, entry)
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()
}

describe('a zip', () => {
  it.each([0, 6] as const)('packed at level %i gives back what went in', (level) => {
    const zip = zipOf({ 'ä/tools.txt': TEXT, 'b/voice.txt': '' }, level)
    const entries = zipEntries(zip) ?? []
    expect(entries.map(({ name }) => name)).toEqual(['ä/tools.txt', 'b/voice.txt'])
    expect(entries.map((entry) => Buffer.from(unpacked(zip, entry) as Uint8Array).toString())).toEqual([TEXT, ''])
  })

  it.each<[string, unknown, Buffer]>([
    ['says less than it holds', 'it is longer than it says.', changed((zip, at) => zip.writeUInt32LE(10, at + 24))],
    ['says more than it holds', 'it is damaged.', changed((zip, at) => zip.writeUInt32LE(900, at + 24))],
    ['has another sum', 'it is damaged.', changed((zip, at) => zip.writeUInt32LE(1, at + 16))],
    ['is packed in another way', 'it is packed in a way that is not known.', changed((zip, at) => zip.writeUInt16LE(12, at + 10))],
    ['has damaged bytes', 'it is damaged.', changed((zip) => zip.fill(0xff, 45, 52))],
    ['begins nowhere', 'it is damaged.', changed((zip, at) => zip.writeUInt32LE(0xffff_fff0, at + 42))],
    ['is stored and says less', 'it is longer than it says.', changed((zip, at) => zip.writeUInt32LE(10, at + 24), 0)],
    ['has a damaged list', null, changed((zip, at) => zip.writeUInt8(0, at))],
  ])('whose entry %s: %s', (_, expected, zip) => {
    expect(outcome(zip)).toBe(expected)
  })

  it('tells links and encrypted entries', () => {
    const link = changed((zip, at) => {
      zip.writeUInt8(3, at + 5)
      zip.writeUInt16LE(0o120777, at + 40)
    })
    expect(zipEntries(link)?.[0]).toMatchObject({ link: true, encrypted: false })
    expect(zipEntries(changed((zip, at) => zip.writeUInt16LE(1, at + 8)))?.[0]).toMatchObject({ link: false, encrypted: true })
  })

  it.each([['', null], ['PK', null], ['x'.repeat(100), null]])('%j is none', (text, expected) => {
    expect(zipEntries(Buffer.from(text))).toBe(expected)
  })

  it('cut anywhere is none, or has entries that are refused', () => {
    const zip = zipOf({ 'a/tools.txt': TEXT, 'b/tools.txt': 'x' })
    for (let length = 0; length < zip.length; length += 1) expect(zipEntries(zip.subarray(0, length))).toBeNull()
  })
})
