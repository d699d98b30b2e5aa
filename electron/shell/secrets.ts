import { readFile, rename } from 'node:fs/promises'
import path from 'node:path'

import { z } from 'zod'

import { CompanionError } from '../contract/index.ts'
import { fileTime, replaceFile } from '../storage/index.ts'

import type { AppSecretName, Log, SecretName, Secrets, SecretState } from '../contract/index.ts'

/** What is used of Electron's `safeStorage`; only valid after `ready`. */
export interface Vault {
  isEncryptionAvailable(): boolean
  /** Linux only. */
  getSelectedStorageBackend?(): string
  encryptString(text: string): Buffer
  decryptString(bytes: Buffer): string
}

/** `secrets.json`: only encrypted values, base64. */
const fileSchema = z.object({
  version: z.literal(1),
  /** By {@link SecretName}; names that this version does not know stay. */
  values: z.record(z.string(), z.base64()),
})
type Values = z.output<typeof fileSchema>['values']

const VARIABLES: Readonly<Record<AppSecretName, string>> = { 'model-key': 'OPENAI_API_KEY', 'hub-token': 'HF_TOKEN' }

const isAppSecret = (name: SecretName): name is AppSecretName => Object.hasOwn(VARIABLES, name)

/**
 * How well the system keeps a secret. `basic_text` encrypts with a fixed key that everybody knows
 * (https://www.electronjs.org/docs/latest/api/safe-storage): nothing is written with it.
 */
export function protectionOf(vault: Vault, platform: NodeJS.Platform): Secrets['protection'] {
  const backend = platform === 'linux' ? vault.getSelectedStorageBackend?.() : undefined
  if (backend === 'basic_text') return 'weak'
  return vault.isEncryptionAvailable() ? 'system' : 'none'
}

async function load(file: string, log: Log): Promise<Values> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new CompanionError('storage/failed', { path: path.basename(file) }, { cause: error })
  }
  try {
    return fileSchema.parse(JSON.parse(text)).values
  } catch (error) {
    // Kept under another name: it may be of a newer version, and whoever wants can still look into it.
    const aside = `${file}.bad-${fileTime(new Date())}`
    await rename(file, aside)
    log.error('secrets.json could not be read and was set aside', { aside: path.basename(aside), error: String(error) })
    return {}
  }
}

/**
 * The person's keys: encrypted by the system's own store where there is a real one, else in memory until the app
 * quits. A value set in the app wins over one in the environment. Values are never logged and never leave this process.
 */
export function createSecrets(deps: {
  file: string
  vault: Vault
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  log: Log
}): Secrets {
  const { file, vault, env, platform, log } = deps
  const protection = protectionOf(vault, platform)
  const session = new Map<SecretName, string>()
  let values: Promise<Values> | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const stored = (): Promise<Values> => (values ??= load(file, log))
  const fromEnvironment = (name: SecretName): string | undefined =>
    (isAppSecret(name) ? env[VARIABLES[name]]?.trim() : undefined) || undefined

  /** `undefined`: nothing stored; `null`: stored, and this system cannot open it. */
  const open = async (name: SecretName): Promise<string | null | undefined> => {
    const encrypted = (await stored())[name]
    if (encrypted === undefined) return undefined
    if (protection !== 'system') return null
    try {
      return vault.decryptString(Buffer.from(encrypted, 'base64'))
    } catch (error) {
      log.warn('a stored secret cannot be opened by this system', { name, error: String(error) })
      return null
    }
  }

  const save = (change: (current: Values) => Values): Promise<void> => {
    const next = queue.then(async () => {
      const changed = change(await stored())
      const text = `${JSON.stringify({ version: 1, values: changed }, null, 2)}\n`
      try {
        await replaceFile(file, text, 0o600)
      } catch (error) {
        throw new CompanionError('storage/failed', { path: path.basename(file) }, { cause: error })
      }
      values = Promise.resolve(changed)
    })
    queue = next.catch(() => undefined)
    return next
  }

  return {
    protection,
    async get(name) {
      return session.get(name) ?? (await open(name)) ?? fromEnvironment(name) ?? null
    },
    async state(name): Promise<SecretState> {
      if (session.has(name)) return 'session'
      const value = await open(name)
      if (typeof value === 'string') return 'ok'
      if (fromEnvironment(name) !== undefined) return 'environment'
      return value === null ? 'undecryptable' : 'absent'
    },
    async set(name, value) {
      if (protection !== 'system') {
        session.set(name, value)
        return 'session'
      }
      const encrypted = vault.encryptString(value).toString('base64')
      await save((current) => ({ ...current, [name]: encrypted }))
      return 'ok'
    },
    async clear(name) {
      session.delete(name)
      if ((await stored())[name] === undefined) return
      await save((current) => Object.fromEntries(Object.entries(current).filter(([key]) => key !== name)))
    },
  }
}
