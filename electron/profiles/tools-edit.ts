/**
 * Switching tools on and off in an unsaved tools.txt, so that a switch that was pressed by mistake can be pressed again and
 * leaves no trace. Pure.
 *
 * A line that was taken out does not say where it stood. So the text that the edit began with, `base`, goes along: while
 * the text differs from it by switches only, the next text is made from `base` anew, with its lines at their places. Any
 * sequence of switches, and the same ones backwards, ends in `base` to the byte, whatever its line endings are and whether
 * or not its last line has one. Where the text was typed in as well, a line goes back between the lines that were around
 * it if they still stand together; else it comes last, as a new one does.
 */
import { appendTools, isWritableId, joinLines, splitBom, splitLines, stripTools, toolIdOf, toolIds } from './tools-file.ts'

import type { Line } from './tools-file.ts'

/**
 * Switches IDs off, then on.
 * @param base the text that is on disk; without it lines that come back come last, and the line ending that a last line
 * was given when another came behind it stays.
 * @throws CompanionError `tools/bad-tool-name` for an ID that cannot stand on a line.
 */
export function editTools(text: string, enable: readonly string[], disable: readonly string[], base?: string): string {
  if (base === undefined) return appendTools(stripped(text, disable), enable).text
  const before = onlySwitches(base, text)
  if (before === null) return edited(text, enable, disable, base)
  const known = new Set(toolIds(base))
  const on = new Set(enable)
  const off = [...before.off, ...disable.filter((id) => known.has(id))].filter((id) => !on.has(id))
  const kept = before.on.filter((id) => !disable.includes(id))
  return switched(base, off, [...kept, ...enable.filter((id) => !known.has(id))])
}

export interface Switches {
  /** IDs of `base` that `text` lacks. */
  readonly off: readonly string[]
  /** IDs that only `text` has, in its order. */
  readonly on: readonly string[]
}

function switchesOf(base: string, text: string): Switches {
  const [ours, theirs] = [toolIds(base), toolIds(text)]
  const [before, after] = [new Set(ours), new Set(theirs)]
  return { off: ours.filter((id) => !after.has(id)), on: theirs.filter((id) => !before.has(id)) }
}

/** The switches that make `text` of `base`, or `null` when something else was changed as well. */
export function onlySwitches(base: string, text: string): Switches | null {
  const switches = switchesOf(base, text)
  // One that cannot be written was typed.
  if (!switches.on.every(isWritableId)) return null
  return switched(base, switches.off, switches.on) === text ? switches : null
}

export function switched(base: string, off: readonly string[], on: readonly string[]): string {
  return appendTools(stripped(base, off), on).text
}

function stripped(text: string, disable: readonly string[]): string {
  const off = new Set(disable)
  return stripTools(text, (id) => off.has(id)).text
}

/** The text was typed in, too. */
function edited(text: string, enable: readonly string[], disable: readonly string[], base: string): string {
  let next = stripped(text, disable)
  for (const id of enable) next = putBack(next, id, base) ?? appendTools(next, [id]).text
  return next
}

/** With the lines of an ID between the lines that are around them in `base`; `null` when that is not one place. */
function putBack(text: string, id: string, base: string): string | null {
  const { bom, body } = splitBom(text)
  const present = new Set(toolIds(text))
  const old = splitLines(splitBom(base).body)
  const at = old.flatMap((line, index) => (toolIdOf(line.text) === id ? [index] : []))
  if (at.length === 0 || present.has(id)) return null
  let lines = splitLines(body)
  for (const index of at) {
    const place = placeIn(lines, old, index, (other) => other === id || present.has(other))
    const line = old[index]
    if (place === null || line === undefined) return null
    lines = lines.toSpliced(place, 0, line)
  }
  const whole = lines.every((line, index) => line.ending !== '' || index === lines.length - 1)
  return whole ? bom + joinLines(lines) : null
}

/** Index at which line `index` of `old` belongs in `lines`. Lines of tools that are switched off are no neighbours. */
function placeIn(
  lines: readonly Line[],
  old: readonly Line[],
  index: number,
  isThere: (id: string) => boolean,
): number | null {
  const counts = (line: Line): boolean => {
    const id = toolIdOf(line.text)
    return id === null || isThere(id)
  }
  const above = old.slice(0, index).findLast(counts)
  const below = old.slice(index + 1).find((line) => counts(line) && toolIdOf(line.text) !== toolIdOf(old[index]?.text ?? ''))
  const places = Array.from({ length: lines.length + 1 }, (_, place) => place).filter(
    (place) => isSame(lines[place - 1], above) && isSame(lines[place], below),
  )
  return places.length === 1 ? (places[0] ?? null) : null
}

function isSame(a: Line | undefined, b: Line | undefined): boolean {
  return a?.text === b?.text && a?.ending === b?.ending
}
