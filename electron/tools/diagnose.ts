import { nearest } from './distance.ts'

import type { FileProblem, Problem } from '../contract/index.ts'
import type { ToolsLine } from '../profiles/index.ts'
import type { Registry } from './registry.ts'

export const TOOLS_FILE = 'tools.txt'

/**
 * Tools that the conversation app has renamed: `do_nothing` (its pull request 344) and, in the weather Space, `get_day_brief`.
 * The new name replaces what stands behind `alias__`.
 */
const RENAMED: Readonly<Record<string, string>> = { do_nothing: 'idle_do_nothing', get_day_brief: 'get_weather' }

/** Everything that is wrong or worth knowing about the lines of a `tools.txt`, in their order. */
export function diagnoseLines(lines: readonly ToolsLine[], registry: Registry): FileProblem[] {
  return lines.flatMap((line) => {
    const problems: FileProblem[] = []
    const add = (problem: Problem, suggestion?: string): void => {
      problems.push({
        file: TOOLS_FILE,
        line: line.line,
        ...problem,
        ...(suggestion === undefined ? {} : { suggestion }),
      })
    }
    if (line.note === 'bom') add({ code: 'tools/bom', details: { id: line.id } })
    if (line.note === 'inline-comment') add({ code: 'tools/inline-comment', details: { id: line.id } })
    if (line.duplicate) {
      add({ code: 'tools/duplicate-line', details: { id: line.id } })
      return problems
    }
    const found = diagnoseId(line.id, registry)
    if (found) add(found.problem, found.suggestion)
    return problems
  })
}

/** What is wrong with one ID against all sources; `null` for a tool that can be used. */
export function diagnoseId(id: string, registry: Registry): { problem: Problem; suggestion?: string } | null {
  const tool = registry.byId.get(id)
  if (tool) return tool.problem ? { problem: tool.problem } : null
  const split = id.indexOf('__')
  const alias = split > 0 ? id.slice(0, split) : undefined
  const short = split > 0 ? id.slice(split + 2) : id
  const renamed = Object.hasOwn(RENAMED, short) ? RENAMED[short] : undefined
  if (renamed) {
    const to = alias === undefined ? renamed : `${alias}__${renamed}`
    if (alias === undefined ? registry.byId.has(to) : true)
      return { problem: { code: 'tools/renamed', details: { id, to } }, suggestion: to }
  }
  const ids = registry.tools.map((known) => known.id)
  const suggestion = nearest(id, ids)
  const near = suggestion === undefined ? {} : { suggestion }
  const space = alias === undefined ? undefined : registry.spaces.find((known) => known.alias === alias)
  if (space) return { problem: { code: 'tools/no-longer-offered', details: { id, slug: space.slug } }, ...near }
  // Only IDs of Space tools contain two underscores in a row; a near name means a slip rather than a missing Space.
  if (alias !== undefined && suggestion === undefined) {
    return { problem: { code: 'tools/space-not-installed', details: { id, alias } } }
  }
  return { problem: { code: 'tools/unknown-id', details: { id } }, ...near }
}
