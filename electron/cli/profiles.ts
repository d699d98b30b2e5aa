import { ADVISED_TOOLS, CompanionError } from '../contract/index.ts'

import { plain, words } from './output.ts'

import type { ErrorCode, FileProblem, ProfileDocument, ProfileSummary } from '../contract/index.ts'
import type { Command, CommandContext } from './context.ts'

const TOOLS = 'tools.txt'

export const list: Command = async ({ companion }) => {
  const { active, wanted, profiles } = await companion.profiles.snapshot()
  return {
    json: {
      active,
      profiles: profiles.map(({ name, source, edited, hidden, problem }) => ({
        name,
        source,
        edited,
        hidden,
        ...(problem ? { problem: { code: problem.code, message: words(problem.code, problem.details).message } } : {}),
      })),
    },
    text: [
      ...profiles.map((profile) => `${profile.name === active ? '*' : ' '} ${summaryLine(profile)}`),
      ...(wanted === undefined ? [] : [`${plain(wanted)} was chosen and cannot be used, so ${active} is in use.`]),
    ],
  }
}

function summaryLine({ name, source, edited, hidden, problem, purpose }: ProfileSummary): string {
  const kind = [source, ...(edited ? ['edited'] : []), ...(hidden ? ['hidden'] : [])].join(', ')
  const about = problem ? words(problem.code, problem.details).message : plain(purpose ?? '', 90)
  return `${name}  ${kind}${about === '' ? '' : `  ${about}`}`
}

/** Its own list, else the one it inherits from `default`. */
function toolsOf(document: ProfileDocument): { text: string; file: string; inherits: boolean } {
  const own = document.texts[TOOLS]
  return own === null
    ? { text: document.inheritedToolsText, file: `default/${TOOLS}`, inherits: true }
    : { text: own, file: TOOLS, inherits: false }
}

export const show: Command = async (context) => {
  const [name = ''] = context.words
  const { profiles } = context.companion
  const document = await profiles.read(name)
  const instructions = document.texts['instructions.txt'] ?? ''
  const { text, inherits } = toolsOf(document)
  const tools = profiles
    .parseTools(text)
    .filter((line) => !line.duplicate)
    .map((line) => line.id)
  return {
    json: {
      profile: document.name,
      path: document.path,
      instructions,
      tools,
      inherits,
      ...(document.voice === undefined ? {} : { voice: document.voice }),
      ...(document.greeting === undefined ? {} : { greeting: document.greeting }),
    },
    text: [
      `${document.name}  ${document.path}`,
      '',
      instructions.trimEnd(),
      '',
      inherits ? 'Tools (inherited from default):' : 'Tools:',
      ...tools.map((id) => `  ${id}`),
      'Always on: task_status, task_cancel',
      ...(document.voice === undefined ? [] : ['', `Voice: ${plain(document.voice)}`]),
      ...(document.greeting === undefined ? [] : ['', `Greeting: ${plain(document.greeting, 1_000)}`]),
      ...document.broken.map(({ problem }) => words(problem.code, problem.details).message),
    ],
  }
}

function problemJson({ file, line, code, details, suggestion }: FileProblem): Record<string, unknown> {
  return {
    file,
    line,
    code,
    message: words(code, details).message,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

function problemLine({ file, line, code, details, suggestion }: FileProblem): string {
  const at = line === null ? file : `${file}:${line}`
  return `${at}  ${words(code, details).message}${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
}

/** What is wrong with the lines of its list, or of the one it inherits, and how many tools that makes. */
async function problemsOfTools(context: CommandContext, document: ProfileDocument): Promise<FileProblem[]> {
  const { profiles, tools } = context.companion
  if (document.readOnlyFiles.includes(TOOLS)) return []
  const { text, file } = toolsOf(document)
  const found = (await tools.diagnose(text, document.name)).map((problem) => ({ ...problem, file }))
  const count = profiles.parseTools(text).filter((line) => !line.duplicate).length
  if (count <= ADVISED_TOOLS) return found
  const details = { count, limit: ADVISED_TOOLS }
  return [...found, { file, line: null, code: 'profile/many-tools', details }]
}

export const check: Command = async (context) => {
  const [name = ''] = context.words
  const { profiles } = context.companion
  const document = await profiles.read(name)
  const known = [...(await profiles.check(name)), ...(await problemsOfTools(context, document))]
  const keyOf = ({ file, line, code }: FileProblem): string => `${file}:${line}:${code}`
  const problems = [...new Map(known.map((problem) => [keyOf(problem), problem])).values()].sort(
    (a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0),
  )
  const inForce = (await profiles.snapshot()).profiles.find((profile) => profile.name === document.name)
  if (inForce?.problem) {
    for (const problem of problems) context.progress(problemLine(problem))
    const file = inForce.problem.details?.file ?? document.broken[0]?.file ?? ''
    throw new CompanionError('profile/unreadable', { ...inForce.problem.details, name, file })
  }
  return {
    json: { profile: document.name, problems: problems.map(problemJson) },
    text: problems.length === 0 ? [`${document.name} has no problems.`] : problems.map(problemLine),
  }
}

export const use: Command = async (context) => {
  const [name = ''] = context.words
  const { active } = await context.companion.profiles.use(name)
  return { json: { profile: active, problems: [] }, text: [`${active} is in use now.`] }
}

/** What a line says whose ID no source offers. */
const OFFERED_BY_NOBODY: ReadonlySet<ErrorCode> = new Set([
  'tools/unknown-id',
  'tools/space-not-installed',
  'tools/no-longer-offered',
  'tools/renamed',
])

/** All IDs or none: each must be offered by some source, unless the person said otherwise. */
async function refuseUnknown(context: CommandContext, profile: string, ids: readonly string[]): Promise<void> {
  const { tools } = context.companion
  for (const id of ids) {
    const [problem] = await tools.diagnose(id, profile)
    // The two that are always on are no lines of tools.txt.
    const isSystem = (await tools.find(id, 'default'))?.system === true
    if (isSystem || (problem && OFFERED_BY_NOBODY.has(problem.code))) throw new CompanionError('tools/unknown', { id })
  }
}

/** A tool ID as a line can hold it: no white space, no comment. */
function refuseMalformed(ids: readonly string[]): void {
  const bad = ids.find((id) => !/^[\w.-]+$/.test(id))
  if (bad !== undefined) throw new CompanionError('cli/usage', { reason: `Not a tool ID: ${bad}` })
}

function switching(on: boolean): Command {
  return async (context) => {
    const { profiles, storage } = context.companion
    const [name = '', ...ids] = context.words
    refuseMalformed(ids)
    await profiles.read(name)
    if (on && context.flags['allow-unknown'] !== true) await refuseUnknown(context, name, ids)
    const { value } = await storage.transact(`${on ? 'enable' : 'disable'} tools in ${name}`, async (tx) => {
      if (on) {
        const { added, path } = await profiles.enableIn(tx, name, ids)
        return { changed: added, path }
      }
      const { removed, path } = await profiles.disableIn(tx, name, ids)
      return { changed: removed, path }
    })
    profiles.touched()
    return {
      json: { profile: name, changed: value.changed, path: value.path },
      text:
        value.changed.length === 0
          ? [`Nothing to change in ${name}.`]
          : [`${on ? 'Enabled' : 'Disabled'} in ${name}: ${value.changed.join(', ')}`, value.path],
    }
  }
}

export const enable = switching(true)
export const disable = switching(false)
