import { autocompletion } from '@codemirror/autocomplete'
import { Facet, RangeSetBuilder } from '@codemirror/state'
import { Decoration, ViewPlugin } from '@codemirror/view'

import { commentStart, idSpan } from '../problem-marks.ts'

import type { ToolSource } from '../../../../electron/contract/index.ts'
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { DecorationSet, EditorView, ViewUpdate } from '@codemirror/view'

export interface KnownTool {
  id: string
  source: ToolSource
  /** Shown beside it in the completion: where it comes from and what it does. */
  note: string
}

/** The tools that exist. */
export const knownTools = Facet.define<readonly KnownTool[], readonly KnownTool[]>({
  combine: (values) => values.at(-1) ?? [],
})

const comment = Decoration.mark({ class: 'cm-comment' })
const ids = {
  'built-in': Decoration.mark({ class: 'cm-id-built-in' }),
  local: Decoration.mark({ class: 'cm-id-local' }),
  space: Decoration.mark({ class: 'cm-id-remote' }),
  server: Decoration.mark({ class: 'cm-id-remote' }),
} as const satisfies Record<ToolSource, Decoration>

function colours(view: EditorView): DecorationSet {
  const sources = new Map(view.state.facet(knownTools).map((tool) => [tool.id, tool.source]))
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at)
      const id = idSpan(line.text)
      const source = id ? sources.get(line.text.slice(id.from, id.to)) : undefined
      if (id && source) builder.add(line.from + id.from, line.from + id.to, ids[source])
      const start = commentStart(line.text)
      if (start !== null) builder.add(line.from + start, line.to, comment)
      at = line.to + 1
    }
  }
  return builder.finish()
}

/** Colours each known ID by where its tool comes from, and comments. */
const toolColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = colours(view)
    }

    update(update: ViewUpdate): void {
      const retold = update.startState.facet(knownTools) !== update.state.facet(knownTools)
      if (update.docChanged || update.viewportChanged || retold) this.decorations = colours(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

function complete(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(0, context.pos - line.from)
  const typed = /^\s*([^\s#]*)$/.exec(before)?.[1]
  if (typed === undefined || (typed === '' && !context.explicit)) return null
  const known = context.state.facet(knownTools)
  // A whole ID needs no completion: Enter then begins the next line.
  const whole = (text: string): boolean => known.some((tool) => tool.id === text)
  if (whole(typed)) return null
  const text = context.state.doc
  const listed = new Set<string>()
  for (let number = 1; number <= text.lines; number += 1) {
    if (number === line.number) continue
    const other = text.line(number).text
    const id = idSpan(other)
    if (id) listed.add(other.slice(id.from, id.to))
  }
  const options: Completion[] = known
    .filter((tool) => !listed.has(tool.id))
    .map((tool) => ({ label: tool.id, detail: tool.note }))
  return { from: context.pos - typed.length, options, validFor: (word) => /^[^\s#]*$/.test(word) && !whole(word) }
}

/** What makes an editor one of tools.txt. */
export const toolsLanguage: Extension = [toolColours, autocompletion({ override: [complete], icons: false })]
