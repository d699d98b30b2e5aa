/**
 * `profile.md`: a profile of the robot's conversation app from 0.11 on in one file, TOML between two lines `+++`, then the
 * prompt (https://github.com/pollen-robotics/reachy_mini_conversation_app, `profiles/*`). Read with patience, written as
 * strictly as that app reads. Pure.
 */
import { parse as parseToml } from 'smol-toml'

import { pythonStrip, splitLines } from '../tools-file.ts'

import type { FileProblem } from '../../contract/index.ts'

export const SCHEMA_VERSION = 1
const FENCE = '+++'
const FILE = 'profile.md'
const KEYS = ['schema_version', 'voice', 'greeting', 'hidden', 'default_tools'] as const

export interface ProfileMd {
  /** The prompt: trimmed, lines joined with `\n`. */
  readonly body: string
  /** Trimmed, without blanks, comments and repetitions. */
  readonly tools: readonly string[]
  readonly voice?: string
  readonly greeting?: string
  readonly hidden?: boolean
}

export type ReadProfileMd =
  | {
      readonly ok: true
      readonly profile: ProfileMd
      /** What the robot's app would not take, or what was left out. */
      readonly problems: readonly FileProblem[]
      /** Of a newer version than this app knows: to be shown, not to be written. */
      readonly newer: boolean
    }
  | { readonly ok: false; readonly problem: FileProblem }

const problem = (code: FileProblem['code'], details: Record<string, string | number>, line: number | null = null): FileProblem => ({
  file: FILE,
  line,
  code,
  details: { file: FILE, ...details },
})

interface Parts {
  /** Lines of the front matter without their ends. */
  readonly front: readonly string[]
  readonly body: string
}

function partsOf(text: string): Parts | { reason: string } {
  const lines = splitLines(text.replace(/^\uFEFF/, '')).map((line) => line.text)
  const isFence = (line: string | undefined): boolean => line !== undefined && pythonStrip(line) === FENCE
  if (!isFence(lines[0])) return { reason: 'it does not begin with a line +++.' }
  const end = lines.findIndex((line, at) => at > 0 && isFence(line))
  if (end < 0) return { reason: 'the second line +++ is missing.' }
  return { front: lines.slice(1, end), body: pythonStrip(lines.slice(end + 1).join('\n')) }
}

/** Entries as the robot's app takes them. */
export function normalisedTools(entries: readonly string[]): string[] {
  const trimmed = entries.map(pythonStrip).filter((entry) => entry !== '' && !entry.startsWith('#'))
  return [...new Set(trimmed)]
}

/** @param text decoded; a byte order mark is passed over, which the robot's app does not do. */
export function parseProfileMd(text: string): ReadProfileMd {
  const refused = (reason: string): ReadProfileMd => ({ ok: false, problem: problem('profile/bad-front-matter', { reason }) })
  const parts = partsOf(text)
  if ('reason' in parts) return refused(parts.reason)
  let front: Record<string, unknown>
  try {
    front = parseToml(parts.front.join('\n'))
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split('\n')
    return refused(`${message}.`)
  }
  const version = front.schema_version
  if (typeof version !== 'number' || !Number.isInteger(version)) return refused('schema_version is no whole number.')
  if (version < SCHEMA_VERSION) return refused(`schema_version ${version} is not known.`)
  const problems: FileProblem[] = []
  if (text.startsWith('\uFEFF')) problems.push(problem('tools/bom', {}, 1))
  const left = (key: string, expected: string): undefined => {
    problems.push(problem('profile/bad-front-matter', { reason: `${key} is no ${expected} and was left out.` }))
    return undefined
  }
  const textOf = (key: 'voice' | 'greeting'): string | undefined => {
    const value = front[key]
    if (value === undefined) return undefined
    if (typeof value !== 'string') return left(key, 'text')
    return pythonStrip(value) || undefined
  }
  const listed = front.default_tools
  const isList = Array.isArray(listed) && listed.every((entry) => typeof entry === 'string')
  if (!isList && version === SCHEMA_VERSION) return refused('default_tools is no list of texts.')
  const voice = textOf('voice')
  const greeting = textOf('greeting')
  const hidden = front.hidden
  if (hidden !== undefined && typeof hidden !== 'boolean') left('hidden', 'true or false')
  const unknown = Object.keys(front).filter((key) => !KEYS.some((known) => known === key))
  if (unknown.length > 0) problems.push(problem('profile/unknown-key', { keys: unknown.join(', ').slice(0, 200) }))
  if (parts.body === '') return refused('there is no prompt below the second line +++.')
  const newer = version > SCHEMA_VERSION
  if (newer) problems.push(problem('profile/newer', { version }))
  return {
    ok: true,
    newer,
    problems,
    profile: {
      body: parts.body,
      tools: isList ? normalisedTools(listed) : [],
      ...(voice === undefined ? {} : { voice }),
      ...(greeting === undefined ? {} : { greeting }),
      ...(typeof hidden === 'boolean' ? { hidden } : {}),
    },
  }
}

/** A TOML basic string: what JSON escapes and TOML does too, DEL besides; everything above stays as it is. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\x7f', '\\u007F')

function assignment(key: (typeof KEYS)[number], profile: ProfileMd): string[] | null {
  switch (key) {
    case 'schema_version':
      return [`schema_version = ${SCHEMA_VERSION}`]
    case 'voice':
    case 'greeting': {
      const value = profile[key]
      return value === undefined ? null : [`${key} = ${quoted(value)}`]
    }
    case 'hidden':
      return profile.hidden === true ? ['hidden = true'] : null
    case 'default_tools':
      if (profile.tools.length === 0) return ['default_tools = []']
      return ['default_tools = [', ...profile.tools.map((id) => `  ${quoted(id)},`), ']']
  }
}

/** A file anew, as the robot's app writes it, with `hidden` kept. */
export function writeProfileMd(profile: ProfileMd): string {
  const front = KEYS.flatMap((key) => assignment(key, profile) ?? [])
  return `${[FENCE, ...front, FENCE, '', pythonStrip(profile.body)].join('\n')}\n`
}

interface Span {
  readonly key: string | null
  readonly lines: readonly string[]
}

/** Lines of a front matter, those of one assignment together: a list or a text may take several. */
function spansOf(front: readonly string[]): Span[] {
  const spans: Span[] = []
  for (let at = 0; at < front.length; ) {
    const key = /^\s*([A-Za-z0-9_-]+)\s*=/.exec(front[at] ?? '')?.[1] ?? null
    let end = at + 1
    if (key !== null) while (end < front.length && !isWhole(front.slice(at, end).join('\n'))) end += 1
    spans.push({ key, lines: front.slice(at, end) })
    at = end
  }
  return spans
}

function isWhole(toml: string): boolean {
  try {
    parseToml(toml)
    return true
  } catch {
    // More lines may end what is open.
    return false
  }
}

/**
 * A file with other values: comments, the order of keys, keys that we do not know and line ends of the front matter stay;
 * only what has another value is written anew, and the prompt only when it is another one.
 */
export function editProfileMd(text: string, profile: ProfileMd): string {
  const read = parseProfileMd(text)
  const parts = partsOf(text)
  if (!read.ok || 'reason' in parts) return writeProfileMd(profile)
  const ending = splitLines(text)[0]?.ending || '\n'
  const same = (key: (typeof KEYS)[number]): boolean =>
    JSON.stringify(assignment(key, read.profile)) === JSON.stringify(assignment(key, profile))
  const front = spansOf(parts.front).flatMap(({ key, lines }) => {
    const known = KEYS.find((one) => one === key)
    return known === undefined || same(known) ? lines : (assignment(known, profile) ?? [])
  })
  const present = new Set(spansOf(parts.front).map(({ key }) => key))
  const added = KEYS.filter((key) => !present.has(key)).flatMap((key) => assignment(key, profile) ?? [])
  const head = [FENCE, ...front, ...added, FENCE].map((line) => line + ending).join('')
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  if (pythonStrip(profile.body) === read.profile.body) return bom + head + bodyTextOf(text)
  return `${bom}${head}${ending}${pythonStrip(profile.body).replaceAll(/\r\n|\r|\n/g, ending)}${ending}`
}

/** What stands below the second fence, to the byte. */
function bodyTextOf(text: string): string {
  const lines = splitLines(text.replace(/^\uFEFF/, ''))
  const end = lines.findIndex((line, at) => at > 0 && pythonStrip(line.text) === FENCE)
  return lines
    .slice(end + 1)
    .map((line) => line.text + line.ending)
    .join('')
}
