import { namedDetails } from '../../../../electron/strings/index.ts'

import type { Problem, ToolEntry } from '../../../../electron/contract/index.ts'
import type { StringLanguage } from '../../../../electron/strings/index.ts'

/**
 * What a row has to say besides on and off. `changed`: a Space's tool waits for a review; `not-allowed`, `file-changed`: a
 * file waits for a person; `refused`: the profile's permissions keep it from the model; `cannot`: anything else.
 */
export type RowKind =
  | 'usable'
  | 'system'
  | 'autoloaded'
  | 'changed'
  | 'not-allowed'
  | 'file-changed'
  | 'refused'
  | 'cannot'

export interface RowState {
  readonly kind: RowKind
  /** Listed, or on without being listed. */
  readonly on: boolean
  /** On and really offered to the model. */
  readonly works: boolean
  /** The switch cannot be moved. */
  readonly fixed: boolean
}

function kindOf(tool: ToolEntry): RowKind {
  if (tool.system) return 'system'
  const code = tool.problem?.code
  if (code === 'space/changed') return 'changed'
  if (code === 'tools/not-allowed') return 'not-allowed'
  if (code === 'tools/file-changed') return 'file-changed'
  if (!tool.available) return 'cannot'
  if (tool.permission === 'refuse') return 'refused'
  return tool.autoloaded === true ? 'autoloaded' : 'usable'
}

/**
 * How a tool's row looks. What cannot be used can still be switched off, and what only waits for a person's word can be
 * switched on before it.
 * @param listed whether the text of tools.txt names it now.
 */
export function rowState(tool: ToolEntry, listed: boolean, readOnly: boolean): RowState {
  const kind = kindOf(tool)
  const always = tool.system || tool.autoloaded === true
  const on = listed || always
  const works = on && tool.available && kind !== 'refused'
  return { kind, on, works, fixed: always || readOnly || (kind === 'cannot' && !listed) }
}

export interface GroupState {
  /** How many of the group the model gets. */
  readonly on: number
  readonly all: number
  readonly choice: 'all' | 'some' | 'none'
  /** What "all of them" switches on, and off. Both empty: there is nothing to decide. */
  readonly enable: readonly string[]
  readonly disable: readonly string[]
}

/** The one box for all tools of a group. */
export function groupState(
  tools: readonly ToolEntry[],
  isListed: (id: string) => boolean,
  readOnly: boolean,
): GroupState {
  const rows = tools.map((tool) => ({ id: tool.id, ...rowState(tool, isListed(tool.id), readOnly) }))
  const free = rows.filter((row) => !row.fixed)
  const disable = free.filter((row) => row.on).map((row) => row.id)
  const enable = free.filter((row) => !row.on).map((row) => row.id)
  return {
    on: rows.filter((row) => row.works).length,
    all: rows.length,
    choice: disable.length === 0 ? 'none' : enable.length === 0 ? 'all' : 'some',
    enable,
    disable,
  }
}

/**
 * Why a tool cannot be used here, without the words around it: the row names the tool already. `undefined` where the problem
 * is another one, or has no reason of its own.
 */
export function shortReason({ code, details }: Problem, language: StringLanguage): string | undefined {
  if (code !== 'tools/unavailable' || details?.['reason'] === undefined) return undefined
  const reason = String(namedDetails(details, language)['reason'])
  return reason.charAt(0).toLocaleUpperCase(language) + reason.slice(1)
}
