import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createStorage } from '../storage/index.ts'

import { BUILT_IN_PROMPT } from './instructions.ts'
import { createProfiles } from './profiles.ts'

import type { Log, ProfilesSnapshot } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Profiles } from './types.ts'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

let root: string
let shipped: string
let external: string
let user: string
let storage: Storage
let chosen: string | null
const opened: Profiles[] = []

function put(dir: string, name: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name, file)), { recursive: true })
    writeFileSync(path.join(dir, name, file), content)
  }
}
const bytes = (...segments: string[]): string => readFileSync(path.join(...segments), 'latin1')

function open(extra: { externalDir?: string; environmentChoice?: string } = {}): Profiles {
  const choice = {
    get: async () => chosen,
    set: async (name: string | null) => {
      chosen = name
    },
  }
  const profiles = createProfiles({ storage, shippedDir: shipped, choice, log: silent, ...extra })
  opened.push(profiles)
  return profiles
}

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'profiles-'))
  shipped = path.join(root, 'shipped')
  external = path.join(root, 'external')
  storage = await createStorage({ dataDir: path.join(root, 'data'), log: silent })
  user = path.join(root, 'data', 'profiles')
  chosen = null
  put(shipped, 'default', {
    'instructions.txt': 'Be kind.\n',
    'tools.txt': '# body\r\ndance\r\na__x\r\n',
    'greeting.txt': 'Say hello.\n',
    'extra/notes.bin': new Uint8Array([0, 255, 10]),
  })
  put(shipped, 'canary', { 'instructions.txt': '[default_prompt]\n\nSearch.\n', 'tools.txt': 'a__x\nmove_head\n' })
})

afterEach(async () => {
  for (const profiles of opened.splice(0)) profiles.dispose()
  await storage.dispose()
  rmSync(root, { recursive: true, force: true })
})

describe('the list', () => {
  it('shows shipped, the user’s and external ones, and hides what clashes, with the reason', async () => {
    put(user, 'mine', { 'instructions.txt': 'x' })
    put(user, 'canary', { 'tools.txt': 'dance\n' })
    put(user, 'Mine', { 'instructions.txt': 'x' })
    put(user, 'nul', { 'instructions.txt': 'x' })
    put(user, 'has space', { 'instructions.txt': 'x' })
    mkdirSync(path.join(user, 'empty'))
    put(external, 'theirs', { 'instructions.txt': 'x' })
    put(external, 'DEFAULT', { 'instructions.txt': 'x' })
    put(root, 'elsewhere', { 'instructions.txt': 'x' })
    symlinkSync(path.join(root, 'elsewhere'), path.join(external, 'sneaky'))
    const { profiles, active, activeFrom } = await open({ externalDir: external }).snapshot()
    expect([active, activeFrom]).toEqual(['default', 'default'])
    expect(profiles.map((p) => [p.name, p.source, p.edited, p.hidden, p.problem?.code])).toEqual([
      ['default', 'shipped', false, false, undefined],
      ['canary', 'user', true, false, undefined],
      ['Mine', 'user', false, false, undefined],
      ['theirs', 'external', false, false, undefined],
      ['has space', 'user', false, true, 'profile/bad-name'],
      ['mine', 'user', false, true, 'profile/exists'],
      ['nul', 'user', false, true, 'profile/bad-name'],
      ['DEFAULT', 'external', false, true, 'profile/exists'],
      ['sneaky', 'external', false, true, 'profile/unreadable'],
    ])
  })

  it.each(['../default', '..', '', 'a/b', 'con', 'default\n', '/etc', 'x'.repeat(65)])(
    'refuses the name %j wherever it enters',
    async (name) => {
      const profiles = open()
      const bad = { code: 'profile/bad-name' }
      await expect(profiles.read(name)).rejects.toMatchObject(bad)
      await expect(profiles.effective(name)).rejects.toMatchObject(bad)
      await expect(profiles.use(name)).rejects.toMatchObject(bad)
      await expect(profiles.create(name, 'default')).rejects.toMatchObject(bad)
      await expect(profiles.create('ok', name)).rejects.toMatchObject(bad)
      await expect(profiles.save({ name, revision: '' })).rejects.toMatchObject(bad)
      await expect(storage.transact('t', (tx) => profiles.enableIn(tx, name, ['x']))).rejects.toMatchObject(bad)
      expect(readdirSync(storage.dataDir)).toEqual([])
    },
  )
})

describe('the active profile', () => {
  it('is the one chosen in the app, else the environment’s, else default', async () => {
    put(user, 'mine', { 'instructions.txt': 'x' })
    const profiles = open({ environmentChoice: 'user_personalities/mine' })
    expect(await profiles.snapshot()).toMatchObject({ active: 'mine', activeFrom: 'environment' })
    expect(await profiles.use('canary')).toMatchObject({ active: 'canary', activeFrom: 'app' })
    expect(chosen).toBe('canary')
    expect(await open().active()).toBe('canary')
  })

  it.each<[string, Record<string, string | Uint8Array>, object]>([
    ['not UTF-8', { 'instructions.txt': Uint8Array.of(0x61, 0xff) }, { code: 'profile/not-utf8', details: { position: 1 } }],
    ['with a NUL', { 'tools.txt': 'a\0', 'instructions.txt': 'x' }, { code: 'profile/not-utf8', details: { position: 1 } }],
    ['a folder', { 'instructions.txt/x': 'x' }, { code: 'profile/unreadable', details: { file: 'instructions.txt' } }],
    ['5 MB', { 'instructions.txt': 'a'.repeat(5e6) }, { code: 'profile/unreadable', details: { file: 'instructions.txt' } }],
  ])('falls back to default when it is %s, and says why', async (_name, files, problem) => {
    put(user, 'broken', files)
    chosen = 'broken'
    const profiles = open()
    expect(await profiles.snapshot()).toMatchObject({ active: 'default', activeFrom: 'fallback', wanted: 'broken', problem })
    await expect(profiles.effective('broken')).rejects.toMatchObject(problem)
    await expect(profiles.use('broken')).rejects.toMatchObject(problem)
    expect((await profiles.check('broken'))[0]).toMatchObject(problem)
    const { readOnlyFiles, revision, ...document } = await profiles.read('broken')
    expect(readOnlyFiles.length).toBe(1)
    const before = readOnlyFiles[0] === 'tools.txt' ? { toolsText: 'dance\n' } : { instructionsText: 'new' }
    await expect(profiles.save({ name: 'broken', revision, ...before })).rejects.toMatchObject({ code: 'profile/read-only' })
    expect(document.source).toBe('user')
  })

  it('falls back when it is gone, or no name at all', async () => {
    for (const [name, code] of [['gone', 'profile/not-found'], ['../x', 'profile/bad-name']] as const) {
      chosen = name
      expect(await open().snapshot()).toMatchObject({ active: 'default', wanted: name, problem: { code } })
    }
  })

  it('a broken default falls back to the shipped one, then to a built-in text', async () => {
    put(user, 'default', { 'instructions.txt': Uint8Array.of(0xff), 'tools.txt': Uint8Array.of(0xff) })
    const profiles = open()
    expect(await profiles.snapshot()).toMatchObject({ active: 'default', problem: { code: 'profile/not-utf8' } })
    expect(await profiles.effective('default')).toMatchObject({ instructions: 'Be kind.', toolIds: ['dance', 'a__x'] })
    rmSync(path.join(shipped, 'default'), { recursive: true })
    expect(await profiles.effective('default')).toMatchObject({ instructions: BUILT_IN_PROMPT, toolIds: [] })
    rmSync(path.join(user, 'default'), { recursive: true })
    expect(await profiles.effective('default')).toMatchObject({ instructions: BUILT_IN_PROMPT, toolIds: [] })
  })
})

describe('what is in force', () => {
  it('resolves placeholders, inherits what is missing, and takes an empty list at its word', async () => {
    put(user, 'inherits', { 'greeting.txt': '\uFEFF  Hi!\r\n', 'voice.txt': ' ryan\n' })
    put(user, 'silent', { 'instructions.txt': '\n \n', 'tools.txt': '' })
    const profiles = open()
    expect(await profiles.effective('canary')).toEqual({
      name: 'canary',
      instructions: 'Be kind.\n\nSearch.',
      toolIds: ['a__x', 'move_head'],
    })
    expect(await profiles.effective('inherits')).toEqual({
      name: 'inherits',
      instructions: 'Be kind.',
      toolIds: ['dance', 'a__x'],
      greeting: 'Hi!',
      voice: 'ryan',
    })
    expect(await profiles.effective('silent')).toMatchObject({ instructions: 'Be kind.', toolIds: [] })
    expect(await profiles.read('inherits')).toMatchObject({
      toolsText: null,
      inheritedToolsText: '# body\r\ndance\r\na__x\r\n',
      problems: [{ file: 'instructions.txt', code: 'profile/unreadable', details: { reason: 'missing' } }],
    })
  })

  it('a default that is only [default_prompt] is no loop', async () => {
    put(user, 'default', { 'instructions.txt': '[default_prompt]\n' })
    expect((await open().effective('canary')).instructions).toBe(`${BUILT_IN_PROMPT}\n\nSearch.`)
  })
})

describe('saving', () => {
  it('changes the bytes that were changed, copies a shipped profile whole, and leaves the shipped one alone', async () => {
    const profiles = open()
    const before = await profiles.read('default')
    expect(before.toolsText).toBe('# body\r\ndance\r\na__x\r\n')
    const saved = await profiles.save({
      name: 'default',
      revision: before.revision,
      toolsText: profiles.editTools(before.toolsText ?? '', ['new__a'], ['a__x']),
      instructionsText: before.instructionsText,
    })
    expect(saved).toMatchObject({ source: 'user', edited: true, path: path.join(user, 'default') })
    expect(bytes(user, 'default', 'tools.txt')).toBe('# body\r\ndance\r\nnew__a\r\n')
    for (const file of ['instructions.txt', 'greeting.txt', 'extra/notes.bin']) {
      expect(bytes(user, 'default', file)).toBe(bytes(shipped, 'default', file))
    }
    expect(bytes(shipped, 'default', 'tools.txt')).toBe('# body\r\ndance\r\na__x\r\n')
    expect(saved.revision).not.toBe(before.revision)
  })

  it('keeps both texts when both of a shipped profile changed', async () => {
    const profiles = open()
    const { revision } = await profiles.read('canary')
    await profiles.save({ name: 'canary', revision, toolsText: 'camera\n', instructionsText: 'Look.\n' })
    expect(bytes(user, 'canary', 'tools.txt')).toBe('camera\n')
    expect(bytes(user, 'canary', 'instructions.txt')).toBe('Look.\n')
  })

  it('of nothing new writes nothing at all', async () => {
    put(user, 'mine', { 'instructions.txt': '\uFEFFodd\u2028text\f', 'tools.txt': '\uFEFFdance\r\n\rmove' })
    const profiles = open()
    for (const name of ['mine', 'canary']) {
      const { revision, toolsText, instructionsText } = await profiles.read(name)
      await profiles.save({ name, revision, toolsText: toolsText ?? '', instructionsText })
    }
    expect(readdirSync(user)).toEqual(['mine'])
    expect(readdirSync(path.join(user, 'mine')).sort()).toEqual(['instructions.txt', 'tools.txt'])
    put(user, 'bare', { 'tools.txt': '' })
    const { revision, instructionsText } = await profiles.read('bare')
    await profiles.save({ name: 'bare', revision, instructionsText })
    expect(readdirSync(path.join(user, 'bare'))).toEqual(['tools.txt'])
  })

  it('refuses a file that was changed outside, and keeps both texts', async () => {
    put(user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'dance\n' })
    const profiles = open()
    const { revision } = await profiles.read('mine')
    appendFileSync(path.join(user, 'mine', 'tools.txt'), 'camera\n')
    const stale = profiles.save({ name: 'mine', revision, toolsText: 'nothing\n' })
    await expect(stale).rejects.toMatchObject({ code: 'profile/changed-outside', details: { name: 'mine' } })
    expect(bytes(user, 'mine', 'tools.txt')).toBe('dance\ncamera\n')
  })

  it.each(['a\0b', 'half \uD83D'])('refuses %j, which would make the file unreadable', async (text) => {
    put(user, 'mine', { 'instructions.txt': 'x' })
    const profiles = open()
    const { revision } = await profiles.read('mine')
    const bad = profiles.save({ name: 'mine', revision, instructionsText: text })
    await expect(bad).rejects.toMatchObject({ code: 'profile/not-utf8' })
  })

  it('edits an external profile in place, through a link inside its root, with one backup', async () => {
    put(external, 'shared', { 'instructions.txt': 'x', 'real.txt': 'dance' })
    symlinkSync('real.txt', path.join(external, 'shared', 'tools.txt'))
    const profiles = open({ externalDir: external })
    const { revision } = await profiles.read('shared')
    await profiles.save({ name: 'shared', revision, toolsText: 'dance\ncamera' })
    expect(bytes(external, 'shared', 'real.txt')).toBe('dance\ncamera')
    expect(bytes(external, 'shared', 'real.txt.bak')).toBe('dance')
    expect(existsSync(user)).toBe(false)
  })
})

describe('creating', () => {
  it('copies all files, and refuses a name that is taken in any case', async () => {
    const profiles = open()
    expect(await profiles.create('mine', 'default')).toMatchObject({ name: 'mine', source: 'user', edited: false })
    expect(bytes(user, 'mine', 'extra/notes.bin')).toBe(bytes(shipped, 'default', 'extra/notes.bin'))
    for (const name of ['MINE', 'Default', 'canary']) {
      await expect(profiles.create(name, 'default')).rejects.toMatchObject({ code: 'profile/exists', details: { name } })
    }
    await expect(profiles.create('other', 'none')).rejects.toMatchObject({ code: 'profile/not-found' })
    expect(readdirSync(user)).toEqual(['mine'])
  })

  it('refuses to copy what is no file, or lies elsewhere', async () => {
    put(external, 'odd', { 'instructions.txt': 'x' })
    writeFileSync(path.join(root, 'secret'), 'PRIVATE')
    symlinkSync(path.join(root, 'secret'), path.join(external, 'odd', 'stolen'))
    const profiles = open({ externalDir: external })
    await expect(profiles.create('copy', 'odd')).rejects.toMatchObject({ code: 'profile/unreadable' })
    rmSync(path.join(external, 'odd', 'stolen'))
    execFileSync('mkfifo', [path.join(external, 'odd', 'pipe')])
    await expect(profiles.create('copy', 'odd')).rejects.toMatchObject({ code: 'profile/unreadable' })
    expect(existsSync(user)).toBe(false)
  })
})

describe('for other rooms, inside their transaction', () => {
  it('enables in a shipped profile by copying, once and for all files, also with a second file of their own', async () => {
    const profiles = open()
    const { value, receipt } = await storage.transact('install', async (tx) => {
      tx.write(storage.path('manifest.json'), '{}')
      const first = await profiles.enableIn(tx, 'default', ['b__y', 'dance'])
      const second = await profiles.enableIn(tx, 'default', ['b__z', 'b__y'])
      return [first, second]
    })
    const file = path.join(user, 'default', 'tools.txt')
    expect(value).toEqual([
      { added: ['b__y'], path: file },
      { added: ['b__z'], path: file },
    ])
    expect(bytes(file)).toBe('# body\r\ndance\r\na__x\r\nb__y\r\nb__z\r\n')
    expect(bytes(user, 'default', 'greeting.txt')).toBe('Say hello.\n')
    await storage.undo(receipt)
    expect(readdirSync(storage.dataDir)).toEqual([])
  })

  it('writes nothing when nothing is new', async () => {
    const profiles = open()
    const { value, receipt } = await storage.transact('again', (tx) => profiles.enableIn(tx, 'default', ['dance']))
    expect(value).toEqual({ added: [], path: path.join(shipped, 'default', 'tools.txt') })
    expect(receipt.changes).toEqual([])
  })

  it('gives an inheriting profile the inherited list first', async () => {
    put(user, 'inherits', { 'instructions.txt': 'x' })
    const profiles = open()
    await storage.transact('on', (tx) => profiles.enableIn(tx, 'inherits', ['b__y']))
    expect(bytes(user, 'inherits', 'tools.txt')).toBe('dance\na__x\nb__y\n')
    put(user, 'inherits2', { 'instructions.txt': 'x' })
    const { value } = await storage.transact('off', (tx) => profiles.disableIn(tx, 'inherits2', ['dance', 'none']))
    expect(value.removed).toEqual(['dance'])
    expect(bytes(user, 'inherits2', 'tools.txt')).toBe('a__x\n')
  })

  it('disables everywhere, and leaves what is no text or names nothing of it', async () => {
    put(user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'a__x # note\r\na__y\r\ndance' })
    put(user, 'untouched', { 'instructions.txt': 'x', 'tools.txt': '# a__x\ndance' })
    put(user, 'inherits', { 'instructions.txt': 'x' })
    put(user, 'broken', { 'instructions.txt': 'x', 'tools.txt': Uint8Array.of(0x61, 0xff) })
    const { mtimeMs, ino } = statSync(path.join(user, 'untouched', 'tools.txt'))
    const profiles = open()
    const isOfA = (id: string): boolean => id.startsWith('a__')
    const uses = await profiles.usesOf(isOfA)
    const { value } = await storage.transact('remove', (tx) => profiles.disableEverywhere(tx, isOfA))
    expect(value).toEqual({ default: ['a__x'], canary: ['a__x'], mine: ['a__x', 'a__y'] })
    expect(uses).toEqual(value)
    expect(bytes(user, 'mine', 'tools.txt')).toBe('dance')
    expect(bytes(user, 'default', 'tools.txt')).toBe('# body\r\ndance\r\n')
    expect(bytes(user, 'broken', 'tools.txt')).toBe('a\xff')
    expect(statSync(path.join(user, 'untouched', 'tools.txt'))).toMatchObject({ mtimeMs, ino })
    expect(existsSync(path.join(user, 'inherits', 'tools.txt'))).toBe(false)
    expect(await profiles.usesOf(isOfA)).toEqual({})
  })

  it('renames everywhere on the spot', async () => {
    put(user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'a__x # note\r\na__y\r\ndance' })
    put(user, 'untouched', { 'instructions.txt': 'x', 'tools.txt': '# a__x\ndance' })
    const profiles = open()
    const names = new Map([['a__x', 'c__z']])
    const { value } = await storage.transact('rename', (tx) => profiles.renameEverywhere(tx, names))
    expect(value).toEqual({ default: ['a__x'], canary: ['a__x'], mine: ['a__x'] })
    expect(bytes(user, 'mine', 'tools.txt')).toBe('c__z # note\r\na__y\r\ndance')
    expect(bytes(user, 'untouched', 'tools.txt')).toBe('# a__x\ndance')
  })

  it('refuses a tools.txt that is no text, and an ID that is no line', async () => {
    put(user, 'broken', { 'instructions.txt': 'x', 'tools.txt': Uint8Array.of(0xff) })
    const profiles = open()
    const enable = (name: string, id: string): Promise<unknown> =>
      storage.transact('on', (tx) => profiles.enableIn(tx, name, [id]))
    await expect(enable('broken', 'b__y')).rejects.toMatchObject({ code: 'profile/read-only' })
    await expect(enable('default', 'b__y\ncamera')).rejects.toMatchObject({ code: 'tools/bad-tool-name' })
    expect(readdirSync(user)).toEqual(['broken'])
  })
})

describe('changes', () => {
  it('are told once each: own, outside, and of other rooms', async () => {
    put(user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'dance\n' })
    const profiles = open()
    const seen: ProfilesSnapshot[] = []
    const stop = profiles.onChange((snapshot) => seen.push(snapshot))
    const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400))
    await settled()
    const { revision } = await profiles.read('mine')
    await profiles.save({ name: 'mine', revision, toolsText: 'camera\n' })
    await settled()
    expect(seen.length).toBe(1)
    const patient = { timeout: 10_000, interval: 150 }
    const appended = (): number => {
      appendFileSync(path.join(user, 'mine', 'tools.txt'), 'dance\n')
      return seen.length
    }
    await expect.poll(appended, patient).toBeGreaterThan(1)
    put(user, 'new', { 'instructions.txt': 'x' })
    await expect.poll(() => seen.at(-1)?.profiles.map(({ name }) => name), patient).toContain('new')
    await settled()
    const quiet = seen.length
    profiles.touched()
    await settled()
    expect(seen.length).toBe(quiet)
    chosen = 'mine'
    profiles.touched()
    await expect.poll(() => seen.length, patient).toBe(quiet + 1)
    expect(seen.map(({ version }) => version)).toEqual(seen.map((_, index) => index + 1))
    expect(seen.at(-1)?.active).toBe('mine')
    stop()
    await profiles.use('default')
    expect(seen.at(-1)?.active).toBe('mine')
  })
})
