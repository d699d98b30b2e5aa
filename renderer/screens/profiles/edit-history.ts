import type { ProfileFile } from '../../../electron/contract/index.ts'

/** One change of one file's shown text: at `from` stood `removed`, now stands `inserted`. */
export interface EditStep {
  readonly file: ProfileFile
  /** Steps of one action on several files have one group and are taken back together. */
  readonly group: number
  /** Milliseconds; of the last key that went into it. */
  readonly at: number
  readonly typed: boolean
  readonly from: number
  readonly removed: string
  readonly inserted: string
}

/** What can be taken back and done again, of all files of a profile. Oldest first; the last of `undone` is done again first. */
export interface EditHistory {
  readonly past: readonly EditStep[]
  readonly undone: readonly EditStep[]
}

export const NO_HISTORY: EditHistory = { past: [], undone: [] }

/** Keys within this many milliseconds, side by side, are one step. */
const JOIN_MS = 500
/** Steps that are kept. */
const MAX_STEPS = 500

export interface EditMark {
  readonly group: number
  readonly at: number
  /** Came key by key, and may be joined with its neighbours. */
  readonly typed: boolean
}

/** The smallest change that makes one text of the other; `null` when they are the same. Never cuts a character in two. */
export function changeBetween(
  before: string,
  after: string,
): { from: number; removed: string; inserted: string } | null {
  if (before === after) return null
  const shortest = Math.min(before.length, after.length)
  let from = 0
  while (from < shortest && before.charCodeAt(from) === after.charCodeAt(from)) from += 1
  if (isHigh(before.charCodeAt(from - 1))) from -= 1
  let tail = 0
  while (
    tail < shortest - from &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1
  }
  if (isLow(before.charCodeAt(before.length - tail))) tail -= 1
  return { from, removed: before.slice(from, before.length - tail), inserted: after.slice(from, after.length - tail) }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** The history after a file's text changed. What was undone of that file cannot be done again; of others it can. */
export function recorded(
  history: EditHistory,
  file: ProfileFile,
  before: string,
  after: string,
  mark: EditMark,
): EditHistory {
  const change = changeBetween(before, after)
  if (change === null) return history
  const step: EditStep = { file, ...mark, ...change }
  const last = history.past.at(-1)
  const joined = last ? join(last, step) : null
  // A letter that was typed and deleted at once leaves nothing to take back.
  const kept = joined && joined.removed === '' && joined.inserted === '' ? [] : [joined ?? step]
  return {
    past: [...(joined ? history.past.slice(0, -1) : history.past), ...kept].slice(-MAX_STEPS),
    undone: history.undone.filter((held) => held.file !== file),
  }
}

/** Two steps as one, where a person would call them one; else `null`. */
function join(last: EditStep, next: EditStep): EditStep | null {
  const near = last.file === next.file && last.typed && next.typed && next.at - last.at <= JOIN_MS
  if (!near) return null
  const merged = { ...last, at: next.at }
  const end = last.from + last.inserted.length
  if (next.removed === '' && next.from === end) return { ...merged, inserted: last.inserted + next.inserted }
  if (next.inserted !== '') return null
  // Backspace in what was just typed, backspace further on, and Delete at one place.
  if (next.from + next.removed.length === end && next.removed.length <= last.inserted.length) {
    return { ...merged, inserted: last.inserted.slice(0, last.inserted.length - next.removed.length) }
  }
  if (last.inserted !== '') return null
  if (next.from + next.removed.length === last.from) {
    return { ...merged, from: next.from, removed: next.removed + last.removed }
  }
  return next.from === last.from ? { ...merged, removed: last.removed + next.removed } : null
}

export interface Undoing {
  readonly history: EditHistory
  /** To be done to the texts in this order; `removed` stands at `from` and is replaced by `inserted`. */
  readonly changes: readonly EditStep[]
}

function backwards(step: EditStep): EditStep {
  return { ...step, removed: step.inserted, inserted: step.removed }
}

/** Takes back the last step, with all of its group; with a file, the last one of that file alone. `null`: there is none. */
export function undoing(history: EditHistory, file?: ProfileFile): Undoing | null {
  const taken = take(history.past, file)
  if (taken === null) return null
  const undone = [...history.undone, ...[...taken.steps].reverse()]
  return { history: { past: taken.rest, undone }, changes: [...taken.steps].reverse().map(backwards) }
}

/** Does again what was taken back last, in the same way. */
export function redoing(history: EditHistory, file?: ProfileFile): Undoing | null {
  const taken = take(history.undone, file)
  if (taken === null) return null
  const steps = [...taken.steps].reverse()
  return { history: { past: [...history.past, ...steps], undone: taken.rest }, changes: steps }
}

function take(
  steps: readonly EditStep[],
  file: ProfileFile | undefined,
): { steps: readonly EditStep[]; rest: readonly EditStep[] } | null {
  if (file !== undefined) {
    const at = steps.findLastIndex((step) => step.file === file)
    const step = steps[at]
    return step ? { steps: [step], rest: steps.filter((_, index) => index !== at) } : null
  }
  const last = steps.at(-1)
  if (!last) return null
  let from = steps.length - 1
  while (steps[from - 1]?.group === last.group) from -= 1
  return { steps: steps.slice(from), rest: steps.slice(0, from) }
}

/** A text with a step done to it; `null` when the text is not the one that the step was made on. */
export function withChange(text: string, { from, removed, inserted }: EditStep): string | null {
  const to = from + removed.length
  return text.slice(from, to) === removed ? text.slice(0, from) + inserted + text.slice(to) : null
}

export function canUndoIn(history: EditHistory, file?: ProfileFile): boolean {
  return file === undefined ? history.past.length > 0 : history.past.some((step) => step.file === file)
}

export function canRedoIn(history: EditHistory, file?: ProfileFile): boolean {
  return file === undefined ? history.undone.length > 0 : history.undone.some((step) => step.file === file)
}
