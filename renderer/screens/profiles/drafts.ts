import type { Failure, FileProblem, ProfileDocument } from '../../../electron/contract/index.ts'

export interface Texts {
  /** `null`: no file of its own, the list of `default` is inherited. */
  toolsText: string | null
  instructionsText: string
}

/** A profile as it is on screen: what was read, and what was made of it since. */
export interface Draft extends Texts {
  document: ProfileDocument
  /** IDs of the text, as the main process reads it. */
  ids: readonly string[]
  /** Problems of the text of tools.txt. */
  problems: readonly FileProblem[]
  /** The text that `ids` and `problems` belong to; `undefined`: it has to be asked again. */
  diagnosed: string | null | undefined
  /** Switches that were pressed and are not in the text yet. */
  pending: ReadonlyMap<string, boolean>
  saving: boolean
  /** The last thing that happened was a save. */
  saved: boolean
  failure: Failure | null
  /** The files were changed by another program since they were read. */
  conflict: Failure | null
  /** The person's own texts, while the new ones of the disk are looked at. */
  aside: Texts | null
}

export function freshDraft(document: ProfileDocument): Draft {
  const { toolsText, instructionsText, problems } = document
  return {
    document,
    toolsText,
    instructionsText,
    ids: [],
    problems: problems.filter((problem) => problem.file === 'tools.txt'),
    diagnosed: undefined,
    pending: new Map(),
    saving: false,
    saved: false,
    failure: null,
    conflict: null,
    aside: null,
  }
}

/** What tools.txt shows: the own list, else the inherited one. */
export function shownTools({ toolsText, document }: Pick<Draft, 'toolsText' | 'document'>): string {
  return toolsText ?? document.inheritedToolsText
}

/** A text of tools.txt as it is kept: the inherited list, unchanged, stays inherited. */
export function heldTools(text: string, document: ProfileDocument): string | null {
  return document.toolsText === null && text === document.inheritedToolsText ? null : text
}

export function isDirty(draft: Draft): boolean {
  return (
    draft.toolsText !== draft.document.toolsText ||
    draft.instructionsText !== draft.document.instructionsText ||
    draft.pending.size > 0
  )
}

/**
 * What becomes of a draft when its files were read again: unsaved texts are never replaced; when the files have
 * another revision, the draft is in conflict instead. While it is being saved nothing is concluded.
 */
export function reread(held: Draft | undefined, document: ProfileDocument): Draft {
  if (!held) return freshDraft(document)
  if (held.saving) return held
  if (!isDirty(held)) {
    const same = held.document.revision === document.revision
    const draft = freshDraft(document)
    return same
      ? { ...draft, ids: held.ids, problems: held.problems, diagnosed: held.diagnosed, saved: held.saved, aside: held.aside }
      : { ...draft, aside: held.aside }
  }
  if (held.document.revision === document.revision) return { ...held, document }
  return { ...held, conflict: changedOutside(document.name) }
}

/** The failure that the main process would answer to a save; its words come from its code. */
export function changedOutside(name: string): Failure {
  return { code: 'profile/changed-outside', message: 'The profile was changed by another program.', details: { name } }
}

/** Whether a switch is on: what was pressed last, else what the text says. */
export function isOn(draft: Draft, id: string): boolean {
  return draft.pending.get(id) ?? draft.ids.includes(id)
}

/** The presses that are left after some were done; one that was pressed again meanwhile stays. */
export function withoutDone(
  pending: ReadonlyMap<string, boolean>,
  done: ReadonlyMap<string, boolean>,
): ReadonlyMap<string, boolean> {
  return new Map([...pending].filter(([id, on]) => done.get(id) !== on))
}
