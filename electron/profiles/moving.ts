/** Renaming profiles, taking them away and having them back. */
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { assertFree } from './creating.ts'
import { moveOverride, putOverride } from './overrides.ts'
import { moveFolder, putAway } from './removed.ts'
import { placeOf } from './roots.ts'

import type { Storage, Transaction } from '../storage/index.ts'
import type { DetailsStore } from './details.ts'
import type { Reading } from './reading.ts'
import type { Place } from './roots.ts'
import type { UndoList } from './undo.ts'
import type { UnsavedStore } from './unsaved.ts'

export interface Moving {
  /** @returns what undoes it. */
  rename(name: string, to: string): Promise<string>
  remove(name: string): Promise<string>
}

/** @param deps `choice` keeps what was chosen in the app. */
export function createMoving(deps: {
  storage: Storage
  reading: Reading
  details: DetailsStore
  unsaved: UnsavedStore
  undos: UndoList
  choice: { get(): Promise<string | null>; set(name: string | null): Promise<void> }
}): Moving {
  const { storage, reading, details, unsaved, undos, choice } = deps

  /**
   * A transaction in which a folder moves. The folder moves at once and the files with the end of the transaction, so it
   * goes back when that fails.
   */
  async function transactMoving<T>(
    label: string,
    body: (tx: Transaction, moved: (from: string, to: string) => void) => Promise<T>,
  ): Promise<T> {
    const moves: Array<{ from: string; to: string }> = []
    try {
      return (await storage.transact(label, (tx) => body(tx, (from, to) => moves.push({ from, to })))).value
    } catch (error) {
      for (const { from, to } of moves) await moveFolder(to, from)
      throw error
    }
  }

  /** Folder, details, unsaved texts; then the choice, if it was this profile. */
  async function renameTo(name: string, to: string, allowed: (place: Place) => void): Promise<void> {
    const wasActive = await transactMoving(`rename profile ${name}`, async (tx, moved) => {
      const listing = await reading.list()
      const place = placeOf(name, listing)
      allowed(place)
      await assertFree(to, listing, place.root, name)
      const { active } = await reading.activeOf(listing)
      await details.put(tx, to, await details.take(tx, name))
      await unsaved.move(tx, name, to)
      await moveOverride(tx, place, to)
      const target = path.join(place.root, to)
      await moveFolder(place.dir, target)
      moved(place.dir, target)
      return active === name
    })
    if (wasActive) await choice.set(to)
  }

  return {
    async rename(name, to) {
      await renameTo(name, to, (place) => {
        if (place.source === 'shipped' || place.edited) throw new CompanionError('profile/shipped', { name })
      })
      return undos.add(() => renameTo(to, name, () => undefined))
    },
    async remove(name) {
      const removed = await transactMoving(`remove profile ${name}`, async (tx, moved) => {
        const listing = await reading.list()
        const place = placeOf(name, listing)
        if (place.source === 'shipped') throw new CompanionError('profile/shipped', { name })
        const { active } = await reading.activeOf(listing)
        if (active === name && !place.edited) throw new CompanionError('profile/in-use', { name })
        // What was set about a shipped profile holds for the shipped one again.
        const kept = place.edited ? undefined : await details.take(tx, name)
        await unsaved.move(tx, name, null)
        const list = await moveOverride(tx, place, null)
        const away = await putAway(place.dir)
        moved(place.dir, away)
        return { place, away, kept, list }
      })
      // Chosen, but broken, so that default is in force: nothing is left to choose.
      const chosen = await choice.get()
      const wasChosen = chosen === name && !removed.place.edited
      if (wasChosen) await choice.set(null)
      return undos.add(async () => {
        await transactMoving(`undo remove profile ${name}`, async (tx, moved) => {
          const { place, away, kept, list } = removed
          const other = (await reading.list()).places.find((candidate) => candidate.name === name)
          if (other !== undefined && other.source !== 'shipped') throw new CompanionError('storage/conflict', { path: place.dir })
          if (kept !== undefined) await details.put(tx, name, kept)
          if (list !== undefined) await putOverride(tx, place, list)
          await moveFolder(away, place.dir)
          moved(away, place.dir)
        })
        if (wasChosen) await choice.set(chosen)
      })
    },
  }
}
