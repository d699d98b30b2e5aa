import { Decoration, MatchDecorator, ViewPlugin } from '@codemirror/view'

import type { DecorationSet, EditorView, ViewUpdate } from '@codemirror/view'

/** A line that is nothing but a name in brackets is replaced by a shared piece of text when the profile is used. */
const matcher = new MatchDecorator({
  regexp: /^[ \t]*\[[\w/-]+\][ \t]*$/gm,
  decoration: Decoration.mark({ class: 'cm-placeholder-name' }),
})

/** Colours placeholders in instructions.txt. */
export const placeholders = ViewPlugin.fromClass(
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
