import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { emptyBin } from './removed.ts'
import { openHouse, saveTexts } from './testing/house.ts'

import type { Log } from '../contract/index.ts'
import type { House } from './testing/house.ts'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

let house: House
beforeEach(async () => {
  house = await openHouse()
  house.put(house.user, 'mine', { 'instructions.txt': 'x', 'tool.mjs': 'export default {}', 'pictures/a.png': 'png' })
})
afterEach(() => house.close())

const names = async (profiles: ReturnType<House['open']>): Promise<string[]> =>
  (await profiles.snapshot()).profiles.map(({ name }) => name)

describe('rename', () => {
  it('moves the folder with all that lies in it, the choice, details and unsaved texts; undo moves them back', async () => {
    const profiles = house.open()
    await profiles.use('mine')
    await profiles.setDetails('mine', { title: 'My own', permissions: { dance: 'refuse' } })
    const { texts } = await profiles.read('mine')
    await profiles.keepUnsaved('mine', { base: texts, texts: { ...texts, 'voice.txt': 'Ryan' } })
    const { document, undoId } = await profiles.rename('mine', 'yours')
    expect(document).toMatchObject({ name: 'yours', details: { title: 'My own', permissions: { dance: 'refuse' } } })
    expect(readdirSync(path.join(house.user, 'yours')).sort()).toEqual(['instructions.txt', 'pictures', 'tool.mjs'])
    expect(house.chosen.profile).toBe('yours')
    expect((await profiles.unsaved()).map(({ name }) => name)).toEqual(['yours'])
    expect(readdirSync(house.user)).toEqual(['yours'])
    expect(await profiles.undo(undoId)).toMatchObject({ active: 'mine' })
    expect((await profiles.read('mine')).details).toMatchObject({ title: 'My own' })
    expect((await profiles.unsaved()).map(({ name }) => name)).toEqual(['mine'])
    await expect(profiles.undo(undoId)).rejects.toMatchObject({ code: 'app/cancelled' })
  })

  it('follows a choice that the environment made, and may change case only', async () => {
    const profiles = house.open({ environmentChoice: 'user_personalities/mine' })
    await profiles.rename('mine', 'Mine')
    expect(await profiles.snapshot()).toMatchObject({ active: 'Mine', activeFrom: 'app' })
    expect(readdirSync(house.user)).toEqual(['Mine'])
  })

  it('is refused for a shipped one, an edited one, a name that is taken or bad, and an undo that came too late', async () => {
    const profiles = house.open()
    await saveTexts(profiles, 'canary', { 'voice.txt': 'Ryan' })
    for (const name of ['default', 'canary']) {
      await expect(profiles.rename(name, 'other')).rejects.toMatchObject({ code: 'profile/shipped', details: { name } })
    }
    for (const to of ['default', 'Default', 'CANARY']) {
      await expect(profiles.rename('mine', to)).rejects.toMatchObject({ code: 'profile/exists' })
    }
    mkdirSync(path.join(house.user, 'other'))
    writeFileSync(path.join(house.user, 'other', 'notes.md'), 'of somebody')
    await expect(profiles.rename('mine', 'Other')).rejects.toMatchObject({ code: 'profile/exists' })
    await expect(profiles.rename('none', 'new')).rejects.toMatchObject({ code: 'profile/not-found' })
    const { undoId } = await profiles.rename('mine', 'yours')
    await profiles.create('mine', 'default')
    await expect(profiles.undo(undoId)).rejects.toMatchObject({ code: 'profile/exists' })
    expect((await profiles.read('yours')).texts['instructions.txt']).toBe('x')
    // Tried again once the name is free.
    await profiles.remove('mine')
    await profiles.undo(undoId)
    expect((await profiles.read('mine')).texts['instructions.txt']).toBe('x')
  })

  it('renames an external profile where it is', async () => {
    house.put(house.external, 'theirs', { 'instructions.txt': 'y' })
    const profiles = house.open({ externalDir: house.external })
    expect((await profiles.rename('theirs', 'new')).document).toMatchObject({ source: 'external' })
    expect(readdirSync(house.external)).toEqual(['new'])
  })
})

describe('remove', () => {
  it('takes the folder out of sight, and undo brings back every file, details too', async () => {
    const profiles = house.open()
    await profiles.setDetails('mine', { title: 'My own' })
    const { snapshot, undoId } = await profiles.remove('mine')
    expect(snapshot.profiles.map(({ name }) => name)).toEqual(['default', 'canary'])
    expect(readdirSync(house.user)).toEqual(['.removed'])
    await expect(profiles.read('mine')).rejects.toMatchObject({ code: 'profile/not-found' })
    await profiles.create('mine', 'default')
    expect((await profiles.read('mine')).details).toEqual({})
    await expect(profiles.undo(undoId)).rejects.toMatchObject({ code: 'storage/conflict' })
    await profiles.remove('mine')
    await profiles.undo(undoId)
    expect(await profiles.read('mine')).toMatchObject({
      texts: { 'instructions.txt': 'x' },
      details: { title: 'My own' },
      otherFiles: ['pictures/', 'tool.mjs'],
    })
    expect(house.bytes(house.user, 'mine', 'pictures', 'a.png')).toBe('png')
  })

  it('of an edited shipped one restores the shipped one, also the active one, and keeps what was set about it', async () => {
    const profiles = house.open()
    await saveTexts(profiles, 'canary', { 'tools.txt': 'camera\n' })
    await profiles.setDetails('canary', { title: 'Bird' })
    await profiles.use('canary')
    const { snapshot, undoId } = await profiles.remove('canary')
    expect(snapshot).toMatchObject({ active: 'canary', activeFrom: 'app' })
    expect(await profiles.read('canary')).toMatchObject({ source: 'shipped', edited: false, details: { title: 'Bird' } })
    expect((await profiles.effective('canary')).toolIds).toEqual(['a__x', 'move_head'])
    await profiles.undo(undoId)
    expect((await profiles.effective('canary')).toolIds).toEqual(['camera'])
    // Edited anew in between: nothing is overwritten.
    const second = await profiles.remove('canary')
    await saveTexts(profiles, 'canary', { 'tools.txt': 'dance\n' })
    await expect(profiles.undo(second.undoId)).rejects.toMatchObject({ code: 'storage/conflict' })
    expect((await profiles.effective('canary')).toolIds).toEqual(['dance'])
  })

  it('is refused for a shipped one and the active one', async () => {
    const profiles = house.open()
    await profiles.use('mine')
    await expect(profiles.remove('canary')).rejects.toMatchObject({ code: 'profile/shipped' })
    await expect(profiles.remove('mine')).rejects.toMatchObject({ code: 'profile/in-use', details: { name: 'mine' } })
    await expect(profiles.remove('none')).rejects.toMatchObject({ code: 'profile/not-found' })
    expect(existsSync(path.join(house.user, 'mine', 'tool.mjs'))).toBe(true)
  })

  it('of the chosen one that is broken leaves default chosen, and undo chooses it again', async () => {
    house.put(house.user, 'broken', { 'instructions.txt': Uint8Array.of(0xff) })
    house.chosen.profile = 'broken'
    const profiles = house.open()
    const { snapshot, undoId } = await profiles.remove('broken')
    expect(snapshot).toMatchObject({ active: 'default', activeFrom: 'default' })
    expect(await profiles.undo(undoId)).toMatchObject({ wanted: 'broken', activeFrom: 'fallback' })
  })

  it('can be undone after others were, in any order, and twice removed in one second', async () => {
    const profiles = house.open()
    const first = await profiles.remove('mine')
    await profiles.create('mine', 'canary')
    const second = await profiles.remove('mine')
    expect(readdirSync(path.join(house.user, '.removed'))).toHaveLength(2)
    await profiles.undo(second.undoId)
    expect((await profiles.read('mine')).texts['tools.txt']).toBe('a__x\nmove_head\n')
    await profiles.remove('mine')
    await profiles.undo(first.undoId)
    expect((await profiles.read('mine')).texts['instructions.txt']).toBe('x')
  })

  it('of a folder that cannot be moved changes nothing', async () => {
    const profiles = house.open()
    await profiles.setDetails('mine', { title: 'My own' })
    writeFileSync(path.join(house.user, '.removed'), 'in the way')
    await expect(profiles.remove('mine')).rejects.toMatchObject({ code: 'storage/failed' })
    expect((await profiles.read('mine')).details).toEqual({ title: 'My own' })
    rmSync(path.join(house.user, '.removed'))
  })

  it('and renaming put the folder back when the rest cannot be written', async () => {
    let full = false
    const { profiles } = await house.second((step) => {
      if (full && step === 'journal:rename') throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    })
    await profiles.setDetails('mine', { title: 'My own' })
    full = true
    await expect(profiles.remove('mine')).rejects.toMatchObject({ code: 'storage/failed' })
    await expect(profiles.rename('mine', 'yours')).rejects.toMatchObject({ code: 'storage/failed' })
    expect(readdirSync(house.user)).toEqual(['mine'])
    expect(await profiles.read('mine')).toMatchObject({ details: { title: 'My own' }, otherFiles: ['pictures/', 'tool.mjs'] })
    full = false
    await profiles.remove('mine')
    expect(readdirSync(house.user)).toEqual(['.removed'])
  })

  it('an external one stays on its own disk', async () => {
    house.put(house.external, 'theirs', { 'instructions.txt': 'y' })
    const profiles = house.open({ externalDir: house.external })
    const { undoId } = await profiles.remove('theirs')
    expect(readdirSync(house.external)).toEqual(['.removed'])
    await profiles.undo(undoId)
    expect(readdirSync(house.external)).toEqual(['theirs'])
  })
})

describe('a list of tools that the robot’s app keeps for a profile', () => {
  const LISTS = { version: 1, profiles: { default: ['dance'], 'user_personalities/pirate': ['camera'] } }
  const instance = (): string => path.join(house.root, 'instance')
  const lists = (): unknown => JSON.parse(house.bytes(instance(), 'profile_toolsets.json'))

  beforeEach(() => {
    house.put(path.join(instance(), 'user_personalities'), 'pirate', { 'instructions.txt': 'Ahoy.' })
    house.put(instance(), '', { 'profile_toolsets.json': `${JSON.stringify(LISTS, null, 2)}\n` })
  })

  it('goes along when it is renamed or removed, and comes back', async () => {
    const profiles = house.open({ environmentFolder: instance() })
    const renamed = await profiles.rename('pirate', 'sailor')
    expect(lists()).toEqual({ version: 1, profiles: { default: ['dance'], 'user_personalities/sailor': ['camera'] } })
    await profiles.undo(renamed.undoId)
    expect(lists()).toEqual(LISTS)
    const removed = await profiles.remove('pirate')
    expect(lists()).toEqual({ version: 1, profiles: { default: ['dance'] } })
    await profiles.undo(removed.undoId)
    expect(lists()).toEqual(LISTS)
  })

  it.each(['{', '{"version":2,"profiles":{}}'])('is left alone in a file that cannot be read: %s', async (text) => {
    house.put(instance(), '', { 'profile_toolsets.json': text })
    const profiles = house.open({ environmentFolder: instance() })
    const { undoId } = await profiles.remove('pirate')
    await profiles.undo(undoId)
    expect(house.bytes(instance(), 'profile_toolsets.json')).toBe(text)
  })
})

describe('undoable', () => {
  it('takes back the change of another room, once, and again when it failed', async () => {
    const profiles = house.open()
    const files = new Map([
      ['instructions.txt', Buffer.from('new')],
      ['tools/own.mjs', Buffer.from('x')],
    ])
    const { receipt } = await house.storage.transact('import', (tx) =>
      profiles.createIn(tx, [{ name: 'new', files, details: { title: 'New' } }]),
    )
    expect(await names(profiles)).toContain('new')
    expect((await profiles.read('new')).details).toEqual({ title: 'New' })
    const id = profiles.undoable(() => house.storage.undo(receipt))
    writeFileSync(path.join(house.user, 'new', 'instructions.txt'), 'changed')
    await expect(profiles.undo(id)).rejects.toMatchObject({ code: 'storage/conflict' })
    writeFileSync(path.join(house.user, 'new', 'instructions.txt'), 'new')
    await profiles.undo(id)
    expect(readdirSync(house.user)).toEqual(['mine'])
    await expect(profiles.undo(id)).rejects.toMatchObject({ code: 'app/cancelled' })
  })

  it('makes all new profiles or none, and no file outside of them', async () => {
    const profiles = house.open()
    const files = new Map([['instructions.txt', Buffer.from('x')]])
    const make = (list: ReadonlyArray<{ name: string; files: ReadonlyMap<string, Uint8Array> }>): Promise<unknown> =>
      house.storage.transact('import', (tx) => profiles.createIn(tx, list))
    await expect(make([{ name: 'a', files }, { name: 'A', files }])).rejects.toMatchObject({ code: 'profile/exists' })
    await expect(make([{ name: 'a', files }, { name: 'mine', files }])).rejects.toMatchObject({ code: 'profile/exists' })
    for (const file of ['../x', '/x', 'a/../../x', 'a\\b', 'C:x', '', 'a//b', './x', 'a\nb']) {
      const bad = make([{ name: 'a', files: new Map([[file, Buffer.from('x')]]) }])
      await expect(bad).rejects.toMatchObject({ code: 'profile/refused-entry' })
    }
    expect(readdirSync(house.user)).toEqual(['mine'])
  })
})

describe('what was removed', () => {
  it('goes for good after seven days, at the start; nothing else in that folder does', async () => {
    const bin = path.join(house.user, '.removed')
    for (const name of ['old-20261101T000000Z', 'old-20261101T000000Z-2', 'new-20261130T000000Z', 'notes']) {
      house.put(bin, name, { 'instructions.txt': 'x' })
    }
    await emptyBin(house.user, Date.UTC(2026, 11, 1), silent)
    expect(readdirSync(bin).sort()).toEqual(['new-20261130T000000Z', 'notes'])
    await emptyBin(path.join(house.root, 'none'), Date.UTC(2026, 11, 1), silent)
    expect(await names(house.open())).toEqual(['default', 'canary', 'mine'])
  })
})
