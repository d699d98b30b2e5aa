import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { expect, test } from '@playwright/test'

import { text } from './servers/space-tools.ts'
import { soak } from './soak.ts'
import { startWorld, strings } from './world.ts'

import type { World } from './world.ts'
import type { ChildProcess } from 'node:child_process'

const BIN = path.resolve(import.meta.dirname, '../bin/reachy-mini-companion.mjs')

interface Answer {
  status: number | null
  stdout: string
  stderr: string
}

let world: World
let dataDir: string

test.beforeEach(async () => {
  world = await startWorld()
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'companion-cli-'))
})
test.afterEach(async () => {
  await world.close()
})

function start(args: readonly string[]): ChildProcess {
  const { HF_TOKEN: _token, OPENAI_API_KEY: _key, ...env } = process.env
  return spawn(process.execPath, [BIN, ...args, '--data-dir', dataDir], { env: { ...env, ...world.env } })
}

async function run(...args: string[]): Promise<Answer> {
  const child = start(args)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, stdout, stderr }
}

async function json(...args: string[]): Promise<{ status: number | null; answer: Record<string, unknown> }> {
  const { status, stdout } = await run(...args, '--json')
  expect(stdout.endsWith('\n')).toBe(true)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return { status, answer: JSON.parse(stdout) as Record<string, unknown> }
}

const greeter = {
  name: 'tools_greet',
  description: 'Greets',
  inputSchema: strings('name'),
  run: () => text('Hello, Ada.'),
}

test('install, enable, call, show, remove', async () => {
  await world.space('acme/tools', { tools: [greeter] })
  const list = await json('tool-spaces', 'list')
  expect((list.answer['spaces'] as unknown[]).length).toBe(3)
  expect(await readdir(dataDir)).not.toContain('installed_tool_spaces.json')

  const added = await json('tool-spaces', 'add', 'https://huggingface.co/spaces/acme/tools')
  expect(added).toMatchObject({
    status: 0,
    answer: { ok: true, refreshed: false, enabled: { profile: 'default', added: ['acme_tools__greet'] } },
  })
  const again = await json('tool-spaces', 'add', 'acme/tools')
  expect(again.answer).toMatchObject({ refreshed: true, changes: { added: [], removed: [], changed: [] } })

  const call = await json('tools', 'call', 'acme_tools__greet', '{"name":"Ada"}')
  expect(call).toMatchObject({ status: 0, answer: { result: { text: 'Hello, Ada.', is_error: false } } })
  expect((await json('tools', 'call', 'acme_tools__greet', '{}')).answer).toMatchObject({
    error: { code: 'tools/bad-arguments' },
  })
  expect((await json('tools', 'call', 'acme_tools__greet', '[1]')).answer).toMatchObject({
    error: { code: 'tools/bad-arguments' },
  })

  expect((await json('profiles', 'disable', 'default', 'acme_tools__greet')).answer).toMatchObject({
    changed: ['acme_tools__greet'],
  })
  expect((await json('tools', 'call', 'acme_tools__greet', '{"name":"Ada"}')).answer).toMatchObject({
    ok: false,
    error: { code: 'tools/not-enabled' },
  })
  expect((await json('profiles', 'enable', 'default', 'acme_tools__greet', 'nonsense')).answer).toMatchObject({
    error: { code: 'tools/unknown' },
  })
  expect((await json('profiles', 'enable', 'default', 'acme_tools__greet')).answer).toMatchObject({
    changed: ['acme_tools__greet'],
  })
  expect((await json('tool-spaces', 'show', 'ACME/tools')).answer).toMatchObject({
    enabled_in: { default: ['acme_tools__greet'] },
  })
  expect((await json('tool-spaces', 'remove', 'acme/tools')).answer).toMatchObject({
    removed: 'acme/tools',
    disabled: { default: ['acme_tools__greet'] },
  })
  expect(await json('tool-spaces', 'remove', 'acme/tools')).toMatchObject({
    status: 1,
    answer: { error: { code: 'space/not-installed' } },
  })
})

test('wrong usage is 2, and a failure changes nothing', async () => {
  for (const args of [
    ['bogus'],
    ['tool-spaces', 'add'],
    ['tool-spaces', 'add', 'a/b', '--instal_only'],
    ['tools', 'list', 'surplus'],
  ]) {
    expect(await json(...args)).toMatchObject({ status: 2, answer: { ok: false, error: { code: 'cli/usage' } } })
  }
  const before = await readdir(dataDir)
  expect(await json('tool-spaces', 'add', 'acme/nothing')).toMatchObject({
    status: 1,
    answer: { error: { code: 'space/not-found' } },
  })
  expect(await json('tool-spaces', 'add', 'acme/nothing', '--profile', 'nobody')).toMatchObject({
    answer: { error: { code: 'profile/not-found' } },
  })
  expect((await readdir(dataDir)).filter((name) => !before.includes(name) && name.endsWith('.json'))).toEqual([])
})

test('the robot and the offline brain work without network', async () => {
  expect((await json('robot', 'list')).answer).toMatchObject({ robots: [{ id: 'simulator', state: 'ready' }] })
  expect(await json('robot', 'stop')).toMatchObject({ status: 0, answer: { ok: true, robot: 'simulator' } })
  const played = await json('robot', 'play', 'success1')
  expect(played).toMatchObject({ status: 0, answer: { move: 'success1', clamped: false } })
  expect(await json('robot', 'play', 'nonsense')).toMatchObject({
    status: 1,
    answer: { error: { code: 'robot/unknown-move' } },
  })
  const chat = await json('chat', 'look to the left')
  expect(chat.answer).toMatchObject({
    provider: 'offline',
    calls: [{ id: 'move_head', arguments: { direction: 'left' }, is_error: false }],
  })
})

interface OnDisk {
  inManifest: boolean
  enabled: boolean
}

/** Each file alone is readable at once, whatever happened before. */
async function onDisk(): Promise<OnDisk> {
  const read = (file: string): Promise<string> =>
    readFile(path.join(dataDir, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
  const manifest = await read('installed_tool_spaces.json')
  const spaces = manifest === '' ? [] : (JSON.parse(manifest) as { spaces: { slug: string }[] }).spaces
  const tools = await read('profiles/default/tools.txt')
  return {
    inManifest: spaces.some(({ slug }) => slug === 'acme/tools'),
    enabled: tools.split('\n').includes('acme_tools__greet'),
  }
}

test('15 installations and removals, each killed at a random moment, leave nothing half done', async () => {
  test.setTimeout(240_000)
  const seed = 1 + Math.floor(Math.random() * 1e9)
  const result = await soak({ world, dataDir, rounds: 15, seed })
  test.info().annotations.push({ type: 'outcomes', description: JSON.stringify({ seed, ...result }) })
  expect(result.old + result.new).toBe(15)
  // Some of them must have died between their first write and their last, or this shows nothing.
  expect(result.whileWriting).toBeGreaterThan(0)
})

test('a signal ends a command with its status and nothing half done', async () => {
  const space = await world.space('acme/tools', { tools: [greeter] })
  space.fault('stallNoPing', 'tools/list')
  const child = start(['tool-spaces', 'add', 'acme/tools', '--json'])
  const closed = new Promise((resolve) => child.once('close', resolve))
  await expect.poll(() => space.methods.includes('tools/list'), { timeout: 20_000 }).toBe(true)
  child.kill('SIGINT')
  const status = await closed
  expect(status).toBe(130)
  expect(await onDisk()).toEqual({ inManifest: false, enabled: false })
})

test('a signal during a dance says that it was stopped, not that nothing was changed', async () => {
  const child = start(['tools', 'call', 'dance', '--json'])
  const closed = new Promise((resolve) => child.once('close', resolve))
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  // Nothing tells from outside that the body moves; a dance takes longer than this, and so does its end.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  child.kill('SIGINT')
  const status = await closed
  expect(status).toBe(130)
  expect(JSON.parse(stdout)).toEqual({ ok: false, error: { code: 'tools/cancelled', message: 'dance was stopped.' } })
})
