import { appendFileSync, existsSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { anyFile } from './testing/any-file.ts'
import { openHouse, saveTexts } from './testing/house.ts'
import { ownTools } from './tools-file.ts'

import type { House } from './testing/house.ts'

let house: House
beforeEach(async () => {
  house = await openHouse()
})
afterEach(() => house.close())

const CLEARED = { 'tools.txt': null, 'voice.txt': null, 'greeting.txt': '' }
const FILES = ['tools.txt', 'instructions.txt', 'voice.txt', 'greeting.txt'] as const

describe('saving', () => {
  it('changes the bytes that were changed, copies a shipped profile whole, and leaves the shipped one alone', async () => {
    const profiles = house.open()
    const before = await profiles.read('default')
    expect(before.texts['tools.txt']).toBe('# body\r\ndance\r\na__x\r\n')
    const { document, merged } = await saveTexts(profiles, 'default', {
      'tools.txt': profiles.editTools(before.texts['tools.txt'] ?? '', ['new__a'], ['a__x']),
    })
    expect(document).toMatchObject({ source: 'user', edited: true, path: path.join(house.user, 'default') })
    expect(merged).toEqual([])
    expect(house.bytes(house.user, 'default', 'tools.txt')).toBe('# body\r\ndance\r\nnew__a\r\n')
    for (const file of ['instructions.txt', 'greeting.txt', 'extra/notes.bin']) {
      expect(house.bytes(house.user, 'default', file)).toBe(house.bytes(house.shipped, 'default', file))
    }
    expect(house.bytes(house.shipped, 'default', 'tools.txt')).toBe('# body\r\ndance\r\na__x\r\n')
    expect(document.revision).not.toBe(before.revision)
  })

  it('writes all four files of a shipped profile, makes those that are missing, and takes one away', async () => {
    const profiles = house.open()
    const texts = { 'tools.txt': 'camera\n', 'instructions.txt': 'Look.', 'voice.txt': 'Ryan\n', 'greeting.txt': 'Hi.\n' }
    await saveTexts(profiles, 'canary', texts)
    for (const file of FILES) expect(house.bytes(house.user, 'canary', file)).toBe(texts[file])
    const { document } = await saveTexts(profiles, 'canary', { ...CLEARED, 'instructions.txt': '' })
    expect(document.texts).toEqual({ ...CLEARED, 'instructions.txt': '', 'greeting.txt': null })
    expect(existsSync(path.join(house.user, 'canary', 'greeting.txt'))).toBe(false)
    expect(house.bytes(house.user, 'canary', 'greeting.txt.bak')).toBe('Hi.\n')
    expect(await profiles.effective('canary')).toMatchObject({ toolIds: ['dance', 'a__x'] })
  })

  it('of nothing new writes nothing at all', async () => {
    const odd = { 'instructions.txt': '\uFEFFodd\u2028text\f', 'tools.txt': '\uFEFFdance\r\n\rmove' }
    house.put(house.user, 'mine', odd)
    const { mtimeMs, ino } = statSync(path.join(house.user, 'mine', 'tools.txt'))
    const profiles = house.open()
    for (const name of ['mine', 'canary']) await saveTexts(profiles, name, {})
    expect(readdirSync(house.user)).toEqual(['mine'])
    expect(readdirSync(path.join(house.user, 'mine')).sort()).toEqual(['instructions.txt', 'tools.txt'])
    expect(statSync(path.join(house.user, 'mine', 'tools.txt'))).toMatchObject({ mtimeMs, ino })
    // A prompt that was begun and taken back is no empty prompt; an empty list of tools is one.
    house.put(house.user, 'bare', { 'greeting.txt': 'x' })
    await saveTexts(profiles, 'bare', { 'instructions.txt': '' })
    expect(readdirSync(path.join(house.user, 'bare'))).toEqual(['greeting.txt'])
    await saveTexts(profiles, 'bare', { 'tools.txt': '' })
    expect(house.bytes(house.user, 'bare', 'tools.txt')).toBe('')
  })

  it('leaves the bytes of every file that was not changed alone, whatever they are', async () => {
    const profiles = house.open()
    const any = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''))
    const content = fc.tuple(fc.constantFrom('', '\uFEFF'), fc.oneof(any, anyFile)).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(content, content, content, fc.constantFrom(...FILES), async (a, b, c, changed) => {
        const files = { 'tools.txt': a, 'instructions.txt': b, 'voice.txt': c, 'greeting.txt': a }
        house.put(house.user, 'mine', files)
        await saveTexts(profiles, 'mine', {})
        await saveTexts(profiles, 'mine', { [changed]: `${files[changed]}\nmore` })
        const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
        for (const file of FILES) {
          const expected = file === changed ? `${files[file]}\nmore` : files[file]
          expect(house.bytes(house.user, 'mine', file)).toBe(utf8(expected))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('keeps what another program changed elsewhere in the file, and in other files', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'One.\n\nTwo.\n\nThree.\n', 'tools.txt': 'dance\n' })
    const profiles = house.open()
    const { texts: base } = await profiles.read('mine')
    writeFileSync(path.join(house.user, 'mine', 'instructions.txt'), 'One.\n\nTwo.\n\nThree, changed.\n')
    appendFileSync(path.join(house.user, 'mine', 'tools.txt'), '# theirs\ncamera')
    writeFileSync(path.join(house.user, 'mine', 'voice.txt'), 'Ryan\n')
    const texts = { ...base, 'instructions.txt': 'One, changed.\n\nTwo.\n\nThree.\n', 'tools.txt': 'dance\nmove_head\n' }
    const rebased = await profiles.rebase({ name: 'mine', base, texts })
    expect(house.bytes(house.user, 'mine', 'tools.txt')).toBe('dance\n# theirs\ncamera')
    const { document, merged } = await profiles.save({ name: 'mine', base, texts })
    expect(merged).toEqual(['tools.txt', 'instructions.txt'])
    expect(document.texts).toEqual({
      'tools.txt': 'dance\n# theirs\ncamera\nmove_head\n',
      'instructions.txt': 'One, changed.\n\nTwo.\n\nThree, changed.\n',
      'voice.txt': 'Ryan\n',
      'greeting.txt': null,
    })
    expect(rebased).toMatchObject({ texts: document.texts, merged, conflicts: [] })
    expect(rebased.document.texts['tools.txt']).toBe('dance\n# theirs\ncamera')
  })

  it('refuses where both changed the same lines, and keeps both texts', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x\n', 'tools.txt': 'dance\n' })
    const profiles = house.open()
    const { texts: base } = await profiles.read('mine')
    writeFileSync(path.join(house.user, 'mine', 'instructions.txt'), 'theirs\n')
    const change = { name: 'mine', base, texts: { ...base, 'instructions.txt': 'mine\n', 'tools.txt': 'camera\n' } }
    const failure = { code: 'profile/changed-outside', details: { name: 'mine', file: 'instructions.txt' } }
    await expect(profiles.save(change)).rejects.toMatchObject(failure)
    expect(house.bytes(house.user, 'mine', 'tools.txt')).toBe('dance\n')
    expect(house.bytes(house.user, 'mine', 'instructions.txt')).toBe('theirs\n')
    const { texts, conflicts, document } = await profiles.rebase(change)
    expect([texts['instructions.txt'], conflicts]).toEqual(['mine\n', ['instructions.txt']])
    expect(document.texts['instructions.txt']).toBe('theirs\n')
    // The person looked at it and keeps theirs: what is on disk is the base now.
    const kept = await profiles.save({ name: 'mine', base: document.texts, texts })
    expect(kept.document.texts).toMatchObject({ 'instructions.txt': 'mine\n', 'tools.txt': 'camera\n' })
  })

  it('two lists that came into being at once both begin with the inherited one', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x' })
    const profiles = house.open()
    const { texts: base, inheritedToolsText } = await profiles.read('mine')
    await house.storage.transact('on', (tx) => profiles.enableIn(tx, 'mine', ['theirs__a']))
    const mine = profiles.editTools(ownTools(inheritedToolsText), ['mine__b'], ['dance'])
    await profiles.save({ name: 'mine', base, texts: { ...base, 'tools.txt': mine } })
    expect(house.bytes(house.user, 'mine', 'tools.txt')).toBe('a__x\ntheirs__a\nmine__b\n')
  })

  it.each<[string, (file: string) => void, string?]>([
    ['is no text any more', (file) => writeFileSync(file, Uint8Array.of(0x61, 0xff)), 'profile/not-utf8'],
    ['grew to 5 MB', (file) => writeFileSync(file, 'a'.repeat(5_000_000))],
    ['became a folder', (file) => (rmSync(file), symlinkSync('.', file))],
    ['became a link out of the profiles', (file) => (rmSync(file), symlinkSync('/etc/hostname', file))],
  ])('a file that %s while it was open is left alone, and nothing else is written', async (_what, change, code = 'profile/unreadable') => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'dance\n' })
    const profiles = house.open()
    const { texts: base } = await profiles.read('mine')
    change(path.join(house.user, 'mine', 'tools.txt'))
    const edited = { name: 'mine', base, texts: { ...base, 'tools.txt': 'camera\n', 'instructions.txt': 'y' } }
    const found = await profiles.rebase(edited)
    expect(found).toMatchObject({ conflicts: ['tools.txt'], texts: { 'tools.txt': 'camera\n', 'instructions.txt': 'y' } })
    expect(found.document.broken.map(({ file }) => file)).toEqual(['tools.txt'])
    await expect(profiles.save(edited)).rejects.toMatchObject({ code, details: { file: 'tools.txt' } })
    expect(house.bytes(house.user, 'mine', 'instructions.txt')).toBe('x')
  })

  it('of a file, or a whole profile, that was taken away meanwhile says so', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'dance\n' })
    const profiles = house.open()
    const { texts: base } = await profiles.read('mine')
    const change = { name: 'mine', base, texts: { ...base, 'tools.txt': 'camera\n' } }
    rmSync(path.join(house.user, 'mine', 'tools.txt'))
    await expect(profiles.save(change)).rejects.toMatchObject({ code: 'profile/changed-outside' })
    rmSync(path.join(house.user, 'mine'), { recursive: true })
    await expect(profiles.save(change)).rejects.toMatchObject({ code: 'profile/not-found' })
    expect(existsSync(path.join(house.user, 'mine'))).toBe(false)
  })

  it('of an edited profile that was restored meanwhile edits a new copy', async () => {
    const profiles = house.open()
    await saveTexts(profiles, 'canary', { 'tools.txt': 'a__x\nmove_head\nmine\n' })
    const { texts: base } = await profiles.read('canary')
    await profiles.remove('canary')
    const { document } = await profiles.save({ name: 'canary', base, texts: { ...base, 'voice.txt': 'Ryan\n' } })
    expect(document).toMatchObject({ edited: true, texts: { 'tools.txt': 'a__x\nmove_head\n', 'voice.txt': 'Ryan\n' } })
  })

  it.each(['a\0b', 'half \uD83D'])('refuses %j, which would make the file unreadable', async (text) => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x' })
    const profiles = house.open()
    const bad = saveTexts(profiles, 'mine', { 'instructions.txt': text })
    await expect(bad).rejects.toMatchObject({ code: 'profile/not-utf8' })
    const { texts } = await profiles.read('mine')
    const found = await profiles.checkTexts('mine', { ...texts, 'instructions.txt': text })
    expect(found.map(({ code }) => code)).toContain('profile/not-utf8')
  })

  it('edits an external profile in place, through a link inside its root, with one backup', async () => {
    house.put(house.external, 'shared', { 'instructions.txt': 'x', 'real.txt': 'dance' })
    symlinkSync('real.txt', path.join(house.external, 'shared', 'tools.txt'))
    const profiles = house.open({ externalDir: house.external })
    await saveTexts(profiles, 'shared', { 'tools.txt': 'dance\ncamera' })
    expect(house.bytes(house.external, 'shared', 'real.txt')).toBe('dance\ncamera')
    expect(house.bytes(house.external, 'shared', 'real.txt.bak')).toBe('dance')
    expect(existsSync(house.user)).toBe(false)
  })
})

describe('a save that fails on the disk', () => {
  it.each(['journal:write', 'journal:rename'])('at %s writes nothing of the four files', async (failing) => {
    let armed = false
    const { profiles } = await house.second((step) => {
      if (armed && step === failing) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    })
    house.put(house.user, 'mine', { 'instructions.txt': 'x', 'tools.txt': 'dance\n' })
    armed = true
    const texts = { 'tools.txt': 'camera\n', 'instructions.txt': 'y', 'voice.txt': 'Ryan' }
    await expect(saveTexts(profiles, 'mine', texts)).rejects.toMatchObject({ code: 'storage/failed' })
    await expect(saveTexts(profiles, 'canary', texts)).rejects.toMatchObject({ code: 'storage/failed' })
    expect(readdirSync(house.user)).toEqual(['mine'])
    expect(readdirSync(path.join(house.user, 'mine')).sort()).toEqual(['instructions.txt', 'tools.txt'])
    expect(house.bytes(house.user, 'mine', 'tools.txt')).toBe('dance\n')
    armed = false
    await saveTexts(profiles, 'mine', texts)
    expect(house.bytes(house.user, 'mine', 'voice.txt')).toBe('Ryan')
  })
})

describe('two processes on one data directory', () => {
  it('never lose each other’s change', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'Start.\n', 'tools.txt': '# mine\ndance\n' })
    const first = house.open()
    const { profiles: second, storage } = await house.second()
    const press = async (profiles: typeof first, ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        const { texts: base } = await profiles.read('mine')
        const list = base['tools.txt'] ?? ''
        await profiles.save({ name: 'mine', base, texts: { ...base, 'tools.txt': profiles.editTools(list, [id], []) } })
      }
    }
    const enable = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await storage.transact('on', (tx) => second.enableIn(tx, 'mine', [id]))
    }
    const ids = (letter: string): string[] => Array.from({ length: 8 }, (_, index) => `${letter}__${index}`)
    await Promise.all([press(first, ids('a')), press(second, ids('b')), enable(ids('c'))])
    const { texts } = await first.read('mine')
    expect(texts['tools.txt']?.startsWith('# mine\ndance\n')).toBe(true)
    const lines = texts['tools.txt']?.trimEnd().split('\n') ?? []
    expect(lines.slice(2).sort()).toEqual([...ids('a'), ...ids('b'), ...ids('c')])
  })

  it('write different files and details of one profile at once, and both copy a shipped one', async () => {
    const first = house.open()
    const { profiles: second } = await house.second()
    const { texts: base } = await first.read('canary')
    await Promise.all([
      first.save({ name: 'canary', base, texts: { ...base, 'voice.txt': 'Ryan\n' } }),
      second.save({ name: 'canary', base, texts: { ...base, 'tools.txt': 'a__x\n' } }),
      first.setDetails('canary', { title: 'Bird' }),
      second.setDetails('canary', { permissions: { a__x: 'ask' } }),
      second.setDetails('default', { hidden: true }),
      second.create('copy', 'default'),
    ])
    const { texts, details } = await second.read('canary')
    expect(texts).toEqual({ ...base, 'voice.txt': 'Ryan\n', 'tools.txt': 'a__x\n' })
    expect(details).toEqual({ title: 'Bird', permissions: { a__x: 'ask' } })
    const { profiles } = await first.snapshot()
    expect(profiles.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['default', true],
      ['canary', false],
      ['copy', false],
    ])
  })

  it('of two that write the same line the second is told, and its text is not lost', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'Start.\n' })
    const first = house.open()
    const { profiles: second } = await house.second()
    const { texts: base } = await first.read('mine')
    const save = (profiles: typeof first, text: string): Promise<unknown> =>
      profiles.save({ name: 'mine', base, texts: { ...base, 'instructions.txt': text } })
    const results = await Promise.allSettled([save(first, 'First.\n'), save(second, 'Second.\n')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const failed = results.find(({ status }) => status === 'rejected')
    expect(failed).toMatchObject({ reason: { code: 'profile/changed-outside' } })
  })
})
