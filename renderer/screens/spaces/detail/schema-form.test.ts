import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { argumentsOf, fieldsOf } from './schema-form.ts'

import type { JsonObject, JsonValue } from '../../../../electron/contract/index.ts'
import type { FieldValue } from './schema-form.ts'

const one = (property: JsonValue, more: JsonObject = {}) =>
  fieldsOf({ type: 'object', properties: { x: property }, ...more })[0]

describe('the control of a schema', () => {
  const text = { kind: 'text', format: undefined, long: false }
  it.each<[string, JsonValue, object]>([
    ['text', { type: 'string' }, text],
    ['text with a format', { type: 'string', format: 'date' }, { ...text, format: 'date' }],
    ['a long text', { type: 'string', default: 'two\nlines' }, { ...text, long: true }],
    ['text with an end', { type: 'string', maxLength: 5 }, { ...text, maxLength: 5 }],
    ['a choice', { type: 'string', enum: ['a', 'b', 'a'] }, { kind: 'choice', options: ['a', 'b'] }],
    ['a choice of numbers', { enum: [1, 2] }, { kind: 'choice', options: [1, 2] }],
    ['a choice of objects', { enum: [{ a: 1 }] }, { kind: 'json', shape: 'any' }],
    ['an empty choice', { type: 'string', enum: [] }, text],
    ['a constant', { const: 'a' }, { kind: 'choice', options: ['a'] }],
    ['constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { kind: 'choice', options: ['a', 'b'] }],
    ['a number', { type: 'number' }, { kind: 'number', whole: false }],
    ['a whole number', { type: 'integer', minimum: 0, maximum: 9 }, { kind: 'number', whole: true, min: 0, max: 9 }],
    [
      'exclusive',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 },
      { kind: 'number', whole: true, min: 1, max: 8 },
    ],
    ['a switch', { type: 'boolean' }, { kind: 'switch' }],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, { kind: 'list', of: 'text' }],
    [
      'a list of choices',
      { type: 'array', items: { enum: ['a', 'b'] } },
      { kind: 'list', of: 'text', options: ['a', 'b'] },
    ],
    ['a list of numbers', { type: 'array', items: { type: 'integer' } }, { kind: 'list', of: 'whole' }],
    ['a list of objects', { type: 'array', items: { type: 'object' } }, { kind: 'json', shape: 'array' }],
    ['a list of anything', { type: 'array' }, { kind: 'json', shape: 'array' }],
    ['an object', { type: 'object', properties: { a: { type: 'string' } } }, { kind: 'json', shape: 'object' }],
    ['an object without a type', { properties: {} }, { kind: 'json', shape: 'object' }],
    ['anything', {}, { kind: 'json', shape: 'any' }],
    ['true', true, { kind: 'json', shape: 'any' }],
    ['nothing that a schema is', 'string', { kind: 'json', shape: 'any' }],
    ['an odd type', { type: {}, description: 'any' }, { kind: 'json', shape: 'any' }],
    ['text or nothing', { type: ['string', 'null'] }, text],
    ['text or nothing, apart', { anyOf: [{ type: 'string' }, { type: 'null' }] }, text],
    ['text or number', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json', shape: 'any' }],
    ['all of', { allOf: [{ type: 'integer' }, { minimum: 3 }] }, { kind: 'number', whole: true, min: 3 }],
    ['a reference elsewhere', { $ref: 'https://x.example/s.json' }, { kind: 'json', shape: 'any' }],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, { kind: 'json', shape: 'any' }],
    ['a reference to itself', { $ref: '#/properties/x' }, { kind: 'json', shape: 'any' }],
  ])('%s', (_, property, expected) => {
    expect(one(property)?.control).toEqual(expected)
  })

  it('follows references within the schema, and keeps the words beside them', () => {
    const defs = { $defs: { 'a/b': { type: 'integer', minimum: 1, description: 'theirs' } } }
    const field = one({ $ref: '#/$defs/a~1b', description: 'mine', default: 4 }, defs)
    expect(field).toEqual({
      name: 'x',
      description: 'mine',
      required: false,
      control: { kind: 'number', whole: true, min: 1 },
      initial: '4',
    })
    const nested = one({ anyOf: [{ $ref: '#/$defs/a~1b' }, { type: 'null' }] }, defs)
    expect(nested?.control).toEqual({ kind: 'number', whole: true, min: 1 })
  })

  it.each<[string, JsonObject]>([
    ['no properties', { type: 'object' }],
    ['properties that are a list', { properties: [] }],
    ['nothing', {}],
  ])('%s: no fields', (_, schema) => {
    expect(fieldsOf(schema)).toEqual([])
  })

  it('takes names that every object has', () => {
    const fields = fieldsOf({ properties: { constructor: { type: 'string' }, toString: { type: 'boolean' } } })
    expect(fields.map(({ name }) => name)).toEqual(['constructor', 'toString'])
    expect(argumentsOf(fields, {})).toEqual({ ok: true, arguments: {} })
  })
})

describe('what a captured Gradio server asks for', () => {
  interface Listed {
    name: string
    inputSchema?: JsonObject
  }
  const file = path.resolve(import.meta.dirname, '../../../../e2e/fixtures/gradio/gradio-6.25-schema-endpoint.json')
  const listed = (JSON.parse(readFileSync(file, 'utf8')) as Listed[]).filter(({ inputSchema }) => inputSchema)
  const fieldsOfTool = (end: string) =>
    fieldsOf(listed.find(({ name }) => name.endsWith(end))?.inputSchema ?? {}).map(
      ({ name, required, control, initial }) => [name, required, control.kind, initial] as const,
    )

  it('is a form for each tool', () => {
    expect(listed.length).toBeGreaterThan(5)
    for (const { inputSchema, name } of listed) {
      const fields = fieldsOf(inputSchema ?? {})
      const properties = inputSchema?.['properties'] as JsonObject | undefined
      expect(
        fields.map((field) => field.name),
        name,
      ).toEqual(Object.keys(properties ?? {}))
    }
  })

  it('with its defaults', () => {
    expect(fieldsOfTool('letter_counter')).toEqual([
      ['word', false, 'text', 'strawberry'],
      ['letter', false, 'text', 'r'],
    ])
    expect(fieldsOfTool('make_image')).toEqual([
      ['prompt', true, 'text', undefined],
      ['size', false, 'number', '8'],
      ['style', false, 'choice', '"photo"'],
    ])
  })

  it('whose untouched form sends exactly the defaults', () => {
    const tool = listed.find(({ name }) => name.endsWith('letter_counter'))
    expect(argumentsOf(fieldsOf(tool?.inputSchema ?? {}), {})).toEqual({
      ok: true,
      arguments: { word: 'strawberry', letter: 'r' },
    })
  })
})

describe('what is sent', () => {
  it.each<[string, JsonObject, FieldValue, JsonValue]>([
    ['text as typed', { type: 'string' }, ' a ', ' a '],
    ['a choice', { enum: ['a', 'b'] }, '"b"', 'b'],
    ['a choice of numbers', { enum: [1, 2] }, '2', 2],
    ['a choice of null', { enum: ['a', null] }, 'null', null],
    ['a number', { type: 'number' }, ' 2.5 ', 2.5],
    ['a negative number', { type: 'number' }, '\u22122', -2],
    ['a whole number', { type: 'integer' }, '1e3', 1000],
    ['off', { type: 'boolean' }, false, false],
    ['lines', { type: 'array', items: { type: 'string' } }, 'a\n\nb', ['a', 'b']],
    ['numbers', { type: 'array', items: { type: 'number' } }, '1\n2.5', [1, 2.5]],
    ['an object', { type: 'object' }, '{"a": [1]}', { a: [1] }],
    ['anything', {}, '"a"', 'a'],
  ])('%s', (_, property, value, sent) => {
    const fields = fieldsOf({ properties: { x: property } })
    expect(argumentsOf(fields, { x: value })).toEqual({ ok: true, arguments: { x: sent } })
  })

  it.each<[string, JsonObject, FieldValue, object]>([
    ['nothing where something is needed', { type: 'string' }, '  ', { reason: 'needed' }],
    ['no number', { type: 'number' }, '1,5', { reason: 'number' }],
    ['no number at all', { type: 'number' }, 'Infinity', { reason: 'number' }],
    ['a hexadecimal one', { type: 'integer' }, '0x10', { reason: 'whole' }],
    ['half a number', { type: 'integer' }, '1.5', { reason: 'whole' }],
    ['too little', { type: 'integer', minimum: 2 }, '1', { reason: 'atLeast', limit: 2 }],
    ['too much', { type: 'number', maximum: 2 }, '2.1', { reason: 'atMost', limit: 2 }],
    ['too long', { type: 'string', maxLength: 2 }, 'abc', { reason: 'tooLong', limit: 2 }],
    ['no JSON', { type: 'object' }, '{a: 1}', { reason: 'json' }],
    ['no object', { type: 'object' }, '[1]', { reason: 'object' }],
    ['no list', { type: 'array' }, '{}', { reason: 'array' }],
    ['a list with a word', { type: 'array', items: { type: 'integer' } }, '1\nb', { reason: 'whole' }],
  ])('not %s', (_, property, value, problem) => {
    const fields = fieldsOf({ properties: { x: property }, required: ['x'] })
    expect(argumentsOf(fields, { x: value })).toEqual({ ok: false, problems: { x: problem } })
  })

  it('leaves out what is optional and empty, and keeps an empty text that is the default', () => {
    const fields = fieldsOf({
      properties: {
        a: { type: 'string' },
        b: { type: 'string', default: '' },
        c: { type: 'boolean' },
        d: { type: 'number' },
        e: { type: 'array', items: { type: 'string' } },
      },
    })
    expect(argumentsOf(fields, {})).toEqual({ ok: true, arguments: { b: '' } })
    expect(argumentsOf(fields, { a: '', d: ' ', e: '\n' })).toEqual({ ok: true, arguments: { b: '' } })
  })

  it('a needed switch that nobody touched is off, a needed list empty', () => {
    const fields = fieldsOf({
      properties: { a: { type: 'boolean' }, b: { type: 'array', items: { type: 'string' } } },
      required: ['a', 'b'],
    })
    expect(argumentsOf(fields, {})).toEqual({ ok: true, arguments: { a: false, b: [] } })
  })
})
