/** The four files of one profile, what is wrong with them, and what they mean. */
import { createHash } from 'node:crypto'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { checkInstructions, checkTools, checkVoice, knownVoice } from './check.ts'
import { readMdFiles } from './formats/md-place.ts'
import { BUILT_IN_PROMPT, instructionsParts, joinParts } from './instructions.ts'
import { FILE_NAMES } from './roots.ts'
import { decodeText, readTextFile } from './text-file.ts'
import { isWellFormed, pythonStrip, toolIds } from './tools-file.ts'

import type { FileProblem, Problem, ProfileDetails, ProfileTexts } from '../contract/index.ts'
import type { FileName, Place } from './roots.ts'
import type { TextFile } from './text-file.ts'
import type { EffectiveProfile, InstructionsPart } from './types.ts'

export type ProfileFiles = Readonly<Record<FileName, TextFile>>

const ABSENT: TextFile = { state: 'absent' }
export const NO_FILES: ProfileFiles = {
  'tools.txt': ABSENT,
  'instructions.txt': ABSENT,
  'voice.txt': ABSENT,
  'greeting.txt': ABSENT,
}

export async function readFiles(place: Place): Promise<ProfileFiles> {
  if (place.format === 'profile-md') return readMdFiles(place)
  const read = await Promise.all(
    FILE_NAMES.map(async (name) => [name, await readTextFile(path.join(place.dir, name), place.root)] as const),
  )
  return { ...NO_FILES, ...Object.fromEntries(read) }
}

/** Changes when one of the four files changed, appeared or went. */
export function revisionOf(files: ProfileFiles): string {
  return createHash('sha256')
    .update(FILE_NAMES.map((name) => `${name} ${stateDigest(files[name])}\n`).join(''))
    .digest('hex')
}

/** For noticing any change at all. */
export function fingerprintOf(files: ProfileFiles): string {
  return FILE_NAMES.map((name) => stateDigest(files[name])).join(' ')
}

/** Changes when a file does. */
export function stateDigest(file: TextFile): string {
  if (file.state === 'absent') return 'absent'
  const bytes = file.bytes === null ? '' : createHash('sha256').update(file.bytes).digest('hex')
  return `${file.state === 'unreadable' ? file.reason : file.state} ${bytes}`
}

/** The text of a file; for one that is no text the nearest thing to it, which is shown and never written. */
export function shownText(file: TextFile): string | null {
  if (file.state === 'ok') return file.text
  if (file.state === 'absent') return null
  return file.bytes === null ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes)
}

export function textsOf(files: ProfileFiles): ProfileTexts {
  return {
    'tools.txt': shownText(files['tools.txt']),
    'instructions.txt': shownText(files['instructions.txt']),
    'voice.txt': shownText(files['voice.txt']),
    'greeting.txt': shownText(files['greeting.txt']),
  }
}

/** Unsaved texts as if they were on disk. A file that is no text is that still, as long as nobody changed what is shown. */
export function filesOf(texts: ProfileTexts, onDisk: ProfileFiles): ProfileFiles {
  const file = (name: FileName): TextFile => {
    const [text, present] = [texts[name], onDisk[name]]
    if (text === shownText(present)) return present
    return text === null ? ABSENT : decodeText(new TextEncoder().encode(text))
  }
  return {
    'tools.txt': file('tools.txt'),
    'instructions.txt': file('instructions.txt'),
    'voice.txt': file('voice.txt'),
    'greeting.txt': file('greeting.txt'),
  }
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

/** A file that is no text is never written. @throws CompanionError `profile/not-utf8`, `profile/unreadable`. */
export function refuseNoText(name: string, fileName: FileName, file: TextFile): void {
  const problem = fileProblem(name, fileName, file)
  if (problem !== null) throw new CompanionError(problem.code, problem.details)
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
  /** The same in pieces. */
  readonly parts: readonly InstructionsPart[]
  readonly toolsText: string
}

const BUILT_IN_PARTS: readonly InstructionsPart[] = [{ origin: 'default', text: BUILT_IN_PROMPT }]

/** @param candidates files of the profile `default`, best first. */
export function defaultsFrom(candidates: readonly ProfileFiles[]): Defaults {
  const index = candidates.findIndex((files) => trimmedText(files['instructions.txt']) !== undefined)
  const source = index < 0 ? undefined : candidates[index]
  const text = source === undefined ? '' : (trimmedText(source['instructions.txt']) ?? '')
  const resolved = instructionsParts(text, BUILT_IN_PROMPT)
  const own = pythonStrip(joinParts(resolved)) === '' ? BUILT_IN_PARTS : resolved
  // What takes the place of the first candidate is not the profile's own.
  const parts = index > 0 ? own.map((part): InstructionsPart => ({ ...part, origin: 'default' })) : own
  const lists = candidates.flatMap(({ 'tools.txt': file }) => (file.state === 'ok' ? [file.text] : []))
  return { prompt: pythonStrip(joinParts(parts)), parts, toolsText: lists[0] ?? '' }
}

/** A profile without instructions speaks as `default`, one without tools.txt has its tools; an empty tools.txt means none. */
export function effectiveOf(
  name: string,
  files: ProfileFiles,
  defaults: Defaults,
  details: Pick<ProfileDetails, 'model' | 'permissions'> = {},
): EffectiveProfile {
  const parts = name === 'default' ? defaults.parts : partsOf(files, defaults)
  const list = files['tools.txt']
  const greeting = trimmedText(files['greeting.txt'])
  const voice = knownVoice(trimmedText(files['voice.txt']) ?? '')
  return {
    name,
    instructions: pythonStrip(joinParts(parts)),
    parts,
    toolIds: toolIds(list.state === 'ok' ? list.text : defaults.toolsText),
    ...(greeting === undefined ? {} : { greeting }),
    ...(voice === undefined ? {} : { voice }),
    ...(details.model === undefined ? {} : { model: details.model }),
    permissions: details.permissions ?? {},
  }
}

function partsOf(files: ProfileFiles, defaults: Defaults): readonly InstructionsPart[] {
  const parts = instructionsParts(trimmedText(files['instructions.txt']) ?? '', defaults.prompt)
  return pythonStrip(joinParts(parts)) === '' ? [{ origin: 'default', text: defaults.prompt }] : parts
}

/** What is wrong with the four files by themselves. */
export function checkFiles(name: string, files: ProfileFiles, defaults: Defaults): FileProblem[] {
  const { 'tools.txt': tools, 'instructions.txt': instructions } = files
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
    ...(instructions.state === 'ok' ? checkInstructions(name, instructions.text, promptFor(name, defaults)) : []),
    ...checkVoice(trimmedText(files['voice.txt'])),
  ]
}

/** What `[default_prompt]` stands for in a profile: in `default` itself not for its own text. */
export function promptFor(name: string, defaults: Defaults): string {
  return name === 'default' ? BUILT_IN_PROMPT : defaults.prompt
}

/** The same for texts that are not saved: what is in them now, to the letter. */
export function checkTexts(name: string, texts: ProfileTexts, onDisk: ProfileFiles, defaults: Defaults): FileProblem[] {
  const halves = FILE_NAMES.flatMap((file): FileProblem[] => {
    const text = texts[file]
    if (text === null || text === shownText(onDisk[file]) || isWellFormed(text)) return []
    const position = new TextEncoder().encode(text.slice(0, halfAt(text))).length
    return [{ file, line: null, code: 'profile/not-utf8', details: { name, file, position } }]
  })
  return [...halves, ...checkFiles(name, filesOf(texts, onDisk), defaults)]
}

function halfAt(text: string): number {
  return text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/)
}

function missingInstructions(name: string, reason: string): FileProblem {
  const file = 'instructions.txt'
  return { file, line: null, code: 'profile/unreadable', details: { name, file, reason } }
}
