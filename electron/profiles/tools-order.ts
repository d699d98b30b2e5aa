/** Another order of the lines of tools.txt; every byte of the file is there afterwards. Pure. */
import { joinLines, splitBom, splitLines, toolIdOf, toolIds } from './tools-file.ts'

import type { Line } from './tools-file.ts'

/** A line that names a tool with the comments directly above it, or any other line. */
interface Block {
  readonly id: string | null
  readonly lines: readonly Line[]
}

/**
 * The tools of `order` in this order, in the places that lines of these tools have; blank lines, other comments and other
 * tools stay where they are. Each line goes with its comments and its line ending. Where the last line of the file has
 * none, the line that comes last gives its own to the one that leaves. Going back to the order there was gives the same
 * bytes, unless a tool is listed twice: its lines stand together afterwards.
 * A text in which a lone CR would come before an LF and be one line ending with it stays as it is.
 */
export function orderTools(text: string, order: readonly string[]): string {
  const wanted = new Set(order)
  const present = toolIds(text).filter((id) => wanted.has(id))
  const next = [...wanted].filter((id) => present.includes(id))
  if (next.every((id, index) => id === present[index])) return text
  const { bom, body } = splitBom(text)
  const blocks = blocksOf(splitLines(body))
  const queue = next.flatMap((id) => blocks.filter((block) => block.id === id))
  let taken = 0
  const ordered = blocks.map((block) => {
    if (block.id === null || !wanted.has(block.id)) return block
    taken += 1
    return queue[taken - 1] ?? block
  })
  const lines = closed(ordered.flatMap((block) => block.lines))
  const result = joinLines(lines)
  // Nor may a mark within the file become the one at its beginning.
  const isWhole = splitLines(result).length === lines.length && splitBom(bom + result).body === result
  return isWhole ? bom + result : text
}

/** One tool before another one, or behind the last one; see {@link orderTools}. */
export function moveTool(text: string, id: string, before: string | null): string {
  const ids = toolIds(text)
  if (!ids.includes(id) || id === before) return text
  const others = ids.filter((other) => other !== id)
  const found = before === null ? -1 : others.indexOf(before)
  return orderTools(text, others.toSpliced(found < 0 ? others.length : found, 0, id))
}

function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  let above: Line[] = []
  const flush = (): void => {
    blocks.push(...above.map((line) => ({ id: null, lines: [line] })))
    above = []
  }
  for (const line of lines) {
    const id = toolIdOf(line.text)
    if (id !== null) {
      blocks.push({ id, lines: [...above, line] })
      above = []
    } else if (line.text.includes('#')) above.push(line)
    else {
      flush()
      blocks.push({ id: null, lines: [line] })
    }
  }
  flush()
  return blocks
}

/** Only a last line may have no ending. */
function closed(lines: readonly Line[]): Line[] {
  const open = lines.findIndex((line, index) => line.ending === '' && index < lines.length - 1)
  const last = lines.at(-1)
  if (open < 0 || last === undefined) return [...lines]
  return lines.map((line, index) => {
    if (index === open) return { ...line, ending: last.ending }
    return index === lines.length - 1 ? { ...line, ending: '' } : line
  })
}
