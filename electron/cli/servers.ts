import { randomUUID } from 'node:crypto'

import { CompanionError } from '../contract/index.ts'

import { flag, profileOf } from './context.ts'
import { plain, problemKeys, toolJson } from './output.ts'

import type { InstalledServer, Problem, ServerPreview, ServerTarget } from '../contract/index.ts'
import type { Command, CommandContext } from './context.ts'

/** What a server is reached by, in one line. */
const placeOf = (target: ServerTarget): string =>
  target.kind === 'http' ? target.url : [target.command, ...target.args].map((word) => JSON.stringify(word)).join(' ')

function serverJson(server: InstalledServer): Record<string, unknown> {
  const { target } = server
  return {
    name: server.name,
    ...(target.kind === 'http' ? { url: target.url } : { command: target.command, args: target.args }),
    tools: server.tools.map(toolJson),
  }
}

function serverLines(server: InstalledServer): string[] {
  const tools = server.tools.map((tool) =>
    tool.status === 'usable'
      ? `    ${tool.id ?? tool.remoteName}  ${plain(tool.description)}`
      : `    (not usable) ${plain(tool.remoteName, 60)}: ${problemKeys(tool.problem).reason ?? ''}`,
  )
  return [server.name, `  ${plain(placeOf(server.target), 500)}`, ...(tools.length > 0 ? tools : ['    no tools'])]
}

/** Says on stderr what a server would add, tool by tool, in its own words. */
function announce(context: CommandContext, preview: ServerPreview): void {
  if (preview.plainHttp) context.progress('Plain http: whoever is on this network can read what is sent.')
  context.progress(`${preview.name} offers over ${preview.transport} (descriptions are its own words):`)
  for (const tool of preview.tools) {
    const marks = [...tool.warnings, ...(tool.change && tool.change !== 'same' ? [tool.change] : [])]
    const note = marks.length > 0 ? ` [${marks.join(', ')}]` : ''
    context.progress(
      tool.status === 'usable'
        ? `  ${tool.id ?? tool.remoteName}${note}  ${plain(tool.description)}`
        : `  ${plain(tool.remoteName, 60)}: ${problemKeys(tool.problem).reason ?? 'not usable'}`,
    )
  }
}

export const add: Command = async (context) => {
  const { servers } = context.companion
  const [name = '', url = ''] = context.words
  // The profile first: a wrong name must fail before anything is asked of the network.
  const profile = context.flags['install-only'] === true ? null : await profileOf(context)
  const accept = context.flags['accept-changes'] === true
  const tokenEnv = flag(context, 'token-env')
  const operation = randomUUID()
  const cancel = (): void => servers.cancel(operation)
  context.signal.addEventListener('abort', cancel)
  try {
    const preview = await servers.preview(operation, {
      name,
      target: {
        kind: 'http',
        url,
        ...(tokenEnv === undefined ? {} : { tokenEnv }),
        ...(context.flags['allow-insecure-http'] === true ? { allowInsecureHttp: true } : {}),
      },
    })
    announce(context, preview)
    context.signal.throwIfAborted()
    const ids = preview.tools.flatMap(({ status, id }) => (status === 'usable' && id !== null ? [id] : []))
    const result = await servers.install(operation, ids, profile === null ? [] : [profile], { acceptChanges: accept })
    const { path: file } = await servers.snapshot()
    const added = profile === null ? [] : (result.enabledIn[profile] ?? [])
    return {
      json: {
        server: serverJson(result.server),
        enabled: { profile, added },
        refreshed: result.refreshed,
        changes: result.changes,
        manifest: file,
      },
      text: [
        `${result.refreshed ? 'Refreshed' : 'Installed'} ${result.server.name}`,
        `List: ${file}`,
        ...serverLines(result.server),
        ...(profile === null
          ? ['Add tool IDs to a profile to enable them.']
          : added.length > 0
            ? [`Enabled in profile ${profile}: ${added.join(', ')}`]
            : [`All tool IDs already present in profile ${profile}.`]),
        ...(result.changes.changed.length > 0 && !accept
          ? [`Off until you accept the change: ${result.changes.changed.join(', ')} (--accept-changes)`]
          : []),
      ],
    }
  } finally {
    context.signal.removeEventListener('abort', cancel)
    cancel()
  }
}

export const list: Command = async (context) => {
  const snapshot = await context.companion.servers.snapshot()
  const own = snapshot.servers.flatMap(({ name, problem }) => (problem === undefined ? [] : [{ entry: name, problem }]))
  const problems = [...snapshot.problems, ...own].map(({ entry, problem }: { entry: string; problem: Problem }) => {
    const { code, reason } = problemKeys(problem)
    return { entry, code, message: reason ?? '' }
  })
  return {
    json: { manifest: snapshot.path, servers: snapshot.servers.map(serverJson), problems },
    text: [
      `List: ${snapshot.path}`,
      ...(snapshot.servers.length === 0 ? ['No servers.'] : snapshot.servers.flatMap(serverLines)),
      ...problems.map(({ entry, message }) => `Problem with ${plain(entry)}: ${message}`),
    ],
  }
}

export const remove: Command = async (context) => {
  const [name = ''] = context.words
  if (name.trim() === '') throw new CompanionError('server/not-installed', { name })
  const { removed, disabled } = await context.companion.servers.remove(name)
  return {
    json: { removed, disabled },
    text: [
      `Removed ${removed}`,
      ...Object.entries(disabled).map(([profile, ids]) => `Disabled in profile ${profile}: ${ids.join(', ')}`),
    ],
  }
}
