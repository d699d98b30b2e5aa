import path from 'node:path'

import { expect, it } from 'vitest'

import { dataDirectory } from './data-directory.ts'

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
