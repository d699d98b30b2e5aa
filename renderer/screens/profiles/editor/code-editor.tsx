import { completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap } from '@codemirror/commands'
import { Annotation, Compartment, EditorState, Transaction } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder, tooltips } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'react'

import { cspNonce } from '../../../app/csp.ts'

import { changedMarks, setSaved } from './changed-marks.ts'
import { keepLineEnds, lineSeparatorOf } from './line-ends.ts'
import { placeholderEffects, placeholders } from './placeholders.ts'
import { fixLine, goToLine, problemView, setProblems } from './problem-view.ts'
import { editorTheme } from './theme.ts'
import { knownTools, toolsLanguage } from './tools-colours.ts'

import type { ProfileFile } from '../../../../electron/contract/index.ts'
import type { EditorPlace } from '../draft-store.ts'
import type { LineFix } from './line-fixes.ts'
import type { PlaceholderEffect } from './placeholders.ts'
import type { LineProblem, ProblemWords } from './problem-view.ts'
import type { KnownTool } from './tools-colours.ts'
import type { Extension, Text } from '@codemirror/state'

/** What the page around an editor can have it do. */
export interface EditorHandle {
  /** Puts cursor and focus into a line, from 1. */
  goTo: (line: number) => void
  fix: (line: number, fix: LineFix) => void
}

export interface CodeEditorProps {
  /** The accessible name, and which file it is. */
  file: Exclude<ProfileFile, 'voice.txt'>
  text: string
  /** @param typed key by key, so that keys side by side are one step of the history. */
  onChange: (text: string, typed: boolean) => void
  /** The history belongs to the profile: it knows the switches too. */
  onUndo: () => void
  onRedo: () => void
  /** Where the person was in this file when it was shown last. */
  place: EditorPlace | undefined
  onLeave: (place: EditorPlace) => void
  /** The text on disk. */
  saved: string
  readOnly: boolean
  known: readonly KnownTool[]
  /** What the placeholders of the text stand for. */
  effects: readonly PlaceholderEffect[]
  /** Shown while the file is empty. */
  empty?: string | undefined
  onReady: (handle: EditorHandle | null) => void
  problems: readonly LineProblem[]
  words: ProblemWords
}

/** Marks a change that came from outside, so that it is not told back. */
const fromOutside = Annotation.define<boolean>()

/** The smallest change that turns one text into the other: the cursor stays where it is. */
interface Replacing {
  from: number
  to: number
  insert: Text
}

function replacing(state: EditorState, next: string): Replacing | null {
  const before = state.sliceDoc()
  if (before === next) return null
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

/** Undo from the application's menu, the system's gesture or another keyboard comes as an input event. */
function historyKeys(latest: { readonly current: CodeEditorProps }, act: (undo: boolean) => void): Extension {
  const run = (undo: boolean) => (): boolean => {
    if (!latest.current.readOnly) act(undo)
    return true
  }
  return [
    keymap.of([
      { key: 'Mod-z', run: run(true), shift: run(false), preventDefault: true },
      { key: 'Mod-y', run: run(false), preventDefault: true },
    ]),
    EditorView.domEventHandlers({
      beforeinput: ({ inputType }) =>
        inputType === 'historyUndo' || inputType === 'historyRedo' ? run(inputType === 'historyUndo')() : false,
    }),
  ]
}

interface Parts {
  known: Compartment
  effects: Compartment
  readOnly: Compartment
  lineEnds: Compartment
}

function extensionsFor(props: CodeEditorProps, { known, effects, readOnly, lineEnds }: Parts): Extension[] {
  const tools = props.file === 'tools.txt'
  const nonce = cspNonce()
  return [
    nonce ? EditorView.cspNonce.of(nonce) : [],
    lineEnds.of(keepLineEnds(props.text)),
    problemView(props.words),
    lineNumbers(),
    changedMarks,
    known.of(knownTools.of(props.known)),
    effects.of(placeholderEffects.of(props.effects)),
    props.empty === undefined ? [] : placeholder(props.empty),
    // Completion and explanations stay over the editor: the robot beside it is never covered.
    tooltips({ tooltipSpace: spaceOf }),
    readOnly.of(readOnlyOf(props.readOnly)),
    tools ? toolsLanguage : props.file === 'instructions.txt' ? placeholders : [],
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': props.file,
      'aria-description': props.words.keys,
      spellcheck: tools ? 'false' : 'true',
      autocapitalize: 'off',
      // Editable content has the focus anyway; checkers ask for it in so many words where the text scrolls.
      tabindex: '0',
    }),
    keymap.of([...(tools ? completionKeymap : []), ...defaultKeymap]),
    editorTheme,
  ]
}

function spaceOf(view: EditorView): { left: number; right: number; top: number; bottom: number } {
  const { left, right } = view.dom.getBoundingClientRect()
  return { left, right, top: 0, bottom: window.innerHeight }
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
  const parts = useRef<Parts>({
    known: new Compartment(),
    effects: new Compartment(),
    readOnly: new Compartment(),
    lineEnds: new Compartment(),
  })
  // The next text from outside is what the person took back: the cursor goes there.
  const follow = useRef(false)

  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const listener = EditorView.updateListener.of((update) => {
      const outside = update.transactions.some((transaction) => transaction.annotation(fromOutside))
      if (!update.docChanged || outside) return
      follow.current = false
      latest.current.onChange(update.state.sliceDoc(), update.transactions.some(isTyped))
    })
    const act = (undo: boolean): void => {
      follow.current = true
      if (undo) latest.current.onUndo()
      else latest.current.onRedo()
    }
    const { text: doc, place } = latest.current
    const extensions = [historyKeys(latest, act), ...extensionsFor(latest.current, parts.current), listener]
    const editor = new EditorView({ parent, state: EditorState.create({ doc, extensions }) })
    if (place) {
      const within = (at: number): number => Math.min(at, editor.state.doc.length)
      editor.dispatch({ selection: { anchor: within(place.anchor), head: within(place.head) } })
      editor.requestMeasure({ read: () => null, write: () => editor.scrollDOM.scrollTo({ top: place.scrollTop }) })
    }
    view.current = editor
    latest.current.onReady({
      goTo: (line) => goToLine(editor, line),
      fix: (line, fix) => fixLine(editor, line, fix),
    })
    return () => {
      latest.current.onReady(null)
      const { anchor, head } = editor.state.selection.main
      latest.current.onLeave({ anchor, head, scrollTop: editor.scrollDOM.scrollTop })
      editor.destroy()
      view.current = null
    }
  }, [])

  const { text, saved, known, effects, readOnly, problems } = props
  // Before anything else can be typed: a later effect could put an older text over a newer key press.
  useLayoutEffect(() => {
    const editor = view.current
    if (!editor) return
    // Another kind of lines came in, or the last of another kind went: what is typed next follows.
    if (text.includes('\n') && lineSeparatorOf(text) !== editor.state.lineBreak) {
      editor.dispatch({ effects: parts.current.lineEnds.reconfigure(keepLineEnds(text)), annotations: fromOutside.of(true) })
    }
    const changes = replacing(editor.state, text)
    if (!changes) return
    const end = changes.from + changes.insert.length
    // A switch, or something taken back elsewhere: the line that it changed comes into sight.
    const seen = editor.dom.offsetParent === null ? {} : { effects: EditorView.scrollIntoView(end) }
    const shown = follow.current ? { selection: { anchor: end }, scrollIntoView: true } : seen
    follow.current = false
    editor.dispatch({ changes, ...shown, annotations: fromOutside.of(true) })
  }, [text])
  useEffect(() => view.current?.dispatch({ effects: setSaved.of(saved) }), [saved])
  useEffect(() => view.current?.dispatch({ effects: setProblems.of(problems) }), [problems])
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.known.reconfigure(knownTools.of(known)) }),
    [known],
  )
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.effects.reconfigure(placeholderEffects.of(effects)) }),
    [effects],
  )
  useEffect(
    () => view.current?.dispatch({ effects: parts.current.readOnly.reconfigure(readOnlyOf(readOnly)) }),
    [readOnly],
  )
  return <div ref={host} className="h-full min-h-0" />
}

/** Keys, Enter too, whose event has no name of its own. */
function isTyped(transaction: Transaction): boolean {
  const event = transaction.annotation(Transaction.userEvent)
  return event === 'input' || ['input.type', 'delete.backward', 'delete.forward'].some((name) => transaction.isUserEvent(name))
}
