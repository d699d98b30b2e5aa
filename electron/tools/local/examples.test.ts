import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { writeDemoFiles } from '../../../e2e/servers/demo-files.ts'
import { startModule } from '../../cli/tool-process.ts'
import { createStorage } from '../../storage/index.ts'

import { createLocalTools } from './local.ts'

import type { JsonObject, Log } from '../../contract/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { LocalTools } from './types.ts'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const root = path.resolve(import.meta.dirname, '../../..')

/** Blocks of code whose first line names a file of `external_tools`. */
const EXAMPLES = [
  ...readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(
    /^```\w+\n(.*?external_tools\/([\w.]+)[\s\S]*?)^```$/gm,
  ),
].map(([, text = '', name = '']) => ({ name, text }))

const CALLS: Readonly<Record<string, { args: JsonObject; answer: JsonObject }>> = {
  roll_dice: { args: { count: 2 }, answer: { shown: [expect.any(Number), expect.any(Number)] } },
  tea_timer: { args: { seconds: 1 }, answer: { over: true } },
  free_space: { args: {}, answer: { free_gigabytes: expect.any(Number) as number } },
}

let dataDir: string
let storage: Storage
let tools: LocalTools

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'examples-'))
  await writeDemoFiles(dataDir)
  storage = await createStorage({ dataDir, log: silent })
  tools = createLocalTools({
    externalDir: path.join(dataDir, 'external_tools'),
    hostsDir: path.join(root, 'resources/tool-hosts'),
    profiles: { folders: async () => [], onChange: () => () => undefined },
    storage,
    env: process.env,
    startModule,
    log: silent,
  })
})

afterAll(async () => {
  await tools.dispose()
  await storage.dispose()
  rmSync(dataDir, { recursive: true, force: true })
})

async function callOf(file: string): Promise<unknown> {
  const {
    id,
    path: where,
    sha256,
  } = (await tools.list()).find((tool) => tool.path === file) ?? { id: '', path: '', sha256: '' }
  const allowed = await tools.allow(where, sha256)
  expect(allowed.problem).toBeUndefined()
  expect(allowed.members.map(({ name }) => name)).toEqual([id])
  const { signal } = new AbortController()
  return tools.call({ path: where, member: id, arguments: CALLS[id]?.args ?? {}, signal })
}

describe('the tool files that people are shown', () => {
  it.each(['roll_dice.mjs', 'tea_timer.ts', 'free_space.py'])('%s of the demo runs', async (name) => {
    const answer = CALLS[path.parse(name).name]?.answer
    expect(await callOf(path.join(dataDir, 'external_tools', name))).toMatchObject(answer ?? {})
  })

  it('README has one in each language', () => {
    expect(EXAMPLES.map(({ name }) => name)).toEqual(['roll_dice.mjs', 'tea_timer.ts', 'free_space.py'])
  })

  it.each(EXAMPLES)('$name of README runs as it is printed', async ({ name, text }) => {
    const file = path.join(dataDir, 'external_tools', name)
    writeFileSync(file, text)
    expect(await callOf(file)).toMatchObject(CALLS[path.parse(name).name]?.answer ?? {})
  })
})
