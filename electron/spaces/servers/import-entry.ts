import { parseAddress } from './address.ts'
import { isVariableName } from './environment.ts'
import { holdsSecret, isSecret, isSecretName } from './import-secrets.ts'

import type { JsonObject, JsonValue, Problem, ServerTarget } from '../../contract/index.ts'

/** One entry of another program's file. */
export interface ImportedEntry {
  readonly target: ServerTarget
  /** Names of the values that were left out. */
  readonly secrets: readonly string[]
  readonly token?: string
  /** What a person has to look at before it can work. */
  readonly problem?: Problem
}

export type EntryRead = ImportedEntry | { readonly refused: Problem }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (reason: string): { refused: Problem } => ({
  refused: { code: 'server/bad-entry', details: { reason } },
})

/** `streamable-http`, `streamableHttp`, `streamable_http`, `HTTP`, … mean one thing. */
const KINDS: Readonly<Record<string, 'http' | 'stdio'>> = {
  streamablehttp: 'http',
  http: 'http',
  https: 'http',
  sse: 'http',
  remote: 'http',
  stdio: 'stdio',
  local: 'stdio',
  command: 'stdio',
}

/** Reads an entry in any of the spellings that hosts use. */
export function readEntry(raw: JsonValue): EntryRead {
  if (!isObject(raw)) return refuse('not an object')
  const kindText = [raw.type, raw.transport, raw.transportType].find((one) => typeof one === 'string')
  const word = kindText?.toLowerCase().replace(/[^a-z]/g, '')
  const kind = word === undefined ? undefined : KINDS[word]
  const url = [raw.httpUrl, raw.url, raw.serverUrl, raw.uri].find((one) => typeof one === 'string' && one !== '')
  const command = commandOf(raw)
  if (word !== undefined && kind === undefined && word !== 'custom')
    return refuse(`an unknown kind, ${String(kindText).slice(0, 40)}`)
  if (typeof url === 'string' && (kind === 'http' || (kind === undefined && command === undefined)))
    return readHttp(raw, url)
  if (command !== undefined && kind !== 'http') return readProgram(raw, command)
  return refuse(kind === 'http' ? 'no address' : kind === 'stdio' ? 'no command' : 'neither an address nor a program')
}

/** `command: "npx"`, a list that starts with the program (opencode), or `{path, args, env}` (older Zed). */
function commandOf(raw: JsonObject): { words: JsonValue[]; env: JsonValue | undefined } | undefined {
  const { command } = raw
  if (typeof command === 'string' && command.trim() !== '') return { words: [command], env: undefined }
  if (Array.isArray(command) && command.length > 0) return { words: command, env: undefined }
  if (isObject(command) && typeof command.path === 'string') {
    return { words: [command.path, ...(Array.isArray(command.args) ? command.args : [])], env: command.env }
  }
  return undefined
}

function readHttp(raw: JsonObject, text: string): EntryRead {
  const secrets: string[] = []
  let address
  try {
    address = parseAddress(text)
  } catch {
    return { refused: { code: 'server/bad-address', details: { url: text.slice(0, 200) } } }
  }
  const url = new URL(address.url)
  for (const [name, value] of [...url.searchParams]) {
    if (!isSecret(name, value)) continue
    url.searchParams.delete(name)
    secrets.push(`?${name}`)
  }
  const signIn = readHeaders([raw.headers, raw.http_headers, raw.requestInit], secrets)
  const target: ServerTarget = {
    kind: 'http',
    // Written back only when something was taken out: the parser would respell the rest.
    url: secrets.some((name) => name.startsWith('?')) ? url.href : address.url,
    ...(signIn.tokenEnv === undefined ? {} : { tokenEnv: signIn.tokenEnv }),
  }
  return {
    target,
    secrets,
    ...(signIn.token === undefined ? {} : { token: signIn.token }),
    ...placeholderProblem(text),
  }
}

/** A bearer token, or the name of the variable that holds it; every other header is left out and named. */
function readHeaders(
  places: readonly (JsonValue | undefined)[],
  secrets: string[],
): { token?: string; tokenEnv?: string } {
  const headers = places.flatMap((place) => {
    const inner = isObject(place) && isObject(place.headers) ? place.headers : place
    return isObject(inner) ? Object.entries(inner) : []
  })
  const result: { token?: string; tokenEnv?: string } = {}
  for (const [name, value] of headers) {
    const bearer = typeof value === 'string' ? /^\s*Bearer\s+(.+?)\s*$/i.exec(value)?.[1] : undefined
    const isSignIn = name.toLowerCase() === 'authorization' && bearer !== undefined
    const variable = isSignIn ? variableOf(bearer) : undefined
    if (variable !== undefined) {
      result.tokenEnv = variable
      continue
    }
    secrets.push(name.slice(0, 100))
    if (isSignIn && !/\$\{|^\$/.test(bearer)) result.token = bearer
  }
  return result
}

/** `${env:NAME}`, `${NAME}`, `$NAME`, `{env:NAME}`, `%NAME%`: the spellings of a variable of the environment. */
function variableOf(value: string): string | undefined {
  const name =
    /^\$\{(?:env:)?([A-Za-z_]\w*)\}$/.exec(value)?.[1] ??
    /^\{env:([A-Za-z_]\w*)\}$/.exec(value)?.[1] ??
    /^\$([A-Za-z_]\w*)$/.exec(value)?.[1] ??
    /^%([A-Za-z_]\w*)%$/.exec(value)?.[1]
  return name !== undefined && isVariableName(name) ? name : undefined
}

function readProgram(
  raw: JsonObject,
  { words, env: ownEnv }: { words: JsonValue[]; env: JsonValue | undefined },
): EntryRead {
  const { args = [], cwd } = raw
  if (!Array.isArray(args)) return refuse('args is not a list')
  const all = [...words, ...args].map((word) => (typeof word === 'number' ? String(word) : word))
  if (!all.every((word) => typeof word === 'string')) return refuse('args holds something else than texts')
  const [command = '', ...rest] = all
  const secrets: string[] = []
  const kept = withoutSecrets(rest, secrets)
  const environment = readEnvironment([ownEnv, raw.env, raw.environment], secrets)
  if (typeof environment === 'string') return refuse(environment)
  if (typeof raw.envFile === 'string') secrets.push('envFile')
  const target: ServerTarget = {
    kind: 'stdio',
    command,
    args: kept,
    ...(Object.keys(environment.env).length === 0 ? {} : { env: environment.env }),
    ...(environment.envFrom.length === 0 ? {} : { envFrom: environment.envFrom }),
    ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
  }
  return { target, secrets, ...placeholderProblem([command, ...kept, typeof cwd === 'string' ? cwd : ''].join('\n')) }
}

/** Arguments with a secret in them become empty, and are named by their place, from 1. */
function withoutSecrets(args: readonly string[], secrets: string[]): string[] {
  return args.map((arg, index) => {
    const [option = '', value] = /^(--?[\w-]+)=([\s\S]+)$/.exec(arg)?.slice(1) ?? []
    const before = args[index - 1] ?? ''
    const follows = /^--?[\w-]+$/.test(before) && isSecretName(before) && !arg.startsWith('-')
    const inOption = value !== undefined && isSecret(option, value)
    if (!follows && !inOption && !holdsSecret(arg)) return arg
    secrets.push(`args ${index + 1}`)
    return inOption ? `${option}=` : ''
  })
}

function readEnvironment(
  places: readonly (JsonValue | undefined)[],
  secrets: string[],
): { env: Record<string, string>; envFrom: string[] } | string {
  const env = new Map<string, string>()
  const envFrom: string[] = []
  for (const place of places) {
    if (place === undefined || place === null) continue
    if (!isObject(place)) return 'env is not an object'
    for (const [name, value] of Object.entries(place)) {
      if (!isVariableName(name)) return `${name.slice(0, 60)} is no name of a variable`
      if (value === null) continue
      if (typeof value === 'object') return 'env holds something else than texts'
      const text = String(value)
      if (variableOf(text) === name) envFrom.push(name)
      else if (isSecret(name, text) || /\$\{/.test(text) || variableOf(text) !== undefined) secrets.push(name)
      else env.set(name, text)
    }
  }
  return { env: Object.fromEntries(env), envFrom }
}

/** `${workspaceFolder}` and the like mean something in the other program only. */
function placeholderProblem(text: string): { problem?: Problem } {
  const found = /\$\{[^}\n]{1,60}\}/.exec(text)?.[0]
  if (found === undefined) return {}
  return { problem: { code: 'server/bad-entry', details: { reason: `it holds ${found}, which has to be filled in` } } }
}
