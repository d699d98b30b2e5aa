import { statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { dataDirectory, makeDataDirectory } from './data-directory.ts'

it.each([
  ['linux', {}, '/home/a/.config/reachy-mini-companion'],
  ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/reachy-mini-companion'],
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/a/.config/reachy-mini-companion'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/a/.config/reachy-mini-companion'],
  ['darwin', { XDG_CONFIG_HOME: '/x' }, '/home/a/Library/Application Support/reachy-mini-companion'],
  ['win32', { APPDATA: 'C:\\Users\\Зоя\\AppData\\Roaming' }, 'C:\\Users\\Зоя\\AppData\\Roaming\\reachy-mini-companion'],
] as const)('on %s with %j it is %s', (platform, env, expected) => {
  expect(dataDirectory({ platform, env, home: '/home/a' })).toBe(expected)
})

it('a flag wins over the variable, which wins over the system’s place; both become absolute', () => {
  const input = { platform: 'linux' as const, home: '/home/a', env: { REACHY_MINI_COMPANION_DATA_DIR: 'by-variable' } }
  expect(dataDirectory(input)).toBe(path.resolve('by-variable'))
  expect(dataDirectory({ ...input, flag: 'by-flag' })).toBe(path.resolve('by-flag'))
})

describe('makeDataDirectory', () => {
  const withFolder = async (use: (folder: string) => void): Promise<void> => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'companion-dir-'))
    try {
      use(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('makes what is missing, and leaves alone what is there', () =>
    withFolder((folder) => {
      const wanted = path.join(folder, 'a', 'b', 'c')
      makeDataDirectory(wanted)
      makeDataDirectory(wanted)
      expect(statSync(wanted).isDirectory()).toBe(true)
    }))

  it('fails where a file lies in the way', () =>
    withFolder((folder) => {
      writeFileSync(path.join(folder, 'file'), '')
      expect(() => makeDataDirectory(path.join(folder, 'file'))).toThrow('EEXIST')
      expect(() => makeDataDirectory(path.join(folder, 'file', 'below'))).toThrow(/EEXIST|ENOTDIR/)
    }))

  it.runIf(process.platform === 'linux')('fails, and at once, where no folder can be made', () => {
    expect(() => makeDataDirectory('/proc/companion/data')).toThrow('ENOENT')
  })
})
