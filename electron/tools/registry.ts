import { builtInTools } from './built-in.ts'
import { describe, readable, visible } from './text.ts'

import type {
  JsonObject,
  Problem,
  RemoteTool,
  ServersSnapshot,
  SpacesSnapshot,
  ToolEntry,
  ToolSource,
} from '../contract/index.ts'
import type { ServerTool, SpaceTool } from '../spaces/index.ts'
import type { BodyWords, BuiltIn } from './built-in.ts'

/** A tool of the registry, independent of any profile. */
export interface Registered {
  readonly id: string
  readonly shortName: string
  readonly source: ToolSource
  readonly origin: string
  /** Never empty. */
  readonly description: string
  readonly parameters: JsonObject
  /** What arguments are checked against: as `parameters`, with open choices where other words are understood too. */
  readonly checked: JsonObject
  readonly ordered: boolean
  readonly system: boolean
  readonly problem?: Problem
  /** Name on its server, for tools of Spaces and servers. */
  readonly remoteName?: string
  /** A person allowed the tool for good, as it is now. */
  readonly consented?: boolean
  /** The server says that it may destroy something. */
  readonly destructive?: boolean
  /** Its server is a program on this computer. */
  readonly runsHere?: boolean
}

export interface Registry {
  readonly version: number
  /** Built-in tools first, then those of Spaces and of servers in the order of their files. IDs are unique. */
  readonly tools: readonly Registered[]
  readonly byId: ReadonlyMap<string, Registered>
  readonly byWireName: ReadonlyMap<string, Registered>
  readonly wireNames: ReadonlyMap<string, string>
  readonly spaces: ReadonlyArray<{ slug: string; alias: string; mcpUrl: string }>
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
}

/**
 * One list of all tools with unique IDs. A built-in name is never taken over by another source; when two other sources
 * share a name neither is used, because the model's call could reach the wrong one, and the rest works on.
 */
export function buildRegistry(version: number, sources: Sources, wireNames: WireNames): Registry {
  const builtIn = builtInTools(sources.body).map(ofBuiltIn)
  const remote = [
    ...sources.spaceTools.map(ofSpaceTool),
    ...sources.spaces.spaces.flatMap((space) => rejectedTools(space.tools, 'space', space.slug)),
    ...sources.serverTools.map(ofServerTool),
    ...sources.servers.servers.flatMap((server) => rejectedTools(server.tools, 'server', server.name)),
  ]
  const tools = unique(builtIn, remote)
  const wires = wireNames(
    tools.map(({ id, source, origin, remoteName }) => ({
      id,
      slug: source === 'built-in' ? '' : origin,
      remoteName: remoteName ?? id,
    })),
  )
  return {
    version,
    tools,
    byId: new Map(tools.map((tool) => [tool.id, tool])),
    byWireName: new Map(tools.map((tool) => [wires.get(tool.id) ?? tool.id, tool])),
    wireNames: wires,
    spaces: sources.spaces.spaces.map(({ slug, alias, mcpUrl }) => ({ slug, alias, mcpUrl })),
  }
}

function ofBuiltIn(tool: BuiltIn): Registered {
  return {
    id: tool.id,
    shortName: tool.id,
    source: 'built-in',
    origin: tool.system ? 'system' : 'robot',
    description: tool.description,
    parameters: tool.parameters,
    checked: tool.freeChoice ? withoutChoices(tool.parameters, tool.freeChoice) : tool.parameters,
    ordered: tool.ordered,
    system: tool.system,
    ...(tool.missing ? { problem: { code: 'tools/unavailable', details: { id: tool.id, reason: tool.missing } } } : {}),
  }
}

function withoutChoices(schema: JsonObject, names: readonly string[]): JsonObject {
  const properties = Object.entries(schema.properties as JsonObject).map(([name, property]) => {
    if (!names.includes(name)) return [name, property] as const
    const { enum: _, ...open } = property as JsonObject
    return [name, open] as const
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

const afterAlias = (id: string): string => (id.includes('__') ? id.slice(id.indexOf('__') + 2) : id)

function ofSpaceTool(tool: SpaceTool): Registered {
  return {
    ...ofRemote('space', tool.slug, tool),
    consented: tool.consented,
    ...(tool.destructive === true ? { destructive: true } : {}),
  }
}

function ofServerTool(tool: ServerTool): Registered {
  return {
    ...ofRemote('server', tool.server, tool),
    consented: tool.consented,
    destructive: tool.destructive,
    runsHere: tool.runsHere,
  }
}

function ofRemote(
  source: 'space' | 'server',
  origin: string,
  tool: Pick<SpaceTool, 'id' | 'remoteName' | 'description' | 'parameters'>,
): Registered {
  const shortName = afterAlias(tool.id)
  const whose = source === 'space' ? `the Space ${origin}` : `the server ${origin}`
  return {
    id: tool.id,
    shortName,
    source,
    origin,
    description: describe(tool.description) ?? `${readable(shortName)} (tool of ${whose})`,
    parameters: tool.parameters,
    checked: tool.parameters,
    ordered: false,
    system: false,
    remoteName: tool.remoteName,
  }
}

/** Tools that a source offers but nobody can use: listed with the reason, so that a line naming one is explained. */
function rejectedTools(tools: readonly RemoteTool[], source: 'space' | 'server', origin: string): Registered[] {
  return tools.flatMap(({ id, remoteName, description, status, problem }): Registered[] => {
    if (id === null || status !== 'rejected') return []
    const tool = ofRemote(source, origin, { id, remoteName, description, parameters: {} })
    return [{ ...tool, problem: problem ?? { code: 'tools/unavailable', details: { id, reason: 'rejected' } } }]
  })
}

function unique(builtIn: readonly Registered[], remote: readonly Registered[]): Registered[] {
  const reserved = new Set(builtIn.map((tool) => tool.id))
  const groups = new Map<string, Registered[]>()
  for (const tool of remote) {
    if (reserved.has(tool.id)) continue
    groups.set(tool.id, [...(groups.get(tool.id) ?? []), tool])
  }
  const others = [...groups.values()].map((group): Registered => {
    const [first, second] = group as [Registered, Registered | undefined]
    if (!second) return first
    const details = { id: first.id, first: sourceName(first), second: sourceName(second) }
    return { ...first, problem: { code: 'tools/duplicate-name', details } }
  })
  return [...builtIn, ...others]
}

const sourceName = (tool: Registered): string => visible(`${tool.origin} (${tool.remoteName ?? tool.id})`)

/** A tool as one profile sees it. */
export function entryOf(tool: Registered, enabled: ReadonlySet<string>): ToolEntry {
  return {
    id: tool.id,
    shortName: tool.shortName,
    source: tool.source,
    origin: tool.origin,
    description: tool.description,
    parameters: tool.parameters,
    enabled: tool.system || enabled.has(tool.id),
    available: tool.problem === undefined,
    system: tool.system,
    ...(tool.problem ? { problem: tool.problem } : {}),
  }
}
