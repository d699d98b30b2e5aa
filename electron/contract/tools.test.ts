import { describe, expect, it } from 'vitest'

import { jsonObjectSchema, jsonValueSchema } from './tools.ts'

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

describe('JSON that crosses an edge', () => {
  it.each([
    'null',
    '"x"',
    '1.5',
    '[]',
    '{"a":[{"b":null}]}',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"__proto__":1}}',
  ])('%s arrives whole', (json) => {
    expect(JSON.stringify(jsonValueSchema.parse(JSON.parse(json)))).toBe(json)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number that JSON has no word for', { a: Number.NaN }],
    ['a function', { a: () => undefined }],
    ['a date', [new Date()]],
    ['a map', new Map()],
    ['a hole', { a: undefined }],
    ['what would exhaust the stack', nested(5_000)],
  ])('%s does not', (_, value) => {
    expect(jsonValueSchema.safeParse(value).success).toBe(false)
  })

  it.each<[unknown, boolean]>([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ['{}', false],
  ])('%j is an object: %s', (value, expected) => {
    expect(jsonObjectSchema.safeParse(value).success).toBe(expected)
  })
})
