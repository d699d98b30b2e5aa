/**
 * tools.txt: one tool ID a line, `#` comments, read and edited without changing a byte that nobody asked to change.
 * Pure; works on text that was decoded with a leading byte order mark kept.
 *
 * Lines and white space are those of Python's `str.splitlines` and `str.strip`, because the robot's own app
 * (pollen-robotics/reachy_mini_conversation_app) reads the same files in Python.
 */
import { CompanionError } from '../contract/index.ts'

import type { ToolsLine } from './types.ts'

const BOM = '\uFEFF'
const LINE = /([^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*)(\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/gy
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

function isSpace(text: string, at: number): boolean {
  return SPACE.test(text.charAt(at))
}

/**
 * Python's `strip()`: takes U+001C–U+001F and U+0085, which `trim()` leaves, and leaves U+FEFF, which `trim()` takes.
 * By index and not by one pattern, which would take quadratic time over a long run of blanks.
 */
export function pythonStrip(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(text, from)) from += 1
  while (to > from && isSpace(text, to - 1)) to -= 1
  return text.slice(from, to)
}

/** Where a comment behind an ID begins: a `#` that follows white space; -1 when there is none. */
function commentAt(text: string): number {
  let at = text.indexOf('#', 1)
  while (at > 0 && !isSpace(text, at - 1)) at = text.indexOf('#', at + 1)
  return at
}

export interface Line {
  readonly text: string
  /** Empty for a last line without one. */
  readonly ending: string
}

/** All of `text`, in order: joining text and endings gives it back. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  for (const match of text.matchAll(LINE)) {
    if (match[0] === '') break
    lines.push({ text: match[1] ?? '', ending: match[2] ?? '' })
  }
  return lines
}

export function joinLines(lines: readonly Line[]): string {
  return lines.map((line) => line.text + line.ending).join('')
}

export function splitBom(text: string): { bom: string; body: string } {
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(1) } : { bom: '', body: text }
}

/**
 * The ID of a line, or `null` for a blank line or a comment. A `#` starts a comment at the start or behind white space. A
 * byte order mark counts for nothing on any line: files are pasted together, and a line keeps its meaning when those above
 * it go.
 */
function idOf(line: string): { id: string; commented: boolean } | null {
  const stripped = pythonStrip(line.replace(/^\uFEFF+/, ''))
  if (stripped === '' || stripped.startsWith('#')) return null
  const comment = commentAt(stripped)
  return comment < 0
    ? { id: stripped, commented: false }
    : { id: pythonStrip(stripped.slice(0, comment)), commented: true }
}

/** The ID that a line of a text names, `null` for a blank line or a comment. */
export function toolIdOf(line: string): string | null {
  return idOf(line)?.id ?? null
}

export function parseTools(text: string): ToolsLine[] {
  const { bom, body } = splitBom(text)
  const seen = new Set<string>()
  return splitLines(body).flatMap(({ text: line }, index) => {
    const found = idOf(line)
    if (found === null) return []
    const { id, commented } = found
    const duplicate = seen.has(id)
    seen.add(id)
    const marked = line.startsWith(BOM) || (index === 0 && bom !== '')
    const note = commented ? 'inline-comment' : marked ? 'bom' : undefined
    return [{ line: index + 1, id, duplicate, ...(note === undefined ? {} : { note }) } satisfies ToolsLine]
  })
}

/** IDs of active lines, first occurrence of each, in order. */
export function toolIds(text: string): string[] {
  return [...new Set(parseTools(text).map(({ id }) => id))]
}

/** Text of a new file that lists `ids`. */
export function toolsTextOf(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('')
}

/** A list of its own for a profile that has inherited this one: IDs only, as comments are about the other profile. */
export function ownTools(inherited: string): string {
  return toolsTextOf(toolIds(inherited).filter(isWritableId))
}

/** `\r\n`, `\n` or `\r`, whichever the text has most of; in a tie the one that comes first; `\n` when it has none. */
export function newlineOf(text: string): string {
  const counts = new Map<string, number>()
  for (const [newline] of text.matchAll(/\r\n|\n|\r/g)) counts.set(newline, (counts.get(newline) ?? 0) + 1)
  // A map keeps the order of first occurrence, and the sort is stable.
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '\n'
}

/**
 * Adds the IDs that no active line names, each once, one a line at the end.
 * @throws CompanionError `tools/bad-tool-name` for an ID that would not be read back as itself.
 */
export function appendTools(text: string, ids: readonly string[]): { text: string; added: string[] } {
  for (const id of ids) if (!isWritableId(id)) throw new CompanionError('tools/bad-tool-name', { name: id })
  const present = new Set(parseTools(text).map(({ id }) => id))
  const added = [...new Set(ids)].filter((id) => !present.has(id))
  if (added.length === 0) return { text, added }
  const { bom, body } = splitBom(text)
  const newline = newlineOf(body)
  const open = body !== '' && !/[\r\n]$/.test(body)
  return { text: `${bom}${body}${open ? newline : ''}${added.map((id) => id + newline).join('')}`, added }
}

/** A line that consists of `id` alone names exactly `id`. */
export function isWritableId(id: string): boolean {
  const lines = splitLines(id)
  const hidden = id.includes('\0') || id.startsWith(BOM) || !isWellFormed(id)
  return lines.length === 1 && lines[0]?.ending === '' && !hidden && idOf(id)?.id === id
}

/** No half of a surrogate pair, which UTF-8 cannot hold. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
}

/** Removes active lines whose ID matches, each with its own line ending. */
export function stripTools(text: string, matches: (id: string) => boolean): { text: string; removed: string[] } {
  const { bom, body } = splitBom(text)
  const removed = new Set<string>()
  const kept = splitLines(body).filter(({ text: line }) => {
    const id = idOf(line)?.id
    if (id === undefined || !matches(id)) return true
    removed.add(id)
    return false
  })
  if (removed.size === 0) return { text, removed: [] }
  return { text: bom + joinLines(kept), removed: [...removed] }
}

/**
 * Gives active lines another ID, each where it stands and with whatever else is on the line. A line whose new ID another
 * line has already goes.
 * @throws CompanionError `tools/bad-tool-name` for an ID that would not be read back as itself.
 */
export function renameTools(text: string, names: ReadonlyMap<string, string>): { text: string; renamed: string[] } {
  for (const id of names.values()) if (!isWritableId(id)) throw new CompanionError('tools/bad-tool-name', { name: id })
  const { bom, body } = splitBom(text)
  const taken = new Set(parseTools(text).map(({ id }) => id))
  const renamed = new Set<string>()
  const lines = splitLines(body).flatMap((line) => {
    const id = idOf(line.text)?.id
    const to = id === undefined ? undefined : names.get(id)
    if (id === undefined || to === undefined) return [line]
    renamed.add(id)
    if (taken.has(to)) return []
    taken.add(to)
    const at = line.text.indexOf(id)
    return [{ ...line, text: line.text.slice(0, at) + to + line.text.slice(at + id.length) }]
  })
  if (renamed.size === 0) return { text, renamed: [] }
  return { text: bom + joinLines(lines), renamed: [...renamed] }
}
