import { expect, it } from 'vitest'

import { nameFault } from './profile-name.ts'

it.each([
  ['evening_at-home2', null],
  ['', 'empty'],
  ['a'.repeat(64), null],
  ['a'.repeat(65), 'long'],
  ['été', 'characters'],
  ['a b', 'characters'],
  ['../up', 'characters'],
  ['default', 'exists'],
] as const)('%s: %s', (name, fault) => {
  expect(nameFault(name, ['default', 'other'])).toBe(fault)
})
