import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BUILT_IN_PROMPT } from './instructions.ts'
import { openHouse, saveTexts } from './testing/house.ts'

import type { ProfilesSnapshot } from '../contract/index.ts'
import type { House } from './testing/house.ts'
import type { Profiles } from './types.ts'

let house: House
const put = (...args: Parameters<House['put']>): void => house.put(...args)
const bytes = (...segments: string[]): string => house.bytes(...segments)
const open = (...args: Parameters<House['open']>): Profiles => house.open(...args)

beforeEach(async () => {
  house = await openHouse()
})
afterEach(() => house.close())

const NONE = { 'tools.txt': null, 'instructions.txt': null, 'voice.txt': null, 'greeting.txt': null }

describe('the list', () => {
  it('shows shipped, the user’s and external ones, and hides what clashes, with the reason', async () => {
    put(house.user, 'mine', { 'instructions.txt': 'x' })
    put(house.user, 'canary', { 'tools.txt': 'dance\n' })
    put(house.user, 'Mine', { 'instructions.txt': 'x' })
    put(house.user, 'nul', { 'instructions.txt': 'x' })
    put(house.user, 'has space', { 'instructions.txt': 'x' })
    mkdirSync(path.join(house.user, 'empty'))
    put(house.external, 'theirs', { 'instructions.txt': 'x' })
    put(house.external, 'DEFAULT', { 'instructions.txt': 'x' })
    put(house.root, 'elsewhere', { 'instructions.txt': 'x' })
    symlinkSync(path.join(house.root, 'elsewhere'), path.join(house.external, 'sneaky'))
    const { profiles, active, activeFrom } = await open({ externalDir: house.external }).snapshot()
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

  it.each(['../default', '..', '', 'a/b', 'a\\b', 'con', 'COM1', 'default\n', 'a\nb', '/etc', 'C:', 'x'.repeat(65)])(
    'refuses the name %j wherever it enters',
    async (name) => {
      const profiles = open()
      const bad = { code: 'profile/bad-name' }
      await expect(profiles.read(name)).rejects.toMatchObject(bad)
      await expect(profiles.effective(name)).rejects.toMatchObject(bad)
      await expect(profiles.use(name)).rejects.toMatchObject(bad)
      await expect(profiles.create(name, 'default')).rejects.toMatchObject(bad)
      await expect(profiles.create('ok', name)).rejects.toMatchObject(bad)
      await expect(profiles.create('ok', 'default').then(() => profiles.rename('ok', name))).rejects.toMatchObject(bad)
      await profiles.remove('ok')
      await expect(profiles.save({ name, base: NONE, texts: { ...NONE, 'tools.txt': 'x' } })).rejects.toMatchObject(bad)
      await expect(profiles.rebase({ name, base: NONE, texts: NONE })).rejects.toMatchObject(bad)
      await expect(profiles.rename(name, 'ok')).rejects.toMatchObject(bad)
      await expect(profiles.remove(name)).rejects.toMatchObject(bad)
      await expect(profiles.setDetails(name, { hidden: true })).rejects.toMatchObject(bad)
      await expect(profiles.repair(name, 'tools.txt', 'set-aside')).rejects.toMatchObject(bad)
      await expect(profiles.keepUnsaved(name, { base: NONE, texts: NONE })).rejects.toMatchObject(bad)
      await expect(profiles.writeOut(name, 'x')).rejects.toMatchObject(bad)
      await expect(profiles.checkTexts(name, NONE)).rejects.toMatchObject(bad)
      const files = new Map([['tools.txt', new Uint8Array()]])
      const createIn = house.storage.transact('t', (tx) => profiles.createIn(tx, [{ name, files }]))
      await expect(createIn).rejects.toMatchObject(bad)
      await expect(house.storage.transact('t', (tx) => profiles.enableIn(tx, name, ['x']))).rejects.toMatchObject(bad)
      expect(readdirSync(house.user)).toEqual(['.removed'])
    },
  )
})

describe('the active profile', () => {
  it('is the one chosen in the app, else the environment’s, else default', async () => {
    put(house.user, 'mine', { 'instructions.txt': 'x' })
    const profiles = open({ environmentChoice: 'user_personalities/mine' })
    expect(await profiles.snapshot()).toMatchObject({ active: 'mine', activeFrom: 'environment' })
    expect(await profiles.use('canary')).toMatchObject({ active: 'canary', activeFrom: 'app' })
    expect(await profiles.use('user_personalities/mine')).toMatchObject({ active: 'mine', activeFrom: 'app' })
    await profiles.use('canary')
    expect(house.chosen.profile).toBe('canary')
    expect(await open().active()).toBe('canary')
  })

  it.each<[string, Record<string, string | Uint8Array>, { code: string; details: object }]>([
    ['not UTF-8', { 'instructions.txt': Uint8Array.of(0x61, 0xff) }, { code: 'profile/not-utf8', details: { position: 1 } }],
    ['with a NUL', { 'tools.txt': 'a\0', 'instructions.txt': 'x' }, { code: 'profile/not-utf8', details: { position: 1 } }],
    ['a folder', { 'instructions.txt/x': 'x' }, { code: 'profile/unreadable', details: { file: 'instructions.txt' } }],
    ['5 MB', { 'instructions.txt': 'a'.repeat(5e6) }, { code: 'profile/unreadable', details: { file: 'instructions.txt' } }],
  ])('falls back to default when it is %s, and says why', async (_name, files, problem) => {
    put(house.user, 'broken', files)
    house.chosen.profile = 'broken'
    const profiles = open()
    expect(await profiles.snapshot()).toMatchObject({ active: 'default', activeFrom: 'fallback', wanted: 'broken', problem })
    await expect(profiles.effective('broken')).rejects.toMatchObject(problem)
    await expect(profiles.use('broken')).rejects.toMatchObject(problem)
    expect((await profiles.check('broken'))[0]).toMatchObject(problem)
    const { readOnlyFiles, texts, source } = await profiles.read('broken')
    expect(readOnlyFiles.length).toBe(1)
    const changed = Object.fromEntries(readOnlyFiles.map((file) => [file, 'new\n']))
    const save = profiles.save({ name: 'broken', base: texts, texts: { ...texts, ...changed } })
    await expect(save).rejects.toMatchObject({ code: problem.code })
    await profiles.save({ name: 'broken', base: texts, texts })
    const other = await saveTexts(profiles, 'broken', { 'greeting.txt': 'Hi.\n' })
    expect(other.document.readOnlyFiles).toEqual(readOnlyFiles)
    expect(source).toBe('user')
  })

  it('falls back when it is gone, or no name at all', async () => {
    for (const [name, code] of [['gone', 'profile/not-found'], ['../x', 'profile/bad-name']] as const) {
      house.chosen.profile = name
      expect(await open().snapshot()).toMatchObject({ active: 'default', wanted: name, problem: { code } })
    }
  })

  it('a broken default falls back to the shipped one, then to a built-in text', async () => {
    put(house.user, 'default', { 'instructions.txt': Uint8Array.of(0xff), 'tools.txt': Uint8Array.of(0xff) })
    const profiles = open()
    expect(await profiles.snapshot()).toMatchObject({ active: 'default', problem: { code: 'profile/not-utf8' } })
    expect(await profiles.effective('default')).toMatchObject({ instructions: 'Be kind.', toolIds: ['dance', 'a__x'] })
    rmSync(path.join(house.shipped, 'default'), { recursive: true })
    expect(await profiles.effective('default')).toMatchObject({ instructions: BUILT_IN_PROMPT, toolIds: [] })
    rmSync(path.join(house.user, 'default'), { recursive: true })
    expect(await profiles.effective('default')).toMatchObject({ instructions: BUILT_IN_PROMPT, toolIds: [] })
  })
})

describe('what is in force', () => {
  it('resolves placeholders, inherits what is missing, and takes an empty list at its word', async () => {
    put(house.user, 'inherits', { 'greeting.txt': '\uFEFF  Hi!\r\n', 'voice.txt': ' ryan\n' })
    put(house.user, 'silent', { 'instructions.txt': '\n \n', 'tools.txt': '' })
    const profiles = open()
    expect(await profiles.effective('canary')).toEqual({
      name: 'canary',
      instructions: 'Be kind.\n\nSearch.',
      parts: [
        { origin: 'default', name: 'default_prompt', text: 'Be kind.' },
        { origin: 'profile', text: '\nSearch.' },
      ],
      toolIds: ['a__x', 'move_head'],
      permissions: {},
    })
    expect(await profiles.effective('inherits')).toEqual({
      name: 'inherits',
      instructions: 'Be kind.',
      parts: [{ origin: 'default', text: 'Be kind.' }],
      toolIds: ['dance', 'a__x'],
      greeting: 'Hi!',
      voice: 'Ryan',
      permissions: {},
    })
    expect(await profiles.effective('silent')).toMatchObject({ instructions: 'Be kind.', toolIds: [] })
    expect(await profiles.read('inherits')).toMatchObject({
      texts: { 'tools.txt': null, 'instructions.txt': null, 'voice.txt': ' ryan\n' },
      inheritedToolsText: '# body\r\ndance\r\na__x\r\n',
      problems: [{ file: 'instructions.txt', code: 'profile/unreadable', details: { reason: 'missing' } }],
    })
  })

  it('a default that is only [default_prompt] is no loop', async () => {
    put(house.user, 'default', { 'instructions.txt': '[default_prompt]\n' })
    expect((await open().effective('canary')).instructions).toBe(`${BUILT_IN_PROMPT}\n\nSearch.`)
  })
})

describe('creating', () => {
  it('copies all files, and refuses a name that is taken in any case', async () => {
    const profiles = open()
    expect(await profiles.create('mine', 'default')).toMatchObject({ name: 'mine', source: 'user', edited: false })
    expect(bytes(house.user, 'mine', 'extra/notes.bin')).toBe(bytes(house.shipped, 'default', 'extra/notes.bin'))
    for (const name of ['MINE', 'Default', 'canary']) {
      await expect(profiles.create(name, 'default')).rejects.toMatchObject({ code: 'profile/exists', details: { name } })
    }
    await expect(profiles.create('other', 'none')).rejects.toMatchObject({ code: 'profile/not-found' })
    expect(readdirSync(house.user)).toEqual(['mine'])
  })

  it('refuses to copy what is no file, or lies elsewhere', async () => {
    put(house.external, 'odd', { 'instructions.txt': 'x' })
    writeFileSync(path.join(house.root, 'secret'), 'PRIVATE')
    symlinkSync(path.join(house.root, 'secret'), path.join(house.external, 'odd', 'stolen'))
    const profiles = open({ externalDir: house.external })
    await expect(profiles.create('copy', 'odd')).rejects.toMatchObject({ code: 'profile/unreadable' })
    rmSync(path.join(house.external, 'odd', 'stolen'))
    execFileSync('mkfifo', [path.join(house.external, 'odd', 'pipe')])
    await expect(profiles.create('copy', 'odd')).rejects.toMatchObject({ code: 'profile/unreadable' })
    expect(existsSync(house.user)).toBe(false)
  })
})

describe('for other rooms, inside their transaction', () => {
  it('enables in a shipped profile by copying, once and for all files, also with a second file of their own', async () => {
    const profiles = open()
    const { value, receipt } = await house.storage.transact('install', async (tx) => {
      tx.write(house.storage.path('manifest.json'), '{}')
      const first = await profiles.enableIn(tx, 'default', ['b__y', 'dance'])
      const second = await profiles.enableIn(tx, 'default', ['b__z', 'b__y'])
      return [first, second]
    })
    const file = path.join(house.user, 'default', 'tools.txt')
    expect(value).toEqual([
      { added: ['b__y'], path: file },
      { added: ['b__z'], path: file },
    ])
    expect(bytes(file)).toBe('# body\r\ndance\r\na__x\r\nb__y\r\nb__z\r\n')
    expect(bytes(house.user, 'default', 'greeting.txt')).toBe('Say hello.\n')
    await house.storage.undo(receipt)
    expect(readdirSync(house.storage.dataDir)).toEqual([])
  })

  it('writes nothing when nothing is new', async () => {
    const profiles = open()
    const { value, receipt } = await house.storage.transact('again', (tx) => profiles.enableIn(tx, 'default', ['dance']))
    expect(value).toEqual({ added: [], path: path.join(house.shipped, 'default', 'tools.txt') })
    expect(receipt.changes).toEqual([])
  })

  it('gives an inheriting profile the inherited list first', async () => {
    put(house.user, 'inherits', { 'instructions.txt': 'x' })
    const profiles = open()
    await house.storage.transact('on', (tx) => profiles.enableIn(tx, 'inherits', ['b__y']))
    expect(bytes(house.user, 'inherits', 'tools.txt')).toBe('dance\na__x\nb__y\n')
    put(house.user, 'inherits2', { 'instructions.txt': 'x' })
    const { value } = await house.storage.transact('off', (tx) => profiles.disableIn(tx, 'inherits2', ['dance', 'none']))
    expect(value.removed).toEqual(['dance'])
    expect(bytes(house.user, 'inherits2', 'tools.txt')).toBe('a__x\n')
  })

  it('disables everywhere, and leaves what is no text or names nothing of it', async () => {
    put(house.user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'a__x # note\r\na__y\r\ndance' })
    put(house.user, 'untouched', { 'instructions.txt': 'x', 'tools.txt': '# a__x\ndance' })
    put(house.user, 'inherits', { 'instructions.txt': 'x' })
    put(house.user, 'broken', { 'instructions.txt': 'x', 'tools.txt': Uint8Array.of(0x61, 0xff) })
    const { mtimeMs, ino } = statSync(path.join(house.user, 'untouched', 'tools.txt'))
    const profiles = open()
    const isOfA = (id: string): boolean => id.startsWith('a__')
    const uses = await profiles.usesOf(isOfA)
    const { value } = await house.storage.transact('remove', (tx) => profiles.disableEverywhere(tx, isOfA))
    expect(value).toEqual({ default: ['a__x'], canary: ['a__x'], mine: ['a__x', 'a__y'] })
    expect(uses).toEqual(value)
    expect(bytes(house.user, 'mine', 'tools.txt')).toBe('dance')
    expect(bytes(house.user, 'default', 'tools.txt')).toBe('# body\r\ndance\r\n')
    expect(bytes(house.user, 'broken', 'tools.txt')).toBe('a\xff')
    expect(statSync(path.join(house.user, 'untouched', 'tools.txt'))).toMatchObject({ mtimeMs, ino })
    expect(existsSync(path.join(house.user, 'inherits', 'tools.txt'))).toBe(false)
    expect(await profiles.usesOf(isOfA)).toEqual({})
  })

  it('renames everywhere on the spot', async () => {
    put(house.user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'a__x # note\r\na__y\r\ndance' })
    put(house.user, 'untouched', { 'instructions.txt': 'x', 'tools.txt': '# a__x\ndance' })
    const profiles = open()
    const names = new Map([['a__x', 'c__z']])
    const { value } = await house.storage.transact('rename', (tx) => profiles.renameEverywhere(tx, names))
    expect(value).toEqual({ default: ['a__x'], canary: ['a__x'], mine: ['a__x'] })
    expect(bytes(house.user, 'mine', 'tools.txt')).toBe('c__z # note\r\na__y\r\ndance')
    expect(bytes(house.user, 'untouched', 'tools.txt')).toBe('# a__x\ndance')
  })

  it('refuses a tools.txt that is no text, and an ID that is no line', async () => {
    put(house.user, 'broken', { 'instructions.txt': 'x', 'tools.txt': Uint8Array.of(0xff) })
    const profiles = open()
    const enable = (name: string, id: string): Promise<unknown> =>
      house.storage.transact('on', (tx) => profiles.enableIn(tx, name, [id]))
    await expect(enable('broken', 'b__y')).rejects.toMatchObject({ code: 'profile/not-utf8', details: { file: 'tools.txt' } })
    await expect(enable('default', 'b__y\ncamera')).rejects.toMatchObject({ code: 'tools/bad-tool-name' })
    expect(readdirSync(house.user)).toEqual(['broken'])
  })
})

describe('changes', () => {
  it('are told once each: own, outside, and of other rooms', async () => {
    put(house.user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'dance\n' })
    const profiles = open()
    const seen: ProfilesSnapshot[] = []
    const stop = profiles.onChange((snapshot) => seen.push(snapshot))
    const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400))
    await settled()
    await saveTexts(profiles, 'mine', { 'tools.txt': 'camera\n' })
    await settled()
    expect(seen.length).toBe(1)
    const patient = { timeout: 10_000, interval: 150 }
    const appended = (): number => {
      appendFileSync(path.join(house.user, 'mine', 'tools.txt'), 'dance\n')
      return seen.length
    }
    await expect.poll(appended, patient).toBeGreaterThan(1)
    put(house.user, 'new', { 'instructions.txt': 'x' })
    await expect.poll(() => seen.at(-1)?.profiles.map(({ name }) => name), patient).toContain('new')
    await settled()
    const quiet = seen.length
    profiles.touched()
    await settled()
    expect(seen.length).toBe(quiet)
    house.chosen.profile = 'mine'
    profiles.touched()
    await expect.poll(() => seen.length, patient).toBe(quiet + 1)
    expect(seen.map(({ version }) => version)).toEqual(seen.map((_, index) => index + 1))
    expect(seen.at(-1)?.active).toBe('mine')
    stop()
    await profiles.use('default')
    expect(seen.at(-1)?.active).toBe('mine')
  })
})
