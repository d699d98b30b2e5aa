/** Making a file that is no text readable again. What was in it is kept beside it under another name, always. */
import { rename } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { backupOf } from './broken.ts'
import { fileProblem, stateDigest } from './profile-files.ts'
import { ownTools } from './tools-file.ts'
import { decodeWindows1252 } from './windows-1252.ts'

import type { RepairKind } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Defaults, ProfileFiles } from './profile-files.ts'
import type { FileName, Place } from './roots.ts'
import type { TextFile } from './text-file.ts'

/** What a repair may take a text from. */
export interface RepairSources {
  /** Files of this name that were shipped. */
  readonly shipped: ProfileFiles | null
  /** Files of `default` that can be used. */
  readonly defaultFiles: ProfileFiles
  readonly defaults: Defaults
}

/**
 * @param seen digest of the file that the person was shown; another one by now is not repaired.
 * @throws CompanionError `profile/bad-repair`, `storage/failed`.
 */
export async function repairFile(
  storage: Storage,
  place: Place,
  file: FileName,
  kind: RepairKind,
  seen: string | undefined,
  read: () => Promise<{ files: ProfileFiles; sources: RepairSources }>,
): Promise<void> {
  const full = path.join(place.dir, file)
  let aside: string | undefined
  try {
    await storage.transact(`repair ${place.name}/${file}`, async (tx) => {
      const { files, sources } = await read()
      const present = files[file]
      const isSame = seen === undefined || seen === stateDigest(present)
      const isOurs = place.source !== 'shipped' && place.format === 'txt'
      const isBroken = isOurs && fileProblem(place.name, file, present) !== null
      const text = isSame && isBroken ? await textFor(place, file, kind, present, sources) : undefined
      if (text === undefined) throw new CompanionError('profile/bad-repair', { name: place.name, file })
      aside = await storage.setAside(full)
      if (text !== null) tx.write(full, text)
    })
  } catch (error) {
    if (aside !== undefined) await rename(aside, full)
    throw error
  }
}

/** `undefined`: not possible; `null`: the file is not there afterwards. */
async function textFor(
  place: Place,
  file: FileName,
  kind: RepairKind,
  present: TextFile,
  { shipped, defaultFiles, defaults }: RepairSources,
): Promise<string | null | undefined> {
  switch (kind) {
    case 'windows-1252':
      return present.state === 'not-utf8' ? (decodeWindows1252(present.bytes) ?? undefined) : undefined
    case 'backup':
      return (await backupOf(place, file))?.text
    case 'shipped': {
      const original = shipped?.[file]
      return original?.state === 'ok' ? original.text : undefined
    }
    case 'set-aside': {
      const model = defaultFiles[file]
      if (model.state === 'ok') return file === 'tools.txt' ? ownTools(model.text) : model.text
      if (file === 'tools.txt') return ownTools(defaults.toolsText)
      return file === 'instructions.txt' ? `${defaults.prompt}\n` : null
    }
  }
}
