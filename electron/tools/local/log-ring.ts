import { plainText } from '../../mcp/index.ts'

import type { ToolLog } from '../../contract/index.ts'

type Line = ToolLog['lines'][number]

/** Lines kept of each file, and characters of each. */
const LINES = 300
const CHARACTERS = 500

/** The last lines that a tool wrote, of streams that come in pieces of any size. */
export interface LogRing {
  readonly lines: readonly Line[]
  /** Text of a stream as it comes. */
  feed(from: 'out' | 'error', text: string): void
  /** A whole line of the app's own. */
  note(text: string): void
  /** What it said last, for a failure; empty when it said nothing. */
  lastWords(): string
}

export function createLogRing(now: () => number, changed: () => void): LogRing {
  const lines: Line[] = []
  const open = { out: '', error: '' }

  const push = (from: Line['from'], text: string): void => {
    const clean = plainText(text, CHARACTERS).trimEnd()
    if (clean === '') return
    lines.push({ at: now(), from, text: clean })
    if (lines.length > LINES) lines.splice(0, lines.length - LINES)
  }

  return {
    lines,
    feed(from, text) {
      const pieces = (open[from] + text).split(/\r\n|\n|\r/)
      const rest = pieces.pop() ?? ''
      for (const piece of pieces) push(from, piece)
      // Text without an end of line is cut where it would only take up memory.
      if (rest.length > CHARACTERS) push(from, rest)
      open[from] = rest.length > CHARACTERS ? '' : rest
      changed()
    },
    note(text) {
      push('app', text)
      changed()
    },
    lastWords() {
      const rest = plainText(open.error.trim() || open.out.trim(), CHARACTERS)
      return rest || (lines.findLast(({ from }) => from !== 'app')?.text ?? '')
    },
  }
}
