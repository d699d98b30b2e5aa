import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { judgeSchema } from './usable.ts'

import type { JsonObject } from '../contract/index.ts'

const of = (property: unknown, extra: JsonObject = {}): unknown => ({
  type: 'object',
  properties: { value: property },
  ...extra,
})

describe('root of an input schema', () => {
  it.each([
    ['an object schema', { type: 'object', properties: {} }],
    ['an object schema without properties', { type: 'object' }],
    ['nothing in it', {}],
    ['properties without a type', { properties: { a: { type: 'string' } } }],
    ['additionalProperties', { type: 'object', properties: {}, additionalProperties: false }],
    ['draft 7 named', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} }],
  ])('usable: %s', (_, schema) => {
    expect(judgeSchema(schema, { gradio: true })).toEqual({ usable: true, cannotBeSet: [] })
  })

  it.each([
    ['missing', undefined, 'missing'],
    ['null', null, 'missing'],
    ['a text', 'object', 'not an object'],
    ['a list', [], 'not an object'],
    ['a boolean', true, 'not an object'],
    ['an array schema', { type: 'array' }, 'root type is array'],
    ['a list of types', { type: ['object'] }, 'root type is not a name'],
    ['a type that is an object', { type: {} }, 'root type is not a name'],
    ['anyOf', { anyOf: [{ type: 'object' }] }, 'root is a choice'],
    ['oneOf beside a type', { type: 'object', oneOf: [{ required: ['a'] }] }, 'root is a choice'],
    ['properties that are a list', { type: 'object', properties: [] }, 'properties is not an object'],
  ])('rejected: %s', (_, schema, reason) => {
    const expected = { usable: false, problem: { code: 'tools/bad-schema', details: { reason } } }
    expect(judgeSchema(schema, { gradio: true })).toEqual(expected)
    expect(judgeSchema(schema, { gradio: false })).toEqual(expected)
  })
})

const LIST_FILES = {
  $defs: { FileData: { type: 'object' } },
  items: { $ref: '#/$defs/FileData', type: 'string' },
  title: 'ListFiles',
  type: 'array',
}

describe('properties', () => {
  it.each<[string, unknown]>([
    ['a plain type', { type: 'string' }],
    ['a boolean schema', true],
    ['a text instead of a schema', 'string'],
    ['an enum', { type: 'string', enum: ['photo', 'sketch'] }],
    ['an enum of which one fits', { type: 'integer', enum: ['1', 2] }],
    ['a checkbox group', { items: { enum: ['x', 'y'], type: 'string' }, type: 'array' }],
    ['a type list', { type: ['string', 'null'] }],
    ['an image', { title: 'ImageData', type: 'string', format: 'Gradio File Input - a http or https url to a file' }],
    ['required on a text', { required: ['path'], type: 'string' }],
    ['an object default', { type: 'string', default: { path: 'x' } }],
    ['oneOf with null', { oneOf: [{ type: 'null' }, { type: 'string' }] }],
    ['a property called type', { type: 'object', properties: { type: { type: 'string' }, enum: { type: 'string' } } }],
    ['a remote reference', { $ref: 'https://schemas.invalid/a.json' }],
  ])('usable: %s', (_, property) => {
    expect(judgeSchema(of(property), { gradio: true })).toEqual({ usable: true, cannotBeSet: [] })
  })

  it.each<[string, unknown, string]>([
    ['numbers in a text radio', { enum: [1, 2], title: 'Radio', type: 'string' }, 'no choice is valid'],
    ['a dropdown without choices', { type: 'string', enum: [] }, 'no choice is valid'],
    ['a multiselect without choices', { type: 'array', items: { type: 'string', enum: [] } }, 'no choice is valid'],
    ['a reference into the property', LIST_FILES, 'a reference that leads nowhere'],
  ])('cannot be set, and rejected when required: %s', (_, property, reason) => {
    expect(judgeSchema(of(property), { gradio: true })).toEqual({ usable: true, cannotBeSet: ['value'] })
    expect(judgeSchema(of(property, { required: ['value'] }), { gradio: true })).toEqual({
      usable: false,
      problem: { code: 'tools/schema-unusable', details: { reason, parameter: 'value' } },
    })
  })

  it('a reference that the root resolves is fine', () => {
    const schema = {
      ...(of(LIST_FILES, { required: ['value'] }) as JsonObject),
      $defs: { FileData: { type: 'string' } },
    }
    expect(judgeSchema(schema, { gradio: true })).toEqual({ usable: true, cannotBeSet: [] })
  })

  it.each<[string, unknown]>([
    ['at the top', { type: {}, description: 'any valid json' }],
    ['in items', { type: 'array', items: { type: {} } }],
    ['in a branch', { anyOf: [{ type: 'string' }, { type: 7 }] }],
    ['in definitions', { type: 'string', $defs: { X: { type: {} } } }],
  ])('a type that is none costs a Gradio tool, wherever it stands: %s', (_, property) => {
    expect(judgeSchema(of(property), { gradio: true })).toEqual({
      usable: false,
      problem: {
        code: 'tools/schema-unusable',
        details: { reason: 'a type that is not a type name', parameter: 'value' },
      },
    })
    expect(judgeSchema(of(property), { gradio: false })).toEqual({ usable: true, cannotBeSet: [] })
  })

  it('refuses what is nested without end', () => {
    let deep: JsonObject = { type: 'string' }
    for (let level = 0; level < 200; level++) deep = { type: 'array', items: deep }
    expect(judgeSchema(of(deep), { gradio: false })).toMatchObject({
      usable: false,
      problem: { code: 'tools/schema-unusable', details: { reason: 'too deep' } },
    })
  })
})

describe('captured Gradio 6.25 tools', () => {
  const captured = JSON.parse(
    readFileSync(
      path.resolve(import.meta.dirname, '../../e2e/fixtures/gradio/gradio-6.25-schema-endpoint.json'),
      'utf8',
    ),
  ) as { name: string; inputSchema: unknown; meta: { mcp_type: string } }[]
  const tools = new Map(
    captured.filter(({ meta }) => meta.mcp_type === 'tool').map(({ name, inputSchema }) => [name, inputSchema]),
  )
  const verdict = (name: string): unknown => judgeSchema(tools.get(`My_Cool_Space_1_${name}`), { gradio: true })

  it.each([
    'letter_counter',
    'make_image',
    'caption',
    'say',
    'boom',
    'stateful',
    'gen',
    'noout',
    'hdr',
    'structured',
    'typed',
  ])('usable: %s', (name) => {
    if (!tools.has(`My_Cool_Space_1_${name}`)) throw new Error(`not captured: ${name}`)
    expect(verdict(name)).toEqual({ usable: true, cannotBeSet: [] })
  })

  it('rejects gr.JSON', () => {
    expect(verdict('j')).toMatchObject({ usable: false, problem: { details: { parameter: 'data' } } })
  })

  it('a file list or gallery cannot be set; a tool that requires one is rejected', () => {
    expect(verdict('gal')).toEqual({ usable: true, cannotBeSet: ['g'] })
    expect(verdict('_lambda__4')).toEqual({ usable: true, cannotBeSet: ['v'] })
    expect(verdict('_lambda__2')).toMatchObject({
      usable: false,
      problem: { code: 'tools/schema-unusable', details: { reason: 'a reference that leads nowhere', parameter: 'v' } },
    })
  })

  it('knows the radio of numbers and the empty dropdown of one tool', () => {
    const schema = tools.get('My_Cool_Space_1_multi') as { required?: string[] }
    const result = judgeSchema({ ...schema, required: [] }, { gradio: true })
    expect(result).toEqual({ usable: true, cannotBeSet: ['c', 'd'] })
  })
})
