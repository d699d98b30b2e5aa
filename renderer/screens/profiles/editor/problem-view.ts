import { completionStatus } from '@codemirror/autocomplete'
import { RangeSet, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, GutterMarker, WidgetType, gutter, keymap } from '@codemirror/view'

import { idSpan } from '../problem-marks.ts'

import { fixedLines } from './line-fixes.ts'

import type { Severity } from '../problem-marks.ts'
import type { LineFix } from './line-fixes.ts'
import type { EditorState, Extension, Range } from '@codemirror/state'
import type { DecorationSet } from '@codemirror/view'

/** A problem of one line, with its words. */
export interface LineProblem {
  /** From 1. */
  line: number
  severity: Severity
  text: string
  code: string
  /** What can be done about it; the first is offered as the answer. */
  fixes: readonly (LineFix & { readonly label: string })[]
}

export interface ProblemWords {
  /** "Line 11:", for the screen reader. */
  line: (line: number) => string
  /** What keys do about problems, for the screen reader. */
  keys: string
}

/** So many explain themselves at once; the others when the cursor is on their line. */
const OPEN_AT_ONCE = 3

export const setProblems = StateEffect.define<readonly LineProblem[]>()

const TRIANGLE = 'M10.3 4.9 3.6 16.5a2 2 0 0 0 1.7 3h13.4a2 2 0 0 0 1.7-3L13.7 4.9a2 2 0 0 0-3.4 0zM12 9.5v4M12 16.4v.1'
const SVG = 'http://www.w3.org/2000/svg'

class ProblemMark extends GutterMarker {
  constructor(readonly severity: Severity) {
    super()
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof ProblemMark && other.severity === this.severity
  }

  override toDOM(): Node {
    const svg = document.createElementNS(SVG, 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('fill', 'none')
    svg.setAttribute('stroke', 'currentColor')
    svg.setAttribute('stroke-width', '1.8')
    svg.setAttribute('class', `cm-mark-${this.severity}`)
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('d', TRIANGLE)
    svg.append(path)
    return svg
  }
}

const MARKS = { bad: new ProblemMark('bad'), note: new ProblemMark('note') } as const

function button(label: string, quiet: boolean, press: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.textContent = label
  element.className = [
    'inline-flex min-h-(--size-control-s) items-center rounded-control border px-2.5 font-medium',
    quiet ? 'border-transparent text-ink-2 hover:bg-hover' : 'border-line-strong bg-raised hover:bg-hover',
  ].join(' ')
  element.addEventListener('click', press)
  return element
}

class ProblemCard extends WidgetType {
  constructor(
    readonly problem: LineProblem,
    readonly words: ProblemWords,
  ) {
    super()
  }

  override eq(other: ProblemCard): boolean {
    return JSON.stringify(other.problem) === JSON.stringify(this.problem) && other.words === this.words
  }

  override get estimatedHeight(): number {
    return 76
  }

  override toDOM(view: EditorView): HTMLElement {
    const { problem, words } = this
    // A margin of a block widget is not part of its measured height: the space around it is padding.
    const element = document.createElement('div')
    element.className = 'pt-1 pr-2.5 pb-1.5 font-sans text-small'
    const card = document.createElement('div')
    card.className = 'grid max-w-[34rem] gap-1.5 rounded-control border border-line bg-raised px-3 pt-2 pb-2.5 text-ink shadow-raised'
    const text = document.createElement('p')
    text.className = 'wrap-anywhere whitespace-normal'
    const line = document.createElement('span')
    line.className = 'sr-only'
    line.textContent = `${words.line(problem.line)} `
    const code = document.createElement('span')
    code.className = 'mono ml-1.5 text-ink-3'
    code.textContent = problem.code
    text.append(line, problem.text, code)
    card.append(text)
    if (problem.fixes.length > 0) {
      const row = document.createElement('div')
      row.className = 'flex flex-wrap gap-2'
      problem.fixes.forEach((fix, index) => {
        const quiet = index > 0 || fix.kind === 'removeLine'
        row.append(button(fix.label, quiet, () => applyFix(view, view.posAtDOM(element), fix)))
      })
      card.append(row)
    }
    element.append(card)
    return element
  }

  override ignoreEvent(): boolean {
    return true
  }
}

function applyFix(view: EditorView, at: number, fix: LineFix): void {
  changeLine(view, at, fix)
  view.focus()
}

function changeLine(view: EditorView, at: number, fix: LineFix): void {
  const line = view.state.doc.lineAt(at)
  const fixed = fixedLines(line.text, fix)
  if (fixed === null) return
  if (fixed.length === 0) {
    removeLine(view, at)
    return
  }
  const insert = view.state.toText(fixed.join(view.state.lineBreak))
  view.dispatch({
    changes: { from: line.from, to: line.to, insert },
    selection: { anchor: line.from + insert.length },
    userEvent: 'input.fix',
  })
}

function removeLine(view: EditorView, at: number): void {
  const { doc } = view.state
  const line = doc.lineAt(at)
  const last = line.number === doc.lines
  const from = last && line.number > 1 ? line.from - 1 : line.from
  view.dispatch({
    changes: { from, to: last ? line.to : line.to + 1 },
    selection: { anchor: Math.min(from, doc.length) },
    userEvent: 'delete.line',
  })
}

/** Cursor and focus to a line, from 1. */
export function goToLine(view: EditorView, line: number): void {
  const { doc } = view.state
  const at = doc.line(Math.max(1, Math.min(line, doc.lines))).from
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
  view.focus()
}

/** A repair of a line, from 1; the focus stays where it is. Nothing happens where there is no such line any more. */
export function fixLine(view: EditorView, line: number, fix: LineFix): void {
  const { doc } = view.state
  if (line >= 1 && line <= doc.lines) changeLine(view, doc.line(line).from, fix)
}

interface Shown {
  /** Sorted by line; positions follow the text as it is edited. */
  problems: readonly { problem: LineProblem; at: number }[]
  decorations: DecorationSet
  marks: RangeSet<GutterMarker>
}

function show(state: EditorState, problems: Shown['problems'], words: ProblemWords): Shown {
  const cursor = state.doc.lineAt(state.selection.main.head).from
  // A word that is being completed is not wrong yet, and its explanation would lie under the choices.
  const completing = completionStatus(state) === 'active'
  const ranges: Range<Decoration>[] = []
  const marks = new RangeSetBuilder<GutterMarker>()
  const marked = new Set<number>()
  problems.forEach(({ problem, at }, index) => {
    const line = state.doc.lineAt(Math.min(at, state.doc.length))
    const bad = problem.severity === 'bad'
    if (completing && line.from === cursor) return
    if (!marked.has(line.from)) {
      marked.add(line.from)
      marks.add(line.from, line.from, MARKS[problem.severity])
      if (bad) ranges.push(Decoration.line({ class: 'cm-line-bad' }).range(line.from))
    }
    const span = idSpan(line.text) ?? { from: 0, to: line.length }
    if (span.to > span.from) {
      const wave = Decoration.mark({ class: bad ? 'cm-wavy-bad' : 'cm-wavy-note' })
      ranges.push(wave.range(line.from + span.from, line.from + span.to))
    }
    const open = (bad && index < OPEN_AT_ONCE) || line.from === cursor
    if (open) {
      const widget = new ProblemCard({ ...problem, line: line.number }, words)
      ranges.push(Decoration.widget({ widget, side: 1, block: true }).range(line.to))
    }
  })
  return { problems, decorations: Decoration.set(ranges, true), marks: marks.finish() }
}

function placed(state: EditorState, problems: readonly LineProblem[]): Shown['problems'] {
  return problems
    .filter((problem) => problem.line >= 1 && problem.line <= state.doc.lines)
    .map((problem) => ({ problem, at: state.doc.line(problem.line).from }))
    .sort((a, b) => a.at - b.at)
}

/**
 * Marks the lines that have a problem and explains them below, with what can be done about it. F8 goes to the next,
 * Shift F8 to the one before, Alt Enter makes the first repair of the line.
 */
export function problemView(words: ProblemWords): Extension {
  const field = StateField.define<Shown>({
    create: () => ({ problems: [], decorations: Decoration.none, marks: RangeSet.of<GutterMarker>([]) }),
    update: (held, transaction) => {
      const effect = transaction.effects.find((candidate) => candidate.is(setProblems))
      if (effect) return show(transaction.state, placed(transaction.state, effect.value), words)
      const completion = completionStatus(transaction.startState) !== completionStatus(transaction.state)
      if (!transaction.docChanged && !transaction.selection && !completion) return held
      const moved = held.problems.map(({ problem, at }) => ({ problem, at: transaction.changes.mapPos(at) }))
      return show(transaction.state, moved, words)
    },
    provide: (self) => EditorView.decorations.from(self, (shown) => shown.decorations),
  })
  const go = (view: EditorView, back: boolean): boolean => {
    const { problems } = view.state.field(field)
    const line = view.state.doc.lineAt(view.state.selection.main.head)
    const target = back
      ? (problems.findLast(({ at }) => at < line.from) ?? problems.at(-1))
      : (problems.find(({ at }) => at > line.to) ?? problems[0])
    if (!target) return false
    const { number } = view.state.doc.lineAt(target.at)
    view.dispatch({
      selection: { anchor: target.at },
      scrollIntoView: true,
      effects: EditorView.announce.of(`${words.line(number)} ${target.problem.text}`),
    })
    return true
  }
  const repair = (view: EditorView): boolean => {
    const line = view.state.doc.lineAt(view.state.selection.main.head)
    const held = view.state.field(field).problems.find(({ problem, at }) => {
      return at >= line.from && at <= line.to && problem.fixes.length > 0
    })
    const fix = held?.problem.fixes[0]
    if (!held || !fix) return false
    applyFix(view, held.at, fix)
    return true
  }
  return [
    field,
    gutter({ class: 'cm-problems', markers: (view) => view.state.field(field).marks }),
    keymap.of([
      { key: 'F8', run: (view) => go(view, false), shift: (view) => go(view, true) },
      { key: 'Alt-Enter', run: repair },
    ]),
  ]
}
