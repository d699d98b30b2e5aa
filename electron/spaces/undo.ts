import { randomUUID } from 'node:crypto'

import { CompanionError } from '../contract/index.ts'

import type { Receipt, Storage } from '../storage/index.ts'

export interface Undo {
  /**
   * @param origin what it was about, for whoever takes it back
   * @returns the id under which it can be taken back for ten minutes.
   */
  add(receipt: Receipt, origin?: string): string
  /**
   * @returns the origin that was given
   * @throws CompanionError `storage/conflict` when it is too late: the time is over, or a file changed since.
   */
  run(undoId: string): Promise<string | undefined>
  /** Nothing that was done until now can be taken back any more. */
  forget(): void
}

const TEN_MINUTES = 10 * 60_000

export function createUndo(deps: {
  storage: Pick<Storage, 'undo'>
  now: () => number
  /** Named when it is too late. */
  file?: string
}): Undo {
  const receipts = new Map<string, { receipt: Receipt; origin: string | undefined; until: number }>()
  const forgetOld = (): void => {
    for (const [id, { until }] of receipts) if (until <= deps.now()) receipts.delete(id)
  }
  return {
    add(receipt, origin) {
      forgetOld()
      const id = randomUUID()
      receipts.set(id, { receipt, origin, until: deps.now() + TEN_MINUTES })
      return id
    },
    forget: () => receipts.clear(),
    async run(undoId) {
      forgetOld()
      const entry = receipts.get(undoId)
      if (entry === undefined)
        throw new CompanionError('storage/conflict', { path: deps.file ?? 'installed_tool_spaces.json' })
      await deps.storage.undo(entry.receipt)
      receipts.delete(undoId)
      return entry.origin
    },
  }
}
