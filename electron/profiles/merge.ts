/** Two changes of one text, put together where they do not touch the same lines. Never a guess. */
import { onlySwitches, switched } from './tools-edit.ts'
import { joinLines, splitBom, splitLines, toolIdOf } from './tools-file.ts'

import type { FileName } from './roots.ts'
import type { Switches } from './tools-edit.ts'

/** Lines that differ, above which comparing takes too long: such texts are left to the person. */
const MAX_LINES = 3_000

/** `null` stands for a file that does not exist. */
export type Text = string | null

export type Merge = { readonly state: 'merged'; readonly text: Text } | { readonly state: 'conflict' }

const CONFLICT: Merge = { state: 'conflict' }

/**
 * @param base what both began with; for a tools.txt that did not exist the list that was inherited.
 * @param mine, theirs what became of it.
 */
export async function mergeTexts(file: FileName, base: Text, mine: Text, theirs: Text): Promise<Merge> {
  if (mine === theirs || theirs === base) return merged(mine)
  if (mine === base) return merged(theirs)
  if (base === null || mine === null || theirs === null) return CONFLICT
  const text = (file === 'tools.txt' ? mergeSwitches(base, mine, theirs) : null) ?? (await mergeLines(base, mine, theirs))
  return text === null ? CONFLICT : merged(text)
}

function merged(text: Text): Merge {
  return { state: 'merged', text }
}

/** Where one side did nothing but switch tools on and off, the same switches on the other side's text. */
function mergeSwitches(base: string, mine: string, theirs: string): string | null {
  const ours = onlySwitches(base, mine)
  if (ours !== null && keepsLines(ours, base, theirs)) return switched(theirs, ours.off, ours.on)
  const others = onlySwitches(base, theirs)
  return others !== null && keepsLines(others, base, mine) ? switched(mine, others.off, others.on) : null
}

/** Whether each line that a switch would take out is what it was: a note that somebody wrote beside it would be lost. */
function keepsLines({ off }: Switches, base: string, text: string): boolean {
  const [known, present] = [linesById(base), linesById(text)]
  return off.every((id) => [...(present.get(id) ?? [])].every((line) => known.get(id)?.has(line)))
}

function linesById(text: string): Map<string, Set<string>> {
  const lines = new Map<string, Set<string>>()
  for (const { text: line } of splitLines(splitBom(text).body)) {
    const id = toolIdOf(line)
    if (id !== null) lines.set(id, (lines.get(id) ?? new Set()).add(line))
  }
  return lines
}

async function mergeLines(base: string, mine: string, theirs: string): Promise<string | null> {
  const { head, tail, middles } = trimCommon([base, mine, theirs].map((text) => splitLines(text)).map(asStrings))
  const [old, ours, others] = middles
  if (old === undefined || ours === undefined || others === undefined) return null
  if (middles.some((lines) => lines.length > MAX_LINES)) return null
  const { diff3Merge } = await import('node-diff3')
  const regions: unknown[] = diff3Merge(ours, old, others, { excludeFalseConflicts: true })
  const parts = regions.map(linesOfRegion)
  if (parts.includes(null)) return null
  const lines = [...head, ...parts.flatMap((part) => part ?? []), ...tail]
  const text = lines.join('')
  // A last line without an ending that another one came behind, or a CR that ran into an LF.
  return splitLines(text).length === lines.length ? text : null
}

function asStrings(lines: ReturnType<typeof splitLines>): string[] {
  return lines.map((line) => joinLines([line]))
}

function linesOfRegion(region: unknown): string[] | null {
  const isOk = typeof region === 'object' && region !== null && 'ok' in region && Array.isArray(region.ok)
  return isOk ? (region.ok as string[]) : null
}

/** What all begin with and end with, but for one line on each side: a change beside another one is to be seen as such. */
function trimCommon(texts: readonly string[][]): { head: string[]; tail: string[]; middles: string[][] } {
  const [first = []] = texts
  const shortest = Math.min(...texts.map((lines) => lines.length))
  const common = (at: (lines: string[], index: number) => string | undefined, limit: number): number => {
    let count = 0
    while (count < limit && texts.every((lines) => at(lines, count) === at(first, count))) count += 1
    return Math.max(0, count - 1)
  }
  const before = common((lines, index) => lines[index], shortest)
  const after = common((lines, index) => lines[lines.length - 1 - index], shortest - before)
  return {
    head: first.slice(0, before),
    tail: first.slice(first.length - after),
    middles: texts.map((lines) => lines.slice(before, lines.length - after)),
  }
}
