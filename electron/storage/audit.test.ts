import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { build } from 'vite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { NO_RECORD } from './audit.ts'
import { createStorage } from './storage.ts'

import type { Log } from '../contract/index.ts'
import type { AuditEntry, Storage } from './types.ts'

const lines: string[] = []
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message) => lines.push(`warn ${message}`),
  error: (message) => lines.push(`error ${message}`),
}

let root: string
let dir: string
let file: string
let storage: Storage

beforeEach(async () => {
  lines.length = 0
  root = mkdtempSync(path.join(os.tmpdir(), 'audit-'))
  dir = path.join(root, 'data')
  file = path.join(dir, 'audit.jsonl')
  storage = await createStorage({ dataDir: dir, log })
})

afterEach(async () => {
  await storage.dispose()
  rmSync(root, { recursive: true, force: true })
})

/** Twenty records, each written before the next is made. */
const WRITER = `
import { createStorage } from './storage.js'
const [dir, origin] = process.argv.slice(2)
const log = { debug() {}, info() {}, warn() {}, error: console.error }
const storage = await createStorage({ dataDir: dir, log, lockWaitMs: 30_000 })
for (let k = 0; k < 20; k += 1) {
  storage.audit.append({ kind: 'consent', origin, toolIds: [String(k)] })
  await storage.audit.flush()
}
await storage.dispose()
`

const called = (toolId: string): AuditEntry => ({
  kind: 'call',
  toolId,
  source: 'space',
  origin: 'acme/one',
  arguments: { bytes: 2, preview: '{}' },
  outcome: 'done',
  durationMs: 3,
})
const text = (): string => readFileSync(file, 'utf8')
const ids = async (): Promise<unknown[]> =>
  (await storage.audit.read()).map((record) => (record.kind === 'call' ? record.toolId : record.kind))

describe('the audit log', () => {
  it('chains its records, numbered and dated, in a file of this user only', async () => {
    for (const id of ['a', 'b', 'c']) storage.audit.append(called(id))
    await storage.audit.flush()
    const records = await storage.audit.read()
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(records.map(({ prev }) => prev)).toEqual([NO_RECORD, records[0]!.hash, records[1]!.hash])
    expect(Date.parse(records[0]!.at)).toBeGreaterThan(Date.now() - 60_000)
    expect(await storage.audit.verify()).toEqual({ records: 3, broken: null })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await storage.audit.read(1)).map(({ seq }) => seq)).toEqual([3])
  })

  it('is empty and whole before anything happened', async () => {
    expect(await storage.audit.read()).toEqual([])
    expect(await storage.audit.verify()).toEqual({ records: 0, broken: null })
  })

  it('is continued by the next process', async () => {
    storage.audit.append(called('a'))
    await storage.dispose()
    storage = await createStorage({ dataDir: dir, log })
    storage.audit.append(called('b'))
    await storage.audit.flush()
    expect(await ids()).toEqual(['a', 'b'])
    expect(await storage.audit.verify()).toEqual({ records: 2, broken: null })
  })

  it('is one chain while several processes write', async () => {
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
    const writer = path.join(root, 'writer.js')
    writeFileSync(writer, WRITER)
    const ends = ['one', 'two'].map((name) =>
      once(spawn(process.execPath, [writer, dir, name], { stdio: 'inherit' }), 'exit'),
    )
    for (let k = 0; k < 20; k += 1) {
      storage.audit.append(called(`own-${k}`))
      await storage.audit.flush()
    }
    expect((await Promise.all(ends)).map(([code]) => code as unknown)).toEqual([0, 0])
    expect(await storage.audit.verify()).toEqual({ records: 60, broken: null })
    expect(new Set(await ids()).size).toBe(21)
  }, 60_000)

  it('may be written to from inside a transaction, which it does not hold up', async () => {
    await storage.transact('something', async (tx) => {
      storage.audit.append(called('inside'))
      tx.write(path.join(dir, 'x.txt'), 'x')
    })
    await storage.audit.flush()
    expect(await ids()).toEqual(['inside'])
  })

  it.each<[string, (whole: string) => string, number, string]>([
    ['a word was altered', (whole) => whole.replace('"toolId":"b"', '"toolId":"x"'), 2, 'altered'],
    ['a record was taken out', (whole) => whole.split('\n').toSpliced(1, 1).join('\n'), 2, 'out-of-order'],
    ['the first was taken off', (whole) => whole.split('\n').slice(1).join('\n'), 1, 'out-of-order'],
    [
      'two were exchanged',
      (whole) => whole.split('\n').toSpliced(1, 2, whole.split('\n')[2]!, whole.split('\n')[1]!).join('\n'),
      2,
      'out-of-order',
    ],
    ['a line is none', (whole) => `${whole.split('\n')[0]}\nhello\n`, 2, 'not-a-record'],
    ['an empty line was put in', (whole) => whole.replace('\n', '\n\n'), 2, 'not-a-record'],
  ])('shows that %s', async (_, change, line, reason) => {
    for (const id of ['a', 'b', 'c']) storage.audit.append(called(id))
    await storage.audit.flush()
    writeFileSync(file, change(text()))
    expect(await storage.audit.verify()).toEqual({ records: line - 1, broken: { line, reason } })
    // Nothing that was there is lost by going on.
    const before = text()
    storage.audit.append(called('d'))
    await storage.audit.flush()
    expect(text().startsWith(before)).toBe(true)
    expect((await storage.audit.verify()).broken).toEqual({ line, reason })
  })

  it('takes off half a line that a killed process left', async () => {
    storage.audit.append(called('a'))
    await storage.audit.flush()
    appendFileSync(file, '{"kind":"call","toolId":"é'.slice(0, -1))
    appendFileSync(file, Buffer.from([0xc3]))
    storage.audit.append(called('b'))
    await storage.audit.flush()
    expect(await ids()).toEqual(['a', 'b'])
    expect(await storage.audit.verify()).toEqual({ records: 2, broken: null })
    expect(lines).toContain('warn the audit log ended in the middle of a record, which was taken off')
  })

  it('fails no caller when it cannot be written, says so, and counts what is missing', async () => {
    storage.audit.append(called('a'))
    await storage.audit.flush()
    const kept = text()
    rmSync(file)
    // A folder in the file's place cannot be written by anybody, root included.
    await storage.transact('folder', async (tx) => tx.write(path.join(file, 'x'), 'x'))
    storage.audit.append(called('lost'))
    storage.audit.append(called('lost too'))
    await storage.audit.flush()
    expect(lines).toEqual(['error the audit log could not be written'])
    rmSync(file, { recursive: true })
    writeFileSync(file, kept)
    chmodSync(file, 0o600)
    storage.audit.append(called('b'))
    await storage.audit.flush()
    const records = await storage.audit.read()
    expect(records.map((record) => (record.kind === 'gap' ? record.lost : record.kind))).toEqual(['call', 2, 'call'])
    expect(await storage.audit.verify()).toEqual({ records: 3, broken: null })
  })
})
