import { riskOf } from './permission.ts'
import { describe, readable, visible } from './text.ts'

import type { JsonObject, Problem, RemoteTool, ToolEntry, ToolFileInfo, ToolSource } from '../contract/index.ts'
import type { ServerTool, SpaceTool } from '../spaces/index.ts'
import type { BuiltIn } from './built-in.ts'
import type { LocalTool } from './local/index.ts'

/** One of the tools that a file of the user's own offers. */
export interface Member {
  readonly name: string
  /** Never empty. */
  readonly description: string
  readonly parameters: JsonObject
}

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
  /** The file behind a local tool, and what it offers: one switch, one or several tools of a model. */
  readonly file?: ToolFileInfo
  readonly members?: readonly Member[]
}

/** What a model calls: a tool, or one of the tools of a file. */
export interface Callable {
  readonly tool: Registered
  readonly member?: Member
}

/** Arguments of a file whose tools are not known yet, or differ. */
const ANYTHING: JsonObject = { type: 'object', properties: {} }

export function ofBuiltIn(tool: BuiltIn): Registered {
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

export function ofSpaceTool(tool: SpaceTool): Registered {
  return {
    ...ofRemote('space', tool.slug, tool),
    consented: tool.consented,
    ...(tool.destructive === true ? { destructive: true } : {}),
  }
}

export function ofServerTool(tool: ServerTool): Registered {
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
export function rejectedTools(tools: readonly RemoteTool[], source: 'space' | 'server', origin: string): Registered[] {
  return tools.flatMap(({ id, remoteName, description, status, problem }): Registered[] => {
    if (id === null || status !== 'rejected') return []
    const tool = ofRemote(source, origin, { id, remoteName, description, parameters: {} })
    return [{ ...tool, problem: problem ?? { code: 'tools/unavailable', details: { id, reason: 'rejected' } } }]
  })
}

/** A file of the user's own. What it says of itself is cleaned like a stranger's text. */
export function ofLocalTool({ id, problem, ...file }: LocalTool): Registered {
  const members = file.members.map((member): Member => ({
    name: member.name,
    description: describe(member.description) ?? `${readable(member.name)} (tool of the file ${fileName(file.path)})`,
    parameters: member.parameters,
  }))
  const [only] = members.length === 1 ? members : []
  const many = members.map((member) => `${member.name}: ${member.description}`).join('\n')
  const parameters = only?.parameters ?? ANYTHING
  return {
    id,
    shortName: id,
    source: 'local',
    origin: file.path,
    description: only?.description ?? (many || `${readable(id)} (tool of the file ${fileName(file.path)})`),
    parameters,
    checked: parameters,
    ordered: false,
    system: false,
    file,
    members,
    ...(problem ? { problem: { code: problem.code, details: { id, path: file.path, ...problem.details } } } : {}),
  }
}

/** Last part of a path of any system. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** Where a tool comes from, as people and models are told: never the folders of this computer to a model. */
export const fromWhom = ({ source, origin }: Pick<Registered, 'source' | 'origin'>): string =>
  source === 'local' ? visible(fileName(origin)) : origin

/** A tool as one profile sees it. */
export function entryOf(
  tool: Registered,
  enabled: ReadonlySet<string>,
  more: Pick<ToolEntry, 'permission' | 'autoloaded'> = {},
): ToolEntry {
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
    riskClass: riskOf(tool),
    ...(tool.problem ? { problem: tool.problem } : {}),
    ...(tool.file ? { file: tool.file } : {}),
    ...more,
  }
}
