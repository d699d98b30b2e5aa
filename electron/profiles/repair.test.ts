import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openHouse, saveTexts } from './testing/house.ts'

import type { ProfileFile, RepairKind } from '../contract/index.ts'
import type { House } from './testing/house.ts'
import type { Profiles } from './types.ts'

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

let house: House
beforeEach(async () => {
  house = await openHouse()
})
afterEach(() => house.close())

const kinds = async (profiles: Profiles, name: string): Promise<Record<string, RepairKind[]>> =>
  Object.fromEntries((await profiles.read(name)).broken.map(({ file, repairs }) => [file, repairs.map(({ kind }) => kind)]))

/** Bytes of the files that were set aside. */
const aside = (name: string): string[] =>
  readdirSync(path.join(house.user, name))
    .filter((file) => file.includes('.bad-'))
    .map((file) => house.bytes(house.user, name, file))

describe('a broken file', () => {
  it('is shown with the place, the reason and what can be done', async () => {
    house.put(house.user, 'cafe', {
      'instructions.txt': latin('Bonjour.\r\nDeux caf\xe9s.\r\n'),
      'instructions.txt.bak': 'Deux cafés.\n',
      'tools.txt': 'dance\n',
    })
    const profiles = house.open()
    const { broken, texts, readOnlyFiles } = await profiles.read('cafe')
    const savedAt = statSync(path.join(house.user, 'cafe', 'instructions.txt.bak')).mtimeMs
    expect(readOnlyFiles).toEqual(['instructions.txt'])
    expect(texts).toMatchObject({ 'instructions.txt': 'Bonjour.\r\nDeux caf\uFFFDs.\r\n', 'tools.txt': 'dance\n' })
    expect(broken).toEqual([
      {
        file: 'instructions.txt',
        problem: { code: 'profile/not-utf8', details: { name: 'cafe', file: 'instructions.txt', position: 18 } },
        line: 2,
        excerpt: [
          { line: 1, before: 'Bonjour.', after: '' },
          { line: 2, before: 'Deux caf', bad: 'E9', after: 's.' },
          { line: 3, before: '', after: '' },
        ],
        repairs: [
          { kind: 'windows-1252', line: 'Deux cafés.' },
          { kind: 'backup', savedAt, characters: 12 },
          { kind: 'set-aside' },
        ],
      },
    ])
  })

  it.each<[string, (file: string) => void, RepairKind[]]>([
    ['with a NUL', (file) => writeFileSync(file, 'a\0b\xe9'), ['set-aside']],
    ['of 5 MB', (file) => writeFileSync(file, 'a'.repeat(5_000_000)), ['set-aside']],
    ['that is a folder', (file) => mkdirSync(file), ['set-aside']],
  ])('%s can be set aside, and default’s text comes in its place', async (_what, breakIt, expected) => {
    house.put(house.user, 'mine', { 'tools.txt': 'dance\n' })
    breakIt(path.join(house.user, 'mine', 'instructions.txt'))
    house.chosen.profile = 'mine'
    const profiles = house.open()
    expect(await profiles.snapshot()).toMatchObject({ active: 'default', activeFrom: 'fallback', wanted: 'mine' })
    expect(await kinds(profiles, 'mine')).toEqual({ 'instructions.txt': expected })
    const document = await profiles.repair('mine', 'instructions.txt', 'set-aside')
    expect(document).toMatchObject({ broken: [], readOnlyFiles: [], texts: { 'instructions.txt': 'Be kind.\n' } })
    expect(readdirSync(path.join(house.user, 'mine')).filter((name) => name.includes('.bad-'))).toHaveLength(1)
    expect(await profiles.snapshot()).toMatchObject({ active: 'mine', activeFrom: 'app' })
  })

  it.each<[ProfileFile, string | null]>([
    ['tools.txt', 'dance\na__x\n'],
    ['instructions.txt', 'Be kind.\n'],
    ['greeting.txt', 'Say hello.\n'],
    ['voice.txt', null],
  ])('set aside, %s begins with what default has', async (file, expected) => {
    house.put(house.user, 'mine', { 'greeting.txt': 'x', [file]: latin('\xff\xfe') })
    const { texts } = await house.open().repair('mine', file, 'set-aside')
    expect(texts[file]).toBe(expected)
    expect(aside('mine')).toEqual(['\xff\xfe'])
  })

  it.each<[RepairKind, string]>([
    ['windows-1252', '# caf\u00e9\na__x\n'],
    ['backup', 'a__x\nmove_head\n'],
    ['shipped', 'a__x\nmove_head\n'],
    ['set-aside', 'dance\na__x\n'],
  ])('of a shipped profile: %s', async (kind, expected) => {
    const profiles = house.open()
    await saveTexts(profiles, 'canary', { 'voice.txt': 'Ryan\n' })
    await saveTexts(profiles, 'canary', { 'tools.txt': 'camera\n' })
    writeFileSync(path.join(house.user, 'canary', 'tools.txt'), latin('# caf\xe9\na__x\n'))
    expect(await kinds(profiles, 'canary')).toEqual({ 'tools.txt': ['windows-1252', 'backup', 'shipped', 'set-aside'] })
    const { texts } = await profiles.repair('canary', 'tools.txt', kind)
    expect(texts['tools.txt']).toBe(expected)
    expect(aside('canary')).toEqual(['# caf\xe9\na__x\n'])
    expect(house.bytes(house.user, 'canary', 'tools.txt.bak')).toBe('a__x\nmove_head\n')
  })

  it('of default itself begins with the shipped text', async () => {
    house.put(house.user, 'default', { 'instructions.txt': latin('\xff'), 'tools.txt': latin('\xff') })
    const profiles = house.open()
    expect((await profiles.repair('default', 'instructions.txt', 'set-aside')).texts['instructions.txt']).toBe('Be kind.\n')
    expect((await profiles.repair('default', 'tools.txt', 'set-aside')).texts['tools.txt']).toBe('dance\na__x\n')
    expect(await profiles.snapshot()).toMatchObject({ active: 'default', activeFrom: 'default' })
  })

  it('is not repaired when it is whole, another one by now, or in a way that is not possible', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': latin('caf\xe9'), 'tools.txt': 'dance\n' })
    const profiles = house.open()
    await profiles.read('mine')
    const refused = (file: ProfileFile, kind: RepairKind): Promise<void> =>
      expect(profiles.repair('mine', file, kind)).rejects.toMatchObject({ code: 'profile/bad-repair', details: { file } })
    await refused('tools.txt', 'set-aside')
    await refused('voice.txt', 'set-aside')
    await refused('instructions.txt', 'backup')
    await refused('instructions.txt', 'shipped')
    writeFileSync(path.join(house.user, 'mine', 'instructions.txt'), latin('th\xe9'))
    await refused('instructions.txt', 'windows-1252')
    expect(house.bytes(house.user, 'mine', 'instructions.txt')).toBe('th\xe9')
    expect((await profiles.read('mine')).broken).toHaveLength(1)
    expect((await profiles.repair('mine', 'instructions.txt', 'windows-1252')).texts['instructions.txt']).toBe('thé')
  })

  it('in a shipped profile is only shown', async () => {
    house.put(house.shipped, 'canary', { 'instructions.txt': latin('\xff') })
    const profiles = house.open()
    expect(await kinds(profiles, 'canary')).toEqual({ 'instructions.txt': [] })
    await expect(profiles.repair('canary', 'instructions.txt', 'set-aside')).rejects.toMatchObject({
      code: 'profile/bad-repair',
    })
    expect(house.bytes(house.shipped, 'canary', 'instructions.txt')).toBe('\xff')
    expect(readdirSync(path.join(house.shipped, 'canary'))).toHaveLength(2)
  })

  it('is as it was when the repair cannot be written', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': latin('caf\xe9') })
    const { profiles } = await house.second((step) => {
      if (step === 'journal:rename') throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    })
    const failed = profiles.repair('mine', 'instructions.txt', 'windows-1252')
    await expect(failed).rejects.toMatchObject({ code: 'storage/failed' })
    expect(readdirSync(path.join(house.user, 'mine'))).toEqual(['instructions.txt'])
    expect(house.bytes(house.user, 'mine', 'instructions.txt')).toBe('caf\xe9')
  })

  it('an empty file is no broken one', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': '', 'tools.txt': '', 'voice.txt': '', 'greeting.txt': '' })
    const document = await house.open().read('mine')
    expect(document.broken).toEqual([])
    expect(document.problems).toMatchObject([{ file: 'instructions.txt', details: { reason: 'empty' } }])
  })
})
