import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { mediaTools } from '../../e2e/servers/space-media.ts'
import { text } from '../../e2e/servers/space.ts'
import { startWorld, strings } from '../../e2e/world.ts'

import { runCli } from './run.ts'

import type { World } from '../../e2e/world.ts'

let world: World
let dataDir: string
beforeEach(async () => {
  world = await startWorld()
  dataDir = await mkdtemp(path.join(tmpdir(), 'cli-'))
})
afterEach(async () => {
  await world.close()
  await rm(dataDir, { recursive: true })
})

async function run(...args: string[]): Promise<{ status: number; answer: Record<string, unknown>; stderr: string }> {
  let stdout = ''
  let stderr = ''
  const status = await runCli({
    args: [...args, '--json', '--data-dir', dataDir],
    env: world.env,
    root: path.resolve(import.meta.dirname, '../..'),
    version: '0.0.0',
    fetch,
    signal: new AbortController().signal,
    stdout: (piece) => void (stdout += piece),
    stderr: (piece) => void (stderr += piece),
  })
  return { status, answer: JSON.parse(stdout) as Record<string, unknown>, stderr }
}

const greet = {
  name: 'greet',
  description: 'Greets',
  inputSchema: { ...strings(), required: [] },
  run: () => text('Hi'),
}

describe('tools call', () => {
  it.each([
    ['null', 'must be a JSON object'],
    ['"x"', 'must be a JSON object'],
    ['""', 'must be a JSON object'],
    ['"{}"', 'must be a JSON object'],
    ['[1]', 'must be a JSON object'],
    ['7', 'must be a JSON object'],
    ['{', 'must be valid JSON'],
    ['', 'must be valid JSON'],
  ])('%s is refused', async (given, reason) => {
    const { status, answer } = await run('tools', 'call', 'task_status', given)
    expect(status).toBe(1)
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'tools/bad-arguments', message: expect.stringContaining(reason) as string },
    })
  })

  it('has the files of an answer, and the reason of one that could not be fetched', async () => {
    const space = await world.space('acme/media')
    space.tools.splice(0, space.tools.length, ...mediaTools(space.files))
    await run('tool-spaces', 'add', 'acme/media')
    const sound = (await run('tools', 'call', 'acme_media__sound')).answer.result as { text: string; files: unknown }
    expect(sound).toMatchObject({
      text: '',
      files: [{ name: 'audio.wav', mime_type: 'audio/wav', bytes: 8_044, data: expect.any(String) as string }],
    })
    const gone = (await run('tools', 'call', 'acme_media__gone_file')).answer.result as { files: object[] }
    expect(gone.files).toEqual([
      expect.objectContaining({ name: 'old.wav', bytes: 0, code: expect.stringMatching(/^space\//) as string }),
    ])
    expect(gone.files[0]).not.toHaveProperty('data')
  })

  it('a changed tool says that it changed', async () => {
    const space = await world.space('acme/tools', { tools: [greet] })
    await run('tool-spaces', 'add', 'acme/tools')
    space.tools.splice(0, 1, { ...greet, description: 'Something else' })
    await run('tool-spaces', 'add', 'acme/tools')
    const { answer } = await run('tools', 'call', 'acme_tools__greet')
    expect(answer).toMatchObject({
      error: { code: 'space/changed', message: expect.stringContaining('has changed since') as string },
    })
    await run('tool-spaces', 'add', 'acme/tools', '--accept-changes')
    expect((await run('tools', 'call', 'acme_tools__greet')).answer).toMatchObject({ result: { text: 'Hi' } })
  })
})

describe('tool-spaces', () => {
  it('list and show name a Space with a forbidden address as a problem', async () => {
    await world.space('acme/tools', { tools: [greet] })
    await run('tool-spaces', 'add', 'acme/tools')
    expect((await run('tool-spaces', 'list')).answer.problems).toEqual([])
    const file = path.join(dataDir, 'installed_tool_spaces.json')
    const manifest = await readFile(file, 'utf8')
    await writeFile(
      file,
      manifest.replace(/"mcp_url": "http:\/\/[^"]*"/, '"mcp_url": "https://evil.example/gradio_api/mcp/"'),
    )
    const problem = {
      entry: 'acme/tools',
      code: 'space/bad-origin',
      message: 'acme/tools has an address outside of hf.space and was not contacted.',
    }
    expect((await run('tool-spaces', 'list')).answer.problems).toEqual([problem])
    expect((await run('tool-spaces', 'show', 'acme/tools')).answer.problems).toEqual([problem])
  })

  it('search names each tag once', async () => {
    await world.space('acme/tools', {}, { tags: ['gradio', 'mcp-server', 'gradio', 'mcp-server'] })
    const { answer } = await run('tool-spaces', 'search', 'tools')
    const found = (answer.results as { slug: string; tags: string[] }[]).find(({ slug }) => slug === 'acme/tools')
    expect(found?.tags).toEqual(['gradio', 'mcp-server'])
  })

  it('says on stderr that a damaged file was set aside', async () => {
    await world.space('acme/tools', { tools: [greet] })
    await writeFile(path.join(dataDir, 'tool_space_pins.json'), '{')
    const { status, stderr } = await run('tool-spaces', 'add', 'acme/tools')
    expect(status).toBe(0)
    expect(stderr).toMatch(/tool_space_pins\.json could not be read and was kept as tool_space_pins\.json\.bad-/)
  })
})

describe('chat', () => {
  it.each(['', '  \n '])('%j is no sentence', async (sentence) => {
    expect(await run('chat', sentence)).toMatchObject({ status: 2, answer: { error: { code: 'cli/usage' } } })
  })

  it('leaves the model out when there is none', async () => {
    const { answer } = await run('chat', 'hello')
    expect(answer).toMatchObject({ ok: true, provider: 'offline' })
    expect(answer).not.toHaveProperty('model')
  })
})
