import { readdirSync, writeFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openHouse } from './testing/house.ts'
import { capped } from './unsaved.ts'

import type { ProfileTexts, UnsavedProfile } from '../contract/index.ts'
import type { House } from './testing/house.ts'

const NONE: ProfileTexts = { 'tools.txt': null, 'instructions.txt': null, 'voice.txt': null, 'greeting.txt': null }
const typed = (text: string): ProfileTexts => ({ ...NONE, 'instructions.txt': text })

let house: House
beforeEach(async () => {
  house = await openHouse()
})
afterEach(() => house.close())

describe('unsaved texts', () => {
  it('outlive the process, to the letter, and are forgotten when they are saved or thrown away', async () => {
    const { profiles: crashed } = await house.second()
    const { texts: base } = await crashed.read('canary')
    const odd = { ...base, 'instructions.txt': '\uFEFFhalf a thought \u2028\r', 'tools.txt': null }
    await crashed.keepUnsaved('canary', { base, texts: odd })
    await crashed.keepUnsaved('default', { base: NONE, texts: typed('x') })
    await crashed.keepUnsaved('canary', { base, texts: { ...odd, 'voice.txt': 'Ryan' } })
    const profiles = house.open()
    const found = await profiles.unsaved()
    expect(found.map(({ name, at, ...rest }) => [name, typeof at, rest])).toEqual([
      ['default', 'number', { base: NONE, texts: typed('x') }],
      ['canary', 'number', { base, texts: { ...odd, 'voice.txt': 'Ryan' } }],
    ])
    await profiles.save({ name: 'canary', base, texts: { ...odd, 'voice.txt': 'Ryan' } })
    expect((await profiles.unsaved()).map(({ name }) => name)).toEqual(['default'])
    await profiles.keepUnsaved('default', null)
    await profiles.keepUnsaved('default', null)
    expect(await profiles.unsaved()).toEqual([])
    expect(readdirSync(house.storage.dataDir)).toEqual(['profiles'])
  })

  it('stay when the save is refused', async () => {
    house.put(house.user, 'mine', { 'instructions.txt': 'theirs\n' })
    const profiles = house.open()
    const change = { base: typed('a\n'), texts: typed('mine\n') }
    await profiles.keepUnsaved('mine', change)
    await expect(profiles.save({ name: 'mine', ...change })).rejects.toMatchObject({ code: 'profile/changed-outside' })
    expect(await profiles.unsaved()).toMatchObject([{ name: 'mine', ...change }])
  })

  it.each(['{', '[]', '{"version":2,"profiles":{}}'])('a broken file (%j) is set aside and holds nobody up', async (text) => {
    writeFileSync(house.storage.path('unsaved_profiles.json'), text)
    const profiles = house.open()
    expect(await profiles.unsaved()).toEqual([])
    await profiles.keepUnsaved('canary', { base: NONE, texts: typed('x') })
    expect(await profiles.unsaved()).toHaveLength(1)
    const aside = readdirSync(house.storage.dataDir).filter((name) => name.includes('.bad-'))
    expect(aside.map((name) => house.bytes(house.storage.dataDir, name))).toEqual([text])
  })

  it('leaves out entries that are broken or of no profile’s name', async () => {
    const entry = { base: NONE, texts: typed('x'), at: 1 }
    const profiles = { mine: entry, '../x': entry, nul: entry, half: { base: NONE, at: 1 } }
    writeFileSync(house.storage.path('unsaved_profiles.json'), JSON.stringify({ version: 1, profiles }))
    expect((await house.open().unsaved()).map(({ name }) => name)).toEqual(['mine'])
  })
})

describe('capped', () => {
  const entry = (name: string, characters: number): UnsavedProfile => ({
    name,
    base: NONE,
    texts: typed('x'.repeat(characters)),
    at: 0,
  })

  it('lets the oldest go, and never the one that was typed last', () => {
    expect(capped(Array.from({ length: 30 }, (_, index) => entry(String(index), 1)))).toHaveLength(20)
    const big = [entry('old', 5_000_000), entry('new', 5_000_000)]
    expect(capped(big).map(({ name }) => name)).toEqual(['new'])
    expect(capped([entry('old', 1), entry('huge', 9_000_000)]).map(({ name }) => name)).toEqual(['huge'])
    expect(capped([])).toEqual([])
  })
})
