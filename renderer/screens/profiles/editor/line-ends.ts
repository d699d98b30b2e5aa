import { EditorState, RangeSetBuilder } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view'

import type { Extension } from '@codemirror/state'
import type { DecorationSet, ViewUpdate } from '@codemirror/view'

/**
 * What separates the lines of a text for the editor: CRLF when every line ends so, else LF. With LF, the CR of a text
 * with mixed endings stays in its line as a character, so that what is read back is the same text byte for byte.
 */
export function lineSeparatorOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') && !/[^\r]\n|^\n|\r(?!\n)/.test(text) ? '\r\n' : '\n'
}

const hidden = Decoration.replace({})

/** Hides a CR at the end of a line, which has no shape of its own. */
const hideReturns = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = returnsIn(view)
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = returnsIn(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

function returnsIn(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at)
      if (line.text.endsWith('\r')) builder.add(line.to - 1, line.to, hidden)
      at = line.to + 1
    }
  }
  return builder.finish()
}

/** Keeps the line endings of a text as they are; what is pasted takes over the text's own. */
export function keepLineEnds(text: string): Extension {
  const separator = lineSeparatorOf(text)
  return [
    EditorState.lineSeparator.of(separator),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?|\n/g, separator)),
    hideReturns,
  ]
}
