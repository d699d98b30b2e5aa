import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { decodeText, firstInvalidByte, readTextFile } from './text-file.ts'

describe('decodeText', () => {
  it.each([
    [[0x61, 0xff, 0x62], 1],
    [[0xc3, 0xa9, 0xc3], 2],
    [[0xc0, 0x80], 0],
    [[0x61, 0xe0, 0x80, 0x80], 1],
    [[0xed, 0xa0, 0x80], 0],
    [[0xf0, 0x8f, 0xbf, 0xbf], 0],
    [[0xf4, 0x90, 0x80, 0x80], 0],
    [[0xf0, 0x9d, 0x84], 0],
    [[0x80], 0],
    [[0x61, 0x00, 0xff], 1],
    [[0xff, 0xfe, 0x61, 0x00], 0],
  ])('%j is no text, from byte %i on', (bytes, position) => {
    expect(decodeText(Uint8Array.from(bytes))).toMatchObject({ state: 'not-utf8', position })
  })

  it('gives back every byte of what is UTF-8, marks and separators included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '\uFEFF', '\r\n', '\u2028', '\f'), (text, odd) => {
        const bytes = new TextEncoder().encode(odd + text.replaceAll('\0', '') + odd)
        const file = decodeText(bytes)
        expect(file.state === 'ok' && new TextEncoder().encode(file.text)).toEqual(bytes)
      }),
    )
  })

  it('agrees with the platform’s decoder on any bytes', () => {
    const valid = (bytes: Uint8Array): boolean => {
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes).length >= 0
      } catch {
        return false
      }
    }
    const nearly = fc.array(fc.constantFrom(0x61, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.oneof(nearly, fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 8 })), (list) => {
        const bytes = Uint8Array.from(list)
        expect(firstInvalidByte(bytes) === null).toBe(valid(bytes))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('readTextFile', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'text-file-'))
    mkdirSync(path.join(root, 'profiles', 'a'), { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const read = (name: string): ReturnType<typeof readTextFile> =>
    readTextFile(path.join(root, 'profiles', 'a', name), path.join(root, 'profiles'))

  it('tells absent, a folder, a large file and text apart', async () => {
    mkdirSync(path.join(root, 'profiles', 'a', 'folder'))
    writeFileSync(path.join(root, 'profiles', 'a', 'large'), Buffer.alloc(5_000_000, 'a'))
    writeFileSync(path.join(root, 'profiles', 'a', 'text'), '\uFEFFdance\r\n')
    expect(await read('none')).toEqual({ state: 'absent' })
    expect(await read('folder')).toMatchObject({ state: 'unreadable', reason: 'a folder' })
    expect(await read('large')).toMatchObject({ state: 'unreadable', reason: 'larger than 1 MB' })
    expect(await read('text')).toMatchObject({ state: 'ok', text: '\uFEFFdance\r\n' })
  })

  it('follows links inside the profiles, and none out of them', async () => {
    writeFileSync(path.join(root, 'id_rsa'), 'PRIVATE')
    mkdirSync(path.join(root, 'profiles', 'b'))
    writeFileSync(path.join(root, 'profiles', 'b', 'tools.txt'), 'dance\n')
    symlinkSync('../b/tools.txt', path.join(root, 'profiles', 'a', 'shared'))
    symlinkSync(path.join(root, 'id_rsa'), path.join(root, 'profiles', 'a', 'stolen'))
    symlinkSync('loop', path.join(root, 'profiles', 'a', 'loop'))
    expect(await read('shared')).toMatchObject({ state: 'ok', text: 'dance\n' })
    expect(await read('stolen')).toMatchObject({ state: 'unreadable', bytes: null })
    expect(await read('loop')).toMatchObject({ state: 'unreadable', reason: 'ELOOP' })
  })
})
