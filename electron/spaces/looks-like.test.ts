import { describe, expect, it } from 'vitest'

import { distance, glance, looksLike } from './looks-like.ts'

const SEARCH = 'pollen-robotics/reachy-mini-search-tool'
const INSTALLED = ['acme/piano-teacher', 'acme/abc']

describe('a name that resembles a well-known one', () => {
  it.each([
    ['evil/reachy-mini-search-tool', SEARCH],
    ['evil/Reachy_Mini.Search-Tool', SEARCH],
    ['evil/reachy-mini-serch-tool', SEARCH],
    ['evil/reachy-mini-saerch-tool', SEARCH],
    ['pollen-robotlcs/reachy-mini-search-tool', SEARCH],
    ['pollen-r0botics/something-else', 'pollen-robotics'],
    ['po1len-robotics/x', 'pollen-robotics'],
    ['polIen-robotics/x', 'pollen-robotics'],
    ['pollen_robotics/x', 'pollen-robotics'],
    ['pollen-robotic/x', 'pollen-robotics'],
    ['pollenrobotics/x', 'pollen-robotics'],
    ['other/piano-teacher', 'acme/piano-teacher'],
    ['other/piano-teachers', 'acme/piano-teacher'],
    ['acrne/piano-teacher', 'acme/piano-teacher'],
  ])('%s → %s', (slug, known) => {
    expect(looksLike(slug, INSTALLED)).toBe(known)
  })

  it.each([
    SEARCH,
    'Pollen-Robotics/reachy-mini-search-tool',
    'pollen-robotics/reachy-mini-search-tool-2',
    'acme/piano-teacher',
    'acme/piano-teacher-2',
    'other/abc',
    'other/abd',
    'someone/weather',
    'someone/reachy-mini-translator',
    'robotics/pollen',
  ])('%s resembles none', (slug) => {
    expect(looksLike(slug, INSTALLED)).toBeUndefined()
  })
})

describe('distance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['abc', 'xabcy', 2],
    ['kitten', 'sitting', 3],
    ['a', 'bcdefg', 3],
  ])('%j %j: %d', (a, b, expected) => {
    expect(distance(a, b, 2)).toBe(expected)
    expect(distance(b, a, 2)).toBe(expected)
  })
})

it('glance sees what an eye sees', () => {
  expect(glance('Rnodern-1O_x.vv')).toBe(glance('Modern-lo-x-w'))
})
