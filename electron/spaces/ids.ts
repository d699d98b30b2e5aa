import { createHash } from 'node:crypto'

import { stripLikePython } from '../mcp/index.ts'

import { aliasOf, squash } from './alias.ts'

/** The names of one remote tool that upstream's files hold. */
export interface ToolNames {
  /** Line of `tools.txt`, `local_name` of the manifest. */
  readonly id: string
  /** `client_tool_name` of the manifest. */
  readonly clientName: string
}

/** First `length` hex digits of SHA-256 over `slug`, U+0000 and the trimmed remote name. */
export function digestOf(slug: string, remoteName: string, length: number): string {
  return createHash('sha256')
    .update(`${slug}\0${stripLikePython(remoteName)}`, 'utf8')
    .digest('hex')
    .slice(0, length)
}

/** Upstream's `N`: squashed, with `tool_` before a leading digit; empty when nothing is left. */
function normalise(text: string): string {
  const name = squash(stripLikePython(text))
  return /^[0-9]/.test(name) ? `tool_${name}` : name
}

/** Whether an ID can be made of a remote name: it needs an ASCII letter or digit. */
export const hasUsableName = (remoteName: string): boolean => normalise(remoteName) !== ''

/**
 * IDs and client names for the tools of one Space, byte for byte those of the Reachy Mini conversation app wherever that
 * makes unique ones: `alias__` + the squashed remote name without the Space's own name in front; where two share the
 * result, both keep the long form. Where they still share it (upstream then fails or writes a file that it cannot read)
 * each sharer gets `_` + 8 digits of {@link digestOf}, so that the order of the list plays no part.
 *
 * @param remoteNames distinct, each with {@link hasUsableName}
 * @param stored names given earlier, by remote name: they stay, and nothing new takes them
 */
export function nameTools(
  slug: string,
  remoteNames: readonly string[],
  stored: ReadonlyMap<string, ToolNames> = new Map(),
): Map<string, ToolNames> {
  const clients = makeUnique(
    slug,
    remoteNames,
    (name) => `${aliasOf(slug)}__${normalise(name)}`,
    taken(stored, 'clientName'),
  )
  const ids = makeUnique(slug, remoteNames, localNames(slug, remoteNames), taken(stored, 'id'))
  return new Map(
    remoteNames.map((name) => {
      const names = stored.get(name) ?? { id: ids.get(name) ?? '', clientName: clients.get(name) ?? '' }
      return [name, names]
    }),
  )
}

const taken = (stored: ReadonlyMap<string, ToolNames>, key: keyof ToolNames): Map<string, string> =>
  new Map([...stored].map(([remoteName, names]) => [remoteName, names[key]]))

/**
 * Upstream's local names: prefix stripped, and the client name for all whose stripped name is shared. A source without
 * owner is no Space but a server, whose names are never stripped.
 */
function localNames(slug: string, remoteNames: readonly string[]): (name: string) => string {
  const alias = aliasOf(slug)
  const ownName = slug.split('/')[1]
  const prefix = ownName === undefined ? null : `${normalise(ownName) || 'tool'}_`
  const stripped = (name: string): string => {
    const full = normalise(name) || 'tool'
    return prefix !== null && full.startsWith(prefix) && full.length > prefix.length ? full.slice(prefix.length) : full
  }
  const counts = new Map<string, number>()
  for (const name of remoteNames) counts.set(stripped(name), (counts.get(stripped(name)) ?? 0) + 1)
  return (name) => `${alias}__${(counts.get(stripped(name)) ?? 0) > 1 ? normalise(name) : stripped(name)}`
}

/** Digits grow in the practically impossible case that a name with 8 of them is taken as well. */
const DIGEST_LENGTHS = [0, 8, 16, 64] as const

function makeUnique(
  slug: string,
  remoteNames: readonly string[],
  base: (name: string) => string,
  kept: ReadonlyMap<string, string>,
): Map<string, string> {
  const lengths = new Map<string, number>(remoteNames.map((name) => [name, 0]))
  const nameAt = (name: string): string => {
    const digits = DIGEST_LENGTHS[lengths.get(name) ?? 0] ?? 0
    return digits === 0 ? base(name) : `${base(name)}_${digestOf(slug, name, digits)}`
  }
  for (;;) {
    const users = new Map<string, string[]>()
    for (const [remoteName, name] of kept) users.set(name, [remoteName])
    for (const remoteName of remoteNames) {
      if (kept.has(remoteName)) continue
      const name = nameAt(remoteName)
      users.set(name, [...(users.get(name) ?? []), remoteName])
    }
    const sharers = [...users.values()].filter((all) => all.length > 1).flat()
    const growing = sharers.filter((name) => !kept.has(name) && (lengths.get(name) ?? 0) < DIGEST_LENGTHS.length - 1)
    if (growing.length === 0) return new Map(remoteNames.map((name) => [name, kept.get(name) ?? nameAt(name)]))
    for (const name of growing) lengths.set(name, (lengths.get(name) ?? 0) + 1)
  }
}

/** What model APIs accept alike: OpenAI 64 characters, Gemini and Bedrock a letter first. */
const WIRE = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const WIRE_LENGTH = 64

/**
 * Name of a tool in a model request: the ID where that is accepted, else its first characters, `_`, and a digest of
 * Space and exact remote name. The only name shortener: every converter asks here.
 *
 * @param digits of the digest; the whole has at most 64 characters
 */
export function wireName(id: string, slug: string, remoteName: string, digits = 8): string {
  const clean = id.replace(/[^A-Za-z0-9_]/g, '_').replace(/^[^A-Za-z]/, 't$&')
  return `${clean.slice(0, WIRE_LENGTH - 1 - digits)}_${digestOf(slug, remoteName, digits)}`
}

/**
 * Wire names of all tools offered together, by ID, unique among them.
 *
 * @param tools `slug` is empty for tools that come from no Space; IDs are distinct
 */
export function wireNames(
  tools: ReadonlyArray<{ readonly id: string; readonly slug: string; readonly remoteName: string }>,
): Map<string, string> {
  const plain = new Map(
    tools.map(({ id, slug, remoteName }) => [id, WIRE.test(id) ? id : wireName(id, slug, remoteName)] as const),
  )
  const counts = new Map<string, number>()
  for (const wire of plain.values()) counts.set(wire, (counts.get(wire) ?? 0) + 1)
  return new Map(
    tools.map(({ id, slug, remoteName }) => {
      const wire = plain.get(id) ?? id
      const shared = (counts.get(wire) ?? 0) > 1
      return [id, shared && wire !== id ? wireName(id, slug, remoteName, 16) : wire]
    }),
  )
}
