import { completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { Annotation, Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'react'

import { cspNonce } from '../../../app/csp.ts'

import { changedMarks, setSaved } from './changed-marks.ts'
import { keepLineEnds } from './line-ends.ts'
import { placeholders } from './placeholders.ts'
import { problemView, setProblems } from './problem-view.ts'
import { editorTheme } from './theme.ts'
import { knownTools, toolsLanguage } from './tools-colours.ts'

import type { LineProblem, ProblemWords } from './problem-view.ts'
import type { KnownTool } from './tools-colours.ts'
import type { Extension, TransactionSpec } from '@codemirror/state'

export interface EditorHandle {
  undo: () => void
  redo: () => void
}

export interface EditorHistory {
  canUndo: boolean
  canRedo: boolean
}

export interface CodeEditorProps {
  /** The accessible name, and which file it is. */
  file: 'tools.txt' | 'instructions.txt'
  text: string
  onChange: (text: string) => void
  /** The text on disk. */
  saved: string
  readOnly: boolean
  known: readonly KnownTool[]
  problems: readonly LineProblem[]
  words: ProblemWords
  /** Told once, when the editor is there. */
  onReady: (handle: EditorHandle) => void
  /** It has the focus, or its text was changed, by whomever. */
  onUsed: (history: EditorHistory) => void
}

/** Marks a change that came from outside, so that it is not told back. */
const fromOutside = Annotation.define<boolean>()

/** The smallest change that turns one text into the other: cursor and history survive it. */
function replacing(state: EditorState, next: string): TransactionSpec['changes'] {
  const before = state.sliceDoc()
  if (before === next) return undefined
  const target = state.toText(next)
  const { doc } = state
  let from = 0
  const shortest = Math.min(doc.length, target.length)
  const a = doc.sliceString(0, undefined, '\n')
  const b = target.sliceString(0, undefined, '\n')
  while (from < shortest && a[from] === b[from]) from += 1
  let end = 0
  while (end < shortest - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return { from, to: doc.length - end, insert: target.slice(from, target.length - end) }
}

function extensionsFor(props: CodeEditorProps, known: Compartment, readOnly: Compartment): Extension[] {
  const tools = props.file === 'tools.txt'
  const nonce = cspNonce()
  return [
    nonce ? EditorView.cspNonce.of(nonce) : [],
    keepLineEnds(props.text),
    problemView(props.words),
    lineNumbers(),
    history(),
    changedMarks,
    known.of(knownTools.of(props.known)),
    readOnly.of(readOnlyOf(props.readOnly)),
    tools ? toolsLanguage : placeholders,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': props.file,
      spellcheck: tools ? 'false' : 'true',
      autocapitalize: 'off',
      // Editable content has the focus anyway; checkers ask for it in so many words where the text scrolls.
      tabindex: '0',
    }),
    keymap.of([...(tools ? completionKeymap : []), ...defaultKeymap, ...historyKeymap]),
    editorTheme,
  ]
}

function readOnlyOf(readOnly: boolean): Extension {
  return readOnly
    ? [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })]
    : []
}

/** One file in a text editor that never changes a byte by itself. Mount it anew for another file. */
export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  latest.current = props
  const parts = useRef({ known: new Compartment(), readOnly: new Compartment() })

  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const { known, readOnly } = parts.current
    const listener = EditorView.updateListener.of((update) => {
      const { onChange, onUsed } = latest.current
      const outside = update.transactions.some((transaction) => transaction.annotation(fromOutside))
      if (update.docChanged && !outside) onChange(update.state.sliceDoc())
      if (update.docChanged || (update.focusChanged && update.view.hasFocus)) {
        onUsed({ canUndo: undoDepth(update.state) > 0, canRedo: redoDepth(update.state) > 0 })
      }
    })
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [...extensionsFor(latest.current, known, readOnly), listener],
      }),
    })
    view.current = editor
    latest.current.onReady({ undo: () => undo(editor), redo: () => redo(editor) })
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [])

  const { text, saved, known, readOnly, problems } = props
  // Before anything else can be typed: a later effect could put an older text over a newer key press.
  useLayoutEffect(() => {
    const editor = view.current
    const changes = editor ? replacing(editor.state, text) : undefined
    if (editor && changes) editor.dispatch({ changes, annotations: fromOutside.of(true) })
  }, [text])
  useEffect(() => view.current?.dispatch({ effects: setSaved.of(saved) }), [saved])
  useEffect(() => view.current?.dispatch({ effects: setProblems.of(problems) }), [problems])
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.known.reconfigure(knownTools.of(known)) }),
    [known],
  )
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.readOnly.reconfigure(readOnlyOf(readOnly)) }),
    [readOnly],
  )
  return <div ref={host} className="h-full min-h-0" />
}
