import { describe, expect, it } from 'vitest'

import { isMoved, waitingIds } from './review.ts'

import type { SpaceReview } from '../../electron/contract/index.ts'

const review = (change: Partial<SpaceReview> = {}): SpaceReview => ({
  slug: 'o/a',
  title: 'A',
  official: false,
  approvedAt: null,
  changedAt: 0,
  tools: ['o_a__x', 'o_a__y'].map((id) => ({
    id,
    remoteName: id,
    kind: 'changed',
    warnings: [],
    otherTools: [],
    enabledIn: [],
  })),
  ...change,
})

describe('waitingIds', () => {
  it('keeps the order of the review and leaves out what is decided', () => {
    expect(waitingIds(review(), ['o_a__y', 'o_a__x'])).toEqual(['o_a__x', 'o_a__y'])
    expect(waitingIds(review(), ['o_a__y'])).toEqual(['o_a__y'])
    expect(waitingIds(review(), ['o_a__z'])).toEqual([])
  })

  it('asks about the place first', () => {
    expect(waitingIds(review({ nowPrivate: true }), ['o_a__x'])).toEqual(['o/a', 'o_a__x'])
  })
})

it.each<[Partial<SpaceReview>, boolean]>([
  [{}, false],
  [{ nowPrivate: false }, true],
  [{ movedTo: 'o/b' }, true],
  [{ address: { before: 'a', after: 'b' } }, true],
])('isMoved %j: %s', (change, expected) => {
  expect(isMoved(review(change))).toBe(expected)
})
