import { describe, expect, it, onTestFinished } from 'vitest'

import { startHub } from '../../e2e/servers/hub.ts'

import { isWhole } from './dataset.ts'
import { createHub } from './hub.ts'

import type { RepositoryRecord, StandInHub } from '../../e2e/servers/hub.ts'
import type { Log } from '../contract/index.ts'
import type { Hub } from './types.ts'

const quiet = (): void => undefined
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const ID = 'acme/moves'
const never = (): AbortSignal => new AbortController().signal

async function open(
  record: Partial<RepositoryRecord> = {},
  token: string | null = null,
): Promise<{ hub: Hub; server: StandInHub }> {
  const files = { 'yes.json': '{"é": 1}', 'data/yes.wav': 'RIFF' }
  const server = await startHub({ repositories: [{ kind: 'datasets', id: ID, files, ...record }] })
  const limits = { headersMs: 300, idleMs: 100 }
  const hub = createHub({ endpoint: server.url, fetch, token: async () => token, version: '0', log, limits })
  onTestFinished(async () => {
    hub.dispose()
    await server.close()
  })
  return { hub, server }
}

describe('files of a dataset', () => {
  it('by the commit that main is, each checked against its digest', async () => {
    const { hub } = await open({ large: ['data/yes.wav'] })
    const tree = await hub.dataset(ID, 'main', never())
    expect(tree.revision).toBe('c'.repeat(40))
    expect(tree.files.map(({ path, bytes, digest }) => [path, bytes, digest.length])).toEqual([
      ['yes.json', 9, 40],
      ['data/yes.wav', 4, 64],
    ])
    let counted = 0
    for (const file of tree.files) {
      const bytes = await hub.datasetFile(ID, tree.revision, file, never(), (count) => (counted += count))
      expect(isWhole(bytes, file)).toBe(true)
    }
    expect(counted).toBe(13)
  })

  it('a large one comes from its content host, which gets no token', async () => {
    const { hub, server } = await open({ large: ['data/yes.wav'], private: true }, 'hf_test_token')
    const tree = await hub.dataset(ID, 'main', never())
    const [, sound] = tree.files
    expect(Buffer.from(await hub.datasetFile(ID, tree.revision, sound!, never())).toString()).toBe('RIFF')
    const [asked, sent] = server.requests.slice(-2)
    expect(asked?.headers.authorization).toBe('Bearer hf_test_token')
    expect(sent?.url).toContain('/content/')
    expect(sent?.headers.authorization).toBeUndefined()
  })

  it.each([
    ['another content', { spoiled: { 'yes.json': '{"e": 1}x' } }],
    ['the end missing', { spoiled: { 'yes.json': '{"é"' } }],
    ['more than announced', { spoiled: { 'yes.json': 'x'.repeat(500_000) } }],
  ])('%s is thrown away', async (_, record) => {
    const { hub } = await open(record)
    const { revision, files } = await hub.dataset(ID, 'main', never())
    await expect(hub.datasetFile(ID, revision, files[0]!, never())).rejects.toMatchObject({
      code: 'library/damaged',
      details: { path: 'yes.json' },
    })
  })

  it('says in words of a library what is not there', async () => {
    const { hub } = await open()
    const { revision, files } = await hub.dataset(ID, 'main', never())
    await expect(hub.dataset('acme/nothing', 'main', never())).rejects.toMatchObject({ code: 'library/not-found' })
    await expect(hub.dataset(ID, 'v9', never())).rejects.toMatchObject({ code: 'library/not-found' })
    await expect(hub.dataset('../x', 'main', never())).rejects.toMatchObject({ code: 'library/unknown' })
    const gone = { ...files[0]!, path: 'no.json' }
    await expect(hub.datasetFile(ID, revision, gone, never())).rejects.toMatchObject({ code: 'library/not-found' })
  })

  it.each([
    ['html', 'hub/error'],
    ['html200', 'hub/error'],
    ['http500', 'hub/error'],
    ['rate-limited', 'hub/rate-limited'],
    ['offline', 'hub/offline'],
    ['slow-headers', 'hub/offline'],
  ] as const)('%s is %s', async (fault, code) => {
    const { hub, server } = await open()
    const { revision, files } = await hub.dataset(ID, 'main', never())
    server.fault(fault)
    await expect(hub.datasetFile(ID, revision, files[0]!, never())).rejects.toMatchObject({ code })
  })

  it('can be cancelled', async () => {
    const { hub, server } = await open()
    const { revision, files } = await hub.dataset(ID, 'main', never())
    server.fault('slow-headers')
    const cancel = new AbortController()
    setTimeout(() => cancel.abort(), 20)
    await expect(hub.datasetFile(ID, revision, files[0]!, cancel.signal)).rejects.toMatchObject({
      code: 'app/cancelled',
    })
  })
})
