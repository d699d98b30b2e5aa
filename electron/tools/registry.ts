import { builtInTools } from './built-in.ts'
import { uniqueNames } from './names.ts'
import { ofBuiltIn, ofLocalTool, ofServerTool, ofSpaceTool, rejectedTools } from './registered.ts'

import type { Problem, ServersSnapshot, SpacesSnapshot } from '../contract/index.ts'
import type { ServerTool, SpaceTool } from '../spaces/index.ts'
import type { BodyWords } from './built-in.ts'
import type { LocalTool } from './local/index.ts'
import type { Callable, Registered } from './registered.ts'

export interface Registry {
  /** Built-in tools first, then those of Spaces, of servers and of files in the order of their sources. IDs are unique. */
  readonly tools: readonly Registered[]
  readonly byId: ReadonlyMap<string, Registered>
  /** By what a model writes: names inside a file among them. */
  readonly byWireName: ReadonlyMap<string, Callable>
  /** By ID; by the name inside for tools of files. */
  readonly wireNames: ReadonlyMap<string, string>
  readonly spaces: ReadonlyArray<{ slug: string; alias: string; mcpUrl: string }>
  /** What concerns no single tool. */
  readonly notices: readonly Problem[]
}

/** Makes the names that go to a model (see `electron/spaces`). */
export type WireNames = (
  tools: ReadonlyArray<{ id: string; slug: string; remoteName: string }>,
) => ReadonlyMap<string, string>

export interface Sources {
  readonly body: BodyWords
  readonly spaceTools: readonly SpaceTool[]
  readonly spaces: SpacesSnapshot
  readonly serverTools: readonly ServerTool[]
  readonly servers: ServersSnapshot
  /** Files for all profiles, and those of one. */
  readonly files: readonly LocalTool[]
  /** Of reading the sources. */
  readonly notices?: readonly Problem[]
}

/** One list of all tools with unique names, as one profile has it. */
export function buildRegistry(sources: Sources, wireNames: WireNames): Registry {
  const builtIn = builtInTools(sources.body).map(ofBuiltIn)
  const others = [
    ...sources.spaceTools.map(ofSpaceTool),
    ...sources.spaces.spaces.flatMap((space) => rejectedTools(space.tools, 'space', space.slug)),
    ...sources.serverTools.map(ofServerTool),
    ...sources.servers.servers.flatMap((server) => rejectedTools(server.tools, 'server', server.name)),
    ...sources.files.map(ofLocalTool),
  ]
  const { tools, notices } = uniqueNames(builtIn, others)
  const callables = tools.flatMap(callablesOf)
  const names = new Map(callables.map((one) => [nameOf(one), one]))
  const wires = wireNames(
    [...names].map(([name, { tool }]) => ({
      id: name,
      slug: tool.source === 'built-in' ? '' : tool.source === 'local' ? tool.id : tool.origin,
      remoteName: tool.remoteName ?? name,
    })),
  )
  return {
    tools,
    byId: new Map(tools.map((tool) => [tool.id, tool])),
    byWireName: new Map([...names].map(([name, one]) => [wires.get(name) ?? name, one])),
    wireNames: wires,
    spaces: sources.spaces.spaces.map(({ slug, alias, mcpUrl }) => ({ slug, alias, mcpUrl })),
    notices: [...(sources.notices ?? []), ...notices],
  }
}

/** What can be called of a tool; nothing of a file whose name is in doubt, so that it takes no name of another one. */
export function callablesOf(tool: Registered): Callable[] {
  if (tool.members === undefined) return [{ tool }]
  return tool.problem === undefined ? tool.members.map((member) => ({ tool, member })) : []
}

export const nameOf = ({ tool, member }: Callable): string => member?.name ?? tool.id

/** What a name means: an ID, a wire name, or a name inside a file. A file with several tools has to be called by theirs. */
export function resolveName(registry: Registry, name: string): Callable | undefined {
  const tool = registry.byId.get(name)
  const called = registry.byWireName.get(name) ?? registry.byWireName.get(registry.wireNames.get(name) ?? name)
  if (tool === undefined || called?.tool === tool) return called ?? (tool && { tool })
  const [only, second] = tool.members ?? []
  return only !== undefined && second === undefined ? { tool, member: only } : { tool }
}
