import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { createAnnouncer } from './announcer.ts'
import { assertFree, writeNew } from './creating.ts'
import { createDetails } from './details.ts'
import { copyFolder } from './edit.ts'
import { createLists } from './lists.ts'
import { createMoving } from './moving.ts'
import { isProfileName, withoutPrefix } from './names.ts'
import { copyOverride } from './overrides.ts'
import { createPlaces } from './places.ts'
import { readFiles } from './profile-files.ts'
import { createReading } from './reading.ts'
import { emptyBin } from './removed.ts'
import { repairFile } from './repair.ts'
import { placeOf } from './roots.ts'
import { rebased, saveIn } from './saving.ts'
import { editDraft } from './tools-draft.ts'
import { editTools } from './tools-edit.ts'
import { parseTools } from './tools-file.ts'
import { moveTool, orderTools } from './tools-order.ts'
import { createUndoList } from './undo.ts'
import { createUnsaved } from './unsaved.ts'

import type { Log, ProfileDocument, ProfileFile, RepairKind } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'
import type { FolderChoice } from './places.ts'
import type { TextChange } from './saving.ts'
import type { NewProfile, Profiles } from './types.ts'

/** A program that takes no lock may write at the very moment in which we do. */
const SAVE_TRIES = 3

/**
 * @param deps `shippedDir` is never written; `externalDir` is edited in place (`REACHY_MINI_EXTERNAL_PROFILES_DIRECTORY`);
 * `environmentChoice` is `REACHY_MINI_CUSTOM_PROFILE`, `environmentFolder` a folder of the robot's app
 * (`REACHY_MINI_INSTANCE_PATH`); `choice` and `folder` keep what was chosen in the app, which goes first.
 */
export function createProfiles(deps: {
  storage: Storage
  shippedDir: string
  externalDir?: string | undefined
  environmentChoice?: string | undefined
  environmentFolder?: string | undefined
  choice: { get(): Promise<string | null>; set(name: string | null): Promise<void> }
  folder?: FolderChoice | undefined
  log: Log
}): Profiles {
  const { storage, choice, log } = deps
  const userRoot = storage.path('profiles')
  const externalDir = absolute(deps.externalDir)
  const places = createPlaces({
    shippedDir: path.resolve(deps.shippedDir),
    userRoot,
    externalDir,
    environmentFolder: absolute(deps.environmentFolder),
    choice: deps.folder ?? { get: async () => null, set: async () => undefined },
  })
  const details = createDetails({ storage, log })
  const unsaved = createUnsaved({ storage, log })
  const undos = createUndoList()
  const reading = createReading({
    storage,
    places,
    details,
    environmentChoice: deps.environmentChoice,
    chosen: () => choice.get(),
    log,
  })
  const announcer = createAnnouncer({
    storage,
    first: [userRoot, details.file, ...(externalDir === undefined ? [] : [externalDir])],
    watched: async () => [details.file, ...(await places.watched())],
    fingerprint: () => reading.fingerprint(),
    read: () => reading.snapshot(),
    log,
  })
  const moving = createMoving({ storage, reading, details, unsaved, undos, choice })
  const announce = (): Promise<void> => announcer.announce()
  const snapshot = (): ReturnType<Profiles['snapshot']> => announcer.snapshot()
  emptyBins().catch((error: unknown) => log.warn('removed profiles could not be deleted', { error: String(error) }))

  async function emptyBins(): Promise<void> {
    for (const dir of await places.watched()) await emptyBin(dir, Date.now(), log)
  }

  async function createAll(tx: Parameters<Profiles['createIn']>[0], profiles: readonly NewProfile[]): Promise<void> {
    const listing = await reading.list()
    const taken = new Set<string>()
    for (const profile of profiles) {
      await assertFree(profile.name, listing, userRoot)
      const key = profile.name.toLowerCase()
      if (taken.has(key)) throw new CompanionError('profile/exists', { name: profile.name })
      taken.add(key)
      writeNew(tx, userRoot, profile)
      await details.begin(tx, profile.name, profile.details ?? {})
    }
  }

  async function save(change: TextChange, left = SAVE_TRIES): Promise<ProfileFile[]> {
    try {
      const { value, receipt } = await storage.transact(`save profile ${change.name}`, async (tx) => {
        const listing = await reading.list()
        const inherited = (await reading.defaults(listing)).toolsText
        const merged = await saveIn(tx, change, { listing, userRoot, inherited })
        await unsaved.move(tx, change.name, null)
        return merged
      })
      if (receipt.changes.length > 0) await announce()
      return value
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'storage/conflict' || left <= 1) throw error
      return save(change, left - 1)
    }
  }

  async function repair(name: string, file: ProfileFile, kind: RepairKind): Promise<ProfileDocument> {
    const place = placeOf(name, await reading.list())
    await repairFile(storage, place, file, kind, reading.shownDigest(name, file), async () => ({
      files: await readFiles(place),
      sources: await reading.repairSources(place, await reading.list()),
    }))
    await announce()
    return reading.document(name)
  }

  return {
    snapshot,
    onChange: (listener) => announcer.onChange(listener),
    async active() {
      return (await reading.activeOf(await reading.list())).active
    },
    async use(selection) {
      const name = withoutPrefix(selection)
      const problem = await reading.problemWith(name, await reading.list())
      if (problem !== null && name !== 'default') throw new CompanionError(problem.code, problem.details)
      await choice.set(name)
      await announce()
      return snapshot()
    },
    read: (name) => reading.document(name),
    effective: (name, texts) => reading.effective(name, texts),
    async create(name, from, own) {
      if (!isProfileName(name)) throw new CompanionError('profile/bad-name', { name })
      await storage.transact(`create profile ${name}`, async (tx) => {
        const listing = await reading.list()
        await assertFree(name, listing, userRoot)
        const source = placeOf(from, listing)
        await copyFolder(tx, source.dir, path.join(userRoot, name), source.root)
        if (source.format === 'profile-md') await copyOverride(tx, source, { name, toolsets: places.userToolsets })
        await details.copy(tx, from, name)
        await details.change(tx, name, own ?? {})
      })
      await announce()
      return reading.document(name)
    },
    createIn: createAll,
    async rename(name, to) {
      const undoId = await moving.rename(name, to)
      await announce()
      return { document: await reading.document(to), undoId }
    },
    async remove(name) {
      const undoId = await moving.remove(name)
      await announce()
      return { snapshot: await snapshot(), undoId }
    },
    async undo(undoId) {
      await undos.undo(undoId)
      await announce()
      return snapshot()
    },
    undoable: (undo) => undos.add(undo),
    async setDetails(name, change) {
      await storage.transact(`details of ${name}`, async (tx) => {
        placeOf(name, await reading.list())
        await details.change(tx, name, change)
      })
      await announce()
      return snapshot()
    },
    async save(change) {
      const merged = await save(change)
      return { document: await reading.document(change.name), merged }
    },
    async rebase(change) {
      const listing = await reading.list()
      const place = placeOf(change.name, listing)
      const files = await readFiles(place)
      const inherited = (await reading.defaults(listing)).toolsText
      return {
        document: await reading.documentOf(place, files, listing),
        ...(await rebased(change, files, inherited)),
      }
    },
    repair,
    writeOut: (name, text) => reading.writeOut(name, text),
    async keepUnsaved(name, texts) {
      if (!isProfileName(name)) throw new CompanionError('profile/bad-name', { name })
      await unsaved.keep(name, texts)
    },
    unsaved: () => unsaved.list(),
    folders: () => reading.folders(),
    async editFolder(chosen) {
      await places.choose(chosen)
      await announce()
      return snapshot()
    },
    speak(language) {
      if (reading.speak(language)) void announce()
    },
    async check(name) {
      return (await reading.document(name)).problems
    },
    checkTexts: (name, texts) => reading.check(name, texts),
    editTools,
    editDraft,
    orderTools,
    moveTool,
    parseTools,
    ...createLists({ reading, userRoot, log }),
    touched() {
      void announce()
    },
    dispose: () => announcer.dispose(),
  }
}

function absolute(dir: string | undefined): string | undefined {
  const text = dir?.trim() ?? ''
  return text === '' ? undefined : path.resolve(text)
}
