import { diagnoseId } from './diagnose.ts'
import { offer } from './offer.ts'
import { entryOf } from './registered.ts'

import type { ToolEntry, ToolList } from '../contract/index.ts'
import type { ToolsLine } from '../profiles/index.ts'
import type { View } from './library.ts'
import type { Registered } from './registered.ts'

/** All tools as one profile sees them, with what its model does not get. */
export function listOf(view: View, lines: readonly ToolsLine[]): Pick<ToolList, 'tools' | 'unknown' | 'notices'> {
  const { registry, listed, refused } = view
  const leftOut = new Map(offer(registry, listed, refused).leftOut.map((one) => [one.id, one]))
  const unknown = lines
    .filter((line) => !line.duplicate && !registry.byId.has(line.id))
    .map(({ line, id }) => {
      const suggestion = diagnoseId(id, registry)?.suggestion
      return { line, text: id, ...(suggestion === undefined ? {} : { suggestion }) }
    })
  return {
    tools: registry.tools.map((tool) => viewed({ ...tool, ...leftOut.get(tool.id) }, view)),
    unknown,
    notices: [...registry.notices],
  }
}

/** A tool as one profile sees it, with what the profile says of it. */
export function viewed(tool: Registered, { enabled, autoloaded, permissions }: View): ToolEntry {
  const permission = tool.system ? undefined : permissions[tool.id]
  return entryOf(tool, enabled, {
    ...(permission ? { permission } : {}),
    ...(autoloaded.has(tool.id) ? { autoloaded: true } : {}),
  })
}
