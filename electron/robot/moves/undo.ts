import { randomUUID } from 'node:crypto'

import { CompanionError } from '../../contract/index.ts'

/** The oldest are forgotten: each holds what it would bring back. */
const MOST = 20

/** Changes that can be taken back until the app ends, each once; one that failed can be tried again. */
export interface UndoList {
  add(undo: () => Promise<void>): string
  /** @throws CompanionError `app/cancelled` when it is too late. */
  undo(id: string): Promise<void>
}

export function createUndoList(): UndoList {
  const undos = new Map<string, () => Promise<void>>()
  return {
    add(undo) {
      const id = randomUUID()
      undos.set(id, undo)
      const [oldest] = undos.keys()
      if (undos.size > MOST && oldest !== undefined) undos.delete(oldest)
      return id
    },
    async undo(id) {
      const undo = undos.get(id)
      if (undo === undefined) throw new CompanionError('app/cancelled')
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
