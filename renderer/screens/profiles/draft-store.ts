import { create } from 'zustand'

import { attempt } from '../../app/bridge.ts'

import { draftWork } from './draft-work.ts'
import {
  decided,
  freshDraft,
  heldText,
  isDirty,
  movedIds,
  shownText,
  withTexts,
  withUndoing,
} from './drafts.ts'
import { redoing, undoing } from './edit-history.ts'

import type { Failure, ProfileDocument, ProfileFile, ProfileTexts } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'
import type { EditMark } from './edit-history.ts'

/** Where a person was in a file's editor. */
export interface EditorPlace {
  readonly anchor: number
  readonly head: number
  /** Pixels. */
  readonly scrollTop: number
}

export interface DraftsState {
  /** The profile on screen; `null`: the one in use. */
  selected: string | null
  drafts: Readonly<Record<string, Draft>>
  /** Why a profile could not be read. */
  failures: Readonly<Record<string, Failure>>
  select: (name: string) => void
  /** Reads a profile's files, or reads them again; unsaved texts are put together with what changed. Never rejects. */
  open: (name: string) => Promise<void>
  /** Takes a document that came as the answer of another route. */
  adopt: (document: ProfileDocument) => void
  /** @param typed it came key by key: side by side keys are taken back together. */
  type: (name: string, file: ProfileFile, text: string | null, typed?: boolean) => void
  press: (name: string, id: string, on: boolean) => void
  pressAll: (name: string, ids: readonly string[], on: boolean) => void
  /** @param before `null`: to the end. */
  move: (name: string, id: string, before: string | null) => void
  /** With a file, the last change of that file; else the last one of all, switches included. */
  undo: (name: string, file?: ProfileFile) => Promise<void>
  redo: (name: string, file?: ProfileFile) => Promise<void>
  /** The tools that exist are others now: the same text may have other problems. */
  diagnose: (name: string) => void
  save: (name: string) => Promise<void>
  /** Puts the texts back to what is on disk; answers the draft that was given up. */
  discard: (name: string) => Draft | null
  restore: (draft: Draft) => void
  /** Without a file: all that are in conflict. */
  keepMine: (name: string, file?: ProfileFile) => void
  takeTheirs: (name: string, file?: ProfileFile) => void
  setTexts: (name: string, texts: ProfileTexts) => void
  /** Makes a profile again that was taken away outside, from the unsaved texts. */
  bringBack: (name: string) => Promise<void>
  /** What was told about merged files or recovered texts was read. */
  acknowledge: (name: string) => void
  /** Forgets everything about a profile that was renamed or removed here. */
  forget: (name: string) => void
  place: (name: string, file: ProfileFile) => EditorPlace | undefined
  keepPlace: (name: string, file: ProfileFile, place: EditorPlace) => void
}

/** Unsaved profiles. They stay while another profile or screen is shown, and are kept for the case of a crash. */
export const useDrafts = create<DraftsState>((set, get) => {
  const places = new Map<string, EditorPlace>()
  let groups = 0
  let recovering: Promise<void> | null = null

  const mark = (typed = false): EditMark => {
    groups += 2
    return { group: groups, at: Date.now(), typed }
  }
  const put = (name: string, draft: Draft): void => {
    set(({ drafts }) => ({ drafts: { ...drafts, [name]: draft } }))
    work.keepSoon(name)
  }
  const patch = (name: string, change: Partial<Draft>): void => {
    const held = get().drafts[name]
    if (held) put(name, { ...held, ...change })
  }
  const work = draftWork({ draft: (name) => get().drafts[name], put, mark })

  const setFailure = (name: string, failure: Failure | null): void =>
    set(({ failures }) => {
      const others = Object.fromEntries(Object.entries(failures).filter(([held]) => held !== name))
      return { failures: failure === null ? others : { ...others, [name]: failure } }
    })

  const adopt = (document: ProfileDocument): void => {
    const { name } = document
    setFailure(name, null)
    const held = get().drafts[name]
    if (!held) put(name, freshDraft(document))
    else if (held.saving) return
    else if (held.document.revision === document.revision && !held.gone) patch(name, { document })
    else if (isDirty(held)) {
      void work.rebase(name)
      return
    } else {
      const next = held.history.past.length > 0 ? withTexts(held, document.texts, mark(), document) : freshDraft(document)
      put(name, { ...next, base: document.texts, diagnosed: undefined })
    }
    void work.run(name)
  }

  const recover = async (): Promise<void> => {
    const answer = await attempt('profiles.unsaved', {})
    // Texts that cannot be had back now are still on disk, and asked for again.
    if (!answer.ok) recovering = null
    else await Promise.all(answer.value.unsaved.map((unsaved) => work.recover(unsaved)))
  }

  const decide = (name: string, take: 'mine' | 'theirs', file?: ProfileFile): void => {
    let draft = get().drafts[name]
    for (const held of file ? [file] : (draft?.conflict?.files ?? [])) {
      if (draft) draft = decided(draft, held, take, mark())
    }
    if (!draft) return
    put(name, draft)
    void work.run(name)
  }

  const step = async (name: string, way: typeof undoing, file?: ProfileFile): Promise<void> => {
    // A switch that is on its way is the last thing that was done.
    await work.run(name)
    const draft = get().drafts[name]
    const undone = draft ? way(draft.history, file) : null
    if (!draft || !undone || draft.saving) return
    put(name, withUndoing(draft, undone))
    await work.run(name)
  }

  const setTexts = (name: string, texts: ProfileTexts): void => {
    const draft = get().drafts[name]
    if (!draft) return
    put(name, { ...withTexts(draft, texts, mark()), saved: false })
    void work.run(name)
  }

  return {
    selected: null,
    drafts: {},
    failures: {},
    select: (name) => set({ selected: name }),
    open: async (name) => {
      recovering ??= recover()
      await recovering
      const answer = await attempt('profiles.read', { name })
      if (answer.ok) {
        adopt(answer.value)
        return
      }
      const draft = get().drafts[name]
      const gone = answer.error.code === 'profile/not-found'
      if (draft && gone && isDirty(draft)) patch(name, { gone: true, saved: false })
      else setFailure(name, answer.error)
    },
    adopt,
    type: (name, file, text, typed = false) => {
      const draft = get().drafts[name]
      if (!draft) return
      const held = text === null ? null : heldText(text, file, draft.document)
      if (draft.texts[file] === held) return
      put(name, { ...withTexts(draft, { ...draft.texts, [file]: held }, mark(typed)), saved: false })
      work.runSoon(name)
    },
    press: (name, id, on) => get().pressAll(name, [id], on),
    pressAll: (name, ids, on) => {
      const draft = get().drafts[name]
      if (!draft) return
      const pending = new Map(draft.pending)
      for (const id of ids) pending.set(id, on)
      patch(name, { pending, saved: false })
      void work.run(name)
    },
    move: (name, id, before) => {
      const draft = get().drafts[name]
      if (!draft) return
      patch(name, { ids: movedIds(draft.ids, id, before), saved: false })
      work.move(name, { id, before })
    },
    undo: (name, file) => step(name, undoing, file),
    redo: (name, file) => step(name, redoing, file),
    diagnose: (name) => {
      patch(name, { diagnosed: undefined })
      void work.run(name)
    },
    save: (name) => work.save(name),
    discard: (name) => {
      const draft = get().drafts[name]
      if (!draft || !isDirty(draft)) return null
      const { document } = draft
      put(name, {
        ...withTexts(draft, document.texts, mark()),
        base: document.texts,
        pending: new Map(),
        conflict: null,
        merged: [],
        recoveredAt: null,
        gone: false,
        failure: null,
        diagnosed: undefined,
      })
      void work.run(name)
      void get().open(name)
      return draft
    },
    restore: ({ document, texts }) => setTexts(document.name, texts),
    keepMine: (name, file) => decide(name, 'mine', file),
    takeTheirs: (name, file) => decide(name, 'theirs', file),
    setTexts,
    bringBack: (name) => work.bringBack(name),
    acknowledge: (name) => patch(name, { merged: [], recoveredAt: null }),
    forget: (name) => {
      work.forget(name)
      setFailure(name, null)
      set(({ drafts }) => ({ drafts: Object.fromEntries(Object.entries(drafts).filter(([held]) => held !== name)) }))
    },
    place: (name, file) => places.get(`${name} ${file}`),
    keepPlace: (name, file, place) => places.set(`${name} ${file}`, place),
  }
})

/** What the editor of a file shows, for code that has no draft at hand. */
export function textOnScreen(name: string, file: ProfileFile): string {
  const draft = useDrafts.getState().drafts[name]
  return draft ? shownText(draft, file) : ''
}
