import { describe, expect, it } from 'vitest'

import { CompanionError } from '../contract/index.ts'

import { aliasOf } from './alias.ts'
import { parseSpaceRef } from './ref.ts'

describe('alias, as upstream makes it', () => {
  it.each([
    ['example/search-tool', 'example_search_tool'],
    ['example/search_tool', 'example_search_tool'],
    ['Pollen-Robotics/Reachy-Mini-Search.Tool', 'Pollen_Robotics_Reachy_Mini_Search_Tool'],
    ['8bit/foo', 'space_8bit_foo'],
    ['foo/8bit', 'foo_8bit'],
    ['1/2', 'space_1_2'],
    ['a.b/c..d', 'a_b_c_d'],
    ['a--b/c__d', 'a_b_c_d'],
    ['foo/bar-', 'foo_bar'],
    ['x_/y_', 'x_y'],
    ['A/B', 'A_B'],
  ])('%s', (slug, alias) => {
    expect(parseSpaceRef(slug)).toEqual({ kind: 'slug', slug })
    expect(aliasOf(slug)).toBe(alias)
  })
})

describe('what a person may type for a Space', () => {
  it.each([
    [' example/search-tool ', 'example/search-tool'],
    ['foo/bar\n', 'foo/bar'],
    ['\u001ffoo/bar\u0085', 'foo/bar'],
    ['foo/bar/', 'foo/bar'],
    ['spaces/foo/bar', 'foo/bar'],
    ['Spaces/foo/bar/', 'foo/bar'],
    ['spaces/bar', 'spaces/bar'],
    ['https://huggingface.co/spaces/foo/bar', 'foo/bar'],
    ['https://huggingface.co/spaces/foo/bar/', 'foo/bar'],
    ['https://huggingface.co/spaces/Foo/Bar/tree/main', 'Foo/Bar'],
    ['https://huggingface.co/spaces/foo/bar?logs=1', 'foo/bar'],
    ['https://huggingface.co/spaces/foo/bar#x', 'foo/bar'],
    ['http://huggingface.co/spaces/foo/bar', 'foo/bar'],
    ['HTTPS://HuggingFace.co/SPACES/foo/bar', 'foo/bar'],
    ['https://www.huggingface.co/spaces/foo/bar', 'foo/bar'],
    ['huggingface.co/spaces/foo/bar', 'foo/bar'],
    ['hf.co/spaces/foo/bar', 'foo/bar'],
    ['https://hf.co/spaces/foo/b%61r', 'foo/bar'],
    ['http://127.0.0.1:4000/spaces/foo/bar', 'foo/bar'],
    ['127.0.0.1:4000/spaces/foo/bar', 'foo/bar'],
  ])('%j', (text, slug) => {
    expect(parseSpaceRef(text, 'http://127.0.0.1:4000')).toEqual({ kind: 'slug', slug })
  })

  it.each([
    ['https://foo-bar.hf.space', 'foo-bar'],
    ['https://foo-bar.hf.space/', 'foo-bar'],
    ['https://foo-bar.hf.space/?__theme=dark', 'foo-bar'],
    ['https://foo-bar.hf.space/gradio_api/mcp/sse', 'foo-bar'],
    ['FOO-bar.hf.space', 'foo-bar'],
    ['foo-bar.hf.space/gradio_api/mcp/', 'foo-bar'],
  ])('a running app: %s', (text, label) => {
    expect(parseSpaceRef(text)).toEqual({ kind: 'subdomain', label })
  })

  it.each([
    '',
    '   ',
    'foo',
    'foo/',
    '/foo',
    '/foo/bar',
    'foo/bar//',
    'foo//bar',
    '-foo/bar',
    'foo/_bar',
    'x_/_y',
    '__x/y',
    'foo/bar baz',
    'foo/bar?x',
    'foo/bär',
    'foo/bar/baz',
    'foo/bar%2Fbaz',
    'foo/%zz',
    '\ufefffoo/bar',
    'https://example.com/mcp',
    'https://example.com/spaces/foo/bar',
    'https://huggingface.co/foo/bar',
    'https://huggingface.co/datasets/foo/bar',
    'https://huggingface.co/spaces/foo',
    'https://huggingface.co/spaces/foo/_bar',
    'https://huggingface.co/spaces/foo/b%2561r%',
    'https://huggingface.co/spaces/foo%2Fbar/baz',
    'https://huggingface.co.evil.example/spaces/foo/bar',
    'https://user@huggingface.co/spaces/foo/bar',
    'https://user:pass@foo-bar.hf.space/',
    'https://foo.bar.hf.space',
    'https://foo-bar.static.hf.space',
    'https://evil.hf.space.example/',
    'https://foo-bar.hf.space:8443/',
    'https://hf.space/',
    'ftp://huggingface.co/spaces/foo/bar',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://127.0.0.1:4001/spaces/foo/bar',
  ])('none: %j', (text) => {
    const parse = (): unknown => parseSpaceRef(text, 'http://127.0.0.1:4000')
    expect(parse).toThrow(CompanionError)
    expect(parse).toThrow('space/bad-name')
  })
})
