import { readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { CompanionError } from '../contract/index.ts'

import { createMcp } from './connector.ts'

import type { Log } from '../contract/index.ts'
import type { McpDeps } from './connector.ts'
import type { Mcp, McpProgress, StdioEndpoint } from './types.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../../e2e/servers/stdio-program.mjs')
const onPosix = process.platform !== 'win32'

let lines: string[]
let unhandled: unknown[]
const rooms: Mcp[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

beforeEach(() => {
  lines = []
  unhandled = []
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})

afterEach(async () => {
  for (const room of rooms.splice(0)) await room.dispose()
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.removeListener('unhandledRejection', note)
  process.removeListener('uncaughtException', note)
  expect(unhandled).toEqual([])
})

function mcp(limits: McpDeps['limits'] = {}): Mcp {
  const write = (message: string, fields?: unknown): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const room = createMcp({ fetch: () => Promise.reject(new Error('no network')), version: '0.0.0', log, limits })
  rooms.push(room)
  return room
}

/** The program in a mode of its own. `env` is all that it gets. */
const program = (mode = 'plain', more: Partial<StdioEndpoint['stdio']> = {}): StdioEndpoint => ({
  key: 'home',
  stdio: { command: process.execPath, args: [PROGRAM, mode], env: {}, ...more },
})

async function failure(
  work: Promise<unknown>,
): Promise<{ code: string; details: Record<string, unknown>; ms: number }> {
  const started = performance.now()
  try {
    await work
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error
    return { code: error.code, details: error.details, ms: performance.now() - started }
  }
  throw new Error('it did not fail')
}

async function said(room: Mcp, endpoint: StdioEndpoint, tool: string, args = {}): Promise<string> {
  const { content } = await room.call(endpoint, tool, args)
  return content[0]?.type === 'text' ? content[0].text : ''
}

/** A process that has ended but that nobody asked after (in a container without an init) counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const stat = process.platform === 'linux' ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
    return !/\) Z /.test(stat)
  } catch (error) {
    if (['ESRCH', 'ENOENT'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

describe('a program over stdio', () => {
  it('is listed and called, with its own words for what it is', async () => {
    const room = mcp()
    const connected: string[] = []
    const listing = await room.list(program(), { onConnected: (transport) => connected.push(transport) })
    expect(listing).toMatchObject({ transport: 'stdio', serverName: 'plain', protocolVersion: '2025-11-25' })
    expect(listing.tools.every(({ status }) => status === 'usable')).toBe(true)
    expect(connected).toEqual(['stdio'])
    expect(await said(room, program(), 'echo', { message: 'hi' })).toBe('Echo: hi')
    expect(await said(room, program(), 'big', { length: 400_000 })).toBe('ü'.repeat(400_000))
  })

  it('tells progress, and is verified like any other', async () => {
    const seen: McpProgress[] = []
    const shown: string[][] = []
    const room = mcp()
    for (let round = 0; round < 2; round++) {
      await room.call(
        program(),
        'progress',
        {},
        {
          onProgress: (one) => seen.push(one),
          verify: async ({ tools }) => void shown.push(tools.map(({ remoteName }) => remoteName)),
        },
      )
    }
    expect(seen.slice(0, 2)).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
    expect(shown).toEqual([expect.arrayContaining(['echo', 'env'])])
  })

  it('gets exactly the environment that it is given', async () => {
    process.env.HF_TOKEN = 'hf_must_not_leak'
    try {
      const env = { GREETING: 'hello there', EMPTY: '' }
      expect(JSON.parse(await said(mcp(), program('plain', { env }), 'env'))).toEqual(env)
      expect(JSON.parse(await said(mcp(), program(), 'env'))).toEqual({})
    } finally {
      delete process.env.HF_TOKEN
    }
  })

  it('gets its folder and its arguments as they are', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'Мой folder ')))
    const args = [PROGRAM, 'plain', 'a b', '"quoted"', '$HOME', '*', '', 'é', '&& echo x']
    try {
      const endpoint = program('plain', { cwd: folder, args })
      const room = mcp()
      expect(await said(room, endpoint, 'cwd')).toBe(folder)
      expect(JSON.parse(await said(room, endpoint, 'argv'))).toEqual(args.slice(1))
      await room.dispose()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('may print what is no message: it is passed over', async () => {
    const room = mcp()
    expect((await room.list(program('noise'))).serverName).toBe('noise')
    expect(await said(room, program('noise'), 'echo', { message: 'x' })).toBe('Echo: x')
  })

  it('is made anew when anything of it changes', async () => {
    const room = mcp()
    expect(JSON.parse(await said(room, program('plain', { env: { A: '1' } }), 'env'))).toEqual({ A: '1' })
    expect(JSON.parse(await said(room, program('plain', { env: { A: '2' } }), 'env'))).toEqual({ A: '2' })
  })
})

describe('a program that cannot be started', () => {
  it.each([
    ['ENOENT', { command: 'no-such-program-anywhere' }, { command: 'no-such-program-anywhere', reason: 'ENOENT' }],
    ['EACCES', { command: import.meta.filename }, { command: import.meta.filename, reason: 'EACCES' }],
    [
      'a folder that is none',
      { cwd: '/no/such/folder' },
      { command: process.execPath, reason: 'ENOENT, no folder /no/such/folder' },
    ],
    ['a zero byte', { command: 'a\0b' }, { command: 'a\0b', reason: 'ERR_INVALID_ARG_VALUE' }],
  ])('%s', async (_, more, details) => {
    const room = mcp()
    for (const work of [() => room.list(program('plain', more)), () => room.call(program('plain', more), 'echo', {})]) {
      const result = await failure(work())
      expect(result).toMatchObject({ code: 'server/not-started', details })
      expect(result.ms).toBeLessThan(2_000)
    }
  })
})

describe('a program that ends', () => {
  it.each([
    ['prints-then-exits', {}, { exitCode: 1, reason: '' }],
    ['stderr-then-exits', { API_TOKEN: 'tok_123456' }, { exitCode: 3, reason: 'Traceback\nModuleNotFoundError: ***' }],
  ])('at once: %s', async (mode, env, details) => {
    const result = await failure(mcp().list(program(mode, { env })))
    expect(result).toMatchObject({ code: 'server/exited', details: { name: 'home', ...details } })
    expect(result.ms).toBeLessThan(3_000)
    expect(lines.join('\n')).not.toContain('tok_123456')
  })

  it('during a call: the call fails with its last words, the next one starts it anew', async () => {
    const room = mcp()
    const call = room.call(program(), 'slow', {})
    const slow = failure(call)
    expect(await failure(room.call(program(), 'crash', {}))).toMatchObject({
      code: 'server/exited',
      details: { name: 'home', exitCode: 7, reason: 'out of luck' },
    })
    expect(await slow).toMatchObject({ code: 'server/exited', details: { exitCode: 7 } })
    expect(await said(room, program(), 'echo', { message: 'again' })).toBe('Echo: again')
  })

  it.runIf(onPosix)('by a signal: it is named', async () => {
    const result = await failure(mcp().call(program(), 'killed', {}))
    expect(result).toMatchObject({ code: 'server/exited', details: { exitCode: 'SIGKILL' } })
  })

  it('between two calls: nobody notices', async () => {
    const room = mcp()
    const pid = Number(JSON.parse(await said(room, program(), 'pid')))
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await said(room, program(), 'echo', { message: 'new' })).toBe('Echo: new')
    expect(Number(await said(room, program(), 'pid'))).not.toBe(pid)
  })

  it('only with its output: what was asked fails, and it is ended', async () => {
    const room = mcp({ connectMs: 3_000, pageMs: 3_000 })
    const result = await failure(room.list(program('closes-stdout')))
    expect(result.code).toBe('space/dropped')
    expect(result.ms).toBeLessThan(2_500)
  })
})

describe('a program that does not answer', () => {
  it('never: the handshake has its limit, and the program is ended', async () => {
    const room = mcp({ connectMs: 600 })
    const result = await failure(room.list(program('silent')))
    expect(result).toMatchObject({ code: 'space/timeout', details: { step: 'connect', seconds: 0.6, slug: 'home' } })
    expect(result.ms).toBeLessThan(1_500)
  })

  it('one call: the limit of calls holds, and the program stays', async () => {
    const room = mcp({ callMs: 300 })
    const pid = Number(await said(room, program(), 'pid'))
    expect(await failure(room.call(program(), 'slow', {}))).toMatchObject({
      code: 'tools/timeout',
      details: { id: 'slow', seconds: 0.3 },
    })
    expect(Number(await said(room, program(), 'pid'))).toBe(pid)
  })

  it('a cancelled call ends at once', async () => {
    const room = mcp()
    await said(room, program(), 'echo')
    const controller = new AbortController()
    const call = failure(room.call(program(), 'slow', {}, { signal: controller.signal }))
    setTimeout(() => controller.abort(), 50)
    const result = await call
    expect(result.code).toBe('tools/cancelled')
    expect(result.ms).toBeLessThan(250)
  })

  it.each([
    ['with what is no result', 'malformed', 'space/protocol'],
    ['with a line that does not end', 'endless', 'space/dropped'],
  ])('%s: fails at once', async (_, mode, code) => {
    const room = mcp({ responseBytes: 200_000, callMs: 10_000 })
    await room.list(program(mode))
    const result = await failure(room.call(program(mode), 'echo', {}))
    expect(result.code).toBe(code)
    expect(result.ms).toBeLessThan(1_000)
  })
})

describe('the end of a program', () => {
  const started = async (room: Mcp, mode: string): Promise<number> => Number(await said(room, program(mode), 'pid'))

  it.each(['drop', 'dropAll', 'dispose'] as const)('%s: it is gone', async (way) => {
    const room = mcp()
    const pid = await started(room, 'plain')
    const before = performance.now()
    await (way === 'drop' ? room.drop('home') : room[way]())
    expect(isAlive(pid)).toBe(false)
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('one that ignores the end of its input and SIGTERM is ended after a grace', async () => {
    const room = mcp()
    const pid = await started(room, 'deaf')
    const before = performance.now()
    await room.drop('home')
    expect(isAlive(pid)).toBe(false)
    expect(performance.now() - before).toBeGreaterThan(1_000)
    expect(performance.now() - before).toBeLessThan(3_500)
  })

  it.runIf(onPosix)('what it started ends with it, also when it crashed and left its output open', async () => {
    const room = mcp()
    const one = Number(await said(room, program(), 'child'))
    expect(isAlive(one)).toBe(true)
    await room.drop('home')
    await expect.poll(() => isAlive(one)).toBe(false)

    const other = Number(await said(room, program(), 'child'))
    expect((await failure(room.call(program(), 'crash', {}))).code).toBe('server/exited')
    await expect.poll(() => isAlive(other)).toBe(false)
  })

  it('during a call, and during its start', async () => {
    const room = mcp()
    await said(room, program(), 'echo')
    const call = failure(room.call(program(), 'slow', {}))
    await new Promise((resolve) => setTimeout(resolve, 30))
    await room.drop('home')
    expect((await call).code).toBe('space/dropped')
    const starting = failure(room.list(program('silent')))
    await new Promise((resolve) => setTimeout(resolve, 30))
    await room.dispose()
    expect((await starting).code).toBe('app/cancelled')
  })

  it('an idle one is ended, and started when it is needed', async () => {
    const room = mcp({ idleClientMs: 50 })
    const pid = await started(room, 'plain')
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(await started(room, 'plain')).not.toBe(pid)
  })
})

describe('server-everything over stdio', () => {
  const packageJson = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
  const entry = path.join(path.dirname(packageJson), 'dist/index.js')
  const everything: StdioEndpoint = {
    key: 'everything',
    stdio: { command: process.execPath, args: [entry, 'stdio'], env: { MARK: 'mine' } },
  }

  it('lists 13 tools; echoes, adds, draws, and knows nothing of ours', async () => {
    const room = mcp()
    const listing = await room.list(everything)
    expect(listing.tools).toHaveLength(13)
    expect(listing.tools.filter(({ status }) => status === 'rejected').map(({ remoteName }) => remoteName)).toEqual([
      'simulate-research-query',
    ])
    expect(await room.call(everything, 'echo', { message: 'hi' })).toMatchObject({ content: [{ text: 'Echo: hi' }] })
    expect(await room.call(everything, 'get-sum', { a: 2, b: 3 })).toMatchObject({
      content: [{ text: 'The sum of 2 and 3 is 5.' }],
    })
    const image = await room.call(everything, 'get-tiny-image', {})
    expect(image.content.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
    const { content } = await room.call(everything, 'get-env', {})
    expect(JSON.parse(content[0]?.type === 'text' ? content[0].text : '')).toEqual({ MARK: 'mine' })
    expect(await room.call(everything, 'no-such-tool', {})).toMatchObject({ isError: true })
  })

  it('tells progress', async () => {
    const seen: McpProgress[] = []
    await mcp().call(
      everything,
      'trigger-long-running-operation',
      { duration: 0.4, steps: 4 },
      { onProgress: (one) => seen.push(one) },
    )
    expect(seen.slice(0, 3)).toEqual([1, 2, 3].map((progress) => ({ progress, total: 4 })))
  })
})
