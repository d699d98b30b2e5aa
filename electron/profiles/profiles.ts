import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { checkTools } from './check.ts'
import { copyFolder, disableTools, editable, enableTools, isWritableFolder, readInside, renameListed, writeInside } from './edit.ts'
import { isProfileName, nameKey, selectedName } from './names.ts'
import {
  checkFiles,
  defaultsFrom,
  effectiveOf,
  fingerprintOf,
  NO_FILES,
  profileProblem,
  readFiles,
  revisionOf,
  trimmedText,
} from './profile-files.ts'
import { FILE_NAMES, listProfiles, placeOf } from './roots.ts'
import { decodeText } from './text-file.ts'
import { editTools, isWellFormed, parseTools, toolIds } from './tools-file.ts'

import type { Log, Problem, ProfileDocument, ProfilesSnapshot, ProfileSummary } from '../contract/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { Editable, ListChange } from './edit.ts'
import type { Defaults, ProfileFiles } from './profile-files.ts'
import type { Listing, Place, Root } from './roots.ts'
import type { TextFile } from './text-file.ts'
import type { Profiles } from './types.ts'

const DEFAULT = 'default'

interface Active {
  readonly active: string
  readonly activeFrom: ProfilesSnapshot['activeFrom']
  readonly wanted?: string
  readonly problem?: Problem
}

/**
 * @param deps `shippedDir` is never written; `externalDir` is edited in place (`REACHY_MINI_EXTERNAL_PROFILES_DIRECTORY`);
 * `environmentChoice` is `REACHY_MINI_CUSTOM_PROFILE`; `choice` keeps what was chosen in the app.
 */
export function createProfiles(deps: {
  storage: Storage
  shippedDir: string
  externalDir?: string | undefined
  environmentChoice?: string | undefined
  choice: { get(): Promise<string | null>; set(name: string | null): Promise<void> }
  log: Log
}): Profiles {
  const { storage, choice, log } = deps
  const userRoot = storage.path('profiles')
  const shippedRoot: Root = { source: 'shipped', dir: path.resolve(deps.shippedDir) }
  const roots: Root[] = [shippedRoot, { source: 'user', dir: userRoot }]
  const externalDir = deps.externalDir?.trim() ?? ''
  if (externalDir !== '') roots.push({ source: 'external', dir: path.resolve(externalDir) })
  const listeners = new Set<(snapshot: ProfilesSnapshot) => void>()
  let version = 0
  let announced: string | undefined
  let announcing: Promise<void> = Promise.resolve()

  const list = (): Promise<Listing> => listProfiles(roots)

  /** Files of `default` as it is, then of the shipped one, in case the user's copy is broken. */
  async function defaults(listing: Listing): Promise<Defaults> {
    const own = listing.places.filter(({ name }) => name === DEFAULT)
    const shipped = (await listProfiles([shippedRoot])).places.filter(({ name }) => name === DEFAULT)
    return defaultsFrom(await Promise.all([...own, ...shipped].map(readFiles)))
  }

  async function chosen(): Promise<{ name: string; from: 'app' | 'environment' | 'default' }> {
    const app = selectedName(await choice.get())
    if (app !== null) return { name: app, from: 'app' }
    const environment = selectedName(deps.environmentChoice)
    return environment === null ? { name: DEFAULT, from: 'default' } : { name: environment, from: 'environment' }
  }

  async function problemWith(name: string, listing: Listing): Promise<Problem | null> {
    try {
      return profileProblem(name, await readFiles(placeOf(name, listing)))
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      return { code: error.code, details: error.details }
    }
  }

  async function activeOf(listing: Listing): Promise<Active> {
    const { name, from } = await chosen()
    const problem = await problemWith(name, listing)
    if (problem === null) return { active: name, activeFrom: from }
    if (name === DEFAULT) return { active: DEFAULT, activeFrom: from, problem }
    return { active: DEFAULT, activeFrom: 'fallback', wanted: name, problem }
  }

  async function summaryOf({ name, source, edited, ...place }: Place): Promise<ProfileSummary> {
    const problem = profileProblem(name, await readFiles({ name, source, edited, ...place }))
    return { name, source, edited, hidden: false, ...(problem === null ? {} : { problem }) }
  }

  async function snapshot(): Promise<ProfilesSnapshot> {
    const listing = await list()
    const summaries = await Promise.all(listing.places.map(summaryOf))
    const hidden = listing.refused.map((refused) => ({ ...refused, edited: false, hidden: true }))
    return { version, ...(await activeOf(listing)), profiles: [...summaries, ...hidden] }
  }

  /** Everything that a listener could see by reading again. */
  async function fingerprint(): Promise<string> {
    const listing = await list()
    const files = await Promise.all(listing.places.map(async (place) => fingerprintOf(await readFiles(place))))
    return JSON.stringify([listing, files, await activeOf(listing)])
  }

  /**
   * Tells of a change once, whether the watcher or the room that made it comes first; one after the other, so that
   * listeners never get an older snapshot after a newer one.
   */
  function announce(): Promise<void> {
    announcing = announcing.then(async () => {
      try {
        const now = await fingerprint()
        if (now === announced) return
        announced = now
        version += 1
        const current = await snapshot()
        for (const listener of listeners) listener(current)
      } catch (error) {
        log.error('profiles could not be read again', { error: String(error) })
      }
    })
    return announcing
  }

  const watches = roots
    .filter(({ source }) => source !== 'shipped')
    .map(({ dir }) => storage.watch(dir, () => void announce()))

  async function documentOf(name: string): Promise<ProfileDocument> {
    const listing = await list()
    const place = placeOf(name, listing)
    const files = await readFiles(place)
    const inherited = await defaults(listing)
    const [tools, instructions] = [files['tools.txt'], files['instructions.txt']]
    const voice = trimmedText(files['voice.txt'])
    const greeting = trimmedText(files['greeting.txt'])
    return {
      name,
      source: place.source,
      edited: place.edited,
      path: place.dir,
      toolsText: tools.state === 'absent' ? null : shownText(tools),
      inheritedToolsText: inherited.toolsText,
      instructionsText: shownText(instructions),
      ...(voice === undefined ? {} : { voice }),
      ...(greeting === undefined ? {} : { greeting }),
      revision: revisionOf(files),
      readOnlyFiles: FILE_NAMES.filter((file) => !['ok', 'absent'].includes(files[file].state)),
      problems: checkFiles(name, files, inherited),
    }
  }

  async function open(tx: Transaction, name: string): Promise<{ profile: Editable; inherited: string }> {
    const listing = await list()
    const profile = await editable(tx, placeOf(name, listing), userRoot)
    return { profile, inherited: (await defaults(listing)).toolsText }
  }

  /** Edits every tools.txt that can be written, shipped ones by copying; others are logged. @returns IDs by profile. */
  async function inEachList(
    tx: Transaction,
    edit: (profile: Editable) => Promise<ListChange>,
  ): Promise<Record<string, string[]>> {
    const result: Record<string, string[]> = {}
    for (const place of (await list()).places) {
      const profile = await editable(tx, place, userRoot)
      const tools = await readInside(tx, profile, 'tools.txt')
      if (tools.state === 'absent') continue
      if (tools.state !== 'ok' || (place.source !== 'shipped' && !(await isWritableFolder(place.dir)))) {
        log.warn('a tools.txt that cannot be written was left as it is', { profile: place.name, path: place.dir })
        continue
      }
      const { ids } = await edit(profile)
      if (ids.length > 0) result[place.name] = ids
    }
    return result
  }

  return {
    snapshot,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async active() {
      return (await activeOf(await list())).active
    },
    async use(name) {
      const problem = await problemWith(name, await list())
      if (problem !== null && name !== DEFAULT) throw new CompanionError(problem.code, problem.details)
      await choice.set(name)
      await announce()
      return snapshot()
    },
    read: documentOf,
    async effective(name) {
      const listing = await list()
      const inherited = await defaults(listing)
      const known = name !== DEFAULT || listing.places.some((place) => place.name === DEFAULT)
      const files = known ? await readFiles(placeOf(name, listing)) : NO_FILES
      const problem = profileProblem(name, files)
      if (problem !== null && name !== DEFAULT) throw new CompanionError(problem.code, problem.details)
      return effectiveOf(name, files, inherited)
    },
    async create(name, from) {
      if (!isProfileName(name)) throw new CompanionError('profile/bad-name', { name })
      await storage.transact(`create profile ${name}`, async (tx) => {
        const { places, refused } = await list()
        if ([...places, ...refused].some((other) => nameKey(other.name) === nameKey(name))) {
          throw new CompanionError('profile/exists', { name })
        }
        const source = placeOf(from, { places, refused })
        await copyFolder(tx, source.dir, path.join(userRoot, name), source.root)
      })
      await announce()
      return documentOf(name)
    },
    async save(change) {
      const { receipt } = await storage.transact(`save profile ${change.name}`, async (tx) => {
        const profile = await editable(tx, placeOf(change.name, await list()), userRoot)
        const files: ProfileFiles = {
          ...NO_FILES,
          'tools.txt': await readInside(tx, profile, 'tools.txt'),
          'instructions.txt': await readInside(tx, profile, 'instructions.txt'),
        }
        if (revisionOf(files) !== change.revision) {
          throw new CompanionError('profile/changed-outside', { name: change.name })
        }
        await saveText(tx, profile, 'tools.txt', files['tools.txt'], change.toolsText)
        await saveText(tx, profile, 'instructions.txt', files['instructions.txt'], change.instructionsText)
      })
      if (receipt.changes.length > 0) await announce()
      return documentOf(change.name)
    },
    async check(name) {
      return (await documentOf(name)).problems
    },
    checkTools,
    editTools,
    parseTools,
    async enableIn(tx, name, ids) {
      const { profile, inherited } = await open(tx, name)
      const { ids: added, path: file } = await enableTools(tx, profile, ids, inherited)
      return { added, path: file }
    },
    async disableIn(tx, name, ids) {
      const { profile, inherited } = await open(tx, name)
      const { ids: removed, path: file } = await disableTools(tx, profile, (id) => ids.includes(id), inherited)
      return { removed, path: file }
    },
    disableEverywhere: (tx, matches) => inEachList(tx, (profile) => disableTools(tx, profile, matches, '')),
    renameEverywhere: (tx, names) => inEachList(tx, (profile) => renameListed(tx, profile, names)),
    async usesOf(matches) {
      const uses = await Promise.all(
        (await list()).places.map(async (place) => {
          const { 'tools.txt': tools } = await readFiles(place)
          return [place.name, tools.state === 'ok' ? toolIds(tools.text).filter(matches) : []] as const
        }),
      )
      return Object.fromEntries(uses.filter(([, ids]) => ids.length > 0))
    },
    touched() {
      void announce()
    },
    dispose() {
      for (const stop of watches) stop()
      listeners.clear()
    },
  }
}

/** For a file that is no text the nearest thing to it; such a file is never written. */
function shownText(file: TextFile): string {
  if (file.state === 'ok') return file.text
  if (file.state === 'absent' || file.bytes === null) return ''
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes)
}

async function saveText(
  tx: Transaction,
  profile: Editable,
  fileName: 'tools.txt' | 'instructions.txt',
  present: TextFile,
  text: string | undefined,
): Promise<void> {
  // A missing prompt is shown as an empty one; a missing list and an empty one differ.
  if (text === undefined || (text === '' && present.state === 'absent' && fileName === 'instructions.txt')) return
  const file = path.join(profile.to, fileName)
  if (present.state !== 'ok' && present.state !== 'absent') {
    throw new CompanionError('profile/read-only', { name: profile.name, file })
  }
  const position = isWellFormed(text) ? text.indexOf('\0') : 0
  if (position >= 0) throw new CompanionError('profile/not-utf8', { name: profile.name, file, position })
  if (present.state === 'ok' && present.text === text) return
  const encoded = decodeText(new TextEncoder().encode(text))
  if (encoded.state === 'unreadable') throw new CompanionError('profile/read-only', { name: profile.name, file })
  await writeInside(tx, profile, fileName, text)
}
