import { create } from 'zustand'

import { attempt } from '../../app/bridge.ts'
import { useInstalls } from '../../stores/spaces.ts'
import { useToasts } from '../../stores/toasts.ts'

import { usableIds } from './preview-facts.ts'

import type { Failure, InstallResult, SpaceCard, SpacePreview } from '../../../electron/contract/index.ts'

export type InstallPhase = 'looking' | 'choosing' | 'installing' | 'failed'

export interface Installation {
  operationId: string
  /** What was typed or pressed. */
  ref: string
  /** The catalogue's card, when it was started from one. */
  card: SpaceCard | undefined
  startedAt: number
  phase: InstallPhase
  preview: SpacePreview | null
  /** IDs to switch on. */
  chosen: ReadonlySet<string>
  /** `null`: in no profile. `undefined`: not chosen yet, the active one. */
  profile: string | null | undefined
  failure: Failure | null
}

interface InstallState {
  /** The text of the field "Space name or link". */
  typed: string
  type: (text: string) => void
  current: Installation | null
  /** The toast that takes the last installation or removal back. */
  toast: number | null
  /** Shows it in the place of the one before, whose change can no longer be taken back alone. */
  tell: (text: string, undo: () => Promise<void>) => void
  /** What was typed is not the name of a Space: shown beside the field, without a dialog. */
  refused: Failure | null
  /** Looks at a Space: everything up to the list of its tools. */
  start: (ref: string, card?: SpaceCard) => Promise<void>
  again: () => Promise<void>
  choose: (id: string, on: boolean) => void
  enableIn: (profile: string | null) => void
  /** Writes. Answers what was written, `null` when it failed (the failure is in `current`). */
  install: (profile: string | null) => Promise<InstallResult | null>
  /** Gives up, or closes what has failed. Nothing is written. */
  cancel: () => void
}

/** The installation that is on screen. One at a time; it goes on while another screen is shown. */
export const useInstall = create<InstallState>((set, get) => {
  const patch = (operationId: string, change: Partial<Installation>): void => {
    const { current } = get()
    if (current?.operationId === operationId) set({ current: { ...current, ...change } })
  }
  const isCurrent = (operationId: string): boolean => get().current?.operationId === operationId

  const close = (): void => {
    const { current } = get()
    if (!current) return
    useInstalls.getState().forget(current.operationId)
    set({ current: null })
  }

  const look = async (ref: string, card: SpaceCard | undefined): Promise<void> => {
    const operationId = crypto.randomUUID()
    set({
      refused: null,
      current: {
        operationId,
        ref,
        card,
        startedAt: Date.now(),
        phase: 'looking',
        preview: null,
        chosen: new Set(),
        profile: undefined,
        failure: null,
      },
    })
    const answer = await attempt('spaces.preview', { operationId, ref })
    if (!isCurrent(operationId)) return
    if (answer.ok) {
      patch(operationId, { phase: 'choosing', preview: answer.value, chosen: new Set(usableIds(answer.value)) })
    } else if (answer.error.code === 'space/bad-name') {
      close()
      set({ refused: answer.error })
    } else {
      patch(operationId, { phase: 'failed', failure: answer.error })
    }
  }

  return {
    typed: '',
    type: (typed) => set({ typed, refused: null }),
    current: null,
    toast: null,
    tell: (text, undo) => {
      const { show, dismiss } = useToasts.getState()
      const before = get().toast
      if (before !== null) dismiss(before)
      show({ text, undo })
      set({ toast: useToasts.getState().toasts.at(-1)?.id ?? null })
    },
    refused: null,
    start: look,
    again: async () => {
      const { current } = get()
      if (!current) return
      close()
      await look(current.ref, current.card)
    },
    choose: (id, on) => {
      const { current } = get()
      if (!current) return
      const chosen = new Set(current.chosen)
      if (on) chosen.add(id)
      else chosen.delete(id)
      set({ current: { ...current, chosen } })
    },
    enableIn: (profile) => {
      const { current } = get()
      if (current) set({ current: { ...current, profile } })
    },
    install: async (profile) => {
      const { current } = get()
      if (!current?.preview) return null
      const { operationId, preview } = current
      patch(operationId, { phase: 'installing', failure: null })
      const toolIds = profile === null ? [] : usableIds(preview).filter((id) => current.chosen.has(id))
      const answer = await attempt('spaces.install', { operationId, toolIds, profile })
      if (answer.ok) {
        if (isCurrent(operationId)) close()
        if (get().typed.trim() === current.ref) set({ typed: '' })
        return answer.value
      }
      patch(operationId, { phase: 'failed', failure: answer.error })
      return null
    },
    cancel: () => {
      const { current } = get()
      if (!current || current.phase === 'installing') return
      if (current.phase !== 'failed') void attempt('spaces.cancel', { operationId: current.operationId })
      close()
    },
  }
})
