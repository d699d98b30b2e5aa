/** A profile that is kept as one `profile.md`, seen and edited as the four texts that every other part knows. */
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'
import { PROFILE_MD } from '../roots.ts'
import { decodeText, readTextFile } from '../text-file.ts'
import { splitBom, toolIds } from '../tools-file.ts'

import { editProfileMd, parseProfileMd, writeProfileMd } from './profile-md.ts'
import { canonicalName, editToolsets, NO_TOOLSETS, parseToolsets } from './toolsets.ts'

import type { FileProblem, ProfileFile } from '../../contract/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Place } from '../roots.ts'
import type { TextFile } from '../text-file.ts'
import type { ProfileMd, ReadProfileMd } from './profile-md.ts'
import type { Toolsets } from './toolsets.ts'

type Files = Readonly<Record<ProfileFile, TextFile>>

const ABSENT: TextFile = { state: 'absent' }

const asFile = (text: string | undefined): TextFile =>
  text === undefined ? ABSENT : { state: 'ok', text, bytes: new TextEncoder().encode(text) }

/** The list as a tools.txt has it. */
const listText = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('')

/** Name of a profile in the file of tool lists. */
const toolsetName = ({ name, toolsets }: Place): string => canonicalName(`${toolsets?.prefix ?? ''}${name}`)

function filesFrom(file: TextFile, toolsets: Toolsets, listName: string): Files {
  const whole = (instructions: TextFile): Files => ({
    'tools.txt': ABSENT,
    'instructions.txt': instructions,
    'voice.txt': ABSENT,
    'greeting.txt': ABSENT,
  })
  if (file.state !== 'ok') return whole(file)
  const read = parseProfileMd(file.text)
  if (!read.ok) {
    return whole({ state: 'unreadable', reason: `${PROFILE_MD}: ${String(read.problem.details?.reason ?? '')}`, bytes: file.bytes })
  }
  const { body, tools, voice, greeting } = read.profile
  const list = toolsets.lists.get(listName) ?? tools
  return {
    'tools.txt': asFile(listText(list)),
    'instructions.txt': asFile(`${body}\n`),
    'voice.txt': asFile(voice),
    'greeting.txt': asFile(greeting),
  }
}

/** The four texts of a `profile.md` that lies nowhere yet. @param list the one that goes before its own; `null`: none. */
export function filesOfMd(file: TextFile, list: readonly string[] | null): Files {
  const name = 'default'
  const toolsets = list === null ? NO_TOOLSETS : { ...NO_TOOLSETS, lists: new Map([[name, list]]) }
  return filesFrom(file, toolsets, name)
}

function problemsFrom(file: TextFile, toolsets: Toolsets): FileProblem[] {
  if (file.state !== 'ok') return []
  const read = parseProfileMd(file.text)
  return [...(read.ok ? read.problems : [read.problem]), ...toolsets.problems]
}

const toolsetsOf = (file: TextFile): Toolsets => {
  if (file.state === 'absent') return NO_TOOLSETS
  if (file.state === 'ok') return parseToolsets(file.text)
  return parseToolsets('')
}

const mdPath = ({ dir }: Pick<Place, 'dir'>): string => path.join(dir, PROFILE_MD)

async function readBoth(place: Place): Promise<{ file: TextFile; toolsets: Toolsets }> {
  const listed = place.toolsets?.file
  const [file, lists] = await Promise.all([
    readTextFile(mdPath(place), place.root),
    listed === undefined ? ABSENT : readTextFile(listed, path.dirname(listed)),
  ])
  return { file, toolsets: toolsetsOf(lists) }
}

/** The four texts. What cannot be read shows as instructions.txt that cannot be read. */
export async function readMdFiles(place: Place): Promise<Files> {
  const { file, toolsets } = await readBoth(place)
  return filesFrom(file, toolsets, toolsetName(place))
}

/** What is wrong with the file itself and with the file of tool lists. */
export async function mdProblems(place: Place): Promise<FileProblem[]> {
  const { file, toolsets } = await readBoth(place)
  return problemsFrom(file, toolsets)
}

async function inside(tx: Transaction, file: string): Promise<TextFile> {
  const content = await tx.read(file)
  return content === null ? ABSENT : decodeText(content.bytes)
}

/** One of the four texts with what a transaction has written so far. */
export async function readMdInside(tx: Transaction, place: Place, name: ProfileFile): Promise<TextFile> {
  const listed = place.toolsets?.file
  const toolsets = listed === undefined ? NO_TOOLSETS : toolsetsOf(await inside(tx, listed))
  return filesFrom(await inside(tx, mdPath(place)), toolsets, toolsetName(place))[name]
}

/**
 * Queues the change of one of the four texts. A list of tools goes where the robot's app writes it: into the file of tool
 * lists, and out of it again when it is the profile's own; into the profile where there is no such file. Comments of a
 * tools.txt cannot be kept.
 * @param text `null`: voice or greeting go, the list is the profile's own again.
 * @returns the file that is written.
 * @throws CompanionError `profile/read-only`, `profile/bad-front-matter` for an empty prompt.
 */
export async function writeMdInside(tx: Transaction, place: Place, name: ProfileFile, text: string | null): Promise<string> {
  const file = mdPath(place)
  const held = await inside(tx, file)
  const read: ReadProfileMd | null = held.state === 'ok' ? parseProfileMd(held.text) : null
  if (held.state !== 'ok' || read === null || !read.ok || read.newer) {
    throw new CompanionError('profile/read-only', { name: place.name, file })
  }
  if (name === 'tools.txt' && place.toolsets !== undefined) {
    return writeList(tx, place, place.toolsets.file, text === null ? null : toolIds(text), read.profile.tools)
  }
  const profile = withText(read.profile, name, text)
  if (profile.body.trim() === '') {
    throw new CompanionError('profile/bad-front-matter', { file: PROFILE_MD, reason: 'the prompt would be empty.' })
  }
  tx.write(file, editProfileMd(held.text, profile), { keepBackup: true })
  return file
}

function withText({ voice, greeting, ...rest }: ProfileMd, name: ProfileFile, text: string | null): ProfileMd {
  const value = text === null ? undefined : splitBom(text).body.trim() || undefined
  const kept = {
    ...rest,
    ...(voice === undefined ? {} : { voice }),
    ...(greeting === undefined ? {} : { greeting }),
  }
  if (name === 'instructions.txt') return { ...kept, body: value ?? '' }
  if (name === 'tools.txt') return { ...kept, tools: text === null ? [] : toolIds(text) }
  const key = name === 'voice.txt' ? 'voice' : 'greeting'
  const { [key]: _, ...others } = kept
  return value === undefined ? others : { ...others, [key]: value }
}

async function writeList(
  tx: Transaction,
  place: Place,
  file: string,
  list: readonly string[] | null,
  authored: readonly string[],
): Promise<string> {
  const held = await inside(tx, file)
  if (held.state !== 'absent' && (held.state !== 'ok' || !parseToolsets(held.text).writable)) {
    throw new CompanionError('profile/read-only', { name: place.name, file })
  }
  const own = list === null || JSON.stringify(list) === JSON.stringify(authored)
  const changes = new Map([[toolsetName(place), own ? null : list]])
  tx.write(file, editToolsets(held.state === 'ok' ? held.text : null, changes), { keepBackup: true })
  return file
}

/** A `profile.md` of four texts. */
export function mdOfTexts(texts: Readonly<Record<ProfileFile, string | null>>, toolList: readonly string[]): string {
  const trimmed = (text: string | null): string | undefined =>
    text === null ? undefined : splitBom(text).body.trim() || undefined
  const [voice, greeting] = [trimmed(texts['voice.txt']), trimmed(texts['greeting.txt'])]
  return writeProfileMd({
    body: trimmed(texts['instructions.txt']) ?? '',
    tools: toolList,
    ...(voice === undefined ? {} : { voice }),
    ...(greeting === undefined ? {} : { greeting }),
  })
}
