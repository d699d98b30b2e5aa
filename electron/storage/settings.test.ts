import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { languageFor, providerFor } from './settings-file.ts'
import { createSettings } from './settings.ts'
import { createStorage } from './storage.ts'

import type { Log, SecretName, Secrets, SettingsSnapshot } from '../contract/index.ts'
import type { Environment, SettingsFile } from './settings-file.ts'
import type { SettingsStore, Storage } from './types.ts'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function memorySecrets(): Secrets {
  const values = new Map<SecretName, string>()
  return {
    protection: 'weak',
    get: async (name) => values.get(name) ?? null,
    state: async (name) => (values.has(name) ? 'session' : 'absent'),
    set: async (name, value) => {
      values.set(name, value)
      return 'session'
    },
    clear: async (name) => void values.delete(name),
  }
}

let root: string
let storage: Storage
let settings: SettingsStore
const env: Record<string, string | undefined> = {}

const open = (on: Storage): SettingsStore =>
  createSettings({ storage: on, secrets: memorySecrets(), env, systemLanguage: 'fr-CA', log: silent })

beforeEach(async () => {
  for (const name of Object.keys(env)) delete env[name]
  root = mkdtempSync(path.join(os.tmpdir(), 'settings-'))
  storage = await createStorage({ dataDir: root, log: silent })
  settings = open(storage)
})

afterEach(async () => {
  settings.dispose()
  await storage.dispose()
  rmSync(root, { recursive: true, force: true })
})

const file = (): string => path.join(root, 'settings.json')
const onDisk = (): unknown => JSON.parse(readFileSync(file(), 'utf8'))

describe('reading', () => {
  it('has a default for everything and writes nothing for it', async () => {
    const snapshot = await settings.snapshot()
    expect(snapshot).toMatchObject({
      settings: { language: 'system', theme: 'system', activeProfile: null, lastScreen: 'chat' },
      language: 'fr',
      provider: { kind: 'offline', from: 'default' },
      modelKey: 'absent',
      protection: 'weak',
    })
    expect(snapshot).not.toHaveProperty('setAside')
    expect(readdirSync(root)).toEqual([])
  })

  it.each(['', '{', '[]', '"text"', '{"schemaVersion":2,"theme":"dark"}', '\u0000\u0000'])(
    'keeps %j under another name and goes on with defaults',
    async (content) => {
      writeFileSync(file(), content)
      const [first, second] = await Promise.all([settings.snapshot(), settings.snapshot()])
      expect(first.settings.theme).toBe('system')
      expect(first.setAside).toMatch(/settings\.json\.bad-/)
      expect(second.setAside).toBe(first.setAside)
      expect(readFileSync(first.setAside ?? '', 'utf8')).toBe(content)
      await settings.update({ theme: 'dark' })
      expect(readFileSync(first.setAside ?? '', 'utf8')).toBe(content)
      expect(onDisk()).toEqual({ schemaVersion: 1, theme: 'dark' })
    },
  )

  it('puts a folder of that name aside as well', async () => {
    mkdirSync(file())
    expect((await settings.snapshot()).setAside).toMatch(/bad-/)
    await settings.update({ theme: 'light' })
    expect(onDisk()).toMatchObject({ theme: 'light' })
  })

  it('falls back key by key and keeps what it does not know', async () => {
    const content = { theme: 'purple', lastScreen: 'robot', provider: { kind: 'offline' }, future: { deep: [1, null] } }
    writeFileSync(file(), JSON.stringify(content))
    const { settings: now, setAside } = await settings.snapshot()
    expect(now).toMatchObject({ theme: 'system', lastScreen: 'robot', provider: { kind: 'offline', model: '' } })
    expect(setAside).toBeUndefined()
    await settings.update({ lastScreen: 'spaces' })
    expect(onDisk()).toEqual({ ...content, lastScreen: 'spaces', schemaVersion: 1 })
  })

  it('does not reset while another program is writing the file', async () => {
    await settings.update({ theme: 'dark' })
    writeFileSync(file(), '{"theme":"li')
    expect((await settings.snapshot()).settings.theme).toBe('dark')
    expect(readFileSync(file(), 'utf8')).toBe('{"theme":"li')
    writeFileSync(file(), '{"theme":"light"}')
    expect((await settings.snapshot()).settings.theme).toBe('light')
  })
})

describe('writing', () => {
  it('two stores on one file never lose each other’s keys', async () => {
    const other = open(await createStorage({ dataDir: root, log: silent }))
    await Promise.all([
      settings.update({ theme: 'dark' }),
      other.update({ language: 'en' }),
      settings.chooseProfile('desk_companion'),
      other.update({ lastScreen: 'robot' }),
    ])
    expect(onDisk()).toMatchObject({
      theme: 'dark',
      language: 'en',
      activeProfile: 'desk_companion',
      lastScreen: 'robot',
    })
    expect(await other.chosenProfile()).toBe('desk_companion')
    other.dispose()
  })

  it('tells of each change once, with a higher version', async () => {
    const seen: SettingsSnapshot[] = []
    settings.onChange((snapshot) => seen.push(snapshot))
    await settings.update({ theme: 'dark' })
    await settings.update({ theme: 'dark' })
    await settings.setSecret('model-key', 'k-1')
    await settings.clearSecret('model-key')
    expect(seen.map(({ version, settings: { theme }, modelKey }) => [version, theme, modelKey])).toEqual([
      [1, 'dark', 'absent'],
      [2, 'dark', 'session'],
      [3, 'dark', 'absent'],
    ])
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(seen.length).toBe(3)
    expect(existsSync(path.join(root, 'secrets.json'))).toBe(false)
  })

  it('notices a change from outside', async () => {
    const seen: string[] = []
    settings.onChange((snapshot) => seen.push(snapshot.settings.theme))
    const written = (): string[] => {
      writeFileSync(file(), '{"theme":"light"}')
      return seen
    }
    await expect.poll(written, { timeout: 10_000, interval: 150 }).toEqual(['light'])
  })
})

describe('provider in force', () => {
  const app = { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }
  const offline = { kind: 'offline', baseUrl: '', model: '' }
  const key = { OPENAI_API_KEY: 'k' }
  const model = { REACHY_MINI_COMPANION_MODEL: 'env-model' }
  const base = { OPENAI_BASE_URL: ' http://127.0.0.1:2/v1 ' }

  it.each<[string, SettingsFile, Environment, object]>([
    ['nothing', {}, {}, { ...offline, from: 'default' }],
    ['the app’s own', { provider: app }, { ...key, ...model }, { ...app, from: 'app' }],
    ['offline chosen in the app', { provider: offline }, { ...key, ...model }, { ...offline, from: 'app' }],
    ['one without a model', { provider: { ...app, model: ' ' } }, { ...base, ...model }, { from: 'environment' }],
    ['one that is broken', { provider: { kind: 'magic' } }, { ...base, ...model }, { from: 'environment' }],
    ['a key alone', {}, key, { from: 'default' }],
    ['key and model', {}, { ...key, ...model }, { baseUrl: 'https://api.openai.com/v1', from: 'environment' }],
    [
      'address and model, no key',
      {},
      { ...base, ...model },
      { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:2/v1', model: 'env-model', from: 'environment' },
    ],
    ['model alone', {}, model, { from: 'default' }],
    ['blank variables', {}, { OPENAI_API_KEY: ' ', ...model }, { from: 'default' }],
  ])('%s', (_name, content, variables, expected) => {
    expect(providerFor(content, variables)).toMatchObject(expected)
  })

  it('never gives the environment’s key to an address set in the app', async () => {
    Object.assign(env, { OPENAI_API_KEY: 'env-key', REACHY_MINI_COMPANION_MODEL: 'm' })
    expect(await settings.keyInForce()).toBe('env-key')
    expect((await settings.snapshot()).modelKey).toBe('environment')
    await settings.update({ provider: { kind: 'openai-compatible', baseUrl: 'https://else.example/v1', model: 'm' } })
    expect(await settings.keyInForce()).toBeNull()
    expect((await settings.snapshot()).modelKey).toBe('absent')
  })

  it('takes the Hub token from the environment when none is stored', async () => {
    env['HF_TOKEN'] = 'hf_env'
    expect((await settings.snapshot()).hubToken).toBe('environment')
    expect(await settings.hubToken()).toBe('hf_env')
    await settings.setSecret('hub-token', 'hf_own')
    expect((await settings.snapshot()).hubToken).toBe('session')
    expect(await settings.hubToken()).toBe('hf_own')
  })
})

describe('languageFor', () => {
  it.each([
    ['fr-CA', 'fr'],
    ['fr_FR.UTF-8', 'fr'],
    ['zh', 'zh-CN'],
    ['zh-Hant-TW', 'zh-CN'],
    ['EN', 'en'],
    ['C', 'en'],
    ['', 'en'],
    ['frr', 'en'],
  ])('%s → %s', (locale, language) => {
    expect(languageFor(locale)).toBe(language)
  })
})
