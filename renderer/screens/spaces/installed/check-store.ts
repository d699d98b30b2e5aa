import { create } from 'zustand'

import { attempt } from '../../../app/bridge.ts'

import type { Failure, RefreshResult } from '../../../../electron/contract/index.ts'

interface CheckState {
  operationId: string | null
  /** What is checked: one Space, or all (`null`). */
  slug: string | null
  /** Milliseconds since 1970. */
  startedAt: number
  result: RefreshResult | null
  failure: Failure | null
  /** Looks again what one Space, or each, offers. */
  check: (slug: string | null) => Promise<void>
  stop: () => void
}

/** The look for changes that is under way, and what the last one found. It goes on while another screen is shown. */
export const useCheck = create<CheckState>((set, get) => ({
  operationId: null,
  slug: null,
  startedAt: 0,
  result: null,
  failure: null,
  check: async (slug) => {
    if (get().operationId !== null) return
    const operationId = crypto.randomUUID()
    set({ operationId, slug, startedAt: Date.now(), result: null, failure: null })
    const answer = await attempt('spaces.refresh', { operationId, slug })
    if (get().operationId !== operationId) return
    set({ operationId: null })
    if (answer.ok) set({ result: answer.value })
    else if (answer.error.code !== 'app/cancelled') set({ failure: answer.error })
  },
  stop: () => {
    const { operationId } = get()
    if (operationId === null) return
    void attempt('spaces.cancel', { operationId })
    set({ operationId: null })
  },
}))

/** What a look has found, in numbers. A Space that could not be looked at is neither as before nor different. */
export function checkCounts(result: RefreshResult): { asBefore: number; differ: number; failed: number } {
  const differs = result.spaces.filter(
    ({ changes }) => changes && changes.added.length + changes.removed.length + changes.changed.length > 0,
  ).length
  const failed = result.spaces.filter(({ ok }) => !ok).length
  return { asBefore: result.spaces.length - differs - failed, differ: differs, failed }
}
