/** Everything that is read of profiles. */
import { readdir } from 'node:fs/promises'

import { CompanionError } from '../contract/index.ts'

import { brokenFiles } from './broken.ts'
import { ABOUT_FILE } from './details.ts'
import { folderDigest } from './folder-digest.ts'
import { mdProblems, readMdFiles } from './formats/md-place.ts'
import { writeOutPlaceholders } from './instructions.ts'
import {
  checkFiles,
  checkTexts,
  defaultsFrom,
  effectiveOf,
  filesOf,
  fingerprintOf,
  NO_FILES,
  profileProblem,
  promptFor,
  readFiles,
  revisionOf,
  stateDigest,
  textsOf,
  trimmedText,
} from './profile-files.ts'
import { FILE_NAMES, namesIn, placeOf, PROFILE_MD } from './roots.ts'
import { activeProfile, chosenProfile, readStartup } from './selection.ts'
import { toolIds } from './tools-file.ts'

import type {
  FileProblem,
  Language,
  Log,
  Problem,
  ProfileDocument,
  ProfileFile,
  ProfilesSnapshot,
  ProfileSummary,
  ProfileTexts,
} from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'
import type { DetailsStore } from './details.ts'
import type { Places } from './places.ts'
import type { Defaults, ProfileFiles } from './profile-files.ts'
import type { RepairSources } from './repair.ts'
import type { Listing, Place } from './roots.ts'
import type { Active } from './selection.ts'
import type { TextFile } from './text-file.ts'
import type { EffectiveProfile, ProfileFolder } from './types.ts'

const DEFAULT = 'default'
/** Names of other files that a document lists at most. */
const MAX_OTHER_FILES = 200

export interface Reading {
  list(): Promise<Listing>
  activeOf(listing: Listing): Promise<Active>
  problemWith(name: string, listing: Listing): Promise<Problem | null>
  defaults(listing: Listing): Promise<Defaults>
  snapshot(): Promise<Omit<ProfilesSnapshot, 'version'>>
  document(name: string): Promise<ProfileDocument>
  /** Of files that were read already. */
  documentOf(place: Place, files: ProfileFiles, listing: Listing): Promise<ProfileDocument>
  effective(name: string, texts?: ProfileTexts): Promise<EffectiveProfile>
  check(name: string, texts: ProfileTexts): Promise<FileProblem[]>
  writeOut(name: string, text: string): Promise<string>
  folders(): Promise<ProfileFolder[]>
  repairSources(place: Place, listing: Listing): Promise<RepairSources>
  /** Digest of a broken file as a document showed it last. */
  shownDigest(name: string, file: ProfileFile): string | undefined
  /** Everything that a listener could see by reading again, other files of the folders too. */
  fingerprint(): Promise<string>
  speak(language: Language): boolean
}

/** @param deps `environmentChoice` is `REACHY_MINI_CUSTOM_PROFILE`; `chosen` what was chosen in the app. */
export function createReading(deps: {
  storage: Storage
  places: Places
  details: DetailsStore
  environmentChoice: string | undefined
  chosen: () => Promise<string | null>
  log: Log
}): Reading {
  const { places, details } = deps
  const shown = new Map<string, string>()
  let language: Language = 'en'

  const list = (): Promise<Listing> => places.list()

  /** Files of `default` as it is, then of the shipped one, in case the user's copy is broken. */
  async function defaultCandidates(listing: Listing): Promise<ProfileFiles[]> {
    const isDefault = ({ name }: Place): boolean => name === DEFAULT
    const found = [...listing.places.filter(isDefault), ...(await places.shipped()).places.filter(isDefault)]
    return Promise.all(found.map(readFiles))
  }

  const defaults = async (listing: Listing): Promise<Defaults> => defaultsFrom(await defaultCandidates(listing))

  async function problemWith(name: string, listing: Listing): Promise<Problem | null> {
    try {
      return profileProblem(name, await readFiles(placeOf(name, listing)))
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      return { code: error.code, details: error.details }
    }
  }

  async function activeOf(listing: Listing): Promise<Active> {
    const folder = await places.folder()
    const startup = await readStartup(deps.storage, folder?.path, deps.log)
    const choice = chosenProfile(await deps.chosen(), startup, deps.environmentChoice)
    return activeProfile(choice, await problemWith(choice.name, listing))
  }

  async function summaryOf(place: Place): Promise<ProfileSummary> {
    const { name, source, edited, dir, format } = place
    const problem = profileProblem(name, await readFiles(place))
    const { title, purpose, avatar, model, hidden } = await details.of(place, language)
    return {
      name,
      source,
      edited,
      hidden: hidden ?? false,
      ...(problem === null ? {} : { problem }),
      ...(title === undefined ? {} : { title }),
      ...(purpose === undefined ? {} : { purpose }),
      ...(avatar === undefined ? {} : { avatar }),
      ...(model === undefined ? {} : { model }),
      path: dir,
      format,
    }
  }

  async function documentOf(place: Place, files: ProfileFiles, listing: Listing): Promise<ProfileDocument> {
    const { name, source, edited, dir, format } = place
    const inherited = await defaults(listing)
    const broken = await brokenFiles(place, files, edited ? await shippedFiles(name) : null)
    for (const { file } of broken) shown.set(`${name}/${file}`, stateDigest(files[file]))
    const [voice, greeting] = [trimmedText(files['voice.txt']), trimmedText(files['greeting.txt'])]
    return {
      name,
      source,
      edited,
      path: dir,
      format,
      texts: textsOf(files),
      inheritedToolsText: inherited.toolsText,
      ...(voice === undefined ? {} : { voice }),
      ...(greeting === undefined ? {} : { greeting }),
      revision: revisionOf(files),
      readOnlyFiles: FILE_NAMES.filter((file) => !['ok', 'absent'].includes(files[file].state)),
      broken,
      problems: [...(await formatProblems(place, files)), ...checkFiles(name, files, inherited)],
      details: await details.of(place, language),
      otherFiles: await otherFiles(place),
    }
  }

  async function shippedFiles(name: string): Promise<ProfileFiles | null> {
    const place = (await places.shipped()).places.find((candidate) => candidate.name === name)
    return place === undefined ? null : readFiles(place)
  }

  /** `default` is always there, if need be without files. */
  async function found(name: string, listing: Listing): Promise<{ place: Place | null; files: ProfileFiles }> {
    if (name === DEFAULT && !listing.places.some((place) => place.name === DEFAULT)) {
      return { place: null, files: NO_FILES }
    }
    const place = placeOf(name, listing)
    return { place, files: await readFiles(place) }
  }

  /** What an unsaved `default` would hand on. */
  async function defaultsWith(name: string, files: ProfileFiles, listing: Listing): Promise<Defaults> {
    const candidates = await defaultCandidates(listing)
    return defaultsFrom(name === DEFAULT ? [files, ...candidates.slice(1)] : candidates)
  }

  return {
    list,
    activeOf,
    problemWith,
    defaults,
    documentOf,
    async snapshot() {
      const listing = await list()
      const summaries = await Promise.all(listing.places.map(summaryOf))
      const refused = listing.refused.map(({ dir, ...rest }) => ({ ...rest, path: dir, edited: false, hidden: true }))
      const folder = await places.folder()
      return {
        ...(await activeOf(listing)),
        profiles: [...summaries, ...refused],
        ...(folder === null ? {} : { folder }),
      }
    },
    async document(name) {
      const listing = await list()
      const place = placeOf(name, listing)
      return documentOf(place, await readFiles(place), listing)
    },
    async effective(name, texts) {
      const listing = await list()
      const { place, files: onDisk } = await found(name, listing)
      const files = texts === undefined ? onDisk : filesOf(texts, onDisk)
      const problem = profileProblem(name, files)
      if (problem !== null && name !== DEFAULT) throw new CompanionError(problem.code, problem.details)
      const kept = place === null ? {} : await details.of(place, language)
      return effectiveOf(name, files, await defaultsWith(name, files, listing), kept)
    },
    async check(name, texts) {
      const listing = await list()
      const { files } = await found(name, listing)
      return checkTexts(name, texts, files, await defaultsWith(name, filesOf(texts, files), listing))
    },
    async writeOut(name, text) {
      const listing = await list()
      placeOf(name, listing)
      return writeOutPlaceholders(text, promptFor(name, await defaults(listing)))
    },
    async folders() {
      return (await list()).places.map(({ name, dir, source }) => ({ name, dir, source }))
    },
    async repairSources(place, listing) {
      const candidates = await defaultCandidates(listing)
      const usable = (file: ProfileFile): ProfileFiles[ProfileFile] =>
        candidates.map((files) => files[file]).find(({ state }) => state === 'ok') ?? { state: 'absent' }
      const defaultFiles = {
        'tools.txt': usable('tools.txt'),
        'instructions.txt': usable('instructions.txt'),
        'voice.txt': usable('voice.txt'),
        'greeting.txt': usable('greeting.txt'),
      }
      const shippedOnes = place.edited ? await shippedFiles(place.name) : null
      return { shipped: shippedOnes, defaultFiles, defaults: defaultsFrom(candidates) }
    },
    shownDigest: (name, file) => shown.get(`${name}/${file}`),
    async fingerprint() {
      const listing = await list()
      const files = await Promise.all(
        listing.places.map(async (place) => [fingerprintOf(await readFiles(place)), await folderDigest(place.dir)]),
      )
      const rest = [await activeOf(listing), await places.folder(), await details.fingerprint(), language]
      return JSON.stringify([listing, files, rest])
    },
    speak(wanted) {
      const isNew = language !== wanted
      language = wanted
      return isNew
    },
  }
}

/** What is to be said of the way in which a profile is kept. */
async function formatProblems(place: Place, files: ProfileFiles): Promise<FileProblem[]> {
  if (place.format === 'profile-md') return mdProblems(place)
  if (!((await namesIn(place.dir)) ?? []).includes(PROFILE_MD)) return []
  const asMd = await readMdFiles({ ...place, format: 'profile-md' })
  const same = FILE_NAMES.every((file) => meaningOf(files[file], file) === meaningOf(asMd[file], file))
  const details = { name: place.name, file: PROFILE_MD }
  return same ? [] : [{ file: PROFILE_MD, line: null, code: 'profile/two-formats', details }]
}

/** What a file says, whatever its bytes. */
function meaningOf(file: TextFile, name: ProfileFile): string {
  if (file.state !== 'ok') return file.state === 'absent' ? '' : file.state
  return name === 'tools.txt' ? toolIds(file.text).join('\n') : (trimmedText(file) ?? '')
}

/** Files that are no part of the profile's texts: tools of its own, pictures. Folders end in `/`. */
async function otherFiles({ dir, format }: Place): Promise<string[]> {
  const own = new Set<string>([...FILE_NAMES, ABOUT_FILE, ...(format === 'profile-md' ? [PROFILE_MD] : [])])
  try {
    const entries = await readdir(dir, { withFileTypes: true })
    return entries
      .filter(({ name }) => !own.has(name) && !name.startsWith('.') && !name.endsWith('.bak'))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort()
      .slice(0, MAX_OTHER_FILES)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return []
  }
}
