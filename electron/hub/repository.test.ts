import { describe, expect, it, onTestFinished } from 'vitest'

import { startHub } from '../../e2e/servers/hub.ts'

import { createHub } from './hub.ts'
import { repositoryRef } from './repository.ts'

import type { HubOptions, StandInHub } from '../../e2e/servers/hub.ts'
import type { Log } from '../contract/index.ts'
import type { Hub } from './types.ts'

const quiet = (): void => undefined
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const BASE = 'https://huggingface.co'

describe('what a person types', () => {
  it.each([
    ['acme/personas', 'acme/personas', ['space', 'dataset', 'model']],
    [' datasets/acme/personas ', 'acme/personas', ['dataset']],
    ['spaces/acme/personas', 'acme/personas', ['space']],
    [`${BASE}/datasets/acme/personas/tree/main/x`, 'acme/personas', ['dataset']],
    [`${BASE}/acme/personas`, 'acme/personas', ['model']],
  ])('%s', (text, name, kinds) => {
    expect(repositoryRef(text, BASE)).toEqual({ name, kinds })
  })

  it('a link of the public site, where a mirror is asked', () => {
    const mirror = 'https://hub.example.org'
    const asked = { name: 'acme/personas', kinds: ['dataset'] }
    expect(repositoryRef(`${BASE}/datasets/acme/personas`, mirror)).toEqual(asked)
    expect(repositoryRef('https://hf.co/datasets/acme/personas', mirror)).toEqual(asked)
    expect(repositoryRef(`${mirror}/datasets/acme/personas`, mirror)).toEqual(asked)
    expect(repositoryRef('https://huggingface.co.evil.org/datasets/acme/personas', mirror)).toBeNull()
  })

  it.each(['', 'acme', 'a/b/c', '../x/y', 'https://example.org/a/b', 'https://huggingface.co/', 'a b/c', 'a/../b'])(
    '%j is none',
    (text) => {
      expect(repositoryRef(text, BASE)).toBeNull()
    },
  )
})

async function open(options: HubOptions, token: string | null = null): Promise<{ hub: Hub; server: StandInHub }> {
  const server = await startHub(options)
  const hub = createHub({ endpoint: server.url, fetch, token: async () => token, version: '0', log })
  onTestFinished(async () => {
    hub.dispose()
    await server.close()
  })
  return { hub, server }
}

const files = { 'README.md': 'hello', 'sailor/instructions.txt': 'Ahoy 🌊\r\n', 'sailor/big.bin': 'x'.repeat(100) }
const all = (): boolean => true
const never = (): AbortSignal => new AbortController().signal

describe('files of a repository', () => {
  it.each(['spaces', 'datasets', 'models'] as const)('of %s, those that are wanted, to the byte', async (kind) => {
    const { hub } = await open({ repositories: [{ kind, id: 'acme/personas', files }] })
    const asked: Array<[string, number]> = []
    const found = await hub.repository(
      'acme/personas',
      (path, bytes) => {
        asked.push([path, bytes])
        return path.endsWith('.txt')
      },
      never(),
    )
    expect(found.name).toBe('acme/personas')
    expect(found.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['sailor/instructions.txt', 'Ahoy 🌊\r\n'],
    ])
    expect(asked).toContainEqual(['sailor/big.bin', 100])
  })

  it('that is private needs a token', async () => {
    const repositories = [{ kind: 'datasets' as const, id: 'acme/secret', private: true, files }]
    const anonymous = await open({ repositories })
    await expect(anonymous.hub.repository('acme/secret', all, never())).rejects.toMatchObject({
      code: 'space/not-found',
    })
    const known = await open({ repositories }, 'hf_test_token')
    expect((await known.hub.repository('acme/secret', all, never())).files).toHaveLength(3)
  })

  it.each([
    ['nobody/nothing', 'space/not-found'],
    ['https://example.org/a/b', 'space/bad-name'],
  ])('%s: %s', async (ref, code) => {
    const { hub } = await open({})
    await expect(hub.repository(ref, all, never())).rejects.toMatchObject({ code })
  })

  it('that are too large are not begun', async () => {
    const { hub, server } = await open({
      repositories: [{ kind: 'models', id: 'acme/huge', files, sizes: { 'sailor/big.bin': 50_000_000 } }],
    })
    await expect(hub.repository('acme/huge', all, never())).rejects.toMatchObject({ code: 'profile/too-large' })
    expect(server.requests.some(({ url }) => url.includes('/raw/'))).toBe(false)
  })

  it.each([
    ['offline', 'hub/offline'],
    ['http500', 'hub/error'],
    ['html200', 'hub/error'],
    ['rate-limited', 'hub/rate-limited'],
  ] as const)('a Hub that is %s: %s', async (fault, code) => {
    const { hub, server } = await open({ repositories: [{ kind: 'models', id: 'acme/a', files }] })
    server.fault(fault)
    await expect(hub.repository('acme/a', all, never())).rejects.toMatchObject({ code })
  })

  it('can be given up', async () => {
    const { hub, server } = await open({ repositories: [{ kind: 'models', id: 'acme/a', files }] })
    server.fault('slow-headers')
    const controller = new AbortController()
    const reading = hub.repository('models/acme/a', all, controller.signal)
    setTimeout(() => controller.abort(), 50)
    await expect(reading).rejects.toMatchObject({ code: 'app/cancelled' })
  })
})
