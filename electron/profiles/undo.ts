/** Changes that can be taken back until the app ends. */
import { randomUUID } from 'node:crypto'

import { CompanionError } from '../contract/index.ts'

/** The oldest are forgotten: each holds what it would bring back. */
const MAX_UNDO = 50

export interface UndoList {
  /** @returns what {@link undo} is given. */
  add(undo: () => Promise<void>): string
  /** Once. One that failed can be tried again. @throws CompanionError `app/cancelled` when it is too late. */
  undo(id: string): Promise<void>
}

export function createUndoList(): UndoList {
  const undos = new Map<string, () => Promise<void>>()
  return {
    add(undo) {
      const id = randomUUID()
      undos.set(id, undo)
      for (const old of [...undos.keys()].slice(0, Math.max(0, undos.size - MAX_UNDO))) undos.delete(old)
      return id
    },
    async undo(id) {
      const undo = undos.get(id)
      if (undo === undefined) throw new CompanionError('app/cancelled')
      // Before it runs: pressed twice, it runs once.
      undos.delete(id)
      try {
        await undo()
      } catch (error) {
        undos.set(id, undo)
        throw error
      }
    },
  }
}
