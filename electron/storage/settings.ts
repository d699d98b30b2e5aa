import { CompanionError } from '../contract/index.ts'

import { parseJsonFile } from './parse-json-file.ts'
import { languageFor, providerFor, settingsFileSchema, settingsOf, valueOf } from './settings-file.ts'

import type { AppSecretName, Log, Secrets, SecretState, Settings, SettingsSnapshot } from '../contract/index.ts'
import type { Environment, SettingsFile } from './settings-file.ts'
import type { FileContent, JsonRead, SettingsStore, Storage, Transaction } from './types.ts'

/** The variable that stands in for a secret that is not stored. */
const SECRET_VARIABLES = { 'model-key': 'OPENAI_API_KEY', 'hub-token': 'HF_TOKEN' } as const

/**
 * @param deps `systemLanguage` is the system's locale; `env` the variables `OPENAI_API_KEY`, `OPENAI_BASE_URL`,
 * `REACHY_MINI_COMPANION_MODEL` and `HF_TOKEN`, read at each call.
 */
export function createSettings(deps: {
  storage: Storage
  secrets: Secrets
  env: Environment
  systemLanguage: string
  log: Log
}): SettingsStore {
  const { storage, secrets, env, log } = deps
  const path = storage.path('settings.json')
  const listeners = new Set<(snapshot: SettingsSnapshot) => void>()
  let version = 0
  let setAside: string | undefined
  /** The last content that could be read: a file that another program is just writing does not reset the app. */
  let lastGood: SettingsFile | undefined
  /** Several first readers put the broken file aside once. */
  let aside: Promise<void> | undefined
  let announced = ''

  async function load(): Promise<SettingsFile> {
    const read = await readState(() => storage.read(path))
    if (read.state === 'ok') lastGood = read.value
    if (read.state === 'absent') lastGood = {}
    if (lastGood !== undefined) return lastGood
    aside ??= putAside(read.state === 'unreadable' ? read.reason : '')
    await aside
    return (lastGood = {})
  }

  /** A directory that cannot be written keeps its broken file; the defaults are in force all the same. */
  async function putAside(reason: string): Promise<void> {
    try {
      setAside = await storage.setAside(path)
      log.error('settings.json could not be read and was kept under another name', { path: setAside, reason })
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      log.error('settings.json could not be read', { path, reason, error: causeOf(error) })
    }
  }

  async function write(label: string, patch: Partial<Record<keyof Settings, unknown>>): Promise<void> {
    const { value } = await storage.transact(label, async (tx) => {
      const present = await presentFile(tx)
      const next: SettingsFile = { ...present, ...patch, schemaVersion: 1 }
      tx.write(path, `${JSON.stringify(next, null, 2)}\n`)
      return next
    })
    lastGood = value
  }

  /** What is in the file now. A broken one is never overwritten: it is put aside first, or the write fails. */
  async function presentFile(tx: Transaction): Promise<SettingsFile> {
    const read = await readState(() => tx.read(path))
    if (read.state === 'ok') return read.value
    if (read.state === 'unreadable') {
      setAside = await storage.setAside(path)
      log.error('settings.json could not be read and was kept under another name', { path: setAside })
    }
    return {}
  }

  async function stateOf(name: AppSecretName, fromEnvironment: boolean): Promise<SecretState> {
    const inEnvironment = valueOf(env, SECRET_VARIABLES[name]) !== null
    if (fromEnvironment) return inEnvironment ? 'environment' : 'absent'
    const state = await secrets.state(name)
    return state === 'absent' && name === 'hub-token' && inEnvironment ? 'environment' : state
  }

  async function snapshot(): Promise<SettingsSnapshot> {
    const file = await load()
    const settings = settingsOf(file)
    const provider = providerFor(file, env)
    const [modelKey, hubToken] = await Promise.all([
      stateOf('model-key', provider.from === 'environment'),
      stateOf('hub-token', false),
    ])
    return {
      version,
      settings,
      language: settings.language === 'system' ? languageFor(deps.systemLanguage) : settings.language,
      provider,
      modelKey,
      hubToken,
      protection: secrets.protection,
      ...(setAside === undefined ? {} : { setAside }),
    }
  }

  /** Tells the listeners once per real change, whoever made it. */
  async function announce(): Promise<SettingsSnapshot> {
    const now = await snapshot()
    const content = JSON.stringify({ ...now, version: 0 })
    if (content === announced) return now
    announced = content
    version += 1
    const next = { ...now, version }
    for (const listener of listeners) listener(next)
    return next
  }

  const unwatch = storage.watch(path, () => {
    announce().catch((error: unknown) => log.error('settings could not be read again', { error: String(error) }))
  })

  return {
    snapshot,
    async update(patch) {
      await write('settings', withoutUndefined(patch))
      return announce()
    },
    async chooseProfile(name) {
      await write('active profile', { activeProfile: name })
      await announce()
    },
    async chosenProfile() {
      return settingsOf(await load()).activeProfile
    },
    async chooseRobot(id) {
      await write('robot', { robot: id })
    },
    async chosenRobot() {
      return settingsOf(await load()).robot ?? null
    },
    async saveRobots(places) {
      await write('robots', { robots: [...places] })
    },
    async savedRobots() {
      return settingsOf(await load()).robots ?? []
    },
    async chooseProfilesFolder(path) {
      await write('folder of profiles', { profilesFolder: path })
    },
    async chosenProfilesFolder() {
      return settingsOf(await load()).profilesFolder ?? null
    },
    async chooseInstance(manifest) {
      await write('list of Spaces in force', { toolSpacesInstance: manifest })
      await announce()
    },
    async chosenInstance() {
      return settingsOf(await load()).toolSpacesInstance ?? null
    },
    async setSecret(name, value) {
      await secrets.set(name, value)
      return announce()
    },
    async clearSecret(name) {
      await secrets.clear(name)
      return announce()
    },
    async providerInForce() {
      return providerFor(await load(), env)
    },
    async keyInForce() {
      const provider = providerFor(await load(), env)
      if (provider.kind === 'offline') return null
      return provider.from === 'environment' ? valueOf(env, SECRET_VARIABLES['model-key']) : secrets.get('model-key')
    },
    async hubToken() {
      return (await secrets.get('hub-token')) ?? valueOf(env, SECRET_VARIABLES['hub-token'])
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      unwatch()
      listeners.clear()
    },
  }
}

/** A file that the system refuses to give is as unreadable as one that is no JSON. */
async function readState(read: () => Promise<FileContent | null>): Promise<JsonRead<SettingsFile>> {
  try {
    return parseJsonFile(await read(), settingsFileSchema)
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error
    return { state: 'unreadable', reason: causeOf(error) }
  }
}

function causeOf(error: CompanionError): string {
  return error.cause instanceof Error ? error.cause.message : error.code
}

function withoutUndefined<T extends object>(patch: T): Partial<T> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<T>
}
