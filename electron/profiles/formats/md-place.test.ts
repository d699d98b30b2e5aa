import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { createStorage } from '../../storage/index.ts'
import { createProfiles } from '../profiles.ts'

import type { Log } from '../../contract/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Profiles } from '../types.ts'

const quiet = (): void => undefined
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }

let root: string
let storage: Storage
let profiles: Profiles
const instance = (...parts: string[]): string => path.join(root, 'robot', ...parts)
const md = instance.bind(null, 'user_personalities', 'sailor', 'profile.md')
const text = (file: string): string => readFileSync(file, 'utf8')

const SAILOR = '+++\n# by hand\nschema_version = 1\nvoice = "Ryan"\ndefault_tools = ["dance"]\n+++\n\nYou are a sailor.\n'

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'md-place-'))
  mkdirSync(path.dirname(md()), { recursive: true })
  writeFileSync(md(), SAILOR)
  storage = await createStorage({ dataDir: path.join(root, 'data'), log })
  profiles = createProfiles({
    storage,
    shippedDir: path.resolve(import.meta.dirname, '../../../profiles'),
    environmentFolder: instance(),
    choice: { get: async () => null, set: async () => undefined },
    log,
  })
})

afterEach(async () => {
  profiles.dispose()
  await storage.dispose()
  rmSync(root, { recursive: true, force: true })
})

it('is seen as four texts, and means the same', async () => {
  const document = await profiles.read('sailor')
  expect(document).toMatchObject({
    source: 'external',
    format: 'profile-md',
    voice: 'Ryan',
    texts: {
      'tools.txt': 'dance\n',
      'instructions.txt': 'You are a sailor.\n',
      'voice.txt': 'Ryan',
      'greeting.txt': null,
    },
    problems: [],
  })
  expect(await profiles.effective('sailor')).toMatchObject({ instructions: 'You are a sailor.', toolIds: ['dance'] })
})

it('is edited in place: texts in the file, tools in the file of lists, and back', async () => {
  const { texts } = await profiles.read('sailor')
  await profiles.save({
    name: 'sailor',
    base: texts,
    texts: {
      'tools.txt': 'dance\ncamera # see\n',
      'instructions.txt': 'You are an old sailor.\n',
      'voice.txt': null,
      'greeting.txt': 'Ahoy\n',
    },
  })
  expect(text(md())).toBe(
    '+++\n# by hand\nschema_version = 1\ndefault_tools = ["dance"]\ngreeting = "Ahoy"\n+++\n\nYou are an old sailor.\n',
  )
  expect(JSON.parse(text(instance('profile_toolsets.json')))).toEqual({
    version: 1,
    profiles: { 'user_personalities/sailor': ['dance', 'camera'] },
  })
  const after = await profiles.read('sailor')
  expect(after.texts['tools.txt']).toBe('dance\ncamera\n')
  await profiles.save({ name: 'sailor', base: after.texts, texts: { ...after.texts, 'tools.txt': 'dance\n' } })
  expect(() => text(instance('profile_toolsets.json'))).toThrow()
  expect(text(`${md()}.bak`)).toBe(SAILOR)
})

it('saving without a change leaves every byte', async () => {
  const { texts } = await profiles.read('sailor')
  await profiles.save({ name: 'sailor', base: texts, texts })
  expect(text(md())).toBe(SAILOR)
})

it('takes tools of a Space, and loses them again', async () => {
  await storage.transact('enable', (tx) => profiles.enableIn(tx, 'sailor', ['a__x', 'dance']))
  expect((await profiles.effective('sailor')).toolIds).toEqual(['dance', 'a__x'])
  const { value } = await storage.transact('disable', (tx) => profiles.disableEverywhere(tx, (id) => id.startsWith('a__')))
  expect(value).toEqual({ sailor: ['a__x'] })
  expect((await profiles.effective('sailor')).toolIds).toEqual(['dance'])
})

it.each([
  ['a bad front matter', '+++\nnonsense\n+++\nx', 'profile/unreadable'],
  ['bytes that are no text', Buffer.from([0x2b, 0x2b, 0x2b, 0x0a, 0xe9]), 'profile/not-utf8'],
])('with %s is said so, is never written, and does not stop the others', async (_, content, code) => {
  writeFileSync(md(), content)
  const found = (await profiles.snapshot()).profiles.find(({ name }) => name === 'sailor')
  expect(found?.problem?.code).toBe(code)
  const { texts, readOnlyFiles } = await profiles.read('sailor')
  expect(readOnlyFiles).toContain('instructions.txt')
  await expect(
    profiles.save({ name: 'sailor', base: texts, texts: { ...texts, 'voice.txt': 'Aiden' } }),
  ).rejects.toMatchObject({ code: 'profile/read-only' })
  expect(readFileSync(md()).equals(Buffer.from(content))).toBe(true)
  expect((await profiles.effective('default')).toolIds.length).toBeGreaterThan(0)
})

it('of a newer version is shown and not written', async () => {
  writeFileSync(md(), SAILOR.replace('schema_version = 1', 'schema_version = 2'))
  const { texts, problems } = await profiles.read('sailor')
  expect(problems.map(({ code }) => code)).toContain('profile/newer')
  await expect(
    profiles.save({ name: 'sailor', base: texts, texts: { ...texts, 'instructions.txt': 'x' } }),
  ).rejects.toMatchObject({ code: 'profile/read-only' })
})

it('tells of an unreadable file of lists, and takes the profile’s own', async () => {
  writeFileSync(instance('profile_toolsets.json'), '{')
  const { texts, problems } = await profiles.read('sailor')
  expect(problems.map(({ code }) => code)).toEqual(['profile/toolsets-unreadable'])
  expect(texts['tools.txt']).toBe('dance\n')
  await expect(
    profiles.save({ name: 'sailor', base: texts, texts: { ...texts, 'tools.txt': 'camera\n' } }),
  ).rejects.toMatchObject({ code: 'profile/read-only' })
  expect(text(instance('profile_toolsets.json'))).toBe('{')
})

it('beside text files that say something else is told', async () => {
  const dir = path.dirname(md())
  writeFileSync(path.join(dir, 'instructions.txt'), 'You are a sailor.\n')
  writeFileSync(path.join(dir, 'tools.txt'), '# mine\ndance\n')
  writeFileSync(path.join(dir, 'voice.txt'), 'Ryan\n')
  expect((await profiles.read('sailor')).problems).toEqual([])
  writeFileSync(path.join(dir, 'tools.txt'), 'camera\n')
  const document = await profiles.read('sailor')
  expect(document.format).toBe('txt')
  expect(document.problems.map(({ code }) => code)).toEqual(['profile/two-formats'])
})
