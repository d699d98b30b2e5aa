import { describe, expect, it } from 'vitest'

import { parseBlock, parseProgress, parseResult, parseTool, parseTools } from './parse.ts'

const options = { gradio: true, toolBytes: 64 * 1024 }
const good = { name: 'a', description: 'A tool.', inputSchema: { type: 'object', properties: {} } }

describe('one entry of tools/list', () => {
  it('keeps the schema and the entry as received', () => {
    const raw = {
      ...good,
      name: ' a ',
      extra: { kept: [1, 'x'] },
      inputSchema: { $defs: {}, type: 'object', 'x-mine': true },
    }
    const tool = parseTool(raw, options)
    expect(tool).toMatchObject({ remoteName: 'a', description: 'A tool.', status: 'usable' })
    expect(tool.inputSchema).toBe(raw.inputSchema)
    expect(tool.raw).toBe(raw)
  })

  it.each<[string, unknown, string]>([
    ['no schema', { name: 'a' }, 'tools/bad-schema'],
    ['null schema', { ...good, inputSchema: null }, 'tools/bad-schema'],
    ['schema that is a text', { ...good, inputSchema: 'x' }, 'tools/bad-schema'],
    ['array schema', { ...good, inputSchema: { type: 'array' } }, 'tools/bad-schema'],
    ['empty name', { ...good, name: '' }, 'tools/bad-tool-name'],
    ['blank name', { ...good, name: ' \u0085 ' }, 'tools/bad-tool-name'],
    ['number as name', { ...good, name: 7 }, 'tools/bad-tool-name'],
    ['not an object', 'tool', 'tools/bad-tool-name'],
    ['null', null, 'tools/bad-tool-name'],
    ['needs tasks', { ...good, execution: { taskSupport: 'required' } }, 'tools/schema-unusable'],
    ['too large', { ...good, description: 'x'.repeat(64 * 1024) }, 'tools/too-large'],
  ])('rejects: %s', (_, raw, code) => {
    const tool = parseTool(raw, options)
    expect(tool.status).toBe('rejected')
    expect(tool.problem?.code).toBe(code)
    expect(tool.inputSchema).toEqual({})
  })

  it.each<[string, unknown]>([
    ['empty schema', { ...good, inputSchema: {} }],
    ['required that is a text', { ...good, inputSchema: { type: 'object', required: 'x' } }],
    ['null description', { ...good, description: null }],
    ['text as _meta', { ...good, _meta: 'x' }],
    ['hint that is no boolean', { ...good, annotations: { readOnlyHint: 'yes' } }],
    ['broken output schema', { ...good, outputSchema: { type: 'nonsense' } }],
    ['output schema that is no object', { ...good, outputSchema: [] }],
    ['unresolvable output schema', { ...good, outputSchema: { $ref: '#/nowhere' } }],
    ['boolean property', { ...good, inputSchema: { type: 'object', properties: { x: true } } }],
    ['tasks forbidden', { ...good, execution: { taskSupport: 'forbidden' } }],
  ])('keeps: %s', (_, raw) => {
    expect(parseTool(raw, options).status).toBe('usable')
  })

  it('keeps two of three, in order, and the first of two equal names', () => {
    const tools = parseTools(
      [good, { name: 'b', inputSchema: { type: 'array' } }, { ...good, name: 'c' }, good],
      options,
    )
    expect(tools.map(({ remoteName, status }) => [remoteName, status])).toEqual([
      ['a', 'usable'],
      ['b', 'rejected'],
      ['c', 'usable'],
      ['a', 'rejected'],
    ])
    expect(tools[3]?.problem?.code).toBe('tools/bad-tool-name')
  })
})

describe('result of a call', () => {
  it.each<[string, unknown, unknown]>([
    ['no content', { isError: false }, { content: [], isError: false }],
    ['null content', { content: null }, { content: [], isError: false }],
    ['content that is a text', { content: 'hi' }, { content: [{ type: 'text', text: 'hi' }], isError: false }],
    ['not an object', null, { content: [], isError: false }],
    ['structured list', { content: [], structuredContent: [1] }, { content: [], structured: [1], isError: false }],
    ['structured null', { content: [], structuredContent: null }, { content: [], isError: false }],
    ['isError that is a text', { content: [], isError: 'true' }, { content: [], isError: false }],
    [
      'isError',
      { content: [{ type: 'text', text: 'no' }], isError: true },
      { content: [{ type: 'text', text: 'no' }], isError: true },
    ],
  ])('%s', (_, raw, expected) => {
    expect(parseResult(raw)).toEqual(expected)
  })

  it.each<[string, unknown, unknown]>([
    ['text', { type: 'text', text: 'a\u0007b\nc' }, { type: 'text', text: 'ab\nc' }],
    [
      'image',
      { type: 'image', data: 'AAAA', mimeType: 'image/PNG' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    [
      'image in lines, unpadded',
      { type: 'image', data: 'AA\nA', mimeType: 'image/png' },
      { type: 'image', data: 'AAA=', mimeType: 'image/png' },
    ],
    [
      'image with bad base64',
      { type: 'image', data: '%%%', mimeType: 'image/png' },
      { type: 'unsupported', what: 'image with damaged data' },
    ],
    ['image without a type', { type: 'image', data: 'AAAA' }, { type: 'unsupported', what: 'image without a type' }],
    [
      'image with a type that is none',
      { type: 'image', data: 'AAAA', mimeType: 'x"><script>' },
      { type: 'unsupported', what: 'image without a type' },
    ],
    [
      'image without data',
      { type: 'image', mimeType: 'image/png' },
      { type: 'unsupported', what: 'image without data' },
    ],
    [
      'audio',
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ],
    [
      'text resource',
      { type: 'resource', resource: { uri: 'a:b', text: 'x' } },
      { type: 'resource', uri: 'a:b', text: 'x' },
    ],
    [
      'picture resource',
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'image/png' } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    ['other resource', { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } }, { type: 'resource', uri: 'a:b' }],
    [
      'resource without uri',
      { type: 'resource', resource: {} },
      { type: 'unsupported', what: 'resource without an address' },
    ],
    [
      'link',
      { type: 'resource_link', uri: 'https://x.test/a', name: 'A' },
      { type: 'link', uri: 'https://x.test/a', name: 'A' },
    ],
    [
      'bad link',
      { type: 'resource_link', uri: 'not a uri', name: 'A' },
      { type: 'unsupported', what: 'link without an address' },
    ],
    ['unknown', { type: 'hologram', depth: 3 }, { type: 'unsupported', what: 'hologram' }],
    ['no type', {}, { type: 'unsupported', what: 'no type' }],
    ['not an object', 3, { type: 'unsupported', what: 'not an object' }],
  ])('block: %s', (_, raw, expected) => {
    expect(parseBlock(raw)).toEqual(expected)
  })

  it('progress: Gradio has no total, and its last message is missing', () => {
    expect(parseProgress({ progress: 2, message: 'Step 0 of 3\u0000' })).toEqual({
      progress: 2,
      message: 'Step 0 of 3',
    })
    expect(parseProgress({ progress: 5 })).toEqual({ progress: 5 })
    expect(parseProgress({ progress: 1, total: 4 })).toEqual({ progress: 1, total: 4 })
  })
})
