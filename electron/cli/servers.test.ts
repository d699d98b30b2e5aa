import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startEverything } from '../../e2e/servers/everything.ts'

import { runCli } from './run.ts'

import type { EverythingServer } from '../../e2e/servers/everything.ts'

let server: EverythingServer
let dataDir: string
beforeEach(async () => {
  server = await startEverything()
  dataDir = await mkdtemp(path.join(tmpdir(), 'cli-servers-'))
}, 30_000)
afterEach(async () => {
  await server.close()
  await rm(dataDir, { recursive: true })
})

async function run(args: readonly string[], env: Record<string, string> = {}) {
  let stdout = ''
  let stderr = ''
  const status = await runCli({
    args: [...args, '--data-dir', dataDir],
    env,
    root: path.resolve(import.meta.dirname, '../..'),
    version: '0.0.0',
    fetch,
    signal: new AbortController().signal,
    stdout: (piece) => void (stdout += piece),
    stderr: (piece) => void (stderr += piece),
  })
  return { status, stdout, stderr }
}

async function json(...args: string[]): Promise<{ status: number; answer: Record<string, unknown> }> {
  const { status, stdout } = await run([...args, '--json'])
  return { status, answer: JSON.parse(stdout) as Record<string, unknown> }
}

const profileTools = async (): Promise<string> => readFile(path.join(dataDir, 'profiles/default/tools.txt'), 'utf8')

describe('servers', () => {
  it('add, list, add again, call, remove', async () => {
    const added = await json('servers', 'add', 'demo', server.url)
    expect(added.status).toBe(0)
    expect(added.answer).toMatchObject({
      ok: true,
      server: { name: 'demo', url: server.url },
      enabled: { profile: 'default' },
      refreshed: false,
      manifest: path.join(dataDir, 'mcp_servers.json'),
    })
    const { tools } = added.answer.server as { tools: { id: string; remote_name: string; status: string }[] }
    expect(tools.find(({ remote_name: name }) => name === 'get-sum')).toMatchObject({
      id: 'demo__get_sum',
      status: 'usable',
    })
    expect((await profileTools()).split('\n')).toContain('demo__echo')

    const listed = await json('servers', 'list')
    expect(listed.answer).toMatchObject({ servers: [{ name: 'demo', url: server.url }], problems: [] })
    const again = await json('servers', 'add', 'demo', server.url)
    expect(again.answer).toMatchObject({
      refreshed: true,
      enabled: { profile: 'default', added: [] },
      changes: { added: [], removed: [], changed: [] },
    })
    const call = await json('tools', 'call', 'demo__echo', '{"message":"hi"}')
    expect(call.answer).toMatchObject({ ok: true, result: { text: 'Echo: hi', is_error: false } })

    const removed = await json('servers', 'remove', 'demo')
    expect(removed.answer).toMatchObject({
      ok: true,
      removed: 'demo',
      disabled: { default: expect.any(Array) as unknown },
    })
    expect(await profileTools()).not.toContain('demo__')
    expect((await json('servers', 'remove', 'demo')).answer).toMatchObject({
      ok: false,
      error: { code: 'server/not-installed' },
    })
  }, 60_000)

  it('people get text, the tools on stderr before anything is written', async () => {
    const { stdout, stderr, status } = await run(['servers', 'add', 'demo', server.url, '--install-only'])
    expect(status).toBe(0)
    expect(stderr).toContain('demo offers over streamable-http')
    expect(stderr).toContain('demo__echo')
    expect(stdout).toContain('Installed demo\n')
    expect(stdout).toContain('Add tool IDs to a profile to enable them.')
    expect((await run(['servers', 'list'])).stdout).toContain(server.url)
    await expect(profileTools()).rejects.toThrow('ENOENT')
  }, 30_000)

  it('a token comes from the variable that is named, over plain http only when that is allowed', async () => {
    const refused = await run(['servers', 'add', 'demo', server.url, '--token-env', 'T', '--json'], { T: 'tok-1' })
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, error: { code: 'server/insecure' } })
    const allowed = ['servers', 'add', 'demo', server.url, '--token-env', 'T', '--allow-insecure-http', '--json']
    expect(JSON.parse((await run(allowed)).stdout)).toMatchObject({ ok: false, error: { code: 'server/no-token' } })
    const { stdout, stderr } = await run(allowed, { T: 'tok-1' })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
    const file = await readFile(path.join(dataDir, 'mcp_servers.json'), 'utf8')
    expect(JSON.parse(file)).toMatchObject({
      servers: [{ auth: { type: 'bearer', token_env: 'T', allow_insecure_http: true } }],
    })
    expect(stdout + stderr + file).not.toContain('tok-1')
  }, 30_000)

  it('a profile that is not there fails before the server is asked', async () => {
    const { answer } = await json('servers', 'add', 'demo', 'http://127.0.0.1:9/mcp', '--profile', 'nowhere')
    expect(answer).toMatchObject({ ok: false, error: { code: 'profile/not-found' } })
  })

  it.each([
    [['demo'], 2, 'cli/usage'],
    [['demo', 'https://a.example/mcp', '--accept'], 2, 'cli/usage'],
    [['a__b', 'https://a.example/mcp'], 1, 'server/bad-name'],
    [['demo', 'file:///etc/passwd'], 1, 'server/bad-address'],
    [['demo', 'http://a.example/mcp'], 1, 'server/bad-address'],
  ])('add %j', async (words, status, code) => {
    const found = await json('servers', 'add', ...words)
    expect(found.status).toBe(status)
    expect(found.answer).toMatchObject({ ok: false, error: { code } })
  })

  it('lists what is wrong with the file', async () => {
    await writeFile(
      path.join(dataDir, 'mcp_servers.json'),
      JSON.stringify({ version: 1, servers: [{ alias: 'good', url: 'https://a.example/mcp' }, { alias: 'a__b' }] }),
    )
    const { answer } = await json('servers', 'list')
    expect(answer).toMatchObject({
      servers: [{ name: 'good', tools: [] }],
      problems: [{ entry: 'a__b', code: 'server/bad-name' }],
    })
  })
})
