import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'
import { parseProfileMd } from '../formats/profile-md.ts'
import { editToolsets, parseToolsets } from '../formats/toolsets.ts'
import { isProfileName, nameKey } from '../names.ts'
import { PROFILE_MD } from '../roots.ts'
import { decodeText } from '../text-file.ts'
import { toolIds } from '../tools-file.ts'

import { findProfiles } from './candidates.ts'
import { entriesOfFolder, entriesOfZip, isWanted, MAX_ENTRY, refusalOf, refuse, TOOLSETS_FILE } from './entries.ts'
import { planExport } from './plan.ts'
import { writeFolder, writeZip } from './write-out.ts'

import type { ExportFormat, FileProblem, ImportPick, ImportPreview, Log } from '../../contract/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import type { Defaults } from '../profile-files.ts'
import type { NewProfile, Profiles } from '../types.ts'
import type { Found } from './candidates.ts'
import type { Entries, Refusal } from './entries.ts'
import type { Planned } from './plan.ts'
import type { Exchange, FetchRepository } from './types.ts'

/** Previews that can still be taken over; an older one has to be looked at again. */
const KEPT_PREVIEWS = 5
const HUB = /^(?:hf:|https?:\/\/)/i

export function createExchange(deps: {
  profiles: Profiles
  storage: Storage
  repository: FetchRepository
  log: Log
}): Exchange {
  const { profiles, storage } = deps
  const previews = new Map<string, ReadonlyMap<string, Found>>()
  const running = new Map<string, AbortController>()
  const toolsetsFile = storage.path('profiles', TOOLSETS_FILE)

  const preview = async (
    from: string,
    kind: ImportPreview['kind'],
    rootName: string,
    { entries, refused }: Entries,
  ): Promise<ImportPreview> => {
    const inForce = await profiles.effective('default')
    const defaults: Defaults = {
      prompt: inForce.instructions,
      parts: inForce.parts,
      toolsText: inForce.toolIds.map((id) => `${id}\n`).join(''),
    }
    const present = new Set((await profiles.snapshot()).profiles.map(({ name }) => nameKey(name)))
    const found = findProfiles(entries, rootName, defaults, (name) => present.has(nameKey(name)))
    if (found.length === 0 && refused.length === 0) throw new CompanionError('profile/no-profiles', { path: from })
    const importId = randomUUID()
    previews.set(importId, new Map(found.map((one) => [one.candidate.key, one])))
    for (const old of [...previews.keys()].slice(0, -KEPT_PREVIEWS)) previews.delete(old)
    return { importId, from, kind, profiles: found.map(({ candidate }) => candidate), refused: [...refused] }
  }

  const readFolder = async (folder: string): Promise<ImportPreview> => {
    const resolved = path.resolve(folder)
    return preview(resolved, 'folder', path.basename(resolved), await reading(resolved, () => entriesOfFolder(resolved)))
  }

  const readZip = async (file: string): Promise<ImportPreview> => {
    const resolved = path.resolve(file)
    const name = path.basename(resolved, path.extname(resolved))
    return preview(resolved, 'zip', name, await reading(resolved, () => entriesOfZip(resolved)))
  }

  /** One profile.md, called after the folder it lies in. */
  const readMd = async (file: string): Promise<ImportPreview> => {
    const resolved = path.resolve(file)
    const bytes = await reading(resolved, async () => {
      if ((await stat(resolved)).size > MAX_ENTRY) throw new CompanionError('profile/too-large', { path: resolved, limit: '1 MB' })
      return readFile(resolved)
    })
    const folder = path.basename(path.dirname(resolved))
    return preview(resolved, 'folder', folder, { entries: [{ path: PROFILE_MD, bytes }], refused: [] })
  }

  const readHub = async (operationId: string, ref: string): Promise<ImportPreview> => {
    const controller = new AbortController()
    running.set(operationId, controller)
    try {
      const refused: Refusal[] = []
      const wanted = (file: string, bytes: number): boolean => {
        if (!isWanted(file)) return false
        const reason = refusalOf(file) ?? (bytes > MAX_ENTRY ? 'it is larger than 1 MB.' : null)
        if (reason !== null) refused.push(refuse(file, reason))
        return reason === null
      }
      const { name, files: entries } = await deps.repository(ref, wanted, controller.signal)
      return await preview(name, 'hub', name.split('/').at(-1) ?? name, { entries, refused })
    } finally {
      running.delete(operationId)
    }
  }

  const newProfile = (found: Found, pick: ImportPick): NewProfile => {
    const format = pick.format ?? (found.candidate.format === 'profile-md' ? 'profile-md' : 'txt')
    const texts = format === 'txt' ? found.texts : new Map<string, Uint8Array>()
    const files = new Map(texts)
    if (format === 'profile-md' && found.md !== null) files.set(PROFILE_MD, found.md)
    if (pick.withToolFiles) for (const [name, bytes] of found.toolFiles) files.set(name, bytes)
    return { name: pick.name, files }
  }

  /** A list of an older profile of this name must not count for the new one. */
  const putOverrides = async (
    tx: Transaction,
    picked: ReadonlyArray<{ found: Found; pick: ImportPick }>,
  ): Promise<void> => {
    const content = await tx.read(toolsetsFile)
    const file = content === null ? null : decodeText(content.bytes)
    const text = file !== null && file.state === 'ok' ? file.text : null
    const before = text === null ? null : parseToolsets(text)
    const changes = new Map<string, readonly string[] | null>()
    for (const { found, pick } of picked) {
      const key = `user_personalities/${pick.name}`
      const isMd = (pick.format ?? found.candidate.format) === 'profile-md'
      const list = isMd ? found.override : null
      if (list !== null || before?.lists.has(key) === true) changes.set(key, list)
    }
    if (changes.size === 0) return
    if (before !== null && !before.writable) throw new CompanionError('profile/read-only', { name: TOOLSETS_FILE, file: toolsetsFile })
    tx.write(toolsetsFile, editToolsets(text, changes), { keepBackup: true })
  }

  const planOf = async (name: string, format: ExportFormat): Promise<Planned> => {
    const document = await profiles.read(name)
    const effective = await profiles.effective(name)
    const list = document.texts['tools.txt']
    const authored = await authoredList(document.format === 'profile-md' ? path.join(document.path, PROFILE_MD) : null)
    const inForce = list === null ? null : toolIds(list)
    const override = authored !== null && JSON.stringify(authored) !== JSON.stringify(inForce) ? inForce : null
    return planExport({ document, effective, override }, format)
  }

  return {
    readFolder,
    readZip,
    readHub,
    async readAny(ref) {
      if (HUB.test(ref)) return readHub(randomUUID(), ref.replace(/^hf:/i, ''))
      const resolved = path.resolve(ref)
      const found = await reading(resolved, () => stat(resolved))
      if (found.isDirectory()) return readFolder(resolved)
      return /\.md$/i.test(resolved) ? readMd(resolved) : readZip(resolved)
    },
    cancel(operationId) {
      running.get(operationId)?.abort()
    },
    async import(importId, picks) {
      const known = previews.get(importId)
      if (known === undefined) throw new CompanionError('app/cancelled')
      const picked = picks.map((pick) => {
        const found = known.get(pick.key)
        if (found === undefined) throw new CompanionError('profile/not-found', { name: pick.name })
        if (!isProfileName(pick.name)) throw new CompanionError('profile/bad-name', { name: pick.name })
        return { found, pick }
      })
      const { receipt } = await storage.transact('import profiles', async (tx) => {
        await profiles.createIn(
          tx,
          picked.map(({ found, pick }) => newProfile(found, pick)),
        )
        await putOverrides(tx, picked)
      })
      previews.delete(importId)
      profiles.touched()
      return {
        snapshot: await profiles.snapshot(),
        imported: picked.map(({ pick }) => pick.name),
        problems: picked.flatMap(({ found, pick }) => problemsOf(found, pick)),
        undoId: profiles.undoable(() => storage.undo(receipt)),
      }
    },
    async plan(name, format) {
      const { files, problems } = await planOf(name, format)
      const listed = [...files].map(([file, bytes]) => ({ path: file, bytes: bytes.length }))
      return { name, format, files: listed, problems: [...problems] }
    },
    async export(name, format, out, { replace = false } = {}) {
      const { files, problems } = await planOf(name, format)
      const resolved = path.resolve(out)
      if (format === 'zip') await writeZip(resolved, name, files, replace)
      else await writeFolder(resolved, files)
      return { path: resolved, problems: [...problems] }
    },
    dispose() {
      for (const controller of running.values()) controller.abort()
      previews.clear()
    },
  }
}

/** @throws CompanionError `profile/no-profiles` for a place that is not there, `storage/failed` for one that cannot be read. */
async function reading<T>(place: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CompanionError || !(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ENOENT') throw new CompanionError('profile/no-profiles', { path: place }, { cause: error })
    throw new CompanionError('storage/failed', { path: place }, { cause: error })
  }
}

/** The list that a profile.md itself has. */
async function authoredList(file: string | null): Promise<readonly string[] | null> {
  if (file === null) return null
  const held = decodeText(await readFile(file))
  if (held.state !== 'ok') return null
  const read = parseProfileMd(held.text)
  return read.ok ? read.profile.tools : null
}

function problemsOf({ candidate, toolFiles }: Found, { withToolFiles, name }: ImportPick): FileProblem[] {
  const left = withToolFiles ? [] : [...toolFiles.keys()]
  return [
    ...candidate.problems.map((problem) => ({ ...problem, file: `${name}/${problem.file}` })),
    ...left.map((file): FileProblem => ({
      file: `${name}/${file}`,
      line: null,
      code: 'profile/python-not-copied',
      details: { file },
    })),
  ]
}
