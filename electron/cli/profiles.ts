import { CompanionError } from '../contract/index.ts'

import { words } from './output.ts'

import type { FileProblem } from '../contract/index.ts'
import type { Command, CommandContext } from './context.ts'

export const list: Command = async ({ companion }) => {
  const { active, profiles } = await companion.profiles.snapshot()
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
    text: profiles.map(
      ({ name, source, edited, problem }) =>
        `${name === active ? '*' : ' '} ${name}  ${source}${edited ? ', edited' : ''}${problem ? `  ${words(problem.code, problem.details).message}` : ''}`,
    ),
  }
}

export const show: Command = async (context) => {
  const [name = ''] = context.words
  const { profiles } = context.companion
  const document = await profiles.read(name)
  const inherits = document.toolsText === null
  const tools = profiles
    .parseTools(document.toolsText ?? document.inheritedToolsText)
    .filter((line) => !line.duplicate)
    .map((line) => line.id)
  return {
    json: {
      profile: document.name,
      path: document.path,
      instructions: document.instructionsText,
      tools,
      inherits,
      ...(document.voice === undefined ? {} : { voice: document.voice }),
      ...(document.greeting === undefined ? {} : { greeting: document.greeting }),
    },
    text: [
      `${document.name}  ${document.path}`,
      '',
      document.instructionsText.trimEnd(),
      '',
      inherits ? 'Tools (inherited from default):' : 'Tools:',
      ...tools.map((id) => `  ${id}`),
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

export const check: Command = async (context) => {
  const [name = ''] = context.words
  const { profiles, tools } = context.companion
  const document = await profiles.read(name)
  const found = await profiles.check(name)
  const broken = found.find((problem) => problem.code === 'profile/unreadable')
  if (broken) throw new CompanionError('profile/unreadable', { name, ...broken.details, file: broken.file })
  const seen = new Set(found.map(({ file, line, code }) => `${file}:${line}:${code}`))
  const unknown = (await tools.diagnose(document.toolsText ?? document.inheritedToolsText)).filter(
    ({ file, line, code }) => !seen.has(`${file}:${line}:${code}`),
  )
  const problems = [...found, ...unknown].sort((a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0))
  return {
    json: { profile: document.name, problems: problems.map(problemJson) },
    text:
      problems.length === 0
        ? [`${document.name} has no problems.`]
        : problems.map(({ file, line, code, details, suggestion }) => {
            const at = line === null ? file : `${file}:${line}`
            return `${at}  ${words(code, details).message}${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
          }),
  }
}

export const use: Command = async (context) => {
  const [name = ''] = context.words
  const { active } = await context.companion.profiles.use(name)
  return { json: { profile: active, problems: [] }, text: [`${active} is in use now.`] }
}

/** All IDs or none: each must be offered by some source, unless the person said otherwise. */
async function refuseUnknown(context: CommandContext, profile: string, ids: readonly string[]): Promise<void> {
  const { tools } = await context.companion.tools.list(profile)
  const known = new Set(tools.filter((tool) => !tool.system).map((tool) => tool.id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw new CompanionError('tools/unknown', { id: unknown })
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
