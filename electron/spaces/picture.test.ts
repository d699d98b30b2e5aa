import { afterEach, describe, expect, it } from 'vitest'

import { listenOnLoopback } from '../../e2e/servers/http.ts'
import { CompanionError } from '../contract/index.ts'

import { pictureKind } from './picture-kind.ts'
import { fetchPicture, MAX_PICTURE_BYTES } from './picture.ts'
import { isPublicAddress } from './public-address.ts'

import type { PictureDeps } from './picture.ts'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

async function server(
  answer: (path: string, response: ServerResponse) => void,
): Promise<{ url: string; asked: { path: string; headers: IncomingHttpHeaders }[] }> {
  const asked: { path: string; headers: IncomingHttpHeaders }[] = []
  const one = await listenOnLoopback(async (request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    answer(request.url ?? '', response)
  })
  opened.push(one)
  return { url: one.url, asked }
}

const deps = (endpoint: string, more: Partial<PictureDeps> = {}): PictureDeps => ({
  fetch: globalThis.fetch,
  hub: { endpoint: () => endpoint, isLoopback: () => endpoint.startsWith('http:') },
  token: async () => 'hf_secret',
  ...more,
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'no failure'
  } catch (error) {
    if (error instanceof CompanionError) return error.code
    throw error
  }
}

describe('what is asked for', () => {
  it.each([
    ['plain http', 'http://x.example/p.png', ['93.184.215.14']],
    ['a user', 'https://a:b@x.example/p.png', ['93.184.215.14']],
    ['this computer', 'https://localhost/p.png', ['127.0.0.1']],
    ['this computer by number', 'https://127.0.0.1/p.png', ['127.0.0.1']],
    ['this computer, version 6', 'https://[::1]/p.png', ['::1']],
    ['a name for the own network', 'https://x.example/p.png', ['192.168.1.1']],
    ['a name for both', 'https://x.example/p.png', ['93.184.215.14', '10.0.0.1']],
    ['the cloud’s own address', 'https://x.example/p.png', ['169.254.169.254']],
    ['an address within an address', 'https://x.example/p.png', ['::ffff:10.0.0.1']],
    ['no address at all', 'https://x.example/p.png', []],
  ])('not %s', async (_, url, addresses) => {
    const fetch: typeof globalThis.fetch = () => Promise.reject(new Error('asked'))
    const lookup = async (): Promise<{ address: string }[]> => addresses.map((address) => ({ address }))
    const fails = fetchPicture(url, false, deps('https://hub.example', { fetch, lookup }))
    expect(await codeOf(fails)).toBe('space/bad-origin')
  })

  it('also not after a redirect', async () => {
    const { url, asked } = await server((_, response) => {
      response.writeHead(302, { location: 'http://192.168.0.1/router.png' }).end()
    })
    expect(await codeOf(fetchPicture(`${url}/p.png`, false, deps(url)))).toBe('space/bad-origin')
    expect(asked).toHaveLength(1)
  })

  it('three redirects and no more', async () => {
    const { url, asked } = await server((path, response) => {
      const left = Number(path.slice(1))
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
      else response.writeHead(200).end(PNG)
    })
    expect((await fetchPicture(`${url}/3`, false, deps(url))).mimeType).toBe('image/png')
    asked.length = 0
    expect(await codeOf(fetchPicture(`${url}/9`, false, deps(url)))).toBe('space/unreachable')
    expect(asked).toHaveLength(4)
  })

  it('the token goes to the Hub for a private Space, and nowhere else', async () => {
    const other = await server((_, response) => response.writeHead(200).end(PNG))
    const hub = await server((path, response) =>
      path === '/own.png'
        ? response.writeHead(200).end(PNG)
        : response.writeHead(302, { location: `${other.url}/far.png` }).end(),
    )
    await fetchPicture(`${hub.url}/own.png`, true, deps(hub.url))
    await fetchPicture(`${hub.url}/moved.png`, true, deps(hub.url))
    await fetchPicture(`${hub.url}/own.png`, false, deps(hub.url))
    await fetchPicture(`${other.url}/far.png`, true, deps(hub.url))
    expect(hub.asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer hf_secret',
      'Bearer hf_secret',
      undefined,
    ])
    for (const { headers } of [...hub.asked, ...other.asked]) {
      expect(headers.cookie).toBeUndefined()
      expect(headers.referer).toBeUndefined()
    }
    expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  })
})

describe('what comes back', () => {
  it('is a picture by its bytes, whatever the server calls it', async () => {
    const { url } = await server((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PNG))
    const picture = await fetchPicture(`${url}/p`, false, deps(url))
    expect(picture).toEqual({ mimeType: 'image/png', data: PNG.toString('base64') })
  })

  it.each([
    ['a page', (response: ServerResponse) => response.writeHead(200).end('<html>'), 'space/protocol'],
    ['SVG', (response: ServerResponse) => response.writeHead(200).end('<svg xmlns="x"/>'), 'space/protocol'],
    ['nothing', (response: ServerResponse) => response.writeHead(200).end(), 'space/protocol'],
    ['404', (response: ServerResponse) => response.writeHead(404).end(PNG), 'space/unreachable'],
    ['a hang-up', (response: ServerResponse) => response.destroy(), 'space/unreachable'],
    [
      'too much, announced',
      (response: ServerResponse) => response.writeHead(200, { 'content-length': MAX_PICTURE_BYTES + 1 }).write(PNG),
      'space/too-large',
    ],
    [
      'too much, unannounced',
      (response: ServerResponse) => response.writeHead(200).end(Buffer.alloc(MAX_PICTURE_BYTES + 1)),
      'space/too-large',
    ],
    ['too slow', (response: ServerResponse) => response.writeHead(200).write(PNG), 'space/timeout'],
  ])('%s', async (_, answer, code) => {
    const { url } = await server((_path, response) => void answer(response))
    expect(await codeOf(fetchPicture(`${url}/p`, false, deps(url, { timeoutMs: 2_000 })))).toBe(code)
  })

  it.each([
    ['image/png', '89504e470d0a1a0a'],
    ['image/jpeg', 'ffd8ffe0'],
    ['image/gif', '474946383961'],
    ['image/webp', '524946460000000057454250'],
    ['image/avif', '0000001c6674797061766966'],
    [null, '0000001c6674797069736f6d'],
    [null, '524946460000000057415645'],
    [null, '3c737667'],
    [null, '424d'],
    [null, ''],
  ])('%s from %s', (kind, hex) => {
    expect(pictureKind(Buffer.from(hex, 'hex'))).toBe(kind)
  })
})

describe('public addresses', () => {
  it.each([
    ['93.184.215.14', true],
    ['8.8.8.8', true],
    ['172.15.255.255', true],
    ['172.32.0.0', true],
    ['100.63.255.255', true],
    ['2606:4700::6810:84e5', true],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['172.31.255.255', false],
    ['192.168.0.1', false],
    ['127.8.8.8', false],
    ['0.0.0.0', false],
    ['100.64.0.1', false],
    ['169.254.169.254', false],
    ['198.18.0.1', false],
    ['224.0.0.251', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:8.8.8.8', false],
    ['::127.0.0.1', false],
    ['64:ff9b::7f00:1', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['fd00::1', false],
    ['ff02::fb', false],
    ['2002:7f00:1::', false],
    ['2001::1', false],
    ['localhost', false],
    ['', false],
  ])('%s: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected)
  })
})
