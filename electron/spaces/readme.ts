import { scanReadme } from './readme-scan.ts'

import type { ReadmeBase } from './readme-links.ts'

export type { ReadmeBase } from './readme-links.ts'

/** A README as it is shown: Markdown without HTML, with absolute addresses. */
export interface Readme {
  readonly markdown: string
  readonly leftOut: { readonly scripts: number; readonly frames: number }
  /** Absolute addresses of the pictures it names. */
  readonly pictures: readonly string[]
}

/** Bytes of Markdown that are shown. */
export const MAX_README_BYTES = 100 * 1024

/**
 * C0 but tab and line feed, DEL, C1, the byte order mark, the marks that turn the direction of writing (the trick of
 * CVE-2021-42574), and the tag characters that nobody sees.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Characters that are read at all. */
const MAX_INPUT = 256 * 1024

/** The header of a Hub repository's card: YAML between two lines of `---` at the very beginning. */
const FRONT_MATTER = /^---[ \t]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)/

/**
 * Makes the README of a stranger's Space fit to be shown. What is left contains no HTML outside of code, and links and
 * pictures lead to https addresses (or nowhere); the page that shows it must all the same render no HTML, load no picture
 * by itself and ask before it opens a link. Takes time in proportion to the text.
 */
export function cleanReadme(text: string, base: ReadmeBase): Readme {
  const plain = text
    .slice(0, MAX_INPUT)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, '')
  const { markdown, scripts, frames, pictures } = scanReadme(
    plain.replace(FRONT_MATTER, ''),
    base,
    // In bytes there may be more: the cut below is the exact one.
    MAX_README_BYTES + 1,
  )
  return { markdown: capped(markdown.trim()), leftOut: { scripts, frames }, pictures: [...pictures] }
}

function capped(markdown: string): string {
  const bytes = new TextEncoder().encode(markdown)
  if (bytes.byteLength <= MAX_README_BYTES) return markdown
  const whole = new TextDecoder().decode(bytes.subarray(0, MAX_README_BYTES)).replace(/\ufffd+$/, '')
  const line = whole.lastIndexOf('\n')
  return `${line > whole.length - 2_000 ? whole.slice(0, line) : whole}\n\n…`
}
