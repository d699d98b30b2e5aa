import type { ErrorCode, FileProblem } from '../../../electron/contract/index.ts'

export type Severity = 'bad' | 'note'

/** What works all the same and is worth a word only. */
const NOTES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tools/duplicate-line',
  'tools/inline-comment',
  'tools/bom',
  'tools/unavailable',
  'tools/unmentioned',
  'tools/not-allowed',
  'tools/file-changed',
  'tools/no-python',
  'profile/unknown-placeholder',
  'profile/long-prompt',
  'profile/unknown-voice',
  'profile/many-tools',
  'profile/unknown-key',
])

/** States of the robot, of a Space or a server: the line is right, its tool cannot run at the moment. */
const PASSING = /^(robot|space|server|hub)\//

/** Problems after which the line itself is of no use. */
const REMOVABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tools/unknown-id',
  'tools/unknown',
  'tools/duplicate-line',
  'tools/space-not-installed',
  'tools/no-longer-offered',
  'tools/renamed',
])

export function severityOf(code: ErrorCode): Severity {
  return NOTES.has(code) || PASSING.test(code) ? 'note' : 'bad'
}

/** Whether removing the line repairs the problem. */
export function canRemoveLine(problem: FileProblem): boolean {
  return problem.line !== null && REMOVABLE.has(problem.code)
}

export interface Span {
  from: number
  to: number
}

/**
 * Where the ID stands in a line of tools.txt: without a byte order mark, the white space around it and a comment
 * behind it. `null` when the line has none.
 */
export function idSpan(line: string): Span | null {
  const match = /^[\uFEFF\s]*([^\s#\uFEFF][^\s#]*)/.exec(line)
  const id = match?.[1]
  if (!match || id === undefined) return null
  return { from: match[0].length - id.length, to: match[0].length }
}

/** Where the comment of a line of tools.txt begins; `null` when there is none. */
export function commentStart(line: string): number | null {
  const at = line.indexOf('#')
  return at < 0 ? null : at
}

/** A suggested ID for people: without the alias when the wrong ID has the same one. */
export function suggestionName(wrong: unknown, suggestion: string): string {
  const split = suggestion.indexOf('__')
  const alias = suggestion.slice(0, split + 2)
  return split > 0 && typeof wrong === 'string' && wrong.startsWith(alias) ? suggestion.slice(alias.length) : suggestion
}
