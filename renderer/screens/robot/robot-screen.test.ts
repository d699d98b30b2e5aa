import { describe, expect, it } from 'vitest'

import { groupMoves, searchMoves } from './filter-moves.ts'
import { hottest } from './motor-heat.ts'
import { neighbour } from './neighbour.ts'

import type { MoveFamily, MoveInfo } from '../../../electron/contract/index.ts'

const move = (name: string, family: MoveFamily, description = ''): MoveInfo => ({
  name,
  kind: family === 'dance' ? 'dance' : 'emotion',
  family,
  description,
  duration: 2,
  hasSound: false,
  amplitude: { word: 'gentle', maxAngle: 0.1, maxSpeed: 0.5 },
})
const moves = [
  move('rage1', 'anger', 'Shakes with anger.'),
  move('cheerful1', 'joy', 'Sways like a happy child.'),
  move('exhausted1', 'sad', 'L’air épuisé.'),
]
const names = (list: readonly MoveInfo[]): string[] => list.map(({ name }) => name)
const familyName = (family: MoveFamily): string => (family === 'joy' ? 'Joie' : family)

describe('searchMoves', () => {
  it.each([
    ['', ['rage1', 'cheerful1', 'exhausted1']],
    ['  ', ['rage1', 'cheerful1', 'exhausted1']],
    ['CHEER', ['cheerful1']],
    ['happy child', ['cheerful1']],
    ['child happy rage', []],
    ['joie', ['cheerful1']],
    ['epuise', ['exhausted1']],
  ])('%j', (query, expected) => {
    expect(names(searchMoves(moves, query, familyName))).toEqual(expected)
  })
})

describe('groupMoves', () => {
  it('goes from bright to dark and leaves out what is empty', () => {
    expect(groupMoves(moves).map(({ family }) => family)).toEqual(['joy', 'sad', 'anger'])
  })
})

describe('hottest', () => {
  const motor = (name: string, temperature: number | null) => ({
    id: 1,
    name,
    angle: 0,
    temperature,
    voltage: null,
    load: null,
    torque: null,
    latched: false,
  })
  it.each([
    ['none', [], null],
    ['unknown', [motor('a', null)], null],
    ['the highest', [motor('a', 40), motor('b', 61), motor('c', null)], { name: 'b', temperature: 61 }],
    ['the first of equals', [motor('a', 50), motor('b', 50)], { name: 'a', temperature: 50 }],
  ])('%s', (_, motors, expected) => {
    expect(hottest(motors)).toEqual(expected)
  })
})

describe('neighbour', () => {
  // Two families: a row of three, then a row of two a little lower.
  const boxes = [
    { left: 0, top: 0, width: 10, height: 10 },
    { left: 12, top: 0, width: 10, height: 10 },
    { left: 24, top: 0, width: 10, height: 10 },
    { left: 0, top: 30, width: 10, height: 10 },
    { left: 12, top: 30, width: 10, height: 10 },
  ]
  it.each([
    [0, 'ArrowRight', 1],
    [2, 'ArrowRight', 3],
    [4, 'ArrowRight', null],
    [0, 'ArrowLeft', null],
    [1, 'ArrowDown', 4],
    [2, 'ArrowDown', 4],
    [3, 'ArrowDown', null],
    [4, 'ArrowUp', 1],
    [1, 'ArrowUp', null],
    [1, 'Home', 0],
    [1, 'End', 4],
    [1, 'Enter', null],
    [9, 'ArrowDown', null],
  ])('from %i, %s leads to %s', (index, key, expected) => {
    expect(neighbour(boxes, index, key)).toBe(expected)
  })
})
