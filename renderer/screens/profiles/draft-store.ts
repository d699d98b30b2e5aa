import { create } from 'zustand'

import { attempt } from '../../app/bridge.ts'

import { freshDraft, heldTools, isDirty, reread, shownTools, withoutDone } from './drafts.ts'

import type { Failure, ProfileDocument } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'

/** Pause after the last key before the text is diagnosed, in milliseconds. */
const DIAGNOSE_PAUSE_MS = 250

interface DraftsState {
  /** The profile on screen; `null`: the one in use. */
  selected: string | null
  drafts: Readonly<Record<string, Draft>>
  /** Why a profile could not be read. */
  failures: Readonly<Record<string, Failure>>
  select: (name: string) => void
  /** Reads a profile's files, or reads them again. */
  open: (name: string) => Promise<void>
  /** Takes a document that came as the answer of another route. */
  adopt: (document: ProfileDocument) => void
  typeTools: (name: string, text: string) => void
  typeInstructions: (name: string, text: string) => void
  press: (name: string, id: string, on: boolean) => void
  /** The tools that exist are others now: the same text may have other problems. */
  diagnose: (name: string) => void
  save: (name: string) => Promise<void>
  /** Puts the texts back to what was read; answers the draft that was given up. */
  discard: (name: string) => Draft | null
  restore: (draft: Draft) => void
  /** Shows the text of the disk and lays the own one aside. */
  lookAtNew: (name: string) => Promise<void>
  /** Brings back the own text; the next save replaces the new one knowingly. */
  backToMine: (name: string) => void
}

/** Unsaved profiles. They stay while another profile or screen is shown. */
export const useDrafts = create<DraftsState>((set, get) => {
  const running = new Map<string, Promise<void>>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const put = (name: string, draft: Draft): void => set(({ drafts }) => ({ drafts: { ...drafts, [name]: draft } }))
  const patch = (name: string, change: Partial<Draft>): void => {
    const held = get().drafts[name]
    if (held) put(name, { ...held, ...change })
  }

  /** One question about one text: true when there may be more to do. */
  const step = async (name: string): Promise<boolean> => {
    const draft = get().drafts[name]
    if (!draft || (draft.pending.size === 0 && draft.diagnosed === draft.toolsText)) return false
    const { toolsText, pending } = draft
    const wanted = (on: boolean): string[] => [...pending].filter(([, held]) => held === on).map(([id]) => id)
    const answer = await attempt('profiles.draft', { name, toolsText, enable: wanted(true), disable: wanted(false) })
    const now = get().drafts[name]
    if (!now) return false
    if (!answer.ok) {
      patch(name, { failure: answer.error, pending: withoutDone(now.pending, pending), diagnosed: toolsText })
      return true
    }
    // Something was typed meanwhile: the newest text wins, and the presses are done again on it.
    if (now.toolsText !== toolsText) return true
    const text = pending.size > 0 ? heldTools(answer.value.toolsText, now.document) : toolsText
    const { ids, problems } = answer.value
    patch(name, {
      toolsText: text,
      ids,
      problems,
      diagnosed: text,
      pending: withoutDone(now.pending, pending),
      failure: null,
    })
    return true
  }

  const work = (name: string): Promise<void> => {
    const held = running.get(name)
    if (held) return held
    const loop = async (): Promise<void> => {
      while (await step(name));
    }
    const started = loop().finally(() => running.delete(name))
    running.set(name, started)
    return started
  }

  const workSoon = (name: string): void => {
    clearTimeout(timers.get(name))
    timers.set(
      name,
      setTimeout(() => void work(name), DIAGNOSE_PAUSE_MS),
    )
  }

  const adopt = (document: ProfileDocument): void => {
    const { name } = document
    set(({ drafts, failures }) => ({
      drafts: { ...drafts, [name]: reread(drafts[name], document) },
      failures: Object.fromEntries(Object.entries(failures).filter(([held]) => held !== name)),
    }))
    void work(name)
  }

  return {
    selected: null,
    drafts: {},
    failures: {},
    select: (name) => set({ selected: name }),
    open: async (name) => {
      const answer = await attempt('profiles.read', { name })
      if (answer.ok) adopt(answer.value)
      else set(({ failures }) => ({ failures: { ...failures, [name]: answer.error } }))
    },
    adopt,
    typeTools: (name, text) => {
      const draft = get().drafts[name]
      if (!draft || shownTools(draft) === text) return
      patch(name, { toolsText: heldTools(text, draft.document), saved: false })
      workSoon(name)
    },
    typeInstructions: (name, text) => patch(name, { instructionsText: text, saved: false }),
    press: (name, id, on) => {
      const draft = get().drafts[name]
      if (!draft) return
      patch(name, { pending: new Map(draft.pending).set(id, on), saved: false })
      void work(name)
    },
    diagnose: (name) => {
      patch(name, { diagnosed: undefined })
      void work(name)
    },
    save: async (name) => {
      const before = get().drafts[name]
      if (!before || before.saving) return
      patch(name, { saving: true, failure: null })
      await work(name)
      const draft = get().drafts[name]
      if (!draft) return
      const { document, toolsText, instructionsText } = draft
      const answer = await attempt('profiles.save', {
        name,
        revision: document.revision,
        ...(toolsText !== null && toolsText !== document.toolsText ? { toolsText } : {}),
        ...(instructionsText !== document.instructionsText ? { instructionsText } : {}),
      })
      if (answer.ok) {
        patch(name, { document: answer.value, saving: false, saved: true, conflict: null, aside: null })
      } else if (answer.error.code === 'profile/changed-outside') {
        patch(name, { saving: false, conflict: answer.error })
      } else {
        patch(name, { saving: false, failure: answer.error })
      }
    },
    discard: (name) => {
      const draft = get().drafts[name]
      if (!draft || !isDirty(draft)) return null
      put(name, freshDraft(draft.document))
      void work(name)
      void get().open(name)
      return draft
    },
    restore: (draft) => {
      const { toolsText, instructionsText } = draft
      patch(draft.document.name, { toolsText, instructionsText, saved: false })
      void work(draft.document.name)
    },
    lookAtNew: async (name) => {
      const draft = get().drafts[name]
      const answer = await attempt('profiles.read', { name })
      if (!answer.ok) {
        patch(name, { failure: answer.error })
        return
      }
      const { toolsText = null, instructionsText = '' } = draft ?? {}
      put(name, { ...freshDraft(answer.value), aside: draft ? { toolsText, instructionsText } : null })
      void work(name)
    },
    backToMine: (name) => {
      const draft = get().drafts[name]
      if (!draft?.aside) return
      const { document, aside } = draft
      // An inherited list cannot be written over an own one as "none": it is written out.
      const toolsText = aside.toolsText ?? (document.toolsText === null ? null : document.inheritedToolsText)
      patch(name, { toolsText, instructionsText: aside.instructionsText, aside: null, saved: false })
      void work(name)
    },
  }
})
