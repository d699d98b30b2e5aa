import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { createSecrets, protectionOf } from './secrets.ts'

import type { Log } from '../contract/index.ts'
import type { Vault } from './secrets.ts'

/** A vault that turns every byte around; another `key` cannot open it. */
function vaultOf(key: number, backend = 'gnome_libsecret', available = true): Vault {
  const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ key))
  return {
    isEncryptionAvailable: () => available,
    getSelectedStorageBackend: () => backend,
    encryptString: (text) => turn(Buffer.from(`v10${text}`)),
    decryptString: (bytes) => {
      const text = turn(bytes).toString()
      if (!text.startsWith('v10')) throw new Error('Error while decrypting the ciphertext')
      return text.slice(3)
    },
  }
}

let file: string
let lines: string[]
const collect = (message: string, fields?: unknown): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
const log: Log = { debug: collect, info: collect, warn: collect, error: collect }
const secretsWith = (vault: Vault, env: Record<string, string> = {}) =>
  createSecrets({ file, vault, env, platform: 'linux', log })

beforeEach(async () => {
  file = path.join(await mkdtemp(path.join(os.tmpdir(), 'secrets-')), 'secrets.json')
  lines = []
})

describe('protectionOf', () => {
  it.each([
    ['linux', 'basic_text', true, 'weak'],
    ['linux', 'basic_text', false, 'weak'],
    ['linux', 'gnome_libsecret', true, 'system'],
    ['linux', 'kwallet6', false, 'none'],
    ['darwin', 'basic_text', true, 'system'],
    ['win32', 'basic_text', false, 'none'],
  ] as const)('%s with %s, available %s: %s', (platform, backend, available, expected) => {
    expect(protectionOf(vaultOf(1, backend, available), platform)).toBe(expected)
  })
})

describe('a system with a real store', () => {
  it('keeps a value over a restart, encrypted, readable by this user only', async () => {
    expect(await secretsWith(vaultOf(7)).set('hub-token', 'hf_secretsecret')).toBe('ok')
    expect(await readFile(file, 'utf8')).not.toContain('hf_secretsecret')
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
    const later = secretsWith(vaultOf(7))
    expect(await later.get('hub-token')).toBe('hf_secretsecret')
    expect(await later.state('hub-token')).toBe('ok')
    expect(await later.state('model-key')).toBe('absent')
  })

  it('two at once are both kept', async () => {
    const secrets = secretsWith(vaultOf(7))
    await Promise.all([secrets.set('hub-token', 'a'), secrets.set('model-key', 'b')])
    const later = secretsWith(vaultOf(7))
    expect([await later.get('hub-token'), await later.get('model-key')]).toEqual(['a', 'b'])
  })

  it('says so when the value was stored under another key, and does not log it', async () => {
    await secretsWith(vaultOf(7)).set('hub-token', 'hf_secretsecret')
    const other = secretsWith(vaultOf(9))
    expect(await other.get('hub-token')).toBeNull()
    expect(await other.state('hub-token')).toBe('undecryptable')
    expect(lines.join()).not.toContain('hf_secretsecret')
  })

  it('forgets', async () => {
    const secrets = secretsWith(vaultOf(7))
    await secrets.set('hub-token', 'a')
    await secrets.clear('hub-token')
    expect(await secrets.state('hub-token')).toBe('absent')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 1, values: {} })
  })

  it.each(['', '{', '{"version":2,"values":{}}', '{"version":1,"values":{"hub-token":5}}'])(
    'sets a broken file (%j) aside instead of writing over it',
    async (text) => {
      await writeFile(file, text)
      const secrets = secretsWith(vaultOf(7))
      expect(await secrets.state('hub-token')).toBe('absent')
      await secrets.set('hub-token', 'a')
      const kept = (await readdir(path.dirname(file))).filter((name) => name.startsWith('secrets.json.bad-'))
      expect(kept).toEqual([expect.stringMatching(/\.bad-\d{8}T\d{6}Z$/)])
      expect(await readFile(path.join(path.dirname(file), kept[0] ?? ''), 'utf8')).toBe(text)
    },
  )
})

describe('tokens of servers', () => {
  it('are kept under a name of their own, beside what another version may have written', async () => {
    await writeFile(file, '{"version":1,"values":{"later-secret":"AAAA"}}')
    const secrets = secretsWith(vaultOf(7), { HF_TOKEN: 'hf_fromoutside' })
    expect(await secrets.state('server:house')).toBe('absent')
    expect(await secrets.get('server:house')).toBeNull()
    expect(await secrets.set('server:house', 'tok-1')).toBe('ok')
    expect(await secretsWith(vaultOf(7)).get('server:house')).toBe('tok-1')
    expect(await secrets.get('server:other')).toBeNull()
    expect(await readFile(file, 'utf8')).not.toContain('tok-1')
    await secrets.clear('server:house')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 1, values: { 'later-secret': 'AAAA' } })
    expect(lines.join()).not.toContain('tok-1')
  })
})

describe('a system without one', () => {
  it.each([
    ['weak', vaultOf(7, 'basic_text')],
    ['none', vaultOf(7, 'kwallet6', false)],
  ])('(%s) keeps a value until the app quits and writes nothing', async (protection, vault) => {
    const secrets = secretsWith(vault)
    expect(secrets.protection).toBe(protection)
    expect(await secrets.set('model-key', 'sk-abcdefgh')).toBe('session')
    expect(await secrets.get('model-key')).toBe('sk-abcdefgh')
    expect(await readdir(path.dirname(file))).toEqual([])
    expect(await secretsWith(vault).state('model-key')).toBe('absent')
  })
})

describe('the environment', () => {
  it('is used where nothing was set in the app, and never written down', async () => {
    const secrets = secretsWith(vaultOf(7), { HF_TOKEN: ' hf_fromoutside ', OPENAI_API_KEY: '' })
    expect(await secrets.get('hub-token')).toBe('hf_fromoutside')
    expect(await secrets.state('hub-token')).toBe('environment')
    expect(await secrets.state('model-key')).toBe('absent')
    await secrets.set('hub-token', 'mine')
    expect(await secrets.get('hub-token')).toBe('mine')
    await secrets.clear('hub-token')
    expect(await secrets.state('hub-token')).toBe('environment')
    expect(await readFile(file, 'utf8')).not.toContain('hf_fromoutside')
  })
})
