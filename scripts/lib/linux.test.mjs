import { describe, expect, it } from 'vitest'

import { isDebianLike, missingLibraries } from './linux.mjs'

describe('missingLibraries', () => {
  it('names what ldd did not find, once each', () => {
    const output = [
      '\tlinux-vdso.so.1 (0x00007ffd)',
      '\tlibffmpeg.so => /opt/x/libffmpeg.so (0x00007f)',
      '\tlibnss3.so => not found',
      '\tlibgtk-3.so.0 => not found',
      '\tlibnss3.so => not found',
    ].join('\n')
    expect(missingLibraries(output)).toEqual(['libnss3.so', 'libgtk-3.so.0'])
  })

  it('says nothing when all is there, or when there is no ldd', () => {
    expect(missingLibraries('\tlibc.so.6 => /lib/libc.so.6 (0x0)\n')).toEqual([])
    expect(missingLibraries('')).toEqual([])
  })
})

describe('isDebianLike', () => {
  it.each([
    ['ID=debian\nVERSION_ID="12"', true],
    ['NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian', true],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"', true],
    ['ID=fedora\nHOME_URL="https://debian.example"', false],
    ['ID=arch', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isDebianLike(text)).toBe(expected)
  })
})
