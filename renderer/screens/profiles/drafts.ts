import { PROFILE_FILES } from '../../../electron/contract/constants.ts'

import { changedLines } from './changed-lines.ts'
import { NO_HISTORY, canRedoIn, canUndoIn, recorded, withChange } from './edit-history.ts'

import type {
  Failure,
  FileProblem,
  ProfileDocument,
  ProfileFile,
  ProfileTexts,
} from '../../../electron/contract/index.ts'
import type { EditHistory, EditMark, Undoing } from './edit-history.ts'

/** Other words of another program for files that the person has unsaved words for. */
export interface DraftConflict {
  /** What is on disk now. */
  theirs: ProfileDocument
  /** Files whose two changes cannot both be kept. */
  files: readonly ProfileFile[]
}

/** A profile as it is on screen: what is on disk, and what was made of it since. */
export interface Draft {
  /** As last read. */
  document: ProfileDocument
  /** What the unsaved texts were made from: the texts of `document`, but for files in conflict. */
  base: ProfileTexts
  /** `null`: no such file; for tools.txt the list of `default` is inherited then. */
  texts: ProfileTexts
  /** IDs of tools.txt, as the main process reads it. */
  ids: readonly string[]
  /** Problems of all four texts. */
  problems: readonly FileProblem[]
  /** The texts that `ids` and `problems` belong to; `undefined`: they have to be asked again. */
  diagnosed: ProfileTexts | undefined
  /** Switches that were pressed and are not in the text yet. */
  pending: ReadonlyMap<string, boolean>
  saving: boolean
  /** The last thing that happened was a save. */
  saved: boolean
  failure: Failure | null
  conflict: DraftConflict | null
  /** Files in which a change of another program was just put together with the person's. */
  merged: readonly ProfileFile[]
  /** The texts are those of a run that ended before they were saved: when they were kept, ms since 1970. */
  recoveredAt: number | null
  /** The whole profile was taken away by another program; the texts are here alone. */
  gone: boolean
  history: EditHistory
}

export function freshDraft(document: ProfileDocument): Draft {
  return {
    document,
    base: document.texts,
    texts: document.texts,
    ids: [],
    problems: document.problems,
    diagnosed: undefined,
    pending: new Map(),
    saving: false,
    saved: false,
    failure: null,
    conflict: null,
    merged: [],
    recoveredAt: null,
    gone: false,
    history: NO_HISTORY,
  }
}

type Shown = Pick<Draft, 'document' | 'texts'>

/** What the editor of a file shows: for tools.txt the own list, else the inherited one. */
export function shownText({ texts, document }: Shown, file: ProfileFile): string {
  return texts[file] ?? (file === 'tools.txt' ? document.inheritedToolsText : '')
}

export function shownTools(draft: Shown): string {
  return shownText(draft, 'tools.txt')
}

/** What of the disk the text of the editor is compared with. */
export function savedText({ document }: Pick<Draft, 'document'>, file: ProfileFile): string {
  return shownText({ document, texts: document.texts }, file)
}

/** A text of the editor as it is kept: a file that there was none of stays so while nothing else is said than without it. */
export function heldText(text: string, file: ProfileFile, document: ProfileDocument): string | null {
  const without = file === 'tools.txt' ? document.inheritedToolsText : ''
  return document.texts[file] === null && text === without ? null : text
}

export function changedFiles({ texts, document }: Shown): ProfileFile[] {
  return PROFILE_FILES.filter((file) => texts[file] !== document.texts[file])
}

export function isDirty(draft: Pick<Draft, 'texts' | 'document' | 'pending' | 'gone'>): boolean {
  return draft.gone || draft.pending.size > 0 || changedFiles(draft).length > 0
}

/** Changed lines of all files. */
export function changedCount(draft: Shown): number {
  return changedFiles(draft).reduce(
    (sum, file) => sum + changedLines(savedText(draft, file), shownText(draft, file)).count,
    0,
  )
}

/** Whether a switch is on: what was pressed last, else what the text says. */
export function isOn(draft: Pick<Draft, 'pending' | 'ids'>, id: string): boolean {
  return draft.pending.get(id) ?? draft.ids.includes(id)
}

/** The presses that are left after some were done; one that was pressed again meanwhile stays. */
export function withoutDone(
  pending: ReadonlyMap<string, boolean>,
  done: ReadonlyMap<string, boolean>,
): ReadonlyMap<string, boolean> {
  return new Map([...pending].filter(([id, on]) => done.get(id) !== on))
}

/** IDs with one moved before another; `null`: to the end. */
export function movedIds(ids: readonly string[], id: string, before: string | null): readonly string[] {
  if (!ids.includes(id) || id === before) return ids
  const others = ids.filter((held) => held !== id)
  const at = before === null ? others.length : others.indexOf(before)
  return at < 0 ? ids : [...others.slice(0, at), id, ...others.slice(at)]
}

/** Other texts on screen, each difference as a step that can be taken back. The document may be another one as well. */
export function withTexts(draft: Draft, texts: ProfileTexts, mark: EditMark, document = draft.document): Draft {
  const next: Draft = { ...draft, document, texts }
  const history = PROFILE_FILES.reduce(
    (held, file) => recorded(held, file, shownText(draft, file), shownText(next, file), mark),
    draft.history,
  )
  return { ...next, history }
}

/**
 * Something taken back, or done again. Where a text is not the one any more that the step was made on, nothing is touched
 * and the history of that file ends.
 */
export function withUndoing(draft: Draft, { history, changes }: Undoing): Draft {
  let next: Draft = { ...draft, history }
  for (const change of changes) {
    const { file } = change
    const text = withChange(shownText(next, file), change)
    next =
      text === null
        ? { ...next, history: withoutFile(next.history, file) }
        : { ...next, texts: { ...next.texts, [file]: heldText(text, file, next.document) } }
  }
  return { ...next, saved: false }
}

function withoutFile({ past, undone }: EditHistory, file: ProfileFile): EditHistory {
  return { past: past.filter((step) => step.file !== file), undone: undone.filter((step) => step.file !== file) }
}

/** Whether Undo does anything; with a file, in that file alone. */
export function canUndo(draft: Draft, file?: ProfileFile): boolean {
  return draft.pending.size > 0 || canUndoIn(draft.history, file)
}

export function canRedo(draft: Draft, file?: ProfileFile): boolean {
  return draft.pending.size === 0 && canRedoIn(draft.history, file)
}

/** What the main process made of unsaved texts on what is on disk now. */
export interface Rebased {
  document: ProfileDocument
  texts: ProfileTexts
  merged: readonly ProfileFile[]
  conflicts: readonly ProfileFile[]
}

/** A draft on what is on disk now. Files in conflict keep the person's text, and what it was made from. */
export function onRebased(draft: Draft, { document, texts, merged, conflicts }: Rebased, mark: EditMark): Draft {
  const base = { ...document.texts }
  for (const file of conflicts) base[file] = draft.base[file]
  const next = withTexts(draft, texts, mark, document)
  return {
    ...next,
    base,
    gone: false,
    conflict: conflicts.length > 0 ? { theirs: document, files: conflicts } : null,
    merged: [...new Set([...draft.merged, ...merged])].filter((file) => !conflicts.includes(file)),
    diagnosed: undefined,
  }
}

/**
 * One file's conflict decided. The version that was not chosen is one step back in the history: nothing is lost.
 * @param take whose text holds.
 */
export function decided(draft: Draft, file: ProfileFile, take: 'mine' | 'theirs', mark: EditMark): Draft {
  const { conflict } = draft
  if (!conflict?.files.includes(file)) return draft
  const theirs = { ...draft.texts, [file]: conflict.theirs.texts[file] }
  const looked = withTexts(draft, theirs, mark)
  const mine = { ...draft.texts, [file]: ownText(draft.texts[file], file, draft.document) }
  const next = take === 'theirs' ? looked : withTexts(looked, mine, { ...mark, group: mark.group + 1 })
  const files = conflict.files.filter((held) => held !== file)
  return {
    ...next,
    base: { ...draft.base, [file]: draft.document.texts[file] },
    conflict: files.length > 0 ? { ...conflict, files } : null,
    diagnosed: undefined,
    saved: false,
  }
}

/** An inherited list cannot be written over an own one as "none": it is written out. */
function ownText(text: string | null, file: ProfileFile, document: ProfileDocument): string | null {
  return text === null && file === 'tools.txt' && document.texts[file] !== null ? document.inheritedToolsText : text
}
