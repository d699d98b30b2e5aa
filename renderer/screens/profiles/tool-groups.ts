import type { ToolEntry, ToolSource } from '../../../electron/contract/index.ts'

export interface ToolGroup {
  key: string
  kind: 'built-in' | 'local' | 'remote' | 'system'
  source: ToolSource
  /** Remote groups: the Space's or server's own name, and its owner. */
  title: string
  owner: string
  tools: ToolEntry[]
}

const ORDER: readonly ToolGroup['kind'][] = ['built-in', 'local', 'remote', 'system']

function kindOf(tool: ToolEntry): ToolGroup['kind'] {
  if (tool.system) return 'system'
  return tool.source === 'space' || tool.source === 'server' ? 'remote' : tool.source
}

const LOCAL: Omit<ToolGroup, 'tools'> = { key: 'local', kind: 'local', source: 'local', title: '', owner: '' }

/**
 * Tools by where they come from: built-in, local, each Space or server, then the ones that are always on. The local group is
 * there without a tool as well: its first one is made from it.
 */
export function groupTools(tools: readonly ToolEntry[]): ToolGroup[] {
  const groups = new Map<string, ToolGroup>([[LOCAL.key, { ...LOCAL, tools: [] }]])
  for (const tool of tools) {
    const kind = kindOf(tool)
    const key = kind === 'remote' ? `${tool.source}:${tool.origin}` : kind
    const held = groups.get(key)
    if (held) {
      held.tools.push(tool)
      continue
    }
    const [owner = '', name] = kind === 'remote' ? tool.origin.split('/') : []
    groups.set(key, { key, kind, source: tool.source, title: name ?? owner, owner: name ? owner : '', tools: [tool] })
  }
  return [...groups.values()].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

/**
 * Whether every word of the search stands somewhere in the tool's ID, short name, origin or description.
 * @param words what people read of it, where that is not its own description.
 */
export function matchesTool(tool: ToolEntry, search: string, words = ''): boolean {
  const text = `${tool.id} ${tool.shortName} ${tool.origin} ${tool.description} ${words}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
