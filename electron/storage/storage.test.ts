import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { replaceFile } from './atomic-file.ts'
import { LOCK_NAME } from './lock.ts'
import { createStorage } from './storage.ts'

import type { Log } from '../contract/index.ts'
import type { Storage } from './types.ts'

const lines: string[] = []
const log: Log = {
  debug: (message) => lines.push(`debug ${message}`),
  info: (message) => lines.push(`info ${message}`),
  warn: (message) => lines.push(`warn ${message}`),
  error: (message) => lines.push(`error ${message}`),
}

let root: string
let dir: string
let storage: Storage

beforeEach(async () => {
  lines.length = 0
  root = mkdtempSync(path.join(os.tmpdir(), 'storage-'))
  dir = path.join(root, 'data')
  storage = await createStorage({ dataDir: dir, log })
})

afterEach(async () => {
  await storage.dispose()
  rmSync(root, { recursive: true, force: true })
})

const text = (file: string): string => readFileSync(file, 'utf8')
const put = (file: string, content: string): void => {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}

describe('a transaction', () => {
  it('writes all its files, in new folders too, and leaves nothing else', async () => {
    const outside = path.join(root, 'elsewhere', 'tools.txt')
    put(outside, 'dance\n')
    const { value, receipt } = await storage.transact('install', async (tx) => {
      expect(Buffer.from((await tx.read(outside))?.bytes ?? []).toString()).toBe('dance\n')
      tx.write(storage.path('manifest.json'), '{}\n')
      tx.write(storage.path('profiles/a/tools.txt'), new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))
      tx.write(outside, 'dance\nmove\n')
      expect((await tx.read(storage.path('manifest.json')))?.bytes).toEqual(new TextEncoder().encode('{}\n'))
      expect(existsSync(storage.path('manifest.json'))).toBe(false)
      return 7
    })
    expect(value).toBe(7)
    expect(readdirSync(dir).sort()).toEqual(['manifest.json', 'profiles'])
    expect([...readFileSync(storage.path('profiles/a/tools.txt'))]).toEqual([0xef, 0xbb, 0xbf, 0x61])
    expect(text(outside)).toBe('dance\nmove\n')
    expect(readdirSync(path.dirname(outside))).toEqual(['tools.txt'])
    expect(receipt.changes.map(({ before }) => before === null)).toEqual([true, true, false])
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    expect(statSync(storage.path('profiles/a')).mode & 0o777).toBe(0o700)
    expect(statSync(storage.path('manifest.json')).mode & 0o777).toBe(0o600)
  })

  it('does not touch a file that would get the same bytes', async () => {
    const file = storage.path('a.txt')
    put(file, 'same')
    const { ino, mtimeMs } = statSync(file)
    const { receipt } = await storage.transact('nothing', async (tx) => tx.write(file, 'same'))
    expect(receipt.changes).toEqual([])
    expect(statSync(file)).toMatchObject({ ino, mtimeMs })
  })

  it('writes nothing when the body throws', async () => {
    const body = storage.transact('broken', async (tx) => {
      tx.write(storage.path('a.txt'), 'x')
      throw new Error('changed my mind')
    })
    await expect(body).rejects.toThrow('changed my mind')
    expect(readdirSync(dir)).toEqual([])
  })

  it('keeps mode and links of what it replaces', async () => {
    const file = path.join(root, 'real', 'tools.txt')
    put(file, 'old')
    chmodSync(file, 0o664)
    symlinkSync(file, storage.path('link.txt'))
    symlinkSync(path.join(root, 'real', 'new.txt'), storage.path('dangling.txt'))
    await storage.transact('links', async (tx) => {
      tx.write(storage.path('link.txt'), 'new')
      tx.write(storage.path('dangling.txt'), 'made')
    })
    expect(readlinkSync(storage.path('link.txt'))).toBe(file)
    expect(text(file)).toBe('new')
    expect(statSync(file).mode & 0o777).toBe(0o664)
    expect(text(path.join(root, 'real', 'new.txt'))).toBe('made')
    expect(readdirSync(path.join(root, 'real')).sort()).toEqual(['new.txt', 'tools.txt'])
  })

  it('keeps one backup where asked to', async () => {
    const file = storage.path('tools.txt')
    for (const content of ['one', 'two', 'three']) {
      await storage.transact('edit', async (tx) => tx.write(file, content, { keepBackup: true }))
    }
    expect(text(file)).toBe('three')
    expect(text(`${file}.bak`)).toBe('two')
    expect(readdirSync(dir).sort()).toEqual(['tools.txt', 'tools.txt.bak'])
  })

  it('does not overwrite what another program wrote between reading and writing', async () => {
    const file = storage.path('tools.txt')
    put(file, 'mine\n')
    const edit = storage.transact('edit', async (tx) => {
      const before = await tx.read(file)
      appendFileSync(file, 'theirs\n')
      tx.write(file, `${Buffer.from(before?.bytes ?? []).toString()}more\n`)
    })
    await expect(edit).rejects.toMatchObject({ code: 'storage/conflict', details: { path: file } })
    expect(text(file)).toBe('mine\ntheirs\n')
  })

  it('refuses to nest instead of waiting for itself', async () => {
    const nested = storage.transact('outer', () => storage.transact('inner', async () => 1))
    await expect(nested).rejects.toThrow('inside a transaction')
    await expect(storage.transact('after', async () => 2)).resolves.toMatchObject({ value: 2 })
  })

  it('never loses an update of two writers, in one process or two storages', async () => {
    const other = await createStorage({ dataDir: dir, log })
    const file = storage.path('count.txt')
    const increment = (on: Storage): Promise<unknown> =>
      on.transact('count', async (tx) => {
        const now = Number(Buffer.from((await tx.read(file))?.bytes ?? []).toString())
        tx.write(file, String(now + 1))
      })
    await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index % 2 === 0 ? storage : other)))
    expect(text(file)).toBe('20')
    await other.dispose()
  })
})

describe('a failing write', () => {
  it.each([
    ['the folder is a file', 'file/below.txt', 'EEXIST'],
    ['the file is a folder', 'folder', 'EISDIR'],
  ])('%s: everything is as before', async (_name, bad, cause) => {
    put(storage.path('file'), 'x')
    mkdirSync(storage.path('folder'))
    put(storage.path('a.txt'), 'old')
    const failing = storage.transact('install', async (tx) => {
      tx.write(storage.path('a.txt'), 'new')
      tx.write(storage.path('deep/er/b.txt'), 'new')
      tx.write(storage.path(bad), 'new')
    })
    await expect(failing).rejects.toMatchObject({
      code: 'storage/failed',
      details: { path: storage.path(bad) },
      cause: { code: cause },
    })
    expect(text(storage.path('a.txt'))).toBe('old')
    expect(readdirSync(dir).sort()).toEqual(['a.txt', 'file', 'folder'])
  })

  const STEPS = ['journal:write', 'journal:rename', 'apply:0:temp', 'apply:1:temp', 'apply:0:place']
  const LATER = ['apply:1:place', 'apply:2:place', 'after:sync']
  it.each([...STEPS, ...LATER])('full disk at %s: everything is as before', async (failAt) => {
    const at = await createStorage({
      dataDir: dir,
      log,
      faults: (step) => {
        if (step === failAt) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      },
    })
    put(at.path('a.txt'), 'old')
    put(at.path('c.txt'), 'old')
    const failing = at.transact('install', async (tx) => {
      tx.write(at.path('a.txt'), 'new')
      tx.write(at.path('sub/b.txt'), 'new')
      tx.write(at.path('c.txt'), null)
    })
    await expect(failing).rejects.toMatchObject({ code: 'storage/failed' })
    expect(text(at.path('a.txt'))).toBe('old')
    expect(text(at.path('c.txt'))).toBe('old')
    expect(readdirSync(dir).sort()).toEqual(['a.txt', 'c.txt'])
    await at.dispose()
  })

  it('while taking back fails too: the next process takes back', async () => {
    const at = await createStorage({
      dataDir: dir,
      log,
      faults: (step) => {
        if (step === 'after:sync' || step.startsWith('restore:')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      },
    })
    put(at.path('a.txt'), 'old')
    const failing = at.transact('install', async (tx) => tx.write(at.path('a.txt'), 'new'))
    await expect(failing).rejects.toMatchObject({ code: 'storage/failed' })
    const next = await createStorage({ dataDir: dir, log })
    expect(text(next.path('a.txt'))).toBe('old')
    expect(readdirSync(dir)).toEqual(['a.txt'])
  })
})

describe('recovery', () => {
  const died = async (at: string): Promise<void> => {
    const storageThatDies = await createStorage({
      dataDir: dir,
      log,
      faults: (step) => (step === at ? new Promise(() => undefined) : undefined),
    })
    void storageThatDies.transact('install', async (tx) => {
      tx.write(storage.path('a.txt'), 'new a')
      tx.write(storage.path('b.txt'), 'new b')
    })
    await expect.poll(() => existsSync(storage.path('.journal')), { timeout: 8_000 }).toBe(true)
    await expect
      .poll(() => at !== 'apply:1:place' || text(storage.path('a.txt')) === 'new a', { timeout: 8_000 })
      .toBe(true)
    rmSync(storage.path(LOCK_NAME))
  }

  it('leaves a file alone that was edited since, and takes the rest back', async () => {
    put(storage.path('a.txt'), 'old a')
    put(storage.path('b.txt'), 'old b')
    await died('apply:1:place')
    put(storage.path('b.txt'), 'edited by hand')
    await storage.recover()
    expect(text(storage.path('a.txt'))).toBe('old a')
    expect(text(storage.path('b.txt'))).toBe('edited by hand')
    expect(readdirSync(dir).sort()).toEqual(['a.txt', 'b.txt'])
  })

  it('keeps a torn journal under another name and goes on', async () => {
    put(storage.path('a.txt'), 'old a')
    put(storage.path('b.txt'), 'old b')
    await died('apply:0:temp')
    const whole = text(storage.path('.journal'))
    put(storage.path('.journal'), whole.slice(0, whole.length / 2))
    const next = await createStorage({ dataDir: dir, log })
    expect(text(next.path('a.txt'))).toBe('old a')
    expect(readdirSync(dir).some((name) => name.startsWith('.journal.bad-'))).toBe(true)
    await next.transact('again', async (tx) => tx.write(next.path('a.txt'), 'newer'))
    expect(text(next.path('a.txt'))).toBe('newer')
  })

  it('does not block when a file can neither be finished nor taken back', async () => {
    const other = path.join(root, 'stick', 'tools.txt')
    put(other, 'old')
    put(storage.path('a.txt'), 'old a')
    const dying = await createStorage({
      dataDir: dir,
      log,
      faults: (step) => (step === 'apply:0:place' ? new Promise(() => undefined) : undefined),
    })
    void dying.transact('install', async (tx) => {
      tx.write(storage.path('a.txt'), 'new a')
      tx.write(other, 'new')
    })
    await expect.poll(() => readdirSync(path.dirname(other)).length, { timeout: 8_000 }).toBe(2)
    rmSync(storage.path(LOCK_NAME))
    rmSync(path.dirname(other), { recursive: true })
    put(path.dirname(other), 'not a folder any more')
    const next = await createStorage({ dataDir: dir, log })
    await next.transact('again', async (tx) => tx.write(next.path('c.txt'), 'c'))
    expect(text(next.path('c.txt'))).toBe('c')
    expect(text(next.path('a.txt'))).toBe('old a')
  })
})

describe('undo', () => {
  it('brings old contents back and removes what was made', async () => {
    put(storage.path('a.txt'), 'old')
    const { receipt } = await storage.transact('install', async (tx) => {
      tx.write(storage.path('a.txt'), 'new')
      tx.write(storage.path('profiles/x/tools.txt'), 'new')
    })
    await storage.undo(receipt)
    expect(text(storage.path('a.txt'))).toBe('old')
    expect(readdirSync(dir)).toEqual(['a.txt'])
  })

  it('is refused as a whole when one file has changed since', async () => {
    put(storage.path('a.txt'), 'old')
    const { receipt } = await storage.transact('install', async (tx) => {
      tx.write(storage.path('a.txt'), 'new')
      tx.write(storage.path('b.txt'), 'new')
    })
    appendFileSync(storage.path('b.txt'), ' and more')
    await expect(storage.undo(receipt)).rejects.toMatchObject({
      code: 'storage/conflict',
      details: { path: storage.path('b.txt') },
    })
    expect(text(storage.path('a.txt'))).toBe('new')
  })
})

describe('the lock', () => {
  const foreign = (owner: object): void => writeFileSync(path.join(dir, LOCK_NAME), JSON.stringify(owner))

  it('is waited for while its owner lives, then refused', async () => {
    foreign({ pid: process.ppid, start: '1', token: 'theirs' })
    const impatient = await createStorage({ dataDir: dir, log, lockWaitMs: 200 })
    const held = impatient.transact('x', async () => 1)
    // Start times tell two processes apart on Linux only by boot and ticks; a plain number is never judged there.
    await expect(held).rejects.toMatchObject({ code: 'storage/locked' })
    expect(existsSync(path.join(dir, LOCK_NAME))).toBe(true)
  })

  it.each([
    ['a process that has ended', { pid: spawnSync(process.execPath, ['-e', '']).pid, start: '1', token: 'dead' }],
    ['an earlier process of the same number', { pid: process.pid, start: 'another-boot:1', token: 'reused' }],
  ])('of %s is taken over', async (_name, owner) => {
    foreign(owner)
    await expect(storage.transact('x', async () => 1)).resolves.toMatchObject({ value: 1 })
    expect(readdirSync(dir)).toEqual([])
  })

  it('is taken over through a chain of dead heirs', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    foreign({ pid, start: '1', token: 'first' })
    writeFileSync(path.join(dir, `${LOCK_NAME}.after-first`), JSON.stringify({ pid, start: '1', token: 'second' }))
    writeFileSync(path.join(dir, `${LOCK_NAME}.stale.tmp`), JSON.stringify({ pid, start: '1', token: 'third' }))
    await expect(storage.transact('x', async () => 1)).resolves.toMatchObject({ value: 1 })
    expect(readdirSync(dir)).toEqual([])
  })
})

describe('json, paths, setting aside', () => {
  const schema = z.object({ a: z.number() })

  it.each([
    ['{"a":1}', { state: 'ok', value: { a: 1 } }],
    ['\uFEFF{"a":1}\r\n', { state: 'ok', value: { a: 1 } }],
    ['', { state: 'unreadable' }],
    ['{', { state: 'unreadable' }],
    ['{"a":"1"}', { state: 'unreadable', reason: expect.stringMatching(/^a: /) as string }],
  ])('reads %j', async (content, expected) => {
    put(storage.path('x.json'), content)
    await expect(storage.readJson(storage.path('x.json'), schema)).resolves.toMatchObject(expected)
  })

  it('tells an absent file from one that cannot be read', async () => {
    mkdirSync(storage.path('folder'))
    await expect(storage.readJson(storage.path('none.json'), schema)).resolves.toEqual({ state: 'absent' })
    await expect(storage.read(storage.path('folder'))).rejects.toMatchObject({ code: 'storage/failed' })
  })

  it('says within a second that a directory cannot be made', { timeout: 1_000 }, async () => {
    put(path.join(root, 'file'), '')
    const impossible = [path.join(root, 'file'), path.join(root, 'file', 'below')]
    // A folder that is there and takes none: Node's own recursive mkdir never comes back from it.
    if (process.platform === 'linux') impossible.push('/proc/none', '/proc/none/below')
    for (const dataDir of impossible) {
      await expect(createStorage({ dataDir, log })).rejects.toMatchObject({
        code: 'storage/failed',
        details: { path: dataDir },
      })
    }
  })

  it('opens through a link, and when two processes make the directory at once', async () => {
    symlinkSync(dir, path.join(root, 'link'))
    const dirs = [path.join(root, 'link'), ...Array.from({ length: 8 }, () => path.join(root, 'new', 'a', 'b'))]
    const opened = await Promise.all(dirs.map((dataDir) => createStorage({ dataDir, log })))
    await Promise.all(opened.map((each) => each.dispose()))
    expect(statSync(path.join(root, 'new', 'a')).mode & 0o777).toBe(0o700)
  })

  it('refuses paths that leave the directory', () => {
    for (const bad of ['../x', '/etc/passwd', 'a/../../x']) expect(() => storage.path(bad)).toThrow('outside')
    expect(storage.path('a', '..', 'b')).toBe(path.join(dir, 'b'))
  })

  it('puts broken files aside without overwriting an earlier one', async () => {
    const names: string[] = []
    for (const content of ['one', 'two']) {
      put(storage.path('x.json'), content)
      names.push(await storage.setAside(storage.path('x.json')))
    }
    expect(names.map(text)).toEqual(['one', 'two'])
    expect(names[0]).toMatch(/x\.json\.bad-\d{8}T\d{6}Z/)
  })

  it('puts a file aside inside a transaction that writes it anew', async () => {
    put(storage.path('x.json'), '{')
    await storage.transact('repair', async (tx) => {
      await tx.read(storage.path('x.json'))
      await storage.setAside(storage.path('x.json'))
      tx.write(storage.path('x.json'), '{}')
    })
    expect(text(storage.path('x.json'))).toBe('{}')
  })
})

describe('replacing one file', () => {
  it.each([
    ['a new one', null, 0o600],
    ['an old one, whose mode stays', 0o644, 0o644],
  ])('writes %s', async (_, before, mode) => {
    const file = path.join(root, 'window.json')
    if (before !== null) writeFileSync(file, 'old', { mode: before })
    await replaceFile(file, 'new', 0o600)
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(statSync(file).mode & 0o777).toBe(mode)
    expect(readdirSync(root).filter((name) => name.includes('.tmp'))).toEqual([])
  })

  it('writes through a link', async () => {
    const target = path.join(root, 'elsewhere.json')
    symlinkSync(target, path.join(root, 'window.json'))
    await replaceFile(path.join(root, 'window.json'), 'new', 0o600)
    expect(readFileSync(target, 'utf8')).toBe('new')
    expect(readlinkSync(path.join(root, 'window.json'))).toBe(target)
  })

  it('leaves the old content and nothing else when it fails', async () => {
    mkdirSync(path.join(root, 'window.json'))
    await expect(replaceFile(path.join(root, 'window.json'), 'new', 0o600)).rejects.toThrow()
    expect(readdirSync(root).sort()).toEqual(['data', 'window.json'])
  })
})

describe('watching', () => {
  const counted = (target: string): (() => number) => {
    let calls = 0
    storage.watch(target, () => (calls += 1))
    return () => calls
  }
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))
  /** Repeats a change until it is noticed: watching begins a moment after it was asked for. */
  const noticed = async (calls: () => number, change: (round: number) => unknown): Promise<void> => {
    await settled()
    const before = calls()
    let round = 0
    await expect
      .poll(
        async () => {
          await change((round += 1))
          return calls()
        },
        { timeout: 10_000, interval: 150 },
      )
      .toBeGreaterThan(before)
  }

  it('sees a file appear in folders that did not exist, change by replacing, and go', async () => {
    const file = storage.path('profiles/a/tools.txt')
    const calls = counted(storage.path('profiles'))
    await noticed(calls, () => storage.transact('new', async (tx) => tx.write(file, 'one')))
    await noticed(calls, (round) => storage.transact('edit', async (tx) => tx.write(file, `two ${round}`)))
    await noticed(calls, () => appendFileSync(file, 'by an editor'))
    await noticed(calls, () => rmSync(storage.path('profiles'), { recursive: true, force: true }))
  })

  it('of one file is not called for its neighbours or for our own locks', async () => {
    const calls = counted(storage.path('settings.json'))
    await settled()
    await storage.transact('other', async (tx) => tx.write(storage.path('other.json'), '{}'))
    await settled()
    expect(calls()).toBe(0)
    await noticed(calls, () => put(storage.path('settings.json'), '{}'))
  })
})
