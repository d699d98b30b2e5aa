import { CompanionError } from '../../contract/index.ts'
import { failureOf } from '../../failure.ts'
import { plainText } from '../../mcp/index.ts'
import { squash } from '../alias.ts'

import { isObject, readEntry } from './import-entry.ts'
import { parseLenientJson } from './import-text.ts'
import { isServerName, sameName } from './names.ts'

import type { JsonObject, JsonValue, Problem, ServerDraft, ServerImport } from '../../contract/index.ts'

const MAX_ENTRIES = 100

/** A draft with the bearer token that stood in it. */
export interface FoundToken {
  readonly draft: ServerDraft
  readonly token: string
}

/**
 * Reads the text of another program's `mcp.json`: `mcpServers` (Claude Desktop, Cursor, Windsurf, Gemini), `servers`
 * (VS Code), `context_servers` (Zed), `mcp` (opencode, and VS Code's settings), lists of entries with a name, one entry, or
 * a bare map of them. Each entry is read by itself. Commands stay what they are, a program and its arguments: no shell
 * ever sees them. What looks like a secret is left out and named.
 */
export function readImport(text: string): { result: ServerImport; tokens: readonly FoundToken[] } {
  const failed = (reason: string): { result: ServerImport; tokens: FoundToken[] } => ({
    result: { drafts: [], problems: [], failure: failureOf(new CompanionError('server/bad-entry', { reason })) },
    tokens: [],
  })
  let value: JsonValue
  try {
    value = parseLenientJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return failed(text.trim() === '' ? 'the text is empty' : 'the text is no JSON')
    throw error
  }
  const entries = entriesIn(value)
  if (entries === null) return failed('there is no list of servers in the text')

  const drafts: ServerImport['drafts'] = []
  const problems: ServerImport['problems'] = []
  const tokens: FoundToken[] = []
  for (const [label, raw] of entries.slice(0, MAX_ENTRIES)) {
    const entry = plainText(label, 100)
    const read = readEntry(raw)
    const name = nameFor(label, drafts)
    const refused: Problem | null =
      'refused' in read ? read.refused : name === null ? { code: 'server/bad-name', details: { name: entry } } : null
    if (refused !== null || 'refused' in read || name === null) {
      if (refused !== null) problems.push({ entry, problem: refused })
      continue
    }
    const draft: ServerDraft = { name, target: read.target }
    drafts.push({
      draft,
      secrets: [...new Set(read.secrets)],
      ...(read.problem === undefined ? {} : { problem: read.problem }),
      ...(read.token === undefined ? {} : { bearer: true }),
    })
    if (read.token !== undefined) tokens.push({ draft, token: read.token })
  }
  if (entries.length > MAX_ENTRIES) {
    const reason = `only the first ${MAX_ENTRIES} are read`
    problems.push({ entry: String(entries.length), problem: { code: 'server/bad-entry', details: { reason } } })
  }
  return { result: { drafts, problems }, tokens }
}

type Entries = (readonly [string, JsonValue])[]

const KEYS = ['mcpServers', 'mcp_servers', 'context_servers', 'servers', 'mcp.servers', 'mcp'] as const

function entriesIn(value: JsonValue): Entries | null {
  if (Array.isArray(value)) return listed(value)
  if (!isObject(value)) return null
  for (const key of KEYS) {
    if (!Object.hasOwn(value, key)) continue
    const inner = value[key]
    if (Array.isArray(inner)) return listed(inner)
    if (!isObject(inner)) return null
    // VS Code's settings have the list one level deeper.
    return (
      (key === 'mcp' && isObject(inner.servers) ? entriesIn({ servers: inner.servers }) : null) ?? Object.entries(inner)
    )
  }
  if (isEntry(value)) return [[nameIn(value) ?? 'imported', value]]
  const inner = Object.entries(value)
  return inner.length > 0 && inner.every(([, one]) => isObject(one) && isEntry(one)) ? inner : null
}

const listed = (values: readonly JsonValue[]): Entries =>
  values.map((one, index) => [(isObject(one) ? nameIn(one) : undefined) ?? `server_${index + 1}`, one])

const nameIn = (raw: JsonObject): string | undefined =>
  [raw.name, raw.alias, raw.id].find((one): one is string => typeof one === 'string' && one !== '')

const isEntry = (raw: JsonObject): boolean =>
  ['command', 'url', 'httpUrl', 'serverUrl'].some((key) => Object.hasOwn(raw, key) && raw[key] !== null)

/** A name of ours that is as near as it can be, unique among the drafts; `null` when no letter or digit is left. */
function nameFor(label: string, drafts: ServerImport['drafts']): string | null {
  const squashed = squash(label.normalize('NFKD').replace(/[\u0300-\u036f]/g, ''))
    .slice(0, 56)
    .replace(/_$/, '')
  const base = /^[A-Za-z]/.test(squashed) ? squashed : squashed === '' ? '' : `server_${squashed}`
  if (base === '') return null
  const isFree = (name: string): boolean =>
    isServerName(name) && !drafts.some(({ draft }) => sameName(draft.name, name))
  for (let at = 1; at <= MAX_ENTRIES + 1; at += 1) {
    const name = at === 1 ? base : `${base}_${at}`
    if (isFree(name)) return name
  }
  return null
}

/** {@link readImport}, and the tokens of the last text, which are given to nobody but the server of their draft. */
export function createImport() {
  let tokens: readonly FoundToken[] = []
  return {
    read(text: string): ServerImport {
      const read = readImport(text)
      tokens = read.tokens
      return read.result
    },
    /** A person may have given the draft another name; the address is what a token belongs to. */
    tokenOf({ target }: ServerDraft): string | undefined {
      if (target.kind !== 'http') return undefined
      return tokens.find(({ draft }) => draft.target.kind === 'http' && draft.target.url === target.url)?.token
    },
    forget() {
      tokens = []
    },
  }
}
