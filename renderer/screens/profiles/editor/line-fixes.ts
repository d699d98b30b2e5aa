import { commentStart, idSpan } from '../problem-marks.ts'

/** What one press does to one line. */
export type LineFix =
  | { readonly kind: 'replace'; readonly id: string }
  | { readonly kind: 'removeLine' }
  | { readonly kind: 'moveComment' }
  | { readonly kind: 'removeBom' }
  | { readonly kind: 'makeHeading' }

export type FixKind = LineFix['kind']

/**
 * The line after a fix, as lines; none: it is removed. A CR that the editor keeps in a line of a file with mixed endings
 * stays at its end. `null`: there is nothing to be fixed in this line any more.
 */
export function fixedLines(line: string, fix: LineFix): readonly string[] | null {
  const end = line.endsWith('\r') ? '\r' : ''
  const text = line.slice(0, line.length - end.length)
  switch (fix.kind) {
    case 'removeLine':
      return []
    case 'replace': {
      const span = idSpan(text)
      return span ? [text.slice(0, span.from) + fix.id + text.slice(span.to) + end] : null
    }
    case 'moveComment': {
      const at = commentStart(text)
      const id = idSpan(text)
      if (at === null || !id || id.from > at) return null
      return [text.slice(at) + end, text.slice(0, at).trimEnd() + end]
    }
    case 'removeBom':
      return text.includes('\uFEFF') ? [text.replaceAll('\uFEFF', '') + end] : null
    case 'makeHeading': {
      const name = /^\s*\[([^\]]+)\]\s*$/.exec(text)?.[1]
      return name === undefined ? null : [`## ${name}${end}`]
    }
  }
}
