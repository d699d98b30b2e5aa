/** Files of a profile that are no text: where they are broken, and what would make them readable again. */
import { stat } from 'node:fs/promises'
import path from 'node:path'

import { isWritableFolder } from './edit.ts'
import { fileProblem } from './profile-files.ts'
import { FILE_NAMES } from './roots.ts'
import { readTextFile } from './text-file.ts'
import { decodeWindows1252 } from './windows-1252.ts'

import type { BrokenFile, Repair } from '../contract/index.ts'
import type { ProfileFiles } from './profile-files.ts'
import type { FileName, Place } from './roots.ts'
import type { TextFile } from './text-file.ts'

/** Lines shown on either side of the broken one, and characters of each. */
const CONTEXT_LINES = 2
const SHOWN_CHARACTERS = 120

/** @param shipped the shipped files of this name, `null` for a profile of the user's own. */
export async function brokenFiles(
  place: Place,
  files: ProfileFiles,
  shipped: ProfileFiles | null,
): Promise<BrokenFile[]> {
  const found = await Promise.all(
    FILE_NAMES.map(async (file): Promise<BrokenFile[]> => {
      const [present, problem] = [files[file], fileProblem(place.name, file, files[file])]
      if (problem === null) return []
      const repairs = (await canRepair(place)) ? await repairsOf(place, file, present, shipped) : []
      return [{ file, problem, ...placeOfFault(present), repairs }]
    }),
  )
  return found.flat()
}

async function canRepair(place: Place): Promise<boolean> {
  return place.source !== 'shipped' && place.format === 'txt' && (await isWritableFolder(place.dir))
}

async function repairsOf(
  place: Place,
  file: FileName,
  present: TextFile,
  shipped: ProfileFiles | null,
): Promise<Repair[]> {
  const decoded = present.state === 'not-utf8' ? decodeWindows1252(present.bytes) : null
  const backup = await backupOf(place, file)
  const original = shipped === null ? null : shipped[file]
  return [
    ...(present.state === 'not-utf8' && decoded !== null
      ? [{ kind: 'windows-1252' as const, line: lineAt(decoded, faultLine(present.bytes, present.position)) }]
      : []),
    ...(backup === null
      ? []
      : [{ kind: 'backup' as const, savedAt: backup.savedAt, characters: charactersOf(backup.text) }]),
    ...(original?.state === 'ok' ? [{ kind: 'shipped' as const, characters: charactersOf(original.text) }] : []),
    { kind: 'set-aside' as const },
  ]
}

/** What was last saved here before, where it is text. Empty ones are none: nobody wants their prompt replaced by nothing. */
export async function backupOf(
  { dir, root }: Pick<Place, 'dir' | 'root'>,
  file: FileName,
): Promise<{ text: string; savedAt: number } | null> {
  const full = path.join(dir, `${file}.bak`)
  const backup = await readTextFile(full, root)
  if (backup.state !== 'ok' || backup.text === '') return null
  try {
    return { text: backup.text, savedAt: (await stat(full)).mtimeMs }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return null
  }
}

function charactersOf(text: string): number {
  return [...text].length
}

function lineAt(text: string, line: number): string {
  return (text.split(/\r\n|\n|\r/)[line - 1] ?? '').slice(0, 2 * SHOWN_CHARACTERS)
}

interface ByteLine {
  readonly from: number
  /** Behind the last byte, without the line ending. */
  readonly to: number
}

/** Lines end as in a text editor. */
function byteLines(bytes: Uint8Array): ByteLine[] {
  const lines: ByteLine[] = []
  let from = 0
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0x0a && bytes[at] !== 0x0d) continue
    lines.push({ from, to: at })
    if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) at += 1
    from = at + 1
  }
  return [...lines, { from, to: bytes.length }]
}

function faultLine(bytes: Uint8Array, position: number): number {
  return byteLines(bytes).findLastIndex(({ from }) => from <= position) + 1
}

/** The broken line and some around it, as near as they can be shown. */
export function placeOfFault(file: TextFile): Pick<BrokenFile, 'line' | 'excerpt'> {
  if (file.state !== 'not-utf8') return { excerpt: [] }
  const { bytes, position } = file
  const lines = byteLines(bytes)
  const fault = faultLine(bytes, position)
  const shown = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to))
  const excerpt = lines
    .map((bounds, index) => ({ ...bounds, line: index + 1 }))
    .slice(Math.max(0, fault - 1 - CONTEXT_LINES), fault + CONTEXT_LINES)
    .map(({ line, from, to }) => {
      if (line !== fault) return { line, before: shown(from, to).slice(0, SHOWN_CHARACTERS), after: '' }
      return {
        line,
        before: shown(from, position).slice(-SHOWN_CHARACTERS),
        bad: (bytes[position] ?? 0).toString(16).toUpperCase().padStart(2, '0'),
        after: shown(Math.min(position + 1, to), to).slice(0, SHOWN_CHARACTERS),
      }
    })
  return { line: fault, excerpt }
}
