/** The four files of one profile, what is wrong with them, and what they mean. */
import { createHash } from 'node:crypto'
import path from 'node:path'

import { checkInstructions, checkTools } from './check.ts'
import { BUILT_IN_PROMPT, resolveInstructions } from './instructions.ts'
import { FILE_NAMES } from './roots.ts'
import { readTextFile } from './text-file.ts'
import { pythonStrip, toolIds } from './tools-file.ts'

import type { FileProblem, Problem } from '../contract/index.ts'
import type { FileName, Place } from './roots.ts'
import type { TextFile } from './text-file.ts'
import type { EffectiveProfile } from './types.ts'

export type ProfileFiles = Readonly<Record<FileName, TextFile>>

const ABSENT: TextFile = { state: 'absent' }
export const NO_FILES: ProfileFiles = {
  'tools.txt': ABSENT,
  'instructions.txt': ABSENT,
  'voice.txt': ABSENT,
  'greeting.txt': ABSENT,
}

export async function readFiles(place: Place): Promise<ProfileFiles> {
  const read = await Promise.all(
    FILE_NAMES.map(async (name) => [name, await readTextFile(path.join(place.dir, name), place.root)] as const),
  )
  return { ...NO_FILES, ...Object.fromEntries(read) }
}

/** Changes when tools.txt or instructions.txt changed, appeared or went. */
export function revisionOf(files: ProfileFiles): string {
  const hash = createHash('sha256')
  for (const name of ['tools.txt', 'instructions.txt'] as const) hash.update(`${name} ${stateDigest(files[name])}\n`)
  return hash.digest('hex')
}

/** For noticing any change at all. */
export function fingerprintOf(files: ProfileFiles): string {
  return FILE_NAMES.map((name) => stateDigest(files[name])).join(' ')
}

function stateDigest(file: TextFile): string {
  if (file.state === 'absent') return 'absent'
  const bytes = file.bytes === null ? '' : createHash('sha256').update(file.bytes).digest('hex')
  return `${file.state === 'unreadable' ? file.reason : file.state} ${bytes}`
}

/** Why a file cannot be taken as text, `null` when it can or when it does not exist. */
export function fileProblem(name: string, fileName: FileName, file: TextFile): Problem | null {
  if (file.state === 'not-utf8') {
    return { code: 'profile/not-utf8', details: { name, file: fileName, position: file.position } }
  }
  if (file.state === 'unreadable') {
    return { code: 'profile/unreadable', details: { name, file: fileName, reason: file.reason } }
  }
  return null
}

/** Why the profile as a whole cannot be used. Voice and greeting can be done without. */
export function profileProblem(name: string, files: ProfileFiles): Problem | null {
  return (
    fileProblem(name, 'instructions.txt', files['instructions.txt']) ?? fileProblem(name, 'tools.txt', files['tools.txt'])
  )
}

/** Without a byte order mark, trimmed; `undefined` when there is nothing left or no text. */
export function trimmedText(file: TextFile): string | undefined {
  if (file.state !== 'ok') return undefined
  const text = pythonStrip(file.text.replace(/^\uFEFF/, ''))
  return text === '' ? undefined : text
}

/** What other profiles take from `default`: a file that the user broke is replaced by the shipped one, then by ours. */
export interface Defaults {
  readonly prompt: string
  readonly toolsText: string
}

/** @param candidates files of the profile `default`, best first. */
export function defaultsFrom(candidates: readonly ProfileFiles[]): Defaults {
  const sources = candidates.flatMap((files) => trimmedText(files['instructions.txt']) ?? [])
  const lists = candidates.flatMap(({ 'tools.txt': file }) => (file.state === 'ok' ? [file.text] : []))
  const prompt = sources[0] === undefined ? '' : resolveInstructions(sources[0], BUILT_IN_PROMPT)
  return { prompt: prompt === '' ? BUILT_IN_PROMPT : prompt, toolsText: lists[0] ?? '' }
}

/** A profile without instructions speaks as `default`, one without tools.txt has its tools; an empty tools.txt means none. */
export function effectiveOf(name: string, files: ProfileFiles, defaults: Defaults): EffectiveProfile {
  const source = name === 'default' ? undefined : trimmedText(files['instructions.txt'])
  const prompt = source === undefined ? defaults.prompt : resolveInstructions(source, defaults.prompt)
  const list = files['tools.txt']
  const greeting = trimmedText(files['greeting.txt'])
  const voice = trimmedText(files['voice.txt'])
  return {
    name,
    instructions: prompt === '' ? defaults.prompt : prompt,
    toolIds: toolIds(list.state === 'ok' ? list.text : defaults.toolsText),
    ...(greeting === undefined ? {} : { greeting }),
    ...(voice === undefined ? {} : { voice }),
  }
}

export function checkFiles(name: string, files: ProfileFiles, defaults: Defaults): FileProblem[] {
  const tools = files['tools.txt']
  const instructions = files['instructions.txt']
  const unreadable = FILE_NAMES.flatMap((fileName) => {
    const problem = fileProblem(name, fileName, files[fileName])
    return problem === null ? [] : [{ file: fileName, line: null, ...problem }]
  })
  const missing =
    instructions.state === 'absent' || (instructions.state === 'ok' && trimmedText(instructions) === undefined)
      ? [missingInstructions(name, instructions.state === 'absent' ? 'missing' : 'empty')]
      : []
  return [
    ...unreadable,
    ...missing,
    ...(tools.state === 'ok' ? checkTools(tools.text) : []),
    ...(instructions.state === 'ok' ? checkInstructions(name, instructions.text, defaults.prompt) : []),
  ]
}

function missingInstructions(name: string, reason: string): FileProblem {
  const file = 'instructions.txt'
  return { file, line: null, code: 'profile/unreadable', details: { name, file, reason } }
}
