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

/** Tools by where they come from: built-in, local, each Space or server, then the ones that are always on. */
export function groupTools(tools: readonly ToolEntry[]): ToolGroup[] {
  const groups = new Map<string, ToolGroup>()
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

/** Whether every word of the search stands somewhere in the tool's ID, origin or description. */
export function matchesTool(tool: ToolEntry, search: string): boolean {
  const text = `${tool.id} ${tool.origin} ${tool.description}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
