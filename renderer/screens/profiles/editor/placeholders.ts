import { Facet, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  hoverTooltip,
  showTooltip,
} from '@codemirror/view'

import type { EditorState, Extension } from '@codemirror/state'
import type { DecorationSet, Tooltip, TooltipView, ViewUpdate } from '@codemirror/view'

/** What stands in the place of a placeholder when a model reads it. */
export interface PlaceholderEffect {
  readonly name: string
  /** "Stands for:" */
  readonly label: string
  readonly text: string
}

/** The known placeholders of the text, by name. */
export const placeholderEffects = Facet.define<
  readonly PlaceholderEffect[],
  ReadonlyMap<string, PlaceholderEffect>
>({
  combine: (values) => new Map(values.flat().map((effect) => [effect.name, effect])),
})

/** A line that is nothing but a name in brackets is replaced by a shared piece of text when the profile is used. */
const matcher = new MatchDecorator({
  regexp: /^[ \t]*\[[\w/-]+\][ \t]*\r?$/gm,
  decoration: Decoration.mark({ class: 'cm-placeholder-name' }),
})

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view)
    }

    update(update: ViewUpdate): void {
      this.decorations = matcher.updateDeco(update, this.decorations)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

/** The name of a line that is a placeholder. */
export function placeholderName(line: string): string | null {
  return /^\s*\[([\w/-]+)\]\s*$/.exec(line)?.[1] ?? null
}

function tooltipAt(state: EditorState, at: number): Tooltip | null {
  const line = state.doc.lineAt(at)
  const name = placeholderName(line.text)
  const effect = name === null ? undefined : state.facet(placeholderEffects).get(name)
  return effect ? { pos: line.from, end: line.to, above: false, create: () => box(effect) } : null
}

function box({ label, text }: PlaceholderEffect): TooltipView {
  const dom = document.createElement('div')
  dom.className = 'cm-placeholder-effect'
  const head = document.createElement('strong')
  head.textContent = label
  const body = document.createElement('p')
  body.textContent = text.trim()
  dom.append(head, body)
  return { dom }
}

const setFocused = StateEffect.define<boolean>()

/** Whether the person is in the editor: only then the line of the cursor explains itself. */
const focused = StateField.define<boolean>({
  create: () => false,
  update: (held, transaction) => transaction.effects.find((effect) => effect.is(setFocused))?.value ?? held,
})

const atCursor = showTooltip.compute([focused, 'doc', 'selection', placeholderEffects], (state) =>
  state.field(focused) ? tooltipAt(state, state.selection.main.head) : null,
)

const atPointer = hoverTooltip(({ state }, at) => {
  const explained = state.field(focused) && state.doc.lineAt(at).from === state.doc.lineAt(state.selection.main.head).from
  return explained ? null : tooltipAt(state, at)
})

/** Says to a screen reader what the line stands for when the cursor comes to it. */
const told = EditorView.updateListener.of(({ startState, state, selectionSet, view }) => {
  if (!selectionSet || !state.field(focused)) return
  const line = state.doc.lineAt(state.selection.main.head)
  if (startState.doc.lines === state.doc.lines && startState.doc.lineAt(startState.selection.main.head).number === line.number) return
  const effect = state.facet(placeholderEffects).get(placeholderName(line.text) ?? '')
  if (!effect) return
  queueMicrotask(() => view.dispatch({ effects: EditorView.announce.of(`${effect.label} ${effect.text.trim()}`) }))
})

/** Colours placeholders in instructions.txt, and shows what each stands for under the pointer and the cursor. */
export const placeholders: Extension = [
  colours,
  focused,
  EditorView.focusChangeEffect.of((_, focusing) => setFocused.of(focusing)),
  atCursor,
  atPointer,
  told,
]
