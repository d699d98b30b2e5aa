import { create } from 'zustand'

import { attempt } from '../app/bridge.ts'

import { useSpaces } from './spaces.ts'

import type { Failure, SpaceReview } from '../../electron/contract/index.ts'

interface ReviewState {
  /** The Space whose change is looked at; `null`: none. */
  slug: string | null
  review: SpaceReview | null
  failure: Failure | null
  /** ID of the tool that is shown, or the slug itself for the Space's address. */
  shown: string | null
  busy: boolean
  /** Shows what changed; `id`: this tool first. */
  open: (slug: string, id?: string) => void
  show: (id: string) => void
  /** Nothing is decided. */
  close: () => void
  /** Writes one decision and answers the way back; `null` when it failed. */
  decide: (answer: 'approve' | 'keepOff', ids: readonly string[]) => Promise<string | null>
}

/** The review of a changed Space. It can be opened from every screen; closing it decides nothing. */
export const useReview = create<ReviewState>((set, get) => {
  const read = async (slug: string): Promise<void> => {
    const answer = await attempt('spaces.review', { slug })
    if (get().slug !== slug) return
    if (answer.ok) set({ review: answer.value, failure: null })
    else set({ failure: answer.error })
  }
  return {
    slug: null,
    review: null,
    failure: null,
    shown: null,
    busy: false,
    open: (slug, id) => {
      set({ slug, review: null, failure: null, shown: id ?? null, busy: false })
      void read(slug)
    },
    show: (shown) => set({ shown }),
    close: () => set({ slug: null, review: null, failure: null, shown: null, busy: false }),
    decide: async (answer, ids) => {
      const { slug } = get()
      if (slug === null) return null
      set({ busy: true, failure: null })
      const approve = answer === 'approve' ? [...ids] : []
      const keepOff = answer === 'keepOff' ? [...ids] : []
      const reply = await attempt('spaces.decide', { slug, approve, keepOff })
      if (reply.ok) useSpaces.getState().accept(reply.value.snapshot)
      if (get().slug === slug) set({ busy: false, failure: reply.ok ? null : reply.error })
      return reply.ok ? reply.value.undoId : null
    },
  }
})

/** What of a Space waits for a decision: IDs of tools, or the slug itself when the Space is elsewhere. */
export function waitingIds(review: SpaceReview, pending: readonly string[]): string[] {
  const place = isMoved(review) ? [review.slug] : []
  const waits = new Set(pending)
  return [...place, ...review.tools.map(({ id }) => id).filter((id) => waits.has(id))]
}

/** The Space has another address, name or visibility than was approved. */
export function isMoved(review: SpaceReview): boolean {
  return review.address !== undefined || review.nowPrivate !== undefined || review.movedTo !== undefined
}
