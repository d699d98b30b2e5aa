/** Brings the files of one transaction to their new or back to their old content, all of them, whatever happens. */
import { copyFile, link } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import {
  errnoOf,
  fileTime,
  isAbsent,
  isInside,
  makeDirectory,
  makeParents,
  readIfPresent,
  removeEmptyParents,
  renameOver,
  sameBytes,
  syncDirectory,
  tempName,
  unlinkIfPresent,
  writeTemp,
} from './atomic-file.ts'
import { decodeJournal, encodeJournal } from './journal.ts'

import type { Log } from '../contract/index.ts'
import type { Change, Journal } from './journal.ts'

/** A transaction that is to be finished. */
export const JOURNAL_NAME = '.journal'
/** A transaction that is to be taken back. Made by renaming, which works on a full disk too. */
export const ROLLBACK_NAME = '.rollback'

/** Called before each step on the disk with its name; tests end the process or fail there. */
export type Faults = (step: string) => void | Promise<void>

export interface Committer {
  /** @throws CompanionError `storage/failed`; then all files are as before. */
  commit(journal: Journal): Promise<void>
  hasLeftovers(): Promise<boolean>
  recover(): Promise<void>
}

/**
 * @param deps `dataDir` with links resolved, as the targets of changes are.
 * All three need the lock of the data directory, `hasLeftovers` excepted.
 */
export function createCommitter(deps: { dataDir: string; log: Log; faults: Faults }): Committer {
  const { dataDir, log, faults } = deps
  const journalFile = path.join(dataDir, JOURNAL_NAME)
  const journalTemp = `${journalFile}.tmp`
  const rollbackFile = path.join(dataDir, ROLLBACK_NAME)

  async function commit(journal: Journal): Promise<void> {
    try {
      await faults('journal:write')
      await writeTemp(journalTemp, journalTemp, Buffer.from(encodeJournal(journal, dataDir)), 0o600)
      await faults('journal:rename')
      await renameOver(journalTemp, journalFile)
      await syncDirectory(dataDir)
    } catch (error) {
      await unlinkIfPresent(journalTemp)
      throw new CompanionError('storage/failed', { path: journalFile }, { cause: error })
    }
    try {
      await applyAll(journal, 'after')
    } catch (error) {
      await takeBack(journal)
      if (error instanceof CompanionError) throw error
      throw new CompanionError('storage/failed', { path: journal.changes[0]?.path ?? dataDir }, { cause: error })
    }
    await faults('journal:remove')
    try {
      await removeNote(journalFile)
    } catch (error) {
      // All files are new; the next transaction finds them so and removes the note.
      log.warn('the note of a finished transaction is still there', { path: journalFile, reason: errnoOf(error) })
    }
  }

  /** First all new contents to the disk, then all renames: a full disk is noticed before any file has changed. */
  async function applyAll(journal: Journal, side: 'before' | 'after'): Promise<void> {
    const changes = journal.changes.map((change, index) => ({
      change,
      content: change[side],
      temp: tempName(change.target, `${journal.id}-${index}`),
      step: `${side === 'after' ? 'apply' : 'restore'}:${index}`,
    }))
    for (const { change, content, temp, step } of changes) {
      if (content === null) continue
      await about(change, async () => {
        await faults(`${step}:temp`)
        await makeParents(change.target, dataDir)
        await writeTemp(temp, change.target, content, newFileMode(change))
      })
    }
    for (const { change, content, temp, step } of changes) {
      await about(change, async () => {
        await faults(`${step}:place`)
        if (side === 'after' && change.keepBackup && change.before !== null) await backUp(change.target, temp)
        if (content === null) await unlinkIfPresent(change.target)
        else await renameOver(temp, change.target)
      })
    }
    await faults(`${side}:sync`)
    for (const { change, content } of changes) {
      await about(change, async () => {
        if (content === null) await removeEmptyParents(change.target, dataDir)
        else await syncDirectory(path.dirname(change.target))
      })
    }
  }

  function newFileMode(change: Change): number {
    return isInside(dataDir, change.target) ? 0o600 : 0o666
  }

  /** The old file itself becomes the backup, so that this takes no space and cannot be torn. */
  async function backUp(target: string, temp: string): Promise<void> {
    const pending = `${temp}.bak`
    try {
      await unlinkIfPresent(pending)
      try {
        await link(target, pending)
      } catch (error) {
        if (isAbsent(error)) throw error
        await copyFile(target, pending)
      }
      await renameOver(pending, `${target}.bak`)
    } catch (error) {
      log.warn('no backup was kept', { path: target, reason: errnoOf(error) })
      await unlinkIfPresent(pending)
    }
  }

  /** After a failed write. What cannot be restored now stays in the rollback note for the next process. */
  async function takeBack(journal: Journal): Promise<void> {
    try {
      await faults('rollback:begin')
      await renameOver(journalFile, rollbackFile)
      await restore(journal)
      await removeNote(rollbackFile)
    } catch (error) {
      log.error('a failed transaction could not be taken back yet', { label: journal.label, error: String(error) })
    }
  }

  /** Old contents for those files that have the new one; what another program wrote meanwhile is not touched. */
  async function restore(journal: Journal): Promise<void> {
    const changed: Change[] = []
    for (const [index, change] of journal.changes.entries()) {
      await unlinkIfPresent(tempName(change.target, `${journal.id}-${index}`))
      const now = await about(change, () => readIfPresent(change.target))
      if (sameBytes(now, change.before)) {
        if (now === null) await removeEmptyParents(change.target, dataDir)
      } else if (sameBytes(now, change.after)) changed.push(change)
      else log.warn('left as another program wrote it', { path: change.target })
    }
    await applyAll({ ...journal, changes: changed }, 'before')
  }

  async function removeNote(file: string): Promise<void> {
    await unlinkIfPresent(file)
    // A note that came back after a power cut would be applied to files that have moved on.
    await syncDirectory(dataDir)
  }

  async function readNote(file: string): Promise<Journal | null> {
    const bytes = await readIfPresent(file)
    if (bytes === null) return null
    const journal = decodeJournal(Buffer.from(bytes).toString('utf8'), dataDir)
    if (journal === null) await putAway(file, 'not a whole journal')
    return journal
  }

  async function putAway(file: string, reason: string): Promise<void> {
    const kept = `${file}.bad-${fileTime(new Date())}`
    await renameOver(file, kept)
    log.error('an interrupted transaction cannot be finished', { path: kept, reason })
  }

  async function finish(journal: Journal): Promise<void> {
    for (const change of journal.changes) {
      const now = await readIfPresent(change.target)
      if (!sameBytes(now, change.before) && !sameBytes(now, change.after)) {
        log.warn('a file of an interrupted transaction was changed since', { path: change.target })
        return giveBack(journal)
      }
    }
    try {
      await applyAll(journal, 'after')
    } catch (error) {
      log.error('an interrupted transaction cannot be finished', { label: journal.label, error: String(error) })
      return giveBack(journal)
    }
    await removeNote(journalFile)
    log.info('finished an interrupted transaction', { label: journal.label })
  }

  async function giveBack(journal: Journal): Promise<void> {
    await renameOver(journalFile, rollbackFile)
    await restoreNote(journal)
  }

  /** A disk that is gone must not block every later write: then the note is kept under another name. */
  async function restoreNote(journal: Journal): Promise<void> {
    try {
      await restore(journal)
      await removeNote(rollbackFile)
      log.info('took back an interrupted transaction', { label: journal.label })
    } catch (error) {
      await putAway(rollbackFile, String(error))
    }
  }

  return {
    commit,
    async hasLeftovers() {
      const found = await Promise.all([journalFile, journalTemp, rollbackFile].map(readIfPresent))
      return found.some((bytes) => bytes !== null)
    },
    async recover() {
      await makeDirectory(dataDir, 0o700)
      const rollback = await readNote(rollbackFile)
      if (rollback !== null) await restoreNote(rollback)
      const journal = await readNote(journalFile)
      if (journal !== null) await finish(journal)
      await unlinkIfPresent(journalTemp)
    },
  }
}

/** Names the file in the failure. */
async function about<T>(change: Change, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw new CompanionError('storage/failed', { path: change.path }, { cause: error })
  }
}
