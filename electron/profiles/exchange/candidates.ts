/** Profiles among files that came in. Pure. */
import { PROFILE_FILES } from '../../contract/index.ts'
import { filesOfMd } from '../formats/md-place.ts'
import { parseProfileMd } from '../formats/profile-md.ts'
import { NO_TOOLSETS, parseToolsets } from '../formats/toolsets.ts'
import { isProfileName, nameKey } from '../names.ts'
import { checkFiles, effectiveOf, NO_FILES } from '../profile-files.ts'
import { PROFILE_MD } from '../roots.ts'
import { decodeText } from '../text-file.ts'

import { isToolFile, TOOLSETS_FILE } from './entries.ts'

import type { FileProblem, ImportCandidate } from '../../contract/index.ts'
import type { Toolsets } from '../formats/toolsets.ts'
import type { Defaults, ProfileFiles } from '../profile-files.ts'
import type { TextFile } from '../text-file.ts'
import type { Entry } from './entries.ts'

/** A profile that was found, with its bytes. */
export interface Found {
  readonly candidate: ImportCandidate
  /** Files of the four texts, and about.json. */
  readonly texts: ReadonlyMap<string, Uint8Array>
  readonly md: Uint8Array | null
  /** The list that goes before that of the profile.md, where there is one. */
  readonly override: readonly string[] | null
  readonly toolFiles: ReadonlyMap<string, Uint8Array>
}

const EXCERPT_CHARACTERS = 300
const ABOUT = 'about.json'

/**
 * @param rootName what a profile that is the place itself is called.
 * @param isTaken whether a profile of that name is there.
 */
export function findProfiles(
  entries: readonly Entry[],
  rootName: string,
  defaults: Defaults,
  isTaken: (name: string) => boolean,
): Found[] {
  const folders = new Map<string, Map<string, Uint8Array>>()
  for (const { path, bytes } of entries) {
    const cut = path.lastIndexOf('/')
    const folder = cut < 0 ? '' : path.slice(0, cut)
    folders.set(folder, (folders.get(folder) ?? new Map<string, Uint8Array>()).set(path.slice(cut + 1), bytes))
  }
  const toolsets = new Map(
    [...folders].flatMap(([folder, files]) => {
      const bytes = files.get(TOOLSETS_FILE)
      return bytes === undefined ? [] : [[folder, readToolsets(bytes)] as const]
    }),
  )
  const names = new Set<string>()
  return [...folders]
    .filter(([, files]) => files.has(PROFILE_MD) || PROFILE_FILES.some((name) => files.has(name)))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, files]) => {
      const original = folder === '' ? rootName : (folder.split('/').at(-1) ?? rootName)
      const name = freeName(safeName(original), (wanted) => names.has(nameKey(wanted)))
      names.add(nameKey(name))
      return describe({ folder, files, original, name, toolsets, defaults, taken: isTaken(name) })
    })
}

/** A name as a folder can have it on every system: what cannot stand in one becomes `_`, as in the robot's app. */
export function safeName(original: string): string {
  const cleaned = original.normalize('NFKD').replaceAll(/\s+/g, '_').replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 64)
  const name = cleaned === '' ? 'imported' : cleaned
  return isProfileName(name) ? name : `${name}_profile`.slice(-64)
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let number = 2; ; number += 1) {
    const other = `${name.slice(0, 60)}_${number}`
    if (!isTaken(other)) return other
  }
}

function readToolsets(bytes: Uint8Array): Toolsets {
  const file = decodeText(bytes)
  if (file.state === 'ok') return parseToolsets(file.text)
  const details = { file: TOOLSETS_FILE, reason: 'it is no text.' }
  return { ...NO_TOOLSETS, problems: [{ file: TOOLSETS_FILE, line: null, code: 'profile/toolsets-unreadable', details }] }
}

/** What is wrong with the files of lists that a profile looks into. */
function toolsetProblems(folder: string, toolsets: ReadonlyMap<string, Toolsets>): FileProblem[] {
  const parts = folder === '' ? [] : folder.split('/')
  return Array.from({ length: parts.length + 1 }, (_, depth) => toolsets.get(parts.slice(0, depth).join('/'))?.problems ?? []).flat()
}

/** The list for a profile in the nearest file of lists above it, under either of the names it may have there. */
function overrideOf(folder: string, original: string, toolsets: ReadonlyMap<string, Toolsets>): readonly string[] | null {
  const parts = folder === '' ? [] : folder.split('/')
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const lists = toolsets.get(parts.slice(0, depth).join('/'))?.lists
    const list = lists?.get(`user_personalities/${original}`) ?? lists?.get(original)
    if (list !== undefined) return list
  }
  return null
}

interface Described {
  readonly folder: string
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly original: string
  readonly name: string
  readonly toolsets: ReadonlyMap<string, Toolsets>
  readonly defaults: Defaults
  readonly taken: boolean
}

function describe({ folder, files, original, name, toolsets, defaults, taken }: Described): Found {
  const bytesOf = (file: string): TextFile => {
    const bytes = files.get(file)
    return bytes === undefined ? { state: 'absent' } : decodeText(bytes)
  }
  const texts: ProfileFiles = {
    ...NO_FILES,
    ...Object.fromEntries(PROFILE_FILES.map((file) => [file, bytesOf(file)])),
  }
  const hasTexts = PROFILE_FILES.some((file) => files.has(file))
  const md = files.get(PROFILE_MD) ?? null
  const override = md === null ? null : overrideOf(folder, original, toolsets)
  const asMd = md === null ? null : filesOfMd(decodeText(md), override)
  const shown = hasTexts || asMd === null ? texts : asMd
  const format = md === null ? 'txt' : hasTexts ? 'both' : 'profile-md'
  const effective = effectiveOf(name, shown, defaults)
  const toolFiles = new Map([...files].filter(([file]) => isToolFile(file)))
  return {
    candidate: {
      key: folder,
      name,
      ...(original === name ? {} : { originalName: original.slice(0, 200) }),
      taken,
      format,
      ...(format === 'both' && asMd !== null ? { differs: !sameMeaning(name, texts, asMd, defaults) } : {}),
      toolIds: [...effective.toolIds],
      excerpt: effective.instructions.slice(0, EXCERPT_CHARACTERS),
      ...(effective.voice === undefined ? {} : { voice: effective.voice }),
      toolFiles: [...toolFiles.keys()],
      problems: [
        ...checkFiles(name, shown, defaults),
        ...mdProblemsOf(md),
        ...(md === null ? [] : toolsetProblems(folder, toolsets)),
      ],
    },
    texts: new Map([...files].filter(([file]) => PROFILE_FILES.some((known) => known === file) || file === ABOUT)),
    md,
    override,
    toolFiles,
  }
}

function mdProblemsOf(md: Uint8Array | null): FileProblem[] {
  if (md === null) return []
  const file = decodeText(md)
  if (file.state !== 'ok') return []
  const read = parseProfileMd(file.text)
  return read.ok ? [...read.problems] : [read.problem]
}

function sameMeaning(name: string, a: ProfileFiles, b: ProfileFiles, defaults: Defaults): boolean {
  const meaning = (files: ProfileFiles): string => {
    const { instructions, toolIds, voice, greeting } = effectiveOf(name, files, defaults)
    return JSON.stringify([instructions, toolIds, voice, greeting])
  }
  return meaning(a) === meaning(b)
}
