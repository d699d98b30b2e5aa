import { readFileSync } from 'node:fs'
import path from 'node:path'

import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MAX_SCHEMA_BYTES, sanitise } from './schema.ts'

import type { JsonObject, JsonValue } from '../contract/index.ts'
import type { SanitiseOptions } from './schema.ts'

const gradio = { gradio: true } satisfies SanitiseOptions

const property = (schema: JsonValue, options: SanitiseOptions = gradio): JsonValue | undefined => {
  const done = sanitise({ type: 'object', properties: { p: schema } }, options)
  if (done.rejected) return done.rejected.code
  return (done.schema.properties as JsonObject).p
}

const FILE = 'Gradio File Input - a http or https url to a file'
const LIST_FILES = {
  $defs: { FileData: { title: 'FileData', type: 'string', format: FILE } },
  items: { $ref: '#/$defs/FileData', type: 'string', format: FILE },
  title: 'ListFiles',
  type: 'array',
  additional_description: null,
  description: '',
}

describe('the components of Gradio', () => {
  it.each<[string, JsonValue, JsonValue | undefined]>([
    ['text', { type: 'string', description: '' }, { type: 'string' }],
    ['number', { type: 'number' }, { type: 'number' }],
    ['integer', { type: 'integer' }, { type: 'integer' }],
    ['checkbox', { type: 'boolean' }, { type: 'boolean' }],
    [
      'dropdown',
      { type: 'string', enum: ['photo', 'sketch'], description: '', default: 'photo' },
      { type: 'string', enum: ['photo', 'sketch'], default: 'photo' },
    ],
    [
      'checkbox group',
      { items: { enum: ['x', 'y'], type: 'string' }, title: 'Checkbox Group', type: 'array' },
      { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
    ],
    ['radio with numbers', { enum: [1, 2], title: 'Radio', type: 'string' }, undefined],
    ['dropdown without choices', { type: 'string', enum: [] }, undefined],
    ['image', { title: 'ImageData', type: 'string', format: FILE }, { type: 'string', description: '(http(s) URL)' }],
    [
      'audio, file, video',
      { required: ['path'], title: 'FileData', type: 'string', description: 'A voice', format: FILE },
      { type: 'string', description: 'A voice (http(s) URL)' },
    ],
    [
      'image with a value',
      { title: 'ImageData', type: 'string', format: FILE, default: { path: '/x', meta: { _type: 'gradio.FileData' } } },
      { type: 'string', description: '(http(s) URL)' },
    ],
    ['list of files', LIST_FILES, undefined],
    ['json', { type: {}, description: 'any valid json' }, 'tools/schema-unusable'],
    ['optional text', { oneOf: [{ type: 'null' }, { type: 'string' }] }, { type: 'string' }],
    [
      'optional list',
      { oneOf: [{ type: 'null' }, { type: 'array', items: { type: 'integer' } }] },
      { type: 'array', items: { type: 'integer' } },
    ],
    [
      'dictionary',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
    ],
  ])('%s', (_, original, expected) => {
    expect(property(original)).toEqual(expected)
  })

  it('loses additionalProperties and ranges where the model cannot read them', () => {
    const schema = { type: 'object', properties: { n: { type: 'number', minimum: 1 } }, additionalProperties: false }
    expect(property(schema, { target: 'gemini' })).toEqual({ type: 'object', properties: { n: { type: 'number' } } })
    expect(property(schema, { target: 'llama' })).toEqual({
      type: 'object',
      properties: { n: { type: 'number' } },
      additionalProperties: false,
    })
    expect(property(schema)).toEqual(schema)
  })
})

describe('the root', () => {
  it.each<[string, JsonValue | undefined]>([
    ['missing', undefined],
    ['a boolean', true],
    ['an array schema', { type: 'array' }],
    ['a choice', { anyOf: [{ type: 'object' }] }],
    ['a reference to itself', { $ref: '#' }],
    ['a remote reference', { $ref: 'https://example.com/schema.json' }],
  ])('is rejected: %s', (_, schema) => {
    expect(sanitise(schema).rejected).toMatchObject({ code: 'tools/bad-schema' })
  })

  it.each<[string, JsonValue, JsonValue]>([
    ['empty', {}, { type: 'object', properties: {} }],
    ['keywords without properties', { title: 'x' }, { type: 'object', properties: {} }],
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['no type', { properties: { a: { type: 'string' } } }, { type: 'object', properties: { a: { type: 'string' } } }],
    [
      'behind a reference',
      {
        $ref: '#/definitions/In',
        definitions: { In: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
  ])('is completed: %s', (_, schema, expected) => {
    expect(sanitise(schema).schema).toEqual(expected)
  })
})

describe('single rules', () => {
  it.each<[string, JsonValue, JsonValue | undefined]>([
    ['a boolean property goes', true, undefined],
    [
      'a property may be called like a keyword',
      { type: 'object', properties: { title: { type: 'string' }, format: { type: 'string' } } },
      { type: 'object', properties: { title: { type: 'string' }, format: { type: 'string' } } },
    ],
    ['const', { const: 'a' }, { enum: ['a'] }],
    ['type with null', { type: ['string', 'null'] }, { type: 'string' }],
    [
      'two types',
      { type: ['string', 'integer'], description: 'd' },
      { description: 'd', anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['only null', { type: 'null' }, undefined],
    [
      'required without property',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    ['default of another type', { type: 'integer', default: '3' }, { type: 'integer' }],
    ['default outside the choices', { type: 'string', enum: ['a'], default: 'b' }, { type: 'string', enum: ['a'] }],
    [
      'date-time stays, other formats go',
      {
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'integer', format: 'int64' },
        ],
      },
      { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'integer' }] },
    ],
    ['array without items', { type: 'array', minItems: 1 }, { type: 'array', items: {} }],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } } },
        ],
      },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    ],
    ['unknown reference as a whole property', { $ref: '#/nowhere' }, undefined],
    [
      'unknown reference inside a value',
      { type: 'array', items: { $ref: 'file:///etc/passwd' } },
      { type: 'array', items: { type: 'object', properties: {} } },
    ],
    [
      'invisible characters',
      { type: 'string', description: 'a\u202Eb\u0007\u{E0041}c' },
      { type: 'string', description: 'abc' },
    ],
  ])('%s', (_, original, expected) => {
    expect(property(original, {})).toEqual(expected)
  })

  it('follows references at the root, then in the nearest $defs, and keywords beside them win', () => {
    const schema: JsonObject = {
      type: 'object',
      $defs: { City: { type: 'string', description: 'far' } },
      properties: {
        from: { $ref: '#/$defs/City', description: 'near' },
        to: { $defs: { Town: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/Town' }, { type: 'null' }] },
      },
    }
    expect(sanitise(schema).schema).toEqual({
      type: 'object',
      properties: { from: { type: 'string', description: 'near' }, to: { type: 'string' } },
    })
  })

  it('stops at a cycle', () => {
    const schema: JsonObject = {
      type: 'object',
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/Node' }, all: { type: 'array', items: { $ref: '#/$defs/Node' } } },
        },
      },
      properties: { tree: { $ref: '#/$defs/Node' } },
    }
    expect(sanitise(schema).schema).toEqual({
      type: 'object',
      properties: {
        tree: { type: 'object', properties: { all: { type: 'array', items: { type: 'object', properties: {} } } } },
      },
    })
  })

  it('rejects a tool with a required parameter that cannot be set', () => {
    const done = sanitise({ type: 'object', properties: { c: { enum: [1], type: 'string' } }, required: ['c'] }, gradio)
    expect(done.rejected).toMatchObject({ code: 'tools/schema-unusable' })
  })

  it('rejects a schema that is still too large', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, k) => [`p${k}`, { type: 'string', description: 'x'.repeat(900) }]),
    )
    expect(sanitise({ type: 'object', properties }).rejected?.code).toBe('tools/too-large')
  })

  it('survives references that fan out', () => {
    const $defs: JsonObject = {}
    for (let k = 0; k < 30; k += 1) {
      const next = { $ref: `#/$defs/D${k + 1}` }
      $defs[`D${k}`] = { type: 'object', properties: { a: next, b: next, c: next } }
    }
    const done = sanitise({ type: 'object', $defs, properties: { p: { $ref: '#/$defs/D0' } } })
    expect(done.rejected?.code).toBe('tools/too-large')
  })
})

describe('captured tools', () => {
  const file = path.resolve(import.meta.dirname, '../../e2e/fixtures/gradio/gradio-6.25-schema-endpoint.json')
  const all = JSON.parse(readFileSync(file, 'utf8')) as Array<{
    name: string
    inputSchema?: JsonObject
    meta: { mcp_type: string }
  }>
  const tools = all.filter((entry) => entry.meta.mcp_type === 'tool')
  const of = (name: string) => {
    const tool = tools.find((entry) => entry.name === `My_Cool_Space_1_${name}`)
    expect(tool, name).toBeDefined()
    return sanitise(tool!.inputSchema, gradio)
  }

  it('keeps the ordinary ones', () => {
    expect(of('letter_counter').schema).toEqual({
      type: 'object',
      properties: {
        word: { type: 'string', description: 'The input text to search through', default: 'strawberry' },
        letter: { type: 'string', description: 'The letter to search for', default: 'r' },
      },
    })
    expect(of('caption').schema).toEqual({
      type: 'object',
      properties: { image: { type: 'string', description: '(http(s) URL)' } },
      required: ['image'],
    })
  })

  it('leaves the gallery out and rejects what the server always refuses', () => {
    expect(of('gal')).toMatchObject({ schema: { type: 'object', properties: {} } })
    expect(of('j').rejected?.code).toBe('tools/schema-unusable')
    expect(of('multi').rejected?.code).toBe('tools/schema-unusable')
  })

  it.each(tools.map((entry) => [entry.name, entry.inputSchema] as const))('%s gives a valid copy', (_, schema) => {
    expect(() =>
      new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }).compile(
        sanitise(schema, gradio).schema,
      ),
    ).not.toThrow()
  })
})

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>
const { schema: anySchema } = fc.letrec<{ schema: JsonValue; list: JsonValue[] }>((tie) => ({
  list: fc.array(tie('schema'), { maxLength: 3 }),
  schema: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.constantFrom<JsonValue>(
      true,
      'text',
      null,
      { $ref: '#' },
      { $ref: '#/$defs/A' },
      { $ref: 'https://x.y/z' },
      { type: 'null' },
    ),
    fc.record(
      {
        type: fc.constantFrom<JsonValue>(
          'string',
          'number',
          'integer',
          'array',
          'object',
          'nope',
          {},
          ['string', 'null'],
          ['array', 'object'],
        ),
        enum: fc.array(json, { maxLength: 3 }),
        const: json,
        default: json,
        description: fc.string({ unit: 'binary', maxLength: 40 }),
        format: fc.constantFrom('date-time', 'email', FILE),
        minimum: fc.integer(),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonValue>,
    fc.record(
      {
        type: fc.constantFrom('object', 'array'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'title', '__proto__', '$ref'), tie('schema'), {
          maxKeys: 3,
        }),
        required: fc.array(fc.constantFrom('a', 'b', 'z'), { maxLength: 3 }),
        items: tie('schema'),
        anyOf: tie('list'),
        oneOf: tie('list'),
        allOf: tie('list'),
        additionalProperties: tie('schema'),
        $defs: fc.dictionary(fc.constantFrom('A', 'B'), tie('schema'), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonValue>,
  ),
}))

describe('any schema', () => {
  const root = fc.record({
    properties: fc.dictionary(fc.string({ maxLength: 8 }), anySchema, { maxKeys: 4 }),
    $defs: fc.record({ A: anySchema }),
    required: fc.array(fc.string({ maxLength: 3 })),
  })

  it('gives a valid copy within the limits, and the same again', () => {
    fc.assert(
      fc.property(
        root,
        fc.boolean(),
        fc.constantFrom<'openai' | 'llama' | 'gemini'>('openai', 'llama', 'gemini'),
        (schema, fromGradio, target) => {
          const input = { type: 'object', ...schema } as JsonObject
          const options = { gradio: fromGradio, target }
          const once = sanitise(input, options)
          expect(sanitise(input, options)).toEqual(once)
          const again = sanitise(once.schema, options)
          expect(again.rejected).toBeUndefined()
          expect(again.schema).toEqual(once.schema)
          expect(Buffer.byteLength(JSON.stringify(once.schema))).toBeLessThanOrEqual(MAX_SCHEMA_BYTES)
          expect(() => new Ajv2020({ strict: false, validateFormats: false }).compile(once.schema)).not.toThrow()
        },
      ),
      { numRuns: 150 },
    )
  })

  it('cuts thirty levels of nesting', () => {
    let nested: JsonObject = { type: 'string' }
    for (let k = 0; k < 30; k += 1) nested = { type: 'object', properties: { a: nested } }
    const done = sanitise(nested)
    expect(JSON.stringify(done.schema).match(/"a"/g)?.length).toBeLessThanOrEqual(12)
    expect(sanitise(done.schema).schema).toEqual(done.schema)
  })
})
