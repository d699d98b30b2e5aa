/** What is left on the disk by real processes that were killed with SIGKILL, or that ran out of room. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createStorage } from './storage.ts'

import type { Log } from '../contract/index.ts'
import type { ChildProcess } from 'node:child_process'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Endless transactions over three files that always hold the same number; one of them lies outside. */
const CHILD = `
import { createStorage } from './storage.js'
const [dir, outside, killAt, size] = process.argv.slice(2)
const log = { debug() {}, info() {}, warn() {}, error() {} }
const faults = (step) => { if (step === killAt && armed) process.kill(process.pid, 'SIGKILL') }
let armed = false
const storage = await createStorage({ dataDir: dir, log, faults })
const files = [storage.path('manifest.json'), storage.path('profiles/a/tools.txt'), outside]
const round = () => storage.transact('round', async (tx) => {
  const now = Number(new TextDecoder().decode((await tx.read(files[0]))?.bytes ?? new Uint8Array()).trim())
  for (const file of files) tx.write(file, String(now + 1).padStart(Number(size)))
})
try {
  if (killAt === 'watch') storage.watch(dir, () => process.stdout.write('called'))
  else if (killAt === 'once') await round()
  else {
    await round()
    armed = true
    process.stdout.write('going')
    for (;;) await round()
  }
} catch (error) {
  process.stdout.write(error.code + ' ' + error.cause?.code)
  process.exit(1)
}
`

let root: string
let child: string

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'storage-kill-'))
  await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    build: {
      ssr: path.join(import.meta.dirname, 'storage.ts'),
      outDir: root,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'storage.js' } },
    },
    ssr: { noExternal: true },
  })
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}')
  child = path.join(root, 'child.js')
  writeFileSync(child, CHILD)
}, 60_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Place {
  readonly dir: string
  readonly files: readonly string[]
}

function freshPlace(): Place {
  const base = mkdtempSync(path.join(root, 'run-'))
  const dir = path.join(base, 'data')
  mkdirSync(path.join(base, 'outside'))
  const outside = path.join(base, 'outside', 'tools.txt')
  return { dir, files: [path.join(dir, 'manifest.json'), path.join(dir, 'profiles', 'a', 'tools.txt'), outside] }
}

function start({ dir, files }: Place, killAt: string, size = 1): ChildProcess {
  return spawn(process.execPath, [child, dir, files[2] ?? '', killAt, String(size)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const numbers = ({ files }: Place): number[] => files.map((file) => Number(readFileSync(file, 'utf8')))

/** Each file whole by itself now; after opening all the same, nothing left behind, and the next write works. */
async function expectWhole(place: Place): Promise<number> {
  const torn = numbers(place)
  expect(torn.every((value) => Number.isInteger(value) && value > 0)).toBe(true)
  expect(Math.max(...torn) - Math.min(...torn)).toBeLessThanOrEqual(1)
  const storage = await createStorage({ dataDir: place.dir, log: silent })
  const whole = numbers(place)
  expect(new Set(whole).size).toBe(1)
  expect([0, 1]).toContain((whole[0] ?? 0) - Math.max(...torn))
  await storage.transact('next', async (tx) => {
    for (const file of place.files) tx.write(file, String((whole[0] ?? 0) + 1))
  })
  expect(new Set(numbers(place)).size).toBe(1)
  // A request for the lock that died half written is told from one being written by its age, and swept later.
  const left = readdirSync(place.dir).filter((name) => !/^\.lock\..*\.tmp$/.test(name))
  expect(left.sort()).toEqual(['manifest.json', 'profiles'])
  for (const file of place.files.slice(1)) expect(readdirSync(path.dirname(file))).toEqual(['tools.txt'])
  await storage.dispose()
  return whole[0] ?? 0
}

describe('kill -9', () => {
  const STEPS = ['journal:write', 'journal:rename', 'after:sync', 'journal:remove']
  const EACH = [0, 1, 2].flatMap((index) => [`apply:${index}:temp`, `apply:${index}:place`])
  it.each([...STEPS, ...EACH])('before %s: all old or all new', async (step) => {
    const place = freshPlace()
    const [, signal] = (await once(start(place, step), 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    const journalled = step !== 'journal:write' && step !== 'journal:rename'
    expect(await expectWhole(place)).toBe(journalled ? 2 : 1)
  })

  it('at random moments, the survivors going on: all old or all new each time', async () => {
    const place = freshPlace()
    let last = 0
    for (let round = 0; round < 8; round += 1) {
      const running = start(place, 'never')
      if (running.stdout === null) throw new Error('no output')
      await once(running.stdout, 'data')
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
      running.kill('SIGKILL')
      await once(running, 'exit')
      const now = await expectWhole(place)
      expect(now).toBeGreaterThan(last)
      last = now
    }
  }, 90_000)

  it('of one of two processes: the other takes the lock over and finishes', async () => {
    const place = freshPlace()
    const [first, second] = [start(place, 'never'), start(place, 'never')]
    await Promise.all([first, second].map((running) => once(running.stdout ?? process.stdin, 'data')))
    first.kill('SIGKILL')
    await once(first, 'exit')
    const before = Math.min(...numbers(place))
    await expect.poll(() => Math.min(...numbers(place)), { timeout: 20_000 }).toBeGreaterThan(before + 3)
    second.kill('SIGKILL')
    await once(second, 'exit')
    await expectWhole(place)
  }, 60_000)
})

describe('watching', () => {
  it('does not keep a process alive that has nothing else to do', async () => {
    const [code] = (await once(start(freshPlace(), 'watch'), 'exit')) as [number | null]
    expect(code).toBe(0)
  })
})

describe('no room left', () => {
  /** `ulimit -f` cuts a write short at the limit, as a disk does that fills up: a part is written, then it fails. */
  it('in the middle of a file: the old contents stay, whole', async () => {
    const place = freshPlace()
    mkdirSync(path.join(place.dir, 'profiles', 'a'), { recursive: true })
    for (const file of place.files) writeFileSync(file, '1')
    const limited = spawn(
      'bash',
      ['-c', 'ulimit -f 64; exec "$@"', '-', process.execPath, child, place.dir, place.files[2] ?? '', 'once', '60000'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    limited.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(limited, 'exit')
    expect(output).toBe('storage/failed EFBIG')
    expect(numbers(place)).toEqual([1, 1, 1])
    await expectWhole(place)
  })
})
