import { Buffer } from 'node:buffer'

import { aliasOf } from './alias.ts'
import { pythonJson } from './canonical-json.ts'
import { isMcpUrl } from './origin.ts'
import { isSlug } from './ref.ts'

import type { JsonObject, JsonValue, Problem } from '../contract/index.ts'

export interface ManifestTool {
  readonly id: string
  readonly clientName: string
  readonly remoteName: string
  readonly description: string
  readonly parameters: JsonObject
}

export interface ManifestEntry {
  readonly slug: string
  readonly alias: string
  /** Empty in an entry of version 1, which knew none. */
  readonly mcpUrl: string
  /** `null`: the file does not say; treated as public, so that no token leaves. */
  readonly private: boolean | null
  readonly tools: readonly ManifestTool[]
  /** Not contacted, its tools not offered. */
  readonly problem?: Problem
  /** As it stands in the file, when there is no address: such an entry waits in the quarantine, whole. */
  readonly raw?: JsonObject
}

/** What could not be read, kept raw. */
export interface BadEntry {
  /** What to call it on screen. */
  readonly label: string
  readonly problem: Problem
  readonly raw: JsonValue
}

export type ManifestRead =
  | { readonly state: 'absent' }
  /** Left as it is until a person repairs it. */
  | { readonly state: 'read-only'; readonly problem: Problem }
  | {
      readonly state: 'ok'
      readonly entries: readonly ManifestEntry[]
      readonly bad: readonly BadEntry[]
      /** Keys that upstream's format does not have; the next write moves them to our own file. */
      readonly extra: readonly JsonObject[]
    }

export interface ReadOptions {
  readonly file: string
  readonly hubIsLoopback: boolean
}

const NO_PARAMETERS = 'the parameters of a tool are unknown'
/** An entry of version 1, or one that lost its address. */
export const NEEDS_REFRESH = 'needs to be added again'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bad = (label: string, raw: JsonValue, reason: string): BadEntry => ({
  label,
  raw,
  problem: { code: 'manifest/bad-entry', details: { reason } },
})

/**
 * Reads `installed_tool_spaces.json` of upstream's versions 1 and 2 (`pollen-robotics/reachy_mini_conversation_app`), each
 * entry by itself: a bad one, with which upstream refuses to start, costs the others nothing.
 */
export function readManifest(bytes: Uint8Array | null, options: ReadOptions): ManifestRead {
  if (bytes === null) return { state: 'absent' }
  const top = parseTop(bytes)
  const spaces = top === null ? null : (top.spaces ?? [])
  if (top === null || !Array.isArray(spaces)) {
    return { state: 'read-only', problem: { code: 'manifest/unreadable', details: { file: options.file } } }
  }
  if (typeof top.version === 'number' && top.version > 2) {
    return {
      state: 'read-only',
      problem: { code: 'manifest/newer', details: { file: options.file, version: top.version } },
    }
  }
  const entries: ManifestEntry[] = []
  const rejects: BadEntry[] = []
  const extra: JsonObject[] = extraKeys(top, ['version', 'spaces'], {})
  for (const raw of spaces) {
    const read = readEntry(raw, options)
    const clash = 'entry' in read ? clashOf(read.entry, entries) : null
    if ('reject' in read) rejects.push(read.reject)
    else if (clash !== null) rejects.push(bad(read.entry.slug, raw, clash))
    else {
      entries.push(read.entry)
      // What has no address is kept whole; its parts need no place of their own.
      if (read.entry.raw !== undefined) continue
      rejects.push(...read.badTools)
      extra.push(...read.extra)
    }
  }
  return { state: 'ok', entries, bad: rejects, extra }
}

function parseTop(bytes: Uint8Array): JsonObject | null {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

/** The first entry of a Space or an alias stays. */
export function clashOf(entry: ManifestEntry, before: readonly ManifestEntry[]): string | null {
  if (before.some(({ slug }) => slug.toLowerCase() === entry.slug.toLowerCase())) return 'listed twice'
  const other = before.find(({ alias }) => alias === entry.alias)
  return other === undefined ? null : `same tool names as ${other.slug}`
}

type EntryRead =
  | { readonly reject: BadEntry }
  | { readonly entry: ManifestEntry; readonly badTools: BadEntry[]; readonly extra: JsonObject[] }

/** One entry by itself. */
export function readEntry(raw: JsonValue, options: Pick<ReadOptions, 'hubIsLoopback'>): EntryRead {
  if (!isObject(raw)) return { reject: bad(typeof raw === 'string' ? raw.slice(0, 200) : '?', raw, 'not an object') }
  const slug = raw.slug
  if (typeof slug !== 'string' || !isSlug(slug)) {
    return { reject: bad(typeof slug === 'string' ? slug.slice(0, 200) : '?', raw, 'no name of a Space') }
  }
  const alias = aliasOf(slug)
  const mcpUrl = typeof raw.mcp_url === 'string' ? raw.mcp_url : ''
  const { tools, badTools } = readTools(raw, slug, alias)
  const problem = problemOf(slug, mcpUrl, options.hubIsLoopback)
  return {
    entry: {
      slug,
      alias,
      mcpUrl,
      private: readBoolean(raw.private),
      tools,
      ...(problem === undefined ? {} : { problem }),
      ...(mcpUrl === '' ? { raw } : {}),
    },
    badTools,
    extra: extraKeys(raw, ['slug', 'alias', 'mcp_url', 'private', 'tools'], { slug }),
  }
}

function problemOf(slug: string, mcpUrl: string, hubIsLoopback: boolean): Problem | undefined {
  if (mcpUrl === '') return { code: 'manifest/bad-entry', details: { slug, reason: NEEDS_REFRESH } }
  return isMcpUrl(mcpUrl, hubIsLoopback) ? undefined : { code: 'space/bad-origin', details: { slug } }
}

/** Upstream's version 0.10 takes any non-empty text for true; here only the words count. */
function readBoolean(value: JsonValue | undefined): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === 'true') return true
  return value === 'false' ? false : null
}

function readTools(raw: JsonObject, slug: string, alias: string): { tools: ManifestTool[]; badTools: BadEntry[] } {
  const tools: ManifestTool[] = []
  const badTools: BadEntry[] = []
  if (raw.tools !== undefined && !Array.isArray(raw.tools))
    badTools.push(bad(slug, { slug, tools: raw.tools }, 'tools is not a list'))
  const oldAlias = typeof raw.alias === 'string' && raw.alias !== alias ? raw.alias : null
  for (const one of Array.isArray(raw.tools) ? raw.tools : []) {
    const tool = readTool(one, alias, oldAlias)
    const reason = typeof tool === 'string' ? tool : repeats(tool, tools) ? 'a tool is listed twice' : null
    if (reason === null && typeof tool !== 'string') {
      tools.push(tool)
      // It works without; what is asked for shows at the next look at the Space.
      if (!isObject(one) || !isObject(one.parameters_schema))
        badTools.push(bad(slug, { slug, tool: one }, NO_PARAMETERS))
    } else badTools.push(bad(slug, { slug, tool: one }, reason ?? 'not a tool'))
  }
  return { tools, badTools }
}

const repeats = (tool: ManifestTool, before: readonly ManifestTool[]): boolean =>
  before.some(
    ({ id, clientName, remoteName }) =>
      id === tool.id || clientName === tool.clientName || remoteName === tool.remoteName,
  )

/** The tool, or why it is none. Names under an alias that was computed otherwise once move to the right one. */
function readTool(raw: JsonValue, alias: string, oldAlias: string | null): ManifestTool | string {
  if (!isObject(raw)) return 'a tool is not an object'
  const under = (name: JsonValue | undefined): string | null => {
    if (typeof name !== 'string') return null
    const moved =
      oldAlias !== null && name.startsWith(`${oldAlias}__`) ? `${alias}${name.slice(oldAlias.length)}` : name
    return moved.startsWith(`${alias}__`) && /^[A-Za-z][A-Za-z0-9_]*$/.test(moved) ? moved : null
  }
  const id = under(raw.local_name)
  const clientName = under(raw.client_tool_name)
  const remoteName = typeof raw.remote_name === 'string' ? raw.remote_name : ''
  if (id === null || clientName === null || remoteName === '') return 'a tool without its names'
  const description = typeof raw.description === 'string' ? raw.description : ''
  return {
    id,
    clientName,
    remoteName,
    description,
    parameters: isObject(raw.parameters_schema) ? raw.parameters_schema : {},
  }
}

function extraKeys(raw: JsonObject, known: readonly string[], about: JsonObject): JsonObject[] {
  const extra = Object.entries(raw).filter(([key]) => !known.includes(key))
  return extra.length === 0 ? [] : [{ ...about, extra: Object.fromEntries(extra) }]
}

/**
 * Version 2, byte for byte as upstream writes it: Spaces by slug in code-point order, exactly its keys, final newline.
 * Entries without an address are left out: upstream's strict reader would refuse the whole file for them.
 */
export function writeManifest(entries: readonly ManifestEntry[]): string {
  const spaces = entries
    .filter(({ mcpUrl }) => mcpUrl !== '')
    .sort((a, b) => Buffer.compare(Buffer.from(a.slug), Buffer.from(b.slug)))
    .map((entry) => ({
      slug: entry.slug,
      alias: entry.alias,
      mcp_url: entry.mcpUrl,
      private: entry.private ?? false,
      tools: entry.tools.map((tool) => ({
        local_name: tool.id,
        client_tool_name: tool.clientName,
        remote_name: tool.remoteName,
        description: tool.description,
        parameters_schema: tool.parameters,
      })),
    }))
  return `${pythonJson({ version: 2, spaces })}\n`
}
