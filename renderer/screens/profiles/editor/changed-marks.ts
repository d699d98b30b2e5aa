import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'

import { changedLines } from '../changed-lines.ts'

import type { EditorState } from '@codemirror/state'
import type { DecorationSet } from '@codemirror/view'

/** The text on disk, which the one in the editor is compared with. */
export const setSaved = StateEffect.define<string>()

interface Compared {
  saved: string
  marks: DecorationSet
}

const changed = Decoration.line({ class: 'cm-line-new' })

function compare(state: EditorState, saved: string): Compared {
  const builder = new RangeSetBuilder<Decoration>()
  for (const number of changedLines(saved, state.sliceDoc()).lines) {
    if (number > state.doc.lines) continue
    const line = state.doc.line(number)
    // An empty last line is the end of the file, nothing that was written.
    if (line.length > 0) builder.add(line.from, line.from, changed)
  }
  return { saved, marks: builder.finish() }
}

/** A soft ground on each line that is new or differs from the text on disk. */
export const changedMarks = StateField.define<Compared>({
  create: (state) => compare(state, state.sliceDoc()),
  update: (held, transaction) => {
    const effect = transaction.effects.find((candidate) => candidate.is(setSaved))
    if (!effect && !transaction.docChanged) return held
    return compare(transaction.state, effect ? effect.value : held.saved)
  },
  provide: (field) => EditorView.decorations.from(field, (compared) => compared.marks),
})
