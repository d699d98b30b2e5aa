import { describe, expect, it } from 'vitest'

import { checkArguments } from './arguments.ts'

import type { JsonObject, JsonValue } from '../contract/index.ts'

const schema: JsonObject = {
  type: 'object',
  properties: {
    n: { type: 'number' },
    k: { type: 'integer', minimum: 1 },
    name: { type: 'string' },
    style: { type: 'string', enum: ['photo', 'sketch'] },
    list: { type: 'array', items: { type: 'integer' } },
    nested: { type: 'object', properties: { deep: { type: 'number' } } },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['n'],
}
const check = (value: JsonValue | undefined, parameters = schema) =>
  checkArguments({ id: 'tool', parameters }, value, new WeakMap())

describe('arguments that are taken', () => {
  it.each<[string, JsonValue, JsonObject]>([
    ['as they are', { n: 1, name: 'a' }, { n: 1, name: 'a' }],
    ['as a JSON text', '{"n": 2}', { n: 2 }],
    ['unknown names go', { n: 1, extra: true, __proto__x: 1 }, { n: 1 }],
    ['a number in a text', { n: '3', k: ' 4 ' }, { n: 3, k: 4 }],
    [
      'numbers inside',
      { n: 1, list: ['1', 2], nested: { deep: '-.5e1' } },
      { n: 1, list: [1, 2], nested: { deep: -5 } },
    ],
    ['null for what is optional', { n: 1, name: null, k: null }, { n: 1 }],
    ['a text stays a text', { n: 1, name: '3' }, { n: 1, name: '3' }],
  ])('%s', async (_, given, expected) => {
    expect(await check(given)).toEqual(expected)
  })

  it.each([undefined, null, '', '  '])('nothing (%j) means none', async (given) => {
    expect(await check(given, { type: 'object', properties: {} })).toEqual({})
  })

  it('keeps further names where the schema says so', async () => {
    expect(await check({ a: 1 }, { type: 'object', properties: {}, additionalProperties: { type: 'number' } })).toEqual(
      { a: 1 },
    )
    expect(await check({ a: 1 }, { type: 'object', additionalProperties: true })).toEqual({ a: 1 })
    expect(await check({ a: 1 }, { type: 'object', properties: {} })).toEqual({})
  })
})

describe('arguments that are refused', () => {
  it.each<[JsonValue, string, string]>([
    ['{"n": 1,,', '', 'must be valid JSON'],
    ['[1]', '', 'must be a JSON object'],
    [[1], '', 'must be a JSON object'],
    [7, '', 'must be a JSON object'],
    [{}, 'n', 'n is required'],
    [{ n: 'many' }, 'n', 'n must be number'],
    [{ n: 1, k: '1.5' }, 'k', 'k must be integer'],
    [{ n: 1, k: 0 }, 'k', 'k must be >= 1'],
    [{ n: 1, style: 'oil' }, 'style', 'style must be one of "photo", "sketch"'],
    [{ n: 1, list: [1, 'x'] }, 'list.1', 'list.1 must be integer'],
    [{ n: null }, 'n', 'n must be number'],
  ])('%j', async (given, field, reason) => {
    await expect(check(given)).rejects.toMatchObject({
      code: 'tools/bad-arguments',
      details: { id: 'tool', field, reason },
    })
  })
})

describe('schemas of strangers', () => {
  it('takes no time for a pattern that would', async () => {
    const parameters: JsonObject = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } }
    const startedAt = performance.now()
    expect(await check({ s: `${'a'.repeat(40)}!` }, parameters)).toHaveProperty('s')
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  it.each<[string, JsonObject]>([
    [
      'an older draft',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'http://x/y',
        type: 'object',
        properties: { n: { type: 'number' } },
      },
    ],
    ['one that claims to be asynchronous', { $async: true, type: 'object', properties: { n: { type: 'number' } } }],
    ['one that is none', { type: 'object', properties: { n: { type: 'number' }, data: { type: {} } } }],
    [
      'a reference to nowhere',
      { type: 'object', properties: { n: { type: 'number' }, r: { $ref: 'https://example.com/x.json' } } },
    ],
  ])('%s is checked all the same', async (_, parameters) => {
    expect(await check({ n: 1 }, parameters)).toEqual({ n: 1 })
    await expect(check({ n: 'x' }, parameters)).rejects.toMatchObject({ details: { field: 'n' } })
  })
})

describe('names that every object answers to', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const schemaOf = (name: string, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries([[name, { type: 'string', minLength: 2 }]]),
    ...more,
  })
  const withOwn = (name: string, value: JsonValue): JsonObject => Object.fromEntries([[name, value]])

  it.each(NAMES)('%s is an argument like any other', async (name) => {
    const closed = schemaOf(name, { required: [name], additionalProperties: false })
    const args = await check(JSON.stringify(withOwn(name, 'ab')), closed)
    expect(Object.entries(args)).toEqual([[name, 'ab']])
    expect(await check({}, schemaOf(name))).toEqual({})
    await expect(check({}, closed)).rejects.toMatchObject({ details: { field: name, reason: `${name} is required` } })
    await expect(check(withOwn(name, 'a'), closed)).rejects.toMatchObject({ details: { field: name } })
    await expect(check(withOwn(name, 3), closed)).rejects.toMatchObject({ details: { field: name } })
  })

  it.each(NAMES)('%s inside of an argument', async (name) => {
    const outer = { type: 'object', properties: { in: schemaOf(name, { required: [name] }) } }
    const args = await check({ in: withOwn(name, 'ab') }, outer)
    expect(JSON.stringify(args)).toBe(`{"in":{"${name}":"ab"}}`)
    await expect(check({ in: {} }, outer)).rejects.toMatchObject({ details: { field: `in.${name}` } })
  })

  it('the word __proto__ as a value', async () => {
    const words = { type: 'object', properties: { w: { enum: ['__proto__', 'x'] } } }
    expect(await check({ w: '__proto__' }, words)).toEqual({ w: '__proto__' })
    await expect(check({ w: 'y' }, words)).rejects.toMatchObject({
      details: { reason: 'w must be one of "__proto__", "x"' },
    })
  })
})
