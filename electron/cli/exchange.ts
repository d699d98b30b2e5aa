import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import { flag } from './context.ts'
import { words } from './output.ts'

import type { ExportFormat, FileProblem, ImportCandidate, ImportPreview } from '../contract/index.ts'
import type { Command, CommandContext } from './context.ts'

const FORMATS: readonly ExportFormat[] = ['folder', 'zip', 'profile-md']

const problemJson = ({ file, code, details }: FileProblem): Record<string, unknown> => ({
  file,
  code,
  message: words(code, details).message,
})
const problemLine = ({ file, code, details }: FileProblem): string => `  ${file}: ${words(code, details).message}`

/** A place on this computer below the current folder; names of the Hub stay as they are. */
function placeOf(context: CommandContext, ref: string): string {
  return /^(?:hf:|https?:\/\/)/i.test(ref) ? ref : path.resolve(context.cwd, ref)
}

function refusals({ refused }: ImportPreview): FileProblem[] {
  return refused.map(({ entry, problem }) => ({ file: entry, line: null, ...problem }))
}

/** What is said of two texts of one profile that differ, when nobody can be asked. */
function undecided({ name, format, differs }: ImportCandidate): FileProblem[] {
  if (format !== 'both' || differs !== true) return []
  return [
    { file: `${name}/profile.md`, line: null, code: 'profile/two-formats', details: { name, file: 'profile.md' } },
  ]
}

export const importProfiles: Command = async (context) => {
  const [ref = ''] = context.words
  const { exchange, profiles } = context.companion
  const as = flag(context, 'as')
  const withToolFiles = context.flags['with-tool-files'] === true
  const preview = await exchange.readAny(placeOf(context, ref))
  const refused = refusals(preview)
  const [first, ...more] = preview.profiles
  if (first === undefined) throw new CompanionError('profile/no-profiles', { path: preview.from })
  if (as !== undefined && more.length > 0) {
    throw new CompanionError('cli/usage', {
      reason: `--as names one profile, and ${preview.from} holds ${more.length + 1}.`,
    })
  }
  const picks = preview.profiles.map(({ key, name }) => ({ key, name: as ?? name, withToolFiles }))
  const { imported, problems } = await exchange.import(preview.importId, picks)
  const all = [...refused, ...preview.profiles.flatMap(undecided), ...problems]
  const [name = ''] = imported
  const { path: folder } = await profiles.read(name)
  return {
    json: { profile: name, path: folder, imported, problems: all.map(problemJson) },
    text: [`Imported ${imported.join(', ')} from ${preview.from}.`, ...all.map(problemLine)],
  }
}

export const exportProfile: Command = async (context) => {
  const [name = ''] = context.words
  const { exchange } = context.companion
  const asked = flag(context, 'format')
  const to = flag(context, 'out')
  const format = FORMATS.find((known) => known === (asked ?? (to?.toLowerCase().endsWith('.zip') ? 'zip' : 'folder')))
  if (format === undefined) {
    throw new CompanionError('cli/usage', { reason: `--format is one of ${FORMATS.join(', ')}.` })
  }
  // A bad name is refused before a path is made of it.
  await context.companion.profiles.read(name)
  const out = path.resolve(context.cwd, to ?? (format === 'zip' ? `${name}.zip` : name))
  const { path: written, problems } = await exchange.export(name, format, out)
  return {
    json: { profile: name, path: written, problems: problems.map(problemJson) },
    text: [written, ...problems.map(problemLine)],
  }
}
