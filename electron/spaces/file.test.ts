import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { failure, openSpacesHouse, tool } from '../../e2e/spaces-house.ts'

import { fileNameOf, kindOf } from './file-kind.ts'
import { fileUrl } from './file.ts'

import type { StandInSpace } from '../../e2e/servers/space.ts'
import type { SpacesHouse } from '../../e2e/spaces-house.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
const PNG = bytes('89504e470d0a1a0a0000000d49484452')

describe('what a file is', () => {
  it.each<[string, Uint8Array, string]>([
    ['png', PNG, 'image/png'],
    ['jpeg', bytes('ffd8ffe000104a464946'), 'image/jpeg'],
    ['gif', ascii('GIF89a....'), 'image/gif'],
    ['webp', ascii('RIFF....WEBPVP8 '), 'image/webp'],
    ['wav', ascii('RIFF....WAVEfmt '), 'audio/wav'],
    ['avi', ascii('RIFF....AVI LIST'), 'video/x-msvideo'],
    ['another RIFF', ascii('RIFF....ACONanih'), 'application/octet-stream'],
    ['mp3 with a tag', ascii('ID3\u0003....'), 'audio/mpeg'],
    ['mp3 without', bytes('fffb90640000'), 'audio/mpeg'],
    ['no mp3', bytes('fffffffffff0'), 'application/octet-stream'],
    ['ogg', ascii('OggS....'), 'audio/ogg'],
    ['flac', ascii('fLaC....'), 'audio/flac'],
    ['mp4', ascii('....ftypisom....'), 'video/mp4'],
    ['m4a', ascii('....ftypM4A ....'), 'audio/mp4'],
    ['avif', ascii('....ftypavif....'), 'image/avif'],
    ['mov', ascii('....ftypqt  ....'), 'video/quicktime'],
    ['webm', bytes('1a45dfa3a3428686'), 'video/webm'],
    ['pdf', ascii('%PDF-1.7'), 'application/pdf'],
    ['zip', bytes('504b030414000000'), 'application/zip'],
    ['text', ascii('Grüße, 你好\n'), 'text/plain'],
    ['a page is text', ascii('<!doctype html><script>alert(1)</script>'), 'text/plain'],
    ['a drawing with scripts is text', ascii('<svg onload="x()"/>'), 'text/plain'],
    ['text with a NUL', ascii('a\0b'), 'application/octet-stream'],
    ['half a PNG', bytes('89504e47'), 'application/octet-stream'],
    ['a program', bytes('4d5a90000300000004000000ffff'), 'application/octet-stream'],
    ['nothing', new Uint8Array(), 'application/octet-stream'],
  ])('%s', (_, data, mimeType) => {
    expect(kindOf(data)).toBe(mimeType)
  })

  it.each([
    ['/a/b/photo.png', 'image/png', 'photo.png'],
    ['/a/photo.JPEG', 'image/jpeg', 'photo.jpeg'],
    ['/a/photo.png', 'image/jpeg', 'photo.jpg'],
    ['/a/page.html', 'text/plain', 'page.txt'],
    ['/a/data.csv', 'text/plain', 'data.csv'],
    ['/a/run.exe', 'application/octet-stream', 'run.bin'],
    ['/a/..\\..\\evil.png', 'image/png', 'evil.png'],
    ['/a/../..', 'image/png', 'file.png'],
    ['', 'audio/wav', 'file.wav'],
    ['/a/.hidden', 'text/plain', 'hidden.txt'],
    ['/a/a<b>:"c|?*.png', 'image/png', 'a_b___c___.png'],
    ['/a/gnp.\u202eexe.png', 'image/png', 'gnp.exe.png'],
    ['/a/CON.png', 'image/png', '_CON.png'],
    ['/a/nul', 'text/plain', '_nul.txt'],
    ['/a/x\u0000y\n.png', 'image/png', 'xy_.png'],
    ['/a/ends. .png', 'image/png', 'ends.png'],
    [`/a/${'n'.repeat(300)}.png`, 'image/png', `${'n'.repeat(80)}.png`],
  ])('%j as %s: %s', (path, mimeType, name) => {
    expect(fileNameOf(path, mimeType)).toBe(name)
  })
})

describe('which addresses are files of a Space', () => {
  const mcpUrl = 'https://a-b.hf.space/gradio_api/mcp/'
  it.each([
    'https://a-b.hf.space/gradio_api/file=/tmp/x.png',
    'https://a-b.hf.space/file=/tmp/x.png',
    'https://a-b.hf.space:443/gradio_api/file=x#part',
    'https://A-B.hf.space/gradio_api/file=/tmp/%C3%A4.png?x=1',
  ])('%s', (url) => {
    expect(fileUrl(url, mcpUrl)?.origin).toBe('https://a-b.hf.space')
  })

  it.each([
    'http://a-b.hf.space/gradio_api/file=x',
    'https://a-b.hf.space:444/gradio_api/file=x',
    'https://c-d.hf.space/gradio_api/file=x',
    'https://a-b.hf.space.evil.example/gradio_api/file=x',
    'https://user@a-b.hf.space/gradio_api/file=x',
    'https://a-b.hf.space/gradio_api/mcp/',
    'https://a-b.hf.space/logout?next=/file=x',
    'https://a-b.hf.space/a/b/c/file=x',
    'https://a-b.hf.space/gradio_api/../file',
    'file:///etc/passwd',
    'data:text/plain,x',
    '/gradio_api/file=x',
    'x',
  ])('not %s', (url) => {
    expect(fileUrl(url, mcpUrl)).toBeNull()
  })
})

describe('fetching', () => {
  let h: SpacesHouse
  let server: StandInSpace
  beforeEach(async () => {
    h = await openSpacesHouse({ token: 'hf_test_token' })
    server = await h.installed('a/b', [tool('x')])
    server.requests.length = 0
  })
  afterEach(() => h.close())

  it('gives bytes, what they are and a name, and sends a public Space no token', async () => {
    const file = await h.spaces.file('A/B', server.files.add('photo.exe', 'application/x-msdownload', PNG))
    expect({ ...file, bytes: [...file.bytes] }).toEqual({ bytes: [...PNG], mimeType: 'image/png', name: 'photo.png' })
    expect(server.requests.map(({ headers }) => headers['x-hf-authorization'])).toEqual([undefined])
  })

  it('sends a private Space the token in its own header', async () => {
    const secret = await h.installed('me/secret', [tool('x')], { private: true })
    secret.requests.length = 0
    await h.spaces.file('me/secret', secret.files.add('a.txt', 'text/plain', ascii('hello')))
    expect(secret.requests[0]?.headers).toMatchObject({ 'x-hf-authorization': 'Bearer hf_test_token' })
    expect(secret.requests[0]?.headers.authorization).toBeUndefined()
  })

  it.each<[string, (server: StandInSpace) => string, string]>([
    ['another origin', () => 'http://127.0.0.1:9/gradio_api/file=x', 'space/bad-origin'],
    ['another path', ({ url }) => `${url}/config`, 'space/bad-origin'],
    ['a redirect', ({ files }) => files.addRedirect('a.png', 'http://127.0.0.1:9/x'), 'space/bad-origin'],
    ['a file that is gone', ({ files }) => files.gone('a.png'), 'space/file-gone'],
    ['1 MB and a byte', ({ files }) => files.add('a', 'x/y', new Uint8Array(1024 * 1024 + 1)), 'space/too-large'],
  ])('%s: refused', async (_, address, code) => {
    expect((await failure(h.spaces.file('a/b', address(server)))).code).toBe(code)
  })

  it('what is exactly as large as allowed comes whole', async () => {
    const file = await h.spaces.file('a/b', server.files.add('a', 'x/y', new Uint8Array(1024 * 1024)))
    expect(file.bytes).toHaveLength(1024 * 1024)
  })

  it.each([
    ['asleep', 'space/not-running'],
    ['401', 'space/unauthorized'],
    ['429', 'space/rate-limited'],
  ] as const)('a Space with %s: %s', async (fault, code) => {
    const address = server.files.add('a.png', 'image/png', PNG)
    server.fault(fault)
    expect((await failure(h.spaces.file('a/b', address))).code).toBe(code)
  })

  it('stopped, and of a Space that is not installed', async () => {
    const address = server.files.add('a.png', 'image/png', PNG)
    expect((await failure(h.spaces.file('a/b', address, AbortSignal.abort()))).code).toBe('tools/cancelled')
    expect((await failure(h.spaces.file('no/body', address))).code).toBe('space/not-installed')
  })
})
