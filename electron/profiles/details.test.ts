import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { changedDetails, validDetails } from './details.ts'
import { openHouse } from './testing/house.ts'

import type { House } from './testing/house.ts'

const AVATAR = { roll: -5, antennas: [10, -10], gaze: [0, 0.5], tint: 'accent' } as const

let house: House
beforeEach(async () => {
  house = await openHouse()
})
afterEach(() => house.close())

describe('changedDetails', () => {
  it.each<[object, Parameters<typeof changedDetails>[1], object]>([
    [{}, { title: '  A\n title\u2028 ' }, { title: 'A title' }],
    [{ title: 'a', purpose: 'b' }, { title: null }, { purpose: 'b' }],
    [{ title: 'a' }, { title: '\n' }, {}],
    [{ title: 'a' }, { title: undefined, hidden: true }, { title: 'a', hidden: true }],
    [{ hidden: true, future: [1] }, { hidden: false }, { future: [1] }],
    [{ permissions: { a: 'ask', b: 'ask' } }, { permissions: { a: null, c: 'refuse' } }, { permissions: { b: 'ask', c: 'refuse' } }], // prettier-ignore
    [{ permissions: { a: 'ask' } }, { permissions: { a: null } }, {}],
    [{ model: { kind: 'offline' } }, { model: null }, {}],
  ])('%j with %j → %j', (entry, change, expected) => {
    expect(changedDetails({ ...entry }, change)).toEqual(expected)
  })
})

describe('validDetails', () => {
  it('leaves out what is broken, and keeps the rest', () => {
    const entry = { title: 3, purpose: 'p', avatar: { roll: 99 }, hidden: 'yes', model: { kind: 'none' }, permissions: {} }
    expect(validDetails(entry)).toEqual({ purpose: 'p', permissions: {} })
  })
})

describe('details', () => {
  const file = (): string => house.storage.path('profile_details.json')

  it('hold in the list, in the document and in what is in force', async () => {
    const profiles = house.open()
    const model = { kind: 'named', model: 'small' } as const
    const details = { title: 'Bird', purpose: 'Sings.', avatar: { ...AVATAR, antennas: [10, -10] as [number, number], gaze: [0, 0.5] as [number, number] }, model } // prettier-ignore
    const { profiles: list } = await profiles.setDetails('canary', { ...details, hidden: true, permissions: { a__x: 'ask' } })
    expect(list.find(({ name }) => name === 'canary')).toMatchObject({ ...details, hidden: true, edited: false })
    expect((await profiles.read('canary')).details).toEqual({ ...details, hidden: true, permissions: { a__x: 'ask' } })
    expect(await profiles.effective('canary')).toMatchObject({ model, permissions: { a__x: 'ask' } })
    expect(readdirSync(house.storage.dataDir)).toEqual(['profile_details.json'])
    await expect(profiles.setDetails('none', { hidden: true })).rejects.toMatchObject({ code: 'profile/not-found' })
  })

  it('of a copy are those of the original, but for its title and being hidden', async () => {
    const profiles = house.open()
    await profiles.setDetails('canary', { title: 'Bird', hidden: true, permissions: { a__x: 'refuse' } })
    const copy = await profiles.create('copy', 'canary', { title: 'Copy' })
    expect(copy.details).toEqual({ title: 'Copy', permissions: { a__x: 'refuse' } })
    expect((await profiles.read('canary')).details.title).toBe('Bird')
  })

  it('keep what they do not know, and set a broken file aside before the first change', async () => {
    writeFileSync(file(), JSON.stringify({ version: 1, more: [1], profiles: { canary: { title: 'a', future: 1 }, gone: {} } }))
    const profiles = house.open()
    await profiles.setDetails('canary', { purpose: 'p' })
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
      version: 1,
      more: [1],
      profiles: { canary: { title: 'a', future: 1, purpose: 'p' }, gone: {} },
    })
    writeFileSync(file(), '{"version":1,')
    expect((await profiles.read('canary')).details).toEqual({})
    await profiles.setDetails('canary', { title: 'b' })
    expect((await profiles.read('canary')).details).toEqual({ title: 'b' })
    const aside = readdirSync(house.storage.dataDir).filter((name) => name.includes('.bad-'))
    expect(aside.map((name) => house.bytes(house.storage.dataDir, name))).toEqual(['{"version":1,'])
    expect(house.warnings).toEqual(['what is kept about profiles cannot be read'])
  })

  it('hold nobody up where there is no file but a folder', async () => {
    mkdirSync(file())
    mkdirSync(house.storage.path('unsaved_profiles.json'))
    house.put(house.user, 'mine', { 'instructions.txt': 'x' })
    const profiles = house.open()
    expect((await profiles.snapshot()).profiles).toHaveLength(3)
    expect(await profiles.effective('canary')).toMatchObject({ toolIds: ['a__x', 'move_head'] })
    expect(await profiles.unsaved()).toEqual([])
    await profiles.rename('mine', 'yours')
    await profiles.setDetails('yours', { title: 'b' })
    await profiles.remove('yours')
    const NONE = { 'tools.txt': null, 'instructions.txt': 'x', 'voice.txt': null, 'greeting.txt': null }
    await profiles.keepUnsaved('canary', { base: NONE, texts: NONE })
    expect(await profiles.unsaved()).toHaveLength(1)
    expect(readdirSync(house.storage.dataDir).filter((name) => name.includes('.bad-'))).toHaveLength(2)
  })

  it('tell listeners of a change once', async () => {
    const profiles = house.open()
    profiles.touched()
    const seen: Array<string | undefined> = []
    await profiles.setDetails('canary', { hidden: true })
    profiles.onChange(({ profiles: list }) => seen.push(list.find(({ name }) => name === 'canary')?.title))
    await profiles.setDetails('canary', { title: 'a' })
    await profiles.setDetails('canary', { title: 'a' })
    expect(seen).toEqual(['a'])
  })
})

describe('details that another process changed', () => {
  it('are noticed', async () => {
    const { profiles: second } = await house.second()
    const profiles = house.open()
    const titles: Array<string | undefined> = []
    await profiles.snapshot()
    profiles.onChange(({ profiles: list }) => titles.push(list.find(({ name }) => name === 'canary')?.title))
    await new Promise((resolve) => setTimeout(resolve, 300))
    await second.setDetails('canary', { title: 'Bird' })
    await expect.poll(() => titles.at(-1), { timeout: 10_000 }).toBe('Bird')
  })
})

describe('about.json', () => {
  const purpose = { en: 'Sings.', fr: 'Chante.' }

  it('gives purpose in the language of the app and avatar, until a person sets their own', async () => {
    house.put(house.shipped, 'canary', { 'about.json': JSON.stringify({ version: 1, purpose, avatar: AVATAR, more: 1 }) })
    const profiles = house.open()
    const canary = async (): Promise<object | undefined> =>
      (await profiles.snapshot()).profiles.find(({ name }) => name === 'canary')
    expect(await canary()).toMatchObject({ purpose: 'Sings.', avatar: AVATAR })
    profiles.speak('fr')
    expect(await canary()).toMatchObject({ purpose: 'Chante.' })
    profiles.speak('zh-CN')
    expect(await canary()).toMatchObject({ purpose: 'Sings.' })
    expect((await profiles.read('canary')).otherFiles).toEqual([])
    const copy = await profiles.create('copy', 'canary')
    expect(copy.details).toMatchObject({ purpose: 'Sings.', avatar: AVATAR })
    await profiles.setDetails('canary', { purpose: 'Mine.' })
    expect(await canary()).toMatchObject({ purpose: 'Mine.', avatar: AVATAR })
    await profiles.setDetails('canary', { purpose: null })
    expect(await canary()).toMatchObject({ purpose: 'Sings.' })
  })

  it.each(['{', '[]', '{"version":2}', JSON.stringify({ version: 1, avatar: { ...AVATAR, roll: 90 } })])(
    'a bad one is ignored with one line in the log: %s',
    async (text) => {
      house.put(house.shipped, 'canary', { 'about.json': text })
      const profiles = house.open()
      await profiles.snapshot()
      expect((await profiles.read('canary')).details).toEqual({})
      expect(house.warnings).toEqual(['about.json of a profile cannot be used'])
    },
  )

  it('does not hand out what a link leads to', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x' })
    const secret = path.join(house.root, 'secret.json')
    writeFileSync(secret, JSON.stringify({ version: 1, purpose: { en: 'PRIVATE' } }))
    symlinkSync(secret, path.join(house.user, 'mine', 'about.json'))
    expect((await house.open().read('mine')).details).toEqual({})
  })
})
