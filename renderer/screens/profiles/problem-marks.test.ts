import { describe, expect, it } from 'vitest'

import { canRemoveLine, commentStart, idSpan, severityOf, suggestionName } from './problem-marks.ts'

describe('idSpan', () => {
  it.each([
    ['dance', 'dance'],
    ['  dance\t', 'dance'],
    ['dance # while waiting', 'dance'],
    ['dance#x', 'dance'],
    ['\uFEFFdance', 'dance'],
    ['dance\r', 'dance'],
    ['# dance', null],
    ['   # dance', null],
    ['', null],
    ['   ', null],
  ])('%j → %j', (line, id) => {
    const span = idSpan(line)
    expect(span === null ? null : line.slice(span.from, span.to)).toBe(id)
  })
})

describe('commentStart', () => {
  it.each([
    ['# all', 0],
    ['  # all', 2],
    ['dance # here', 6],
    ['dance', null],
  ])('%j → %j', (line, at) => {
    expect(commentStart(line)).toBe(at)
  })
})

describe('problems', () => {
  it.each([
    ['tools/unknown-id', 'bad', true],
    ['tools/space-not-installed', 'bad', true],
    ['tools/duplicate-line', 'note', true],
    ['tools/inline-comment', 'note', false],
    ['tools/bom', 'note', false],
    ['tools/not-allowed', 'note', false],
    ['space/changed', 'note', false],
    ['robot/disconnected', 'note', false],
    ['tools/bad-file', 'bad', false],
    ['profile/not-utf8', 'bad', false],
  ] as const)('%s is %s, can be removed: %s', (code, severity, removable) => {
    expect(severityOf(code)).toBe(severity)
    expect(canRemoveLine({ file: 'tools.txt', line: 3, code })).toBe(removable)
  })

  it('a problem of the whole file has no line to remove', () => {
    expect(canRemoveLine({ file: 'tools.txt', line: null, code: 'tools/unknown-id' })).toBe(false)
  })
})

describe('suggestionName', () => {
  it.each([
    ['acme_weather__get_wether', 'acme_weather__get_weather', 'get_weather'],
    ['acme_wether__get_weather', 'acme_weather__get_weather', 'acme_weather__get_weather'],
    ['danse', 'dance', 'dance'],
    [undefined, 'acme__a', 'acme__a'],
    ['acme__x', 'acme__a__b', 'a__b'],
  ])('%s → %s is shown as %s', (wrong, suggestion, name) => {
    expect(suggestionName(wrong, suggestion)).toBe(name)
  })
})
