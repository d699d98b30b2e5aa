import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openHouse, saveTexts } from './testing/house.ts'

import type { House } from './testing/house.ts'
import type { Profiles } from './types.ts'

let house: House
let instance: string
beforeEach(async () => {
  house = await openHouse()
  instance = path.join(house.root, 'instance')
})
afterEach(() => house.close())

const external = async (profiles: Profiles): Promise<string[]> =>
  (await profiles.snapshot()).profiles.filter(({ source }) => source === 'external').map(({ name }) => name)

describe('a folder of the robot’s app', () => {
  it.each(['', 'user_personalities', 'external_content/user_personalities', 'external_content/external_profiles', 'profiles', 'profiles/user_personalities'])(
    'has its profiles in %j: they are edited in place',
    async (sub) => {
      const dir = path.join(instance, sub)
      house.put(dir, 'pirate', { 'instructions.txt': 'Ahoy.\n', 'tools.txt': '# keep\r\ndance' })
      house.put(dir, 'modern', { 'profile.md': '+++\nschema_version = 1\ndefault_tools = []\n+++\n\nHi.\n' })
      const profiles = house.open()
      const { folder, profiles: list } = await profiles.editFolder(instance)
      expect(folder).toEqual({ path: instance, from: 'app' })
      expect(house.chosen.folder).toBe(instance)
      expect(list.filter(({ source }) => source === 'external').map(({ name, format, path: at }) => [name, format, at])).toEqual([
        ['modern', 'profile-md', path.join(dir, 'modern')],
        ['pirate', 'txt', path.join(dir, 'pirate')],
      ])
      const text = profiles.editTools('# keep\r\ndance', ['camera'], [])
      await saveTexts(profiles, 'pirate', { 'tools.txt': text })
      expect(house.bytes(dir, 'pirate', 'tools.txt')).toBe('# keep\r\ndance\r\ncamera\r\n')
      expect(readdirSync(house.storage.dataDir)).toEqual([])
      await profiles.editFolder(null)
      expect(await external(profiles)).toEqual([])
    },
  )

  it('may hold several places at once; names that are taken are reported, also those of shipped ones', async () => {
    house.put(path.join(instance, 'profiles'), 'default', { 'instructions.txt': 'theirs' })
    house.put(path.join(instance, 'profiles'), 'noir', { 'instructions.txt': 'x' })
    house.put(path.join(instance, 'user_personalities'), 'noir', { 'instructions.txt': 'y' })
    house.put(path.join(instance, 'user_personalities'), 'con', { 'instructions.txt': 'y' })
    const profiles = house.open({ environmentFolder: instance })
    const { folder, profiles: list } = await profiles.snapshot()
    expect(folder).toEqual({ path: instance, from: 'environment' })
    expect(list.map(({ name, source, problem, path: at }) => [name, source, problem?.code, path.relative(instance, at)])).toEqual([
      ['default', 'shipped', undefined, path.join('..', 'shipped', 'default')],
      ['canary', 'shipped', undefined, path.join('..', 'shipped', 'canary')],
      ['noir', 'external', undefined, path.join('user_personalities', 'noir')],
      ['con', 'external', 'profile/bad-name', path.join('user_personalities', 'con')],
      ['default', 'external', 'profile/exists', path.join('profiles', 'default')],
      ['noir', 'external', 'profile/exists', path.join('profiles', 'noir')],
    ])
    expect((await profiles.effective('default')).instructions).toBe('Be kind.')
  })

  it('is refused without profiles, and when it is ours', async () => {
    mkdirSync(path.join(instance, 'user_personalities'), { recursive: true })
    house.put(house.user, 'mine', { 'instructions.txt': 'x' })
    const profiles = house.open()
    for (const folder of [instance, path.join(house.root, 'none'), house.storage.dataDir, house.user, house.shipped]) {
      const refused = { code: 'profile/no-profiles', details: { path: folder } }
      await expect(profiles.editFolder(folder)).rejects.toMatchObject(refused)
    }
    expect(house.chosen.folder).toBeNull()
  })

  it('that has gone is named with the reason, the app’s own profiles stay', async () => {
    house.put(path.join(instance, 'user_personalities'), 'pirate', { 'instructions.txt': 'x' })
    const profiles = house.open({ environmentFolder: path.join(house.root, 'other') })
    await profiles.editFolder(instance)
    await profiles.use('pirate')
    rmSync(instance, { recursive: true })
    expect(await profiles.snapshot()).toMatchObject({
      folder: { path: instance, from: 'app', problem: { code: 'profile/no-profiles' } },
      active: 'default',
      wanted: 'pirate',
      problem: { code: 'profile/not-found' },
    })
  })

  it('is not left through a link', async () => {
    const elsewhere = path.join(house.root, 'elsewhere')
    house.put(elsewhere, 'secret', { 'instructions.txt': 'PRIVATE' })
    house.put(path.join(instance, 'user_personalities'), 'pirate', { 'instructions.txt': 'x' })
    symlinkSync(elsewhere, path.join(instance, 'profiles'))
    symlinkSync(path.join(elsewhere, 'secret'), path.join(instance, 'user_personalities', 'stolen'))
    symlinkSync(path.join(elsewhere, 'secret', 'instructions.txt'), path.join(instance, 'user_personalities', 'pirate', 'greeting.txt'))
    const profiles = house.open()
    await profiles.editFolder(instance)
    expect((await profiles.snapshot()).profiles.flatMap(({ name, problem }) => (problem ? [[name, problem.code]] : []))).toEqual([
      ['stolen', 'profile/unreadable'],
    ])
    expect((await profiles.read('pirate')).texts['greeting.txt']).toBe('')
    expect(await profiles.effective('pirate')).not.toHaveProperty('greeting')
    await expect(profiles.editFolder(path.join(instance, 'profiles'))).resolves.toBeDefined()
  })

  it('says which profile is active by its startup_settings.json, before the environment and behind the app', async () => {
    house.put(path.join(instance, 'user_personalities'), 'pirate', { 'instructions.txt': 'x' })
    const startup = path.join(instance, 'startup_settings.json')
    const profiles = house.open({ environmentFolder: instance, environmentChoice: 'canary' })
    const active = async (): Promise<unknown[]> => {
      const snapshot = await profiles.snapshot()
      return [snapshot.active, snapshot.activeFrom]
    }
    expect(await active()).toEqual(['canary', 'environment'])
    writeFileSync(startup, '{"profile":"user_personalities/pirate","voice":"Ryan"}')
    expect(await active()).toEqual(['pirate', 'environment'])
    for (const broken of ['{', '[]', '{}', '{"profile":3}', '']) {
      writeFileSync(startup, broken)
      expect(await active()).toEqual(['default', 'default'])
    }
    writeFileSync(startup, '{"profile":"user_personalities/../canary"}')
    expect(await profiles.snapshot()).toMatchObject({ active: 'default', problem: { code: 'profile/bad-name' } })
    rmSync(startup)
    mkdirSync(startup)
    expect(await active()).toEqual(['default', 'default'])
    await profiles.use('canary')
    expect(await active()).toEqual(['canary', 'app'])
  })

  it('is followed while it changes, also places in it that were not there', async () => {
    house.put(path.join(instance, 'user_personalities'), 'pirate', { 'instructions.txt': 'x' })
    const profiles = house.open()
    await profiles.editFolder(instance)
    const names = new Set<string>()
    profiles.onChange(({ profiles: list }) => list.forEach(({ name }) => names.add(name)))
    await new Promise((resolve) => setTimeout(resolve, 300))
    house.put(path.join(instance, 'external_content', 'user_personalities'), 'late', { 'instructions.txt': 'x' })
    await expect.poll(() => [...names], { timeout: 10_000, interval: 100 }).toContain('late')
  })
})

describe('the external folder', () => {
  it('also shows what a person made in it, and what comes later', async () => {
    const profiles = house.open({ externalDir: house.external })
    expect(await external(profiles)).toEqual([])
    house.put(house.external, 'theirs', { 'instructions.txt': 'x' })
    house.put(path.join(house.external, 'user_personalities'), 'own', { 'instructions.txt': 'x' })
    expect(await external(profiles)).toEqual(['own', 'theirs'])
    house.chosen.folder = house.external
    expect(await external(profiles)).toEqual(['own', 'theirs'])
  })
})

describe('other files of a profile', () => {
  it('are noticed: made, changed, renamed, taken away', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'x', 'tool.mjs': 'a', 'lib/part.mjs': 'b' })
    const profiles = house.open()
    const tool = (name: string): string => path.join(house.user, 'mine', name)
    let told = 0
    await profiles.snapshot()
    profiles.onChange(() => (told += 1))
    profiles.touched()
    await expect.poll(() => told).toBe(1)
    const changes = [
      () => writeFileSync(tool('tool.mjs'), 'aa'),
      () => writeFileSync(tool('new.py'), 'x'),
      () => renameSync(tool('new.py'), tool('newer.py')),
      () => writeFileSync(tool('lib/part.mjs'), 'bb'),
      () => rmSync(tool('newer.py')),
    ]
    for (const [index, change] of changes.entries()) {
      change()
      profiles.touched()
      await expect.poll(() => told, { timeout: 5_000 }).toBe(index + 2)
    }
    expect((await profiles.read('mine')).otherFiles).toEqual(['lib/', 'tool.mjs'])
    expect(await profiles.folders()).toContainEqual({ name: 'mine', dir: path.join(house.user, 'mine'), source: 'user' })
  })
})
