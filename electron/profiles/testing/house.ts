import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { createStorage } from '../../storage/index.ts'
import { createProfiles } from '../profiles.ts'

import type { Log, ProfileTexts } from '../../contract/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Profiles } from '../types.ts'

type Options = Partial<Pick<Parameters<typeof createProfiles>[0], 'externalDir' | 'environmentChoice' | 'environmentFolder'>>

/** A data directory with two shipped profiles, in a folder of its own. */
export interface House {
  readonly root: string
  readonly shipped: string
  readonly external: string
  /** The user's profiles. */
  readonly user: string
  readonly storage: Storage
  /** What was chosen in the app. */
  readonly chosen: { profile: string | null; folder: string | null }
  /** Lines of the log at level warn and above. */
  readonly warnings: string[]
  put(dir: string, name: string, files: Readonly<Record<string, string | Uint8Array>>): void
  /** Bytes of a file, one character each. */
  bytes(...segments: string[]): string
  open(options?: Options): Profiles
  /** The same data directory as another process sees it; `faults` is called before each step on the disk. */
  second(faults?: (step: string) => void): Promise<{ profiles: Profiles; storage: Storage }>
  close(): Promise<void>
}

export async function openHouse(): Promise<House> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'profiles-'))
  const [shipped, external] = [path.join(root, 'shipped'), path.join(root, 'external')]
  const dataDir = path.join(root, 'data')
  const warnings: string[] = []
  const log: Log = { debug: () => {}, info: () => {}, warn: (text) => warnings.push(text), error: (text) => warnings.push(text) }
  const storage = await createStorage({ dataDir, log })
  const chosen: House['chosen'] = { profile: null, folder: null }
  const closing: Array<() => unknown> = []

  const make = (own: Storage, options: Options = {}): Profiles => {
    const profiles = createProfiles({
      storage: own,
      shippedDir: shipped,
      choice: { get: async () => chosen.profile, set: async (name) => void (chosen.profile = name) },
      folder: { get: async () => chosen.folder, set: async (folder) => void (chosen.folder = folder) },
      log,
      ...options,
    })
    closing.unshift(() => profiles.dispose())
    return profiles
  }

  const house: House = {
    root,
    shipped,
    external,
    user: path.join(dataDir, 'profiles'),
    storage,
    chosen,
    warnings,
    put(dir, name, files) {
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(dir, name, file)), { recursive: true })
        writeFileSync(path.join(dir, name, file), content)
      }
    },
    bytes: (...segments) => readFileSync(path.join(...segments), 'latin1'),
    open: (options) => make(storage, options),
    async second(faults = () => undefined) {
      const own = await createStorage({ dataDir, log, faults })
      closing.push(() => own.dispose())
      return { profiles: make(own), storage: own }
    },
    async close() {
      for (const close of closing) await close()
      await storage.dispose()
      rmSync(root, { recursive: true, force: true })
    },
  }
  house.put(shipped, 'default', {
    'instructions.txt': 'Be kind.\n',
    'tools.txt': '# body\r\ndance\r\na__x\r\n',
    'greeting.txt': 'Say hello.\n',
    'extra/notes.bin': new Uint8Array([0, 255, 10]),
  })
  house.put(shipped, 'canary', { 'instructions.txt': '[default_prompt]\n\nSearch.\n', 'tools.txt': 'a__x\nmove_head\n' })
  return house
}

/** Saves some of the texts of a profile as somebody who has just opened it. */
export async function saveTexts(
  profiles: Profiles,
  name: string,
  texts: Partial<ProfileTexts>,
): ReturnType<Profiles['save']> {
  const { texts: base } = await profiles.read(name)
  return profiles.save({ name, base, texts: { ...base, ...texts } })
}
