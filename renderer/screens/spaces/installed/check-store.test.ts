import { expect, it } from 'vitest'

import { checkCounts } from './check-store.ts'

const none = { added: [], removed: [], changed: [] }

it('checkCounts counts a Space that could not be looked at as neither as before nor different', () => {
  const spaces = [
    { slug: 'a/same', ok: true, changes: none },
    { slug: 'a/new', ok: true, changes: { ...none, added: ['a_new__x'] } },
    { slug: 'a/gone', ok: true, changes: { ...none, removed: ['a_gone__x'] } },
    { slug: 'a/down', ok: false },
  ]
  expect(checkCounts({ spaces })).toEqual({ asBefore: 1, differ: 2, failed: 1 })
})
