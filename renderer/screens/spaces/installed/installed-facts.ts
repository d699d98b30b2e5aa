import { sameSlug } from '../preview-facts.ts'

import type { InstalledSpace, RemoteTool, ToolList } from '../../../../electron/contract/index.ts'

export type ToolState = 'usable' | 'rejected' | 'changed' | 'gone' | 'added'

/** How an installed tool stands, in one word. */
export function stateOf(tool: RemoteTool, review: InstalledSpace['review']): ToolState {
  const { id, problem, status } = tool
  if (problem?.code === 'tools/no-longer-offered') return 'gone'
  if (problem?.code === 'space/changed') return 'changed'
  if (id !== null && review?.changed.includes(id)) return 'changed'
  if (status === 'rejected') return 'rejected'
  return id !== null && review?.added.includes(id) ? 'added' : 'usable'
}

/** Lists by profile, `default` first, then by name: they were read in whatever order they came. */
function inOrder(lists: Readonly<Record<string, ToolList>>): [string, ToolList][] {
  const rank = (name: string): number => (name === 'default' ? 0 : 1)
  return Object.entries(lists).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
}

/** For each ID the profiles that it is switched on in, as far as their lists were read. */
export function profilesByTool(lists: Readonly<Record<string, ToolList>>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [profile, list] of inOrder(lists)) {
    for (const tool of list.tools) {
      if (!tool.enabled || tool.source !== 'space') continue
      const held = found.get(tool.id)
      if (held) held.push(profile)
      else found.set(tool.id, [profile])
    }
  }
  return found
}

/** Lines of tools.txt by profile that belong to a Space. */
export function linesOf(slug: string, lists: Readonly<Record<string, ToolList>>): { profile: string; count: number }[] {
  return inOrder(lists).flatMap(([profile, list]) => {
    const count = list.tools.filter(
      (tool) => tool.enabled && tool.source === 'space' && sameSlug(tool.origin, slug),
    ).length
    return count > 0 ? [{ profile, count }] : []
  })
}

/** From here on the tools of each Space are folded away at first. */
const UNFOLDED_TOOLS = 40

export function opensUnfolded(spaces: readonly InstalledSpace[]): boolean {
  return spaces.reduce((sum, space) => sum + space.tools.length, 0) <= UNFOLDED_TOOLS
}
