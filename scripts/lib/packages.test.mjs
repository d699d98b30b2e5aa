import { expect, it } from 'vitest'

import { fitsLock } from './packages.mjs'

const a = { version: '1.0.0', integrity: 'sha512-a' }

it.each([
  ['the same', { '': {}, 'node_modules/a': a }, { 'node_modules/a': a }, true],
  ['nothing installed', { 'node_modules/a': a }, {}, false],
  ['another version', { 'node_modules/a': a }, { 'node_modules/a': { ...a, version: '1.0.1' } }, false],
  ['another content', { 'node_modules/a': a }, { 'node_modules/a': { ...a, integrity: 'sha512-b' } }, false],
  ['optional of another system', { 'node_modules/a': { ...a, optional: true } }, {}, true],
  [
    'optional, but old',
    { 'node_modules/a': { ...a, optional: true } },
    { 'node_modules/a': { version: '0.9.0' } },
    false,
  ],
  ['one too many', {}, { 'node_modules/a': a }, true],
])('%s', (_name, wanted, installed, expected) => {
  expect(fitsLock(wanted, installed)).toBe(expected)
})
