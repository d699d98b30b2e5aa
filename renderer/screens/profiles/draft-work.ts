import { attempt } from '../../app/bridge.ts'

import { freshDraft, heldText, isDirty, onRebased, shownText, withTexts, withoutDone } from './drafts.ts'

import type { ProfileDocument, ProfileTexts, UnsavedProfile } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'
import type { EditMark } from './edit-history.ts'

/** Pause after the last key before the texts are diagnosed, in milliseconds. */
const DIAGNOSE_PAUSE_MS = 250
/** Pause after the last change before the unsaved texts are kept for the case of a crash, in milliseconds. */
const KEEP_PAUSE_MS = 500
/** IDs that one request may name. */
const MAX_IDS = 200

interface Move {
  readonly id: string
  readonly before: string | null
}

export interface DraftWork {
  /** Brings the list view's changes into the text and asks what is wrong with it, until there is nothing to do. */
  run: (name: string) => Promise<void>
  /** The same after a pause in which more may come. */
  runSoon: (name: string) => void
  move: (name: string, move: Move) => void
  /** Puts the unsaved texts on what is on disk now. */
  rebase: (name: string) => Promise<void>
  save: (name: string) => Promise<void>
  recover: (unsaved: UnsavedProfile) => Promise<void>
  bringBack: (name: string) => Promise<void>
  keepSoon: (name: string) => void
  forget: (name: string) => void
}

interface Held {
  draft: (name: string) => Draft | undefined
  put: (name: string, draft: Draft) => void
  /** A new mark for the history. */
  mark: () => EditMark
}

/** All that unsaved profiles ask of the main process. */
export function draftWork({ draft: draftOf, put, mark }: Held): DraftWork {
  const running = new Map<string, Promise<void>>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const keepers = new Map<string, ReturnType<typeof setTimeout>>()
  const moves = new Map<string, Move[]>()
  /** What was kept last; `unknown`: it may be anything. */
  const kept = new Map<string, ProfileTexts | null | 'unknown'>()

  /** What could not be asked last: an answer clears that, never the reason why something was not saved. */
  const unasked = new Map<string, Draft['failure']>()

  const patch = (name: string, change: Partial<Draft>): void => {
    const held = draftOf(name)
    if (held) put(name, { ...held, ...change })
  }

  /** One question about one text: true when there may be more to do. */
  const step = async (name: string): Promise<boolean> => {
    const draft = draftOf(name)
    const move = moves.get(name)?.[0]
    if (!draft || draft.gone) return false
    if (draft.pending.size === 0 && move === undefined && draft.diagnosed === draft.texts) return false
    const { texts } = draft
    const pending = new Map([...draft.pending].slice(0, MAX_IDS))
    const wanted = (on: boolean): string[] => [...pending].filter(([, held]) => held === on).map(([id]) => id)
    const answer = await attempt('profiles.draft', {
      name,
      texts,
      enable: wanted(true),
      disable: wanted(false),
      ...(move === undefined ? {} : { move }),
    })
    const now = draftOf(name)
    if (!now) return false
    if (!answer.ok) {
      moves.delete(name)
      unasked.set(name, answer.error)
      put(name, { ...now, failure: answer.error, pending: withoutDone(now.pending, pending), diagnosed: now.texts })
      return now.texts !== texts
    }
    // Something was typed meanwhile: the newest text wins, and the list view's changes are done again on it.
    if (now.texts !== texts) return true
    if (move !== undefined) moves.set(name, (moves.get(name) ?? []).filter((held) => held !== move))
    const { ids, problems, toolsText } = answer.value
    const edited = pending.size > 0 || move !== undefined
    const text = toolsText === null ? null : heldText(toolsText, 'tools.txt', now.document)
    const next = edited && text !== texts['tools.txt'] ? withTexts(now, { ...texts, 'tools.txt': text }, mark()) : now
    put(name, {
      ...next,
      ids,
      problems,
      diagnosed: next.texts,
      pending: withoutDone(now.pending, pending),
      failure: now.failure === unasked.get(name) ? null : now.failure,
    })
    return true
  }

  const run = (name: string): Promise<void> => {
    const held = running.get(name)
    // What came when it had looked for the last time is not left.
    if (held) return held.then(() => run(name))
    const loop = async (): Promise<void> => {
      while (await step(name));
    }
    const started = loop().finally(() => running.delete(name))
    running.set(name, started)
    return started
  }

  const keep = async (name: string): Promise<void> => {
    const draft = draftOf(name)
    const texts = draft && isDirty(draft) ? draft.texts : null
    if ((kept.get(name) ?? null) === texts) return
    kept.set(name, texts)
    const unsaved = draft && texts ? { base: draft.base, texts } : null
    const answer = await attempt('profiles.keepUnsaved', { name, unsaved })
    // They are still on screen: the next change tries again.
    if (!answer.ok) kept.set(name, 'unknown')
  }

  const later = (timersOf: typeof timers, name: string, pause: number, act: () => void): void => {
    clearTimeout(timersOf.get(name))
    timersOf.set(name, setTimeout(act, pause))
  }

  const rebase = async (name: string, from?: { base: ProfileTexts; document: ProfileDocument }): Promise<void> => {
    const draft = draftOf(name)
    if (!draft) return
    const { texts } = draft
    const answer = await attempt('profiles.rebase', { name, base: from?.base ?? draft.base, texts })
    const now = draftOf(name)
    if (!now) return
    if (!answer.ok) {
      patch(name, { failure: answer.error, saving: false })
      return
    }
    if (now.texts !== texts) {
      await rebase(name, from)
      return
    }
    put(name, { ...onRebased(now, answer.value, mark()), saving: false })
    await run(name)
  }

  const saved = async (name: string, sent: ProfileTexts, document: ProfileDocument, merged: Draft['merged']): Promise<void> => {
    const now = draftOf(name)
    if (!now) return
    const done = { saved: true, conflict: null, merged, recoveredAt: null, failure: null, diagnosed: undefined }
    if (now.texts === sent) {
      const next = withTexts(now, document.texts, mark(), document)
      put(name, { ...next, ...done, base: document.texts, saving: false })
      await run(name)
      return
    }
    // Something was typed while it was being saved: it is put on what is on disk now.
    put(name, { ...now, ...done, base: sent })
    await rebase(name)
  }

  const save = async (name: string): Promise<void> => {
    const before = draftOf(name)
    if (!before || before.saving || before.gone) return
    put(name, { ...before, saving: true, failure: null })
    await run(name)
    const draft = draftOf(name)
    if (!draft) return
    const { base, texts } = draft
    const answer = await attempt('profiles.save', { name, base, texts })
    if (answer.ok) {
      await saved(name, texts, answer.value.document, answer.value.merged)
    } else if (answer.error.code === 'profile/changed-outside') {
      await rebase(name)
    } else if (answer.error.code === 'profile/not-found') {
      patch(name, { saving: false, gone: true })
    } else {
      patch(name, { saving: false, failure: answer.error })
    }
  }

  const recover = async ({ name, base, texts, at }: UnsavedProfile): Promise<void> => {
    if (draftOf(name)) return
    const answer = await attempt('profiles.read', { name })
    if (!answer.ok) return
    const document = answer.value
    kept.set(name, texts)
    put(name, { ...withTexts(freshDraft(document), texts, mark()), base, recoveredAt: at })
    await rebase(name)
  }

  const bringBack = async (name: string): Promise<void> => {
    const draft = draftOf(name)
    if (!draft?.gone) return
    const answer = await attempt('profiles.create', { name, from: 'default' })
    if (!answer.ok) {
      patch(name, { failure: answer.error })
      return
    }
    const texts = { ...draft.texts, 'tools.txt': shownText(draft, 'tools.txt') }
    put(name, { ...draft, document: answer.value, base: answer.value.texts, texts, gone: false, conflict: null })
    await save(name)
  }

  return {
    run,
    runSoon: (name) => later(timers, name, DIAGNOSE_PAUSE_MS, () => void run(name)),
    move: (name, move) => {
      moves.set(name, [...(moves.get(name) ?? []), move])
      void run(name)
    },
    rebase,
    save,
    recover,
    bringBack,
    keepSoon: (name) => later(keepers, name, KEEP_PAUSE_MS, () => void keep(name)),
    forget: (name) => {
      clearTimeout(timers.get(name))
      clearTimeout(keepers.get(name))
      moves.delete(name)
      kept.delete(name)
    },
  }
}
