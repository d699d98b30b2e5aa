/** What an export writes, and what its format cannot hold. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { PROFILE_FILES } from '../../contract/index.ts'
import { mdOfTexts } from '../formats/md-place.ts'
import { editToolsets } from '../formats/toolsets.ts'
import { placeholdersIn } from '../instructions.ts'
import { PROFILE_MD } from '../roots.ts'
import { parseTools, splitLines, toolIdOf } from '../tools-file.ts'

import { isToolFile, TOOLSETS_FILE } from './entries.ts'

import type { ExportFormat, FileProblem, ProfileDocument } from '../../contract/index.ts'
import type { EffectiveProfile } from '../types.ts'

export interface Planned {
  /** By path with `/` inside the export. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly problems: readonly FileProblem[]
}

export interface Exported {
  readonly document: ProfileDocument
  readonly effective: EffectiveProfile
  /** The list in force where it is another one than the profile's own. */
  readonly override: readonly string[] | null
}

const ABOUT = 'about.json'
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

export async function planExport(exported: Exported, format: ExportFormat): Promise<Planned> {
  const files = format === 'profile-md' ? await asMd(exported) : await asTexts(exported)
  return { files, problems: losses(exported, format) }
}

async function bytesOf(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Files as they are, to the byte; a list that is inherited is written out, since `default` is another one elsewhere. */
async function asTexts({ document, effective }: Exported): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const name of PROFILE_FILES) {
    const text = document.texts[name]
    const bytes = document.format === 'txt' ? await bytesOf(path.join(document.path, name)) : null
    if (bytes !== null) files.set(name, bytes)
    else if (text !== null) files.set(name, encode(text))
  }
  if (!files.has('tools.txt')) files.set('tools.txt', encode(effective.toolIds.map((id) => `${id}\n`).join('')))
  for (const name of document.otherFiles.filter(isToolFile)) {
    const bytes = await bytesOf(path.join(document.path, name))
    if (bytes !== null) files.set(name, bytes)
  }
  const about = await bytesOf(path.join(document.path, ABOUT))
  if (about !== null) files.set(ABOUT, about)
  return files
}

async function asMd({ document, effective, override }: Exported): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const own = document.format === 'profile-md' ? await bytesOf(path.join(document.path, PROFILE_MD)) : null
  if (own === null) {
    // The robot's app from 0.9 on reads a line `[name]` out as text: what it stands for is written.
    const texts = { ...document.texts, 'instructions.txt': effective.instructions }
    files.set(PROFILE_MD, encode(mdOfTexts(texts, effective.toolIds)))
    return files
  }
  files.set(PROFILE_MD, own)
  if (override !== null) {
    const lists = editToolsets(null, new Map([[`user_personalities/${document.name}`, override]]))
    if (lists !== null) files.set(TOOLSETS_FILE, encode(lists))
  }
  return files
}

/** Pure. */
function losses({ document, effective, override }: Exported, format: ExportFormat): FileProblem[] {
  const target = format === 'profile-md' ? PROFILE_MD : 'tools.txt'
  const lost = (file: string, what: string): FileProblem => ({
    file,
    line: null,
    code: 'profile/not-held',
    details: { file, what },
  })
  const problems: FileProblem[] = []
  const toolsText = document.texts['tools.txt'] ?? ''
  const fromTexts = document.format === 'txt'
  if (format === 'profile-md' && fromTexts) {
    if (splitLines(toolsText).some(({ text }) => text.includes('#') && toolIdOf(text) !== text.trim())) {
      problems.push(lost(PROFILE_MD, 'comments of tools.txt'))
    }
    if (parseTools(toolsText).some(({ duplicate }) => duplicate)) problems.push(lost(PROFILE_MD, 'lines that stand twice'))
  }
  if (format === 'profile-md') {
    const tools = document.otherFiles.filter(isToolFile)
    if (tools.length > 0) problems.push(lost(PROFILE_MD, tools.join(', ')))
  } else {
    problems.push(...placeholderNotes(document))
    if (!fromTexts && override !== null) problems.push(lost('tools.txt', 'the list that the profile itself has'))
  }
  const { title, model, permissions, hidden } = document.details
  const own = [
    ...(title === undefined ? [] : ['title']),
    ...(model === undefined ? [] : ['model']),
    ...(hidden === true && format !== 'profile-md' ? ['hidden'] : []),
    ...(Object.keys(permissions ?? {}).length === 0 ? [] : ['permissions']),
  ]
  if (own.length > 0) problems.push(lost(target, own.join(', ')))
  const ofSpaces = effective.toolIds.filter((id) => id.includes('__'))
  return [...problems, ...ofSpaces.map((id) => spaceNote(id))]
}

function placeholderNotes({ texts }: ProfileDocument): FileProblem[] {
  return placeholdersIn(texts['instructions.txt'] ?? '').map(({ line, name }) => ({
    file: 'instructions.txt',
    line,
    code: 'profile/not-held',
    details: { file: 'instructions.txt', what: `[${name}], which robot apps from 0.9 on read out as text` },
  }))
}

/** The tool works where its Space is installed too. */
const spaceNote = (id: string): FileProblem => ({
  file: 'tools.txt',
  line: null,
  code: 'tools/space-not-installed',
  details: { id, alias: id.slice(0, id.indexOf('__')) },
})
