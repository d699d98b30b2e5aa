import { hashOf, pythonJson } from '../canonical-json.ts'
import { hasUsableName, nameTools } from '../ids.ts'

import { parseAddress } from './address.ts'
import { isVariableName } from './environment.ts'
import { isServerName, sameName } from './names.ts'

import type { JsonObject, JsonValue, Problem, ServerTarget } from '../../contract/index.ts'
import type { ToolNames } from '../ids.ts'
import type { ManifestTool } from '../manifest.ts'

/** One server of `mcp_servers.json`. */
export interface ServerEntry {
  readonly name: string
  readonly target: ServerTarget
  readonly requestTimeoutS: number
  readonly toolTimeoutS: number
  readonly tools: readonly ManifestTool[]
  /** Not contacted, its tools not offered. */
  readonly problem?: Problem
  /** As it stands in the file, with keys that only others know. */
  readonly raw: JsonObject
}

/** What could not be read, left in the file as it is. */
export interface BadServer {
  readonly label: string
  readonly problem: Problem
  readonly raw: JsonValue
}

export type FileItem = { readonly entry: ServerEntry } | { readonly bad: BadServer }

export interface ServersFile {
  /** Why nothing is written. */
  readonly readOnly: Problem | null
  /** In the order of the file. */
  readonly items: readonly FileItem[]
  /** Parts of entries that were passed over, by the name of the entry. */
  readonly notes: ReadonlyArray<{ readonly entry: string; readonly problem: Problem }>
  /** Keys of the top level that only others know. */
  readonly extra: JsonObject
}

/** Seconds: the connector's own limits for a listing and for a call. */
export const DEFAULT_TIMEOUTS = { request: 15, tool: 60 } as const
const MAX_TIMEOUT_S = 3_600

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const badEntry = (reason: string): Problem => ({ code: 'server/bad-entry', details: { reason } })

/**
 * Reads `mcp_servers.json`, each entry by itself. The shape is that of a pull request of the Reachy Mini conversation app
 * (pollen-robotics/reachy_mini_conversation_app#502): `{version: 1, servers: [{alias, url, request_timeout_s,
 * tool_timeout_s, tools, auth?: {type: "bearer", token_env, allow_insecure_http?}}]}`. Ours alone: a server that is a
 * program has `command`, `args`, `env`, `env_from` and `cwd` in the place of `url` and `auth`; one whose token is in the
 * system's store, and may cross plain http, has `allow_insecure_http` beside `url`.
 */
export function readServersFile(bytes: Uint8Array | null, file: string): ServersFile {
  const readOnly = (problem: Problem): ServersFile => ({ readOnly: problem, items: [], notes: [], extra: {} })
  if (bytes === null) return { readOnly: null, items: [], notes: [], extra: {} }
  const top = parseTop(bytes)
  const servers = top?.servers ?? []
  if (top === null || !Array.isArray(servers)) return readOnly({ code: 'server/file-unreadable', details: { file } })
  if (typeof top.version === 'number' && top.version > 1) {
    return readOnly({ code: 'manifest/newer', details: { file, version: top.version } })
  }
  const items: FileItem[] = []
  const notes: { entry: string; problem: Problem }[] = []
  for (const raw of servers) {
    const read = readEntry(raw, notes)
    const clash = 'entry' in read && entriesOf(items).some(({ name }) => sameName(name, read.entry.name))
    items.push(clash ? { bad: { label: read.entry.name, raw, problem: badEntry('listed twice') } } : read)
  }
  const { version: _version, servers: _servers, ...extra } = top
  return { readOnly: null, items, notes, extra }
}

export const entriesOf = (items: readonly FileItem[]): ServerEntry[] =>
  items.flatMap((item) => ('entry' in item ? [item.entry] : []))

function parseTop(bytes: Uint8Array): JsonObject | null {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

function readEntry(raw: JsonValue, notes: { entry: string; problem: Problem }[]): FileItem {
  const reject = (label: string, reason: string): FileItem => ({ bad: { label, raw, problem: badEntry(reason) } })
  if (!isObject(raw)) return reject('?', 'not an object')
  const name = raw.alias
  if (typeof name !== 'string') return reject('?', 'no name')
  if (!isServerName(name)) return { bad: { label: name.slice(0, 100), raw, problem: badName(name) } }
  const target = readTarget(raw)
  if (typeof target === 'string') return reject(name, target)
  const problem = targetProblem(name, target)
  return {
    entry: {
      name,
      target,
      requestTimeoutS: seconds(raw.request_timeout_s) ?? DEFAULT_TIMEOUTS.request,
      toolTimeoutS: seconds(raw.tool_timeout_s) ?? DEFAULT_TIMEOUTS.tool,
      tools: readTools(name, raw.tools, notes),
      ...(problem === undefined ? {} : { problem }),
      raw,
    },
  }
}

const badName = (name: string): Problem => ({ code: 'server/bad-name', details: { name: name.slice(0, 100) } })

const seconds = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && value > 0 && value <= MAX_TIMEOUT_S ? value : null

/** The target, or why there is none. */
function readTarget(raw: JsonObject): ServerTarget | string {
  if (typeof raw.command === 'string') return readProgram(raw, raw.command)
  if (typeof raw.url !== 'string' || raw.url === '') return 'neither an address nor a program'
  if (raw.auth === undefined || raw.auth === null) {
    return { kind: 'http', url: raw.url, ...(raw.allow_insecure_http === true ? { allowInsecureHttp: true } : {}) }
  }
  const { auth } = raw
  if (!isObject(auth) || auth.type !== 'bearer') return 'an unknown kind of sign-in'
  if (typeof auth.token_env !== 'string' || !isVariableName(auth.token_env)) return 'no name of a variable in token_env'
  return {
    kind: 'http',
    url: raw.url,
    tokenEnv: auth.token_env,
    ...(auth.allow_insecure_http === true ? { allowInsecureHttp: true } : {}),
  }
}

function readProgram(raw: JsonObject, command: string): ServerTarget | string {
  const { args = [], env = {}, env_from: envFrom = [], cwd } = raw
  const areTexts = (value: JsonValue): value is string[] =>
    Array.isArray(value) && value.every((one) => typeof one === 'string')
  if (command.trim() === '') return 'an empty command'
  if (!areTexts(args)) return 'args is not a list of texts'
  if (!areTexts(envFrom) || !envFrom.every(isVariableName)) return 'env_from is not a list of names'
  if (!isObject(env)) return 'env is not an object'
  const plain = Object.entries(env)
  if (!plain.every(([key, value]) => isVariableName(key) && typeof value === 'string')) return 'env holds no texts'
  return {
    kind: 'stdio',
    command,
    args,
    ...(plain.length === 0 ? {} : { env: env as Record<string, string> }),
    ...(envFrom.length === 0 ? {} : { envFrom }),
    ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
  }
}

/** Why a target is not contacted: its address, or a token that would be sent in the clear. */
export function targetProblem(name: string, target: ServerTarget): Problem | undefined {
  if (target.kind === 'stdio') return undefined
  try {
    const { plainHttp } = parseAddress(target.url)
    if (!plainHttp || target.tokenEnv === undefined || target.allowInsecureHttp === true) return undefined
    return { code: 'server/insecure', details: { name } }
  } catch {
    return { code: 'server/bad-address', details: { url: target.url.slice(0, 200) } }
  }
}

function readTools(
  name: string,
  value: JsonValue | undefined,
  notes: { entry: string; problem: Problem }[],
): ManifestTool[] {
  const note = (reason: string): void => void notes.push({ entry: name, problem: badEntry(reason) })
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    note('tools is not a list')
    return []
  }
  const named = value.flatMap((raw) => (isObject(raw) && typeof raw.remote_name === 'string' ? [raw] : []))
  const usable = named.flatMap((raw) => {
    const remoteName = raw.remote_name
    return typeof remoteName === 'string' && hasUsableName(remoteName) ? [[remoteName, raw] as const] : []
  })
  const distinct = new Map(usable)
  if (distinct.size < value.length) note('a tool without its name, or listed twice')
  const stored = new Map<string, ToolNames>()
  for (const [remoteName, raw] of distinct) {
    const id = ownName(name, raw.local_name)
    const clientName = ownName(name, raw.client_tool_name)
    const taken = [...stored.values()].some((names) => names.id === id || names.clientName === clientName)
    if (id !== null && clientName !== null && !taken) stored.set(remoteName, { id, clientName })
  }
  const names = nameTools(name, [...distinct.keys()], stored)
  return [...distinct].flatMap(([remoteName, raw]) => {
    const own = names.get(remoteName)
    if (own === undefined) return []
    const description = typeof raw.description === 'string' ? raw.description : ''
    return [
      { ...own, remoteName, description, parameters: isObject(raw.parameters_schema) ? raw.parameters_schema : {} },
    ]
  })
}

const ownName = (name: string, value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value.startsWith(`${name}__`) && /^[A-Za-z][A-Za-z0-9_]*$/.test(value) ? value : null

/** Keys of an entry that say what it is; a new target replaces them all. */
const TARGET_KEYS = ['url', 'auth', 'allow_insecure_http', 'command', 'args', 'env', 'env_from', 'cwd']

/** An entry as it is written: keys that only others know stay. */
export function entryJson(entry: ServerEntry): JsonObject {
  const { name, target, tools, raw } = entry
  const kept = Object.entries(raw).filter(([key]) => !TARGET_KEYS.includes(key))
  return {
    ...Object.fromEntries(kept),
    alias: name,
    ...targetJson(target),
    request_timeout_s: entry.requestTimeoutS,
    tool_timeout_s: entry.toolTimeoutS,
    tools: tools.map((tool) => ({
      local_name: tool.id,
      client_tool_name: tool.clientName,
      remote_name: tool.remoteName,
      description: tool.description,
      parameters_schema: tool.parameters,
    })),
  }
}

function targetJson(target: ServerTarget): JsonObject {
  if (target.kind === 'http') {
    const { url, tokenEnv, allowInsecureHttp } = target
    const optIn = allowInsecureHttp === true ? { allow_insecure_http: true } : {}
    if (tokenEnv === undefined) return { url, ...optIn }
    return { url, auth: { type: 'bearer', token_env: tokenEnv, ...optIn } }
  }
  const { command, args, env, envFrom, cwd } = target
  return {
    command,
    args,
    ...(env === undefined ? {} : { env }),
    ...(envFrom === undefined ? {} : { env_from: envFrom }),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** The file's text; items whose `raw` was not replaced stand there as they were read. */
export function writeServersFile(servers: readonly JsonValue[], extra: JsonObject): string {
  return `${pythonJson({ ...extra, version: 1, servers: [...servers] })}\n`
}

/** SHA-256 of what would be contacted or run: an approval is bound to it. */
export const targetHash = (target: ServerTarget): string => hashOf(targetJson(target))
