import { describe, expect, it } from 'vitest'

import { fixedLines } from './line-fixes.ts'

import type { LineFix } from './line-fixes.ts'

const replace: LineFix = { kind: 'replace', id: 'dance' }

describe('fixedLines', () => {
  it.each<[string, LineFix, readonly string[] | null]>([
    ['danse', replace, ['dance']],
    ['  danse   # why', replace, ['  dance   # why']],
    ['\uFEFFdanse\r', replace, ['\uFEFFdance\r']],
    ['# danse', replace, null],
    ['', replace, null],
    ['dance', { kind: 'removeLine' }, []],
    ['dance  # at parties', { kind: 'moveComment' }, ['# at parties', 'dance']],
    ['dance#x', { kind: 'moveComment' }, ['#x', 'dance']],
    ['\tdance # x # y\r', { kind: 'moveComment' }, ['# x # y\r', '\tdance\r']],
    ['# dance', { kind: 'moveComment' }, null],
    ['dance', { kind: 'moveComment' }, null],
    ['\uFEFFdance', { kind: 'removeBom' }, ['dance']],
    ['a\uFEFF\uFEFFb\r', { kind: 'removeBom' }, ['ab\r']],
    ['dance', { kind: 'removeBom' }, null],
    ['[TONE]', { kind: 'makeHeading' }, ['## TONE']],
    ['  [identities/none] \r', { kind: 'makeHeading' }, ['## identities/none\r']],
    ['[TONE] be kind', { kind: 'makeHeading' }, null],
  ])('%j, %j: %j', (line, fix, expected) => {
    expect(fixedLines(line, fix)).toEqual(expected)
  })
})
