import type { ErrorCode, FileProblem } from '../../../../electron/contract/index.ts'

/** What says that a line names no tool there is. */
const UNKNOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tools/unknown-id',
  'tools/space-not-installed',
  'tools/no-longer-offered',
  'tools/renamed',
])

export interface UnknownLine {
  readonly line: number
  readonly id: string
  readonly problem: FileProblem
}

/** Lines of tools.txt that name nothing known, in their order. */
export function unknownLines(problems: readonly FileProblem[]): UnknownLine[] {
  return problems.flatMap((problem) => {
    const id = problem.details?.['id']
    if (problem.file !== 'tools.txt' || problem.line === null || !UNKNOWN.has(problem.code)) return []
    return typeof id === 'string' ? [{ line: problem.line, id, problem }] : []
  })
}

/** The ends of lines as the list is read, Python's: `str.splitlines` (Python documentation, "str.splitlines"). */
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

/**
 * The text with another ID in one line; every other byte as it was, comments of the line too. The text itself when the line
 * no longer names the ID.
 * @param line from 1.
 */
export function replaceOnLine(text: string, line: number, id: string, to: string): string {
  const ends = [...text.matchAll(LINE_END)]
  const before = ends[line - 2]
  const from = line === 1 ? 0 : before === undefined ? text.length : before.index + before[0].length
  const end = ends[line - 1]?.index ?? text.length
  const at = text.slice(from, end).indexOf(id)
  if (at < 0) return text
  return text.slice(0, from + at) + to + text.slice(from + at + id.length)
}
