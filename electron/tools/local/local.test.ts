import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startModule } from '../../cli/tool-process.ts'
import { createStorage } from '../../storage/index.ts'

import { toolFileName } from './discover.ts'
import { toolEnvironment } from './environment.ts'
import { createLocalTools } from './local.ts'
import { createLogRing } from './log-ring.ts'
import { readMembers } from './members.ts'
import { isNewEnough } from './python.ts'
import { stripTypes } from './strip-types.ts'

import type { Log } from '../../contract/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { LocalLimits, LocalTool, LocalTools } from './types.ts'

const lines: string[] = []
const note = (message: string, fields?: object): void => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`)
const log: Log = { debug: note, info: note, warn: note, error: note }

let root: string
let storage: Storage
let tools: LocalTools
let profileDir: string

const open = (limits: Partial<LocalLimits> = {}): LocalTools =>
  createLocalTools({
    externalDir: path.join(root, 'external_tools'),
    hostsDir: path.resolve(import.meta.dirname, '../../../resources/tool-hosts'),
    profiles: {
      folders: async () => [{ name: 'mine', dir: profileDir, source: 'user' }],
      onChange: () => () => undefined,
    },
    storage,
    env: { ...process.env, HF_TOKEN: 'hf_secret', OPENAI_API_KEY: 'sk-secret', MY_OWN: 'private' },
    startModule,
    log,
    limits,
  })

beforeEach(async () => {
  lines.length = 0
  root = mkdtempSync(path.join(os.tmpdir(), 'local-tools-'))
  profileDir = path.join(root, 'profiles/mine')
  mkdirSync(profileDir, { recursive: true })
  mkdirSync(path.join(root, 'external_tools'))
  storage = await createStorage({ dataDir: root, log })
  tools = open()
})

afterEach(async () => {
  await tools.dispose()
  await storage.dispose()
  rmSync(root, { recursive: true, force: true })
})

const file = (name: string): string => path.join(root, 'external_tools', name)
function write(name: string, text: string): string {
  writeFileSync(file(name), text)
  return file(name)
}
const one = async (where: string): Promise<LocalTool> => {
  const found = (await tools.list()).find((tool) => tool.path === where)
  if (found === undefined) throw new Error(`no ${where}`)
  return found
}
async function allowed(name: string, text: string): Promise<string> {
  const where = write(name, text)
  await tools.allow(where, (await one(where)).sha256)
  return where
}
const call = (where: string, member: string, args = {}, signal = new AbortController().signal) =>
  tools.call({ path: where, member, arguments: args, signal })

const js = (run: string, before = ''): string =>
  `${before}\nexport default { name: 'do_it', description: 'Does it', parameters: { type: 'object', properties: {} }, ${run} }\n`
const py = (body: string, before = ''): string => `${before}
from reachy_mini_conversation_app.tools.core_tools import Tool, ToolDependencies

class DoIt(Tool):
    name = "do_it"
    description = "Does it"
    parameters_schema = {"type": "object", "properties": {}}

    async def __call__(self, deps: ToolDependencies, **kwargs):
${body
  .split('\n')
  .map((line) => `        ${line}`)
  .join('\n')}
`

describe('files', () => {
  it.each([
    ['weather.py', { id: 'weather', language: 'python' }],
    ['roll-dice.mjs', { id: 'roll-dice', language: 'javascript' }],
    ['a.js', { id: 'a', language: 'javascript' }],
    ['a.ts', { id: 'a', language: 'typescript' }],
    ['a.mts', { id: 'a', language: 'typescript' }],
    ['a.d.ts', null],
    ['_private.py', null],
    ['.hidden.js', null],
    ['a.test.ts', null],
    ['readme.md', null],
    ['Makefile', null],
  ])('%s', (name, expected) => {
    expect(toolFileName(name)).toEqual(expected)
  })

  it('are told with what is wrong with them, and nothing of them is run', async () => {
    const proof = path.join(root, 'ran')
    const touch = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(proof)}, '')`
    write('a.mjs', js('async run() {}', touch))
    write('two words.py', '')
    write('big.py', '#'.repeat(1_000_001))
    mkdirSync(file('folder.py'))
    symlinkSync('/etc/hostname', file('link.js'))
    writeFileSync(path.join(profileDir, 'own.py'), '')
    const found = (await tools.list()).map(({ id, state, profile, problem }) => [id, state, profile, problem?.code])
    expect(found).toEqual([
      ['a', 'not-allowed', null, 'tools/not-allowed'],
      ['big', 'unusable', null, 'tools/bad-file'],
      ['folder', 'unusable', null, 'tools/bad-file'],
      ['link', 'unusable', null, 'tools/bad-file'],
      ['two words', 'unusable', null, 'tools/bad-file'],
      ['own', 'not-allowed', 'mine', 'tools/not-allowed'],
    ])
    expect(() => readFileSync(proof)).toThrow()
    await expect(call(file('a.mjs'), 'do_it')).rejects.toMatchObject({ code: 'tools/not-allowed' })
    await expect(tools.readFile('/etc/passwd')).rejects.toMatchObject({ code: 'tools/unknown' })
  })

  it('are allowed for exactly their bytes', async () => {
    const where = await allowed('a.mjs', js('async run() { return 1 }'))
    expect(await one(where)).toMatchObject({ state: 'ready', members: [{ name: 'do_it', description: 'Does it' }] })
    const { sha256 } = await one(where)
    write('a.mjs', js('async run() { return 22 }'))
    expect(await one(where)).toMatchObject({ state: 'changed', problem: { code: 'tools/file-changed' } })
    await expect(call(where, 'do_it')).rejects.toMatchObject({ code: 'tools/file-changed' })
    await expect(tools.allow(where, sha256)).rejects.toMatchObject({ code: 'tools/file-changed' })
    await tools.allow(where, (await one(where)).sha256)
    expect(await call(where, 'do_it')).toBe(22)
    await tools.forbid(where)
    expect((await one(where)).state).toBe('not-allowed')
  })

  it('stay allowed for the next start, and nothing is run for that', async () => {
    const where = await allowed('a.py', py('return {"ok": True}'))
    await tools.dispose()
    tools = open()
    expect(await one(where)).toMatchObject({ state: 'ready', members: [{ name: 'do_it' }] })
    expect((await tools.logOf(where)).running).toBe(false)
  })

  it('a broken list of permissions allows nothing, and is kept aside at the next change', async () => {
    const where = await allowed('a.mjs', js('async run() {}'))
    writeFileSync(path.join(root, 'local_tools.json'), '{ not json')
    expect((await one(where)).state).toBe('not-allowed')
    await tools.allow(where, (await one(where)).sha256)
    expect((await one(where)).state).toBe('ready')
    expect(lines.some((line) => line.includes('set aside'))).toBe(true)
  })
})

describe('templates', () => {
  it.each(['javascript', 'typescript', 'python'] as const)('in %s work as they are', async (language) => {
    const made = await tools.createFile({ language, name: 'roll_dice', profile: null })
    expect(made).toMatchObject({ id: 'roll_dice', state: 'not-allowed', language })
    await tools.allow(made.path, made.sha256)
    const value = (await call(made.path, 'roll_dice', { count: 3 })) as { rolled: number[]; sum: number }
    expect(value.rolled).toHaveLength(3)
    expect(value.sum).toBe(value.rolled.reduce((sum, die) => sum + die, 0))
    await expect(tools.createFile({ language, name: 'roll_dice', profile: null })).rejects.toMatchObject({
      code: 'tools/duplicate-name',
    })
  })

  it.each(['../x', 'two words', '', '1st', 'a'.repeat(65), 'x\ny', '/abs'])('%j is refused as a name', async (name) => {
    await expect(tools.createFile({ language: 'python', name, profile: null })).rejects.toMatchObject({
      code: 'tools/bad-tool-name',
    })
  })

  it('go into a profile of the person’s own, and into no other', async () => {
    const made = await tools.createFile({ language: 'python', name: 'mine_only', profile: 'mine' })
    expect(made).toMatchObject({ profile: 'mine', path: path.join(profileDir, 'mine_only.py') })
    await expect(tools.createFile({ language: 'python', name: 'x', profile: 'nobody' })).rejects.toMatchObject({
      code: 'profile/shipped',
    })
  })
})

describe.each([
  [
    'javascript',
    'mjs',
    {
      good: js('async run(args) { return { got: args.text } }'),
      throws: js('async run() { throw new Error("no milk") }'),
      says: js('async run() { return { error: "no milk" } }'),
      prints: js(
        'async run() { console.log("{\\"type\\":\\"ready\\"}"); console.error("noise\\u0007"); return 1 }',
        'console.log("at import")',
      ),
      exits: js('async run() { console.error("last words"); process.exit(3) }'),
      sleeps: js('async run() { await new Promise(() => setTimeout(() => undefined, 1e6)); }'),
      spins: js('async run() { for (;;); }'),
      stops: js(
        'run: (args, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({ stopped: true })))',
      ),
      environment: js('async run() { return { ...process.env } }'),
      bad: js('async run() { const a = {}; a.a = a; return a }'),
      huge: js('async run() { return "x".repeat(5_000_000) }'),
      unloadable: 'throw new Error("not today")',
      none: 'export default 3',
      exitsAtImport: 'process.exit(0)',
      spinsAtImport: 'for (;;);',
    },
  ],
  [
    'python',
    'py',
    {
      good: py('return {"got": kwargs["text"]}'),
      throws: py('raise ValueError("no milk")'),
      says: py('return {"error": "no milk"}'),
      prints: py(
        'print(\'{"type": "ready"}\')\nsys.stderr.write("noise\\x07\\n")\nreturn 1',
        'import sys\nprint("at import")',
      ),
      exits: py('sys.stderr.write("last words\\n")\nsys.stderr.flush()\nos._exit(3)', 'import os, sys'),
      sleeps: py('await asyncio.sleep(1000)', 'import asyncio'),
      spins: py('while True: pass'),
      stops: py(
        'try:\n    await asyncio.sleep(1000)\nexcept asyncio.CancelledError:\n    return {"stopped": True}',
        'import asyncio',
      ),
      environment: py('return dict(os.environ)', 'import os'),
      bad: py('return {"value": float("nan")}'),
      huge: py('return {"text": "x" * 5_000_000}'),
      unloadable: 'raise RuntimeError("not today")',
      none: 'x = 3',
      exitsAtImport: 'import sys\nsys.exit(0)',
      spinsAtImport: 'while True: pass',
    },
  ],
] as const)('a tool in %s', (_, extension, source) => {
  const named = `it.${extension}`

  it('runs, in one process for several calls', async () => {
    const where = await allowed(named, source.good)
    expect(await call(where, 'do_it', { text: 'tea — 茶' })).toEqual({ got: 'tea — 茶' })
    expect(await call(where, 'do_it', { text: 'again' })).toEqual({ got: 'again' })
    expect((await tools.logOf(where)).lines.filter(({ text }) => text === 'started')).toHaveLength(1)
  })

  it.each(['throws', 'says'] as const)('fails in words when it %s', async (how) => {
    const where = await allowed(named, source[how])
    expect(await call(where, 'do_it')).toEqual({ error: 'no milk' })
    expect(await call(where, 'do_it')).toEqual({ error: 'no milk' })
  })

  it('may print what it likes', async () => {
    const where = await allowed(named, source.prints)
    expect(await call(where, 'do_it')).toBe(1)
    await expect
      .poll(async () => (await tools.logOf(where)).lines.map(({ text }) => text).sort())
      .toEqual(
        ['at import', 'noise', 'started', '{"type":"ready"}']
          .sort()
          .map((text) => (extension === 'py' && text.startsWith('{') ? '{"type": "ready"}' : text))
          .sort(),
      )
  })

  it('may crash in mid-call, and starts anew', async () => {
    const where = await allowed(named, source.exits)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(call(where, 'do_it')).rejects.toMatchObject({
        code: 'tools/crashed',
        details: { reason: 'last words' },
      })
    }
    expect((await tools.logOf(where)).running).toBe(false)
  })

  it.each([
    ['unloadable', 'tools/bad-file', /not today/],
    ['none', 'tools/bad-file', /./],
    ['exitsAtImport', extension === 'py' ? 'tools/bad-file' : 'tools/not-started', /./],
  ] as const)('is not allowed when it is %s', async (how, code, reason) => {
    const where = write(named, source[how])
    const allowing = tools.allow(where, (await one(where)).sha256)
    await expect(allowing).rejects.toMatchObject({ code, details: { reason: expect.stringMatching(reason) as string } })
    expect((await one(where)).state).toBe('not-allowed')
  })

  it('may take for ever to load', async () => {
    await tools.dispose()
    tools = open({ startMs: 1_500 })
    const where = write(named, source.spinsAtImport)
    await expect(tools.allow(where, (await one(where)).sha256)).rejects.toMatchObject({ code: 'tools/timeout' })
    await expect.poll(async () => (await tools.logOf(where)).running).toBe(false)
  })

  it.each(['sleeps', 'spins'] as const)('that %s is ended with its process when it does not stop', async (how) => {
    await tools.dispose()
    tools = open({ graceMs: 300, callMs: 700 })
    const where = await allowed(named, source[how])
    await expect(call(where, 'do_it')).rejects.toMatchObject({ code: 'tools/timeout' })
    if (how === 'spins' || extension === 'mjs') {
      await expect.poll(async () => (await tools.logOf(where)).running).toBe(false)
    }
  })

  it('is cancelled at once, and its process goes on when it stops by itself', async () => {
    const where = await allowed(named, source.stops)
    const controller = new AbortController()
    const calling = call(where, 'do_it', {}, controller.signal)
    setTimeout(() => controller.abort(), 200)
    await expect(calling).rejects.toMatchObject({ code: 'tools/cancelled' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await tools.logOf(where)).running).toBe(true)
    await expect(call(where, 'do_it', {}, AbortSignal.abort())).rejects.toMatchObject({ code: 'tools/cancelled' })
  })

  it('knows none of our secrets', async () => {
    const where = await allowed(named, source.environment)
    const env = (await call(where, 'do_it')) as Record<string, string>
    expect(env.PATH).toContain(process.env.PATH)
    expect(JSON.stringify(env)).not.toMatch(/hf_secret|sk-secret|private/)
  })

  it.each([
    ['bad', 'tools/bad-answer'],
    ['huge', 'tools/too-large'],
  ] as const)('with a %s answer is said so', async (how, code) => {
    const where = await allowed(named, source[how])
    await expect(call(where, 'do_it')).rejects.toMatchObject({ code })
    await expect(call(where, 'do_it')).rejects.toMatchObject({ code })
  })
})

describe('only in JavaScript', () => {
  it('tells progress, which extends its time', async () => {
    await tools.dispose()
    tools = open({ callMs: 400, longestMs: 5_000 })
    const run = `async run(args, { progress }) {
      for (let i = 1; i <= 4; i += 1) { await new Promise((done) => setTimeout(done, 250)); progress(i / 4, 'step ' + i) }
      return 'done'
    }`
    const where = await allowed('it.mjs', js(run))
    const told: unknown[] = []
    const value = await tools.call({
      path: where,
      member: 'do_it',
      arguments: {},
      signal: new AbortController().signal,
      onProgress: (progress) => told.push(progress),
    })
    expect(value).toBe('done')
    expect(told).toEqual([1, 2, 3, 4].map((i) => ({ fraction: i / 4, message: `step ${i}` })))
  })

  it('several tools in one file, also written as CommonJS or with `.js`', async () => {
    const list = (name: string): string =>
      `[{ name: '${name}1', run: async () => 1 }, { name: '${name}2', run: async () => 2 }]`
    const cjs = await allowed('cjs.js', `module.exports = ${list('c')}`)
    const esm = await allowed('esm.js', `export default ${list('e')}`)
    expect((await one(cjs)).members.map(({ name }) => name)).toEqual(['c1', 'c2'])
    expect(await call(esm, 'e2')).toBe(2)
    expect(await call(cjs, 'c1')).toBe(1)
  })

  it('runs out of its heap alone', async () => {
    await tools.dispose()
    tools = open({ heap: 64 })
    const where = await allowed(
      'it.mjs',
      js('async run() { const all = []; for (;;) all.push(new Array(1e5).fill({})) }'),
    )
    await expect(call(where, 'do_it')).rejects.toMatchObject({ code: 'tools/crashed' })
  })

  it('ends when nobody needs it', async () => {
    await tools.dispose()
    tools = open({ idleMs: 200 })
    const where = await allowed('it.mjs', js('async run() { return 1 }'))
    await expect.poll(async () => (await tools.logOf(where)).running).toBe(false)
    expect(await call(where, 'do_it')).toBe(1)
  })
})

describe('only in Python', () => {
  it('several classes are several tools, abstract and borrowed ones are none, and the robot is refused by name', async () => {
    const where = await allowed(
      'it.py',
      `import abc
from reachy_mini_conversation_app.tools.core_tools import Tool, ToolDependencies
class Base(Tool):
    parameters_schema = {"type": "object", "properties": {}}
class A(Base):
    name = "a"
    description = "A"
    async def __call__(self, deps, **kwargs):
        return {"seconds": deps.motion_duration_s, "camera": deps.camera_worker is None}
class B(Base):
    name = "b"
    description = "B"
    async def __call__(self, deps: ToolDependencies, **kwargs):
        deps.reachy_mini.goto_target(1)
`,
    )
    expect((await one(where)).members.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(await call(where, 'a')).toEqual({ seconds: 1, camera: true })
    expect(await call(where, 'b')).toEqual({ error: 'reachy_mini.goto_target is not offered to tools here' })
  })

  it('what a tool started ends with it', async () => {
    const proof = path.join(root, 'alive')
    const where = await allowed(
      'it.py',
      py(
        `subprocess.Popen(["sh", "-c", "while true; do date +%s%N > ${proof}; sleep 0.05; done"])\nawait asyncio.sleep(0.3)\nreturn 1`,
        'import asyncio, subprocess',
      ),
    )
    await call(where, 'do_it')
    await tools.dispose()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = readFileSync(proof, 'utf8')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(readFileSync(proof, 'utf8')).toBe(before)
  })

  it('reading its input finds nothing', async () => {
    const where = await allowed('it.py', py('return {"read": sys.stdin.read()}', 'import sys'))
    expect(await call(where, 'do_it')).toEqual({ read: '' })
  })

  it.each([
    ['Python 3.10.0', true],
    ['Python 3.9.18', false],
    ['Python 3.13.1\n', true],
    ['Python 2.7.18', false],
    ['Python 4.0.0', true],
    ['nonsense', false],
  ])('%j is new enough: %s', (text, expected) => {
    expect(isNewEnough(text)).toBe(expected)
  })

  it('is said to be missing where there is none', async () => {
    await tools.dispose()
    const bin = path.join(root, 'bin')
    mkdirSync(bin)
    tools = createLocalTools({
      externalDir: path.join(root, 'external_tools'),
      hostsDir: '',
      profiles: { folders: async () => [], onChange: () => () => undefined },
      storage,
      env: { PATH: bin },
      startModule,
      log,
    })
    const where = write('it.py', py('return 1'))
    await expect(tools.allow(where, (await one(where)).sha256)).rejects.toMatchObject({ code: 'tools/no-python' })
  })
})

describe('TypeScript', () => {
  it.each([
    ['types', 'export default { a: 1 as number } satisfies { a: number }', true, undefined],
    ['an enum', 'let a = 1\nenum A { B }', false, /line 2.*enum/],
    ['a slip', 'let a: = 1', false, /line 1/],
    ['a module of Node', 'import fs from "node:fs"\nexport default fs', true, undefined],
    ['a file beside it', 'import { a } from "./other.ts"\nexport default a', false, /\.\/other\.ts/],
    ['a package', "import a from 'left-pad'\nexport default a", false, /left-pad/],
    ['a type of a package', "import type { A } from 'left-pad'\nexport default 1 as A", true, undefined],
  ])('with %s', async (_, text, ok, reason) => {
    const stripped = await stripTypes(text, 'tool.ts')
    expect(stripped.ok).toBe(ok)
    if (!stripped.ok) expect(stripped.reason).toMatch(reason ?? /./)
  })
})

describe('what a file says it offers', () => {
  const member = { name: 'a', description: 'A', parameters: { type: 'object', properties: {} } }
  it.each([
    ['one tool', [member], true],
    ['no parameters', [{ name: 'a' }], true],
    ['nothing', [], false],
    ['no list', 'a', false],
    ['a name with a space', [{ ...member, name: 'a b' }], false],
    ['two of one name', [member, member], false],
    ['parameters that are no object', [{ ...member, parameters: 3 }], false],
    ['a schema of a text', [{ ...member, parameters: { type: 'string' } }], false],
    [
      'a schema that is too long',
      [{ ...member, parameters: { type: 'object', description: 'x'.repeat(20_000) } }],
      false,
    ],
  ])('%s', (_, told, ok) => {
    expect(readMembers(told).ok).toBe(ok)
  })

  it('is cleaned and cut', () => {
    const read = readMembers([{ ...member, description: `\u0007${'x'.repeat(5_000)}` }])
    expect(read.ok && read.members[0]?.description).toHaveLength(1_024)
  })
})

describe('the log', () => {
  it('keeps the last lines, whole and clean', () => {
    const ring = createLogRing(
      () => 0,
      () => undefined,
    )
    ring.feed('out', 'one\ntw')
    ring.feed('error', 'err\n')
    ring.feed('out', 'o\r\nrest')
    expect(ring.lines.map(({ from, text }) => `${from} ${text}`)).toEqual(['out one', 'error err', 'out two'])
    expect(ring.lastWords()).toBe('rest')
    ring.feed('out', 'x'.repeat(100_000))
    for (let i = 0; i < 1_000; i += 1) ring.feed('out', `\n${i}`)
    expect(ring.lines.length).toBeLessThanOrEqual(300)
    expect(Math.max(...ring.lines.map(({ text }) => text.length))).toBeLessThanOrEqual(501)
  })
})

describe('the environment of a tool', () => {
  it('has what programs need, and no more', () => {
    const env = { Path: 'p', LC_ALL: 'C', HF_TOKEN: 'x', REACHY_MINI_COMPANION_DATA_DIR: 'x', SystemRoot: 'w' }
    expect(toolEnvironment(env, { PYTHONPATH: 'h' })).toEqual({
      Path: 'p',
      LC_ALL: 'C',
      SystemRoot: 'w',
      PYTHONPATH: 'h',
    })
  })
})
