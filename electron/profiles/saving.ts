/** Unsaved texts against what is on disk now. */
import { CompanionError } from '../contract/index.ts'

import { editable, readInside, writeInside } from './edit.ts'
import { mergeTexts } from './merge.ts'
import { refuseNoText, shownText } from './profile-files.ts'
import { FILE_NAMES, placeOf } from './roots.ts'
import { decodeText } from './text-file.ts'
import { isWellFormed, ownTools } from './tools-file.ts'

import type { ProfileFile, ProfileTexts } from '../contract/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Merge, Text } from './merge.ts'
import type { ProfileFiles } from './profile-files.ts'
import type { Listing } from './roots.ts'
import type { TextFile } from './text-file.ts'

/** What a person started from and what they made of it. */
export interface TextChange {
  readonly name: string
  readonly base: ProfileTexts
  readonly texts: ProfileTexts
}

/**
 * Queues the files whose texts differ from `base`, merged with what is on disk under the lock.
 * @param inherited text of the list that a profile without tools.txt has.
 * @returns files of which both sides' changes are kept.
 * @throws CompanionError `profile/changed-outside`, `profile/read-only`, `profile/not-utf8`, `profile/unreadable`,
 * `profile/not-found`.
 */
export async function saveIn(
  tx: Transaction,
  change: TextChange,
  { listing, userRoot, inherited }: { listing: Listing; userRoot: string; inherited: string },
): Promise<ProfileFile[]> {
  const { name, base } = change
  const profile = await editable(tx, placeOf(name, listing), userRoot)
  const merged: ProfileFile[] = []
  for (const file of changedFiles(change)) {
    const present = await readInside(tx, profile, file)
    refuseNoText(name, file, present)
    const [mine, theirs] = [typed(change, file), shownText(present)]
    const result = await merge(file, base[file], mine, theirs, inherited)
    if (result.state === 'conflict') throw new CompanionError('profile/changed-outside', { name, file })
    if (result.text === theirs) continue
    if (result.text !== null) assertWritable(name, file, result.text)
    await writeInside(tx, profile, file, result.text)
    if (result.text !== mine) merged.push(file)
  }
  return merged
}

/** The same without writing: what the unsaved texts become on `files`. A file in conflict keeps the person's text. */
export async function rebased(
  change: TextChange,
  files: ProfileFiles,
  inherited: string,
): Promise<{ texts: ProfileTexts; merged: ProfileFile[]; conflicts: ProfileFile[] }> {
  const texts: Record<ProfileFile, Text> = {
    'tools.txt': shownText(files['tools.txt']),
    'instructions.txt': shownText(files['instructions.txt']),
    'voice.txt': shownText(files['voice.txt']),
    'greeting.txt': shownText(files['greeting.txt']),
  }
  const merged: ProfileFile[] = []
  const conflicts: ProfileFile[] = []
  for (const file of changedFiles(change)) {
    const [mine, theirs] = [typed(change, file), texts[file]]
    const result = isText(files[file])
      ? await merge(file, change.base[file], mine, theirs, inherited)
      : { state: 'conflict' as const }
    texts[file] = result.state === 'conflict' ? mine : result.text
    if (result.state === 'conflict') conflicts.push(file)
    else if (result.text !== mine && result.text !== theirs) merged.push(file)
  }
  return { texts, merged, conflicts }
}

function isText({ state }: TextFile): boolean {
  return state === 'ok' || state === 'absent'
}

function changedFiles(change: TextChange): ProfileFile[] {
  return FILE_NAMES.filter((file) => typed(change, file) !== change.base[file])
}

/**
 * An emptied voice or greeting takes its file away, as in the robot's app, and an empty text for a file that there was not
 * is none. Only of tools.txt an empty one and a missing one mean different things.
 */
function typed({ base, texts }: TextChange, file: ProfileFile): Text {
  const [before, text] = [base[file], texts[file]]
  if (text !== '' || before === '' || file === 'tools.txt') return text
  return before === null || file !== 'instructions.txt' ? null : text
}

/** Two lists that came into being at once both began with the inherited one. */
function merge(file: ProfileFile, base: Text, mine: Text, theirs: Text, inherited: string): Promise<Merge> {
  const bothNew = base === null && mine !== null && theirs !== null
  return mergeTexts(file, bothNew && file === 'tools.txt' ? ownTools(inherited) : base, mine, theirs)
}

/** @throws CompanionError `profile/not-utf8`, `profile/read-only` for a text that would not be read again. */
function assertWritable(name: string, file: ProfileFile, text: string): void {
  const zero = text.indexOf('\0')
  if (!isWellFormed(text) || zero >= 0) {
    throw new CompanionError('profile/not-utf8', { name, file, position: Math.max(0, zero) })
  }
  if (decodeText(new TextEncoder().encode(text)).state !== 'ok') {
    throw new CompanionError('profile/read-only', { name, file })
  }
}
