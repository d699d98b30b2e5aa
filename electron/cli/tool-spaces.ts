import { randomUUID } from 'node:crypto'
import path from 'node:path'

import { CompanionError, INSTALL_STEPS } from '../contract/index.ts'

import { flag, profileOf } from './context.ts'
import { plain, problemKeys, spaceJson, spaceLines } from './output.ts'

import type { Failure, InstalledSpace, InstallResult, Problem, SpacePreview } from '../contract/index.ts'
import type { Command, CommandContext } from './context.ts'
import type { Outcome } from './output.ts'

/** Names another list that somebody might mean: the one of a robot app in force, or one that its command line left here. */
export function naming(command: Command): Command {
  return async (context) => {
    if (context.flags.instance !== undefined) return command(context)
    const { spaces } = context.companion
    const { manifest, instance } = await spaces.snapshot()
    if (instance !== undefined) context.note(`Working on the list of a robot app, as chosen in the app: ${manifest}`)
    for (const found of await spaces.upstream(path.join(context.cwd, 'external_content'))) {
      context.note(
        `A robot app has its own list here: ${plain(found.path, 1_000)} (${found.spaces.length} Spaces). ` +
          `This works on ${manifest}; --instance DIR works on another.`,
      )
    }
    return command(context)
  }
}

/** Says on stderr what a Space would add, tool by tool, in its own words. */
function announce(context: CommandContext, preview: SpacePreview): void {
  if (preview.movedFrom !== undefined) context.progress(`${preview.movedFrom} has moved to ${preview.slug}.`)
  if (preview.sendsToken) context.progress(`Your Hugging Face token will be sent to ${preview.slug}, which is private.`)
  context.progress(`${preview.slug} offers (descriptions are its own words):`)
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

function usableIds(preview: SpacePreview): string[] {
  return preview.tools.flatMap((tool) => (tool.status === 'usable' && tool.id !== null ? [tool.id] : []))
}

/** Our profiles do not follow the list of another app, unless one is named. */
const wantsLines = ({ flags }: CommandContext): boolean =>
  flags['install-only'] !== true && (flags.instance === undefined || flags.profile !== undefined)

export const add: Command = async (context) => {
  const { spaces } = context.companion
  const [ref = ''] = context.words
  // The profile first: a wrong name must fail before anything is asked of the network.
  const profile = wantsLines(context) ? await profileOf(context) : null
  const operation = randomUUID()
  const cancel = (): void => spaces.cancel(operation)
  context.signal.addEventListener('abort', cancel)
  const seen = new Set<string>()
  const unsubscribe = spaces.onProgress((progress) => {
    if (progress.operationId !== operation) return
    for (const { step, state } of progress.steps) {
      if (state !== 'running' || seen.has(step)) continue
      seen.add(step)
      context.progress(`[${INSTALL_STEPS.indexOf(step) + 1}/${INSTALL_STEPS.length}] ${step} ${progress.slug}`)
    }
  })
  try {
    const preview = await spaces.preview(operation, ref)
    announce(context, preview)
    context.signal.throwIfAborted()
    const accept = context.flags['accept-changes'] === true
    const result = await spaces.install(operation, usableIds(preview), profile === null ? [] : [profile], {
      acceptChanges: accept,
    })
    return {
      json: {
        space: spaceJson(result.space),
        enabled: result.enabled,
        refreshed: result.refreshed,
        changes: result.changes,
        manifest: result.manifest,
      },
      text: [
        `${result.refreshed ? 'Refreshed' : 'Installed'} ${result.space.slug}`,
        `Manifest: ${result.manifest}`,
        ...spaceLines(result.space),
        ...(result.enabled.profile === null
          ? ['Add tool IDs to a profile to enable them.']
          : [
              result.enabled.added.length > 0
                ? `Enabled in profile ${result.enabled.profile}: ${result.enabled.added.join(', ')}`
                : `All tool IDs already present in profile ${result.enabled.profile}.`,
            ]),
        ...(result.changes.changed.length > 0 && !accept
          ? [`Off until you accept the change: ${result.changes.changed.join(', ')} (--accept-changes)`]
          : []),
      ],
    }
  } finally {
    unsubscribe()
    context.signal.removeEventListener('abort', cancel)
  }
}

/** What keeps a whole Space from being used, in the shape of the entries that cannot be read at all. */
const ownProblems = (spaces: readonly InstalledSpace[]): { entry: string; problem: Problem }[] =>
  spaces.flatMap(({ slug, problem }) => (problem === undefined ? [] : [{ entry: slug, problem }]))

function problemJson({ entry, problem }: { entry: string; problem: Problem }) {
  const { code, reason } = problemKeys(problem)
  return { entry, code, message: reason ?? '' }
}

const problemLine = ({ entry, message }: ReturnType<typeof problemJson>): string =>
  `Problem with ${plain(entry)}: ${message}`

export const list: Command = async (context) => {
  const snapshot = await context.companion.spaces.snapshot()
  const problems = [...snapshot.problems, ...ownProblems(snapshot.spaces)].map(problemJson)
  return {
    json: { manifest: snapshot.manifest, spaces: snapshot.spaces.map(spaceJson), problems },
    text: [
      `Manifest: ${snapshot.manifest}`,
      ...(snapshot.spaces.length === 0 ? ['No installed Spaces.'] : snapshot.spaces.flatMap(spaceLines)),
      ...problems.map(problemLine),
    ],
  }
}

async function installed(context: CommandContext, ref: string): Promise<InstalledSpace> {
  const { spaces } = context.companion
  const slug = await spaces.resolve(ref)
  const found = (await spaces.snapshot()).spaces.find((space) => space.slug === slug)
  if (!found) throw new CompanionError('space/not-installed', { slug })
  return found
}

export const show: Command = async (context) => {
  const space = await installed(context, context.words[0] ?? '')
  const { manifest } = await context.companion.spaces.snapshot()
  const ids = new Set(space.tools.flatMap((tool) => (tool.id === null ? [] : [tool.id])))
  const enabledIn = await context.companion.profiles.usesOf((id) => ids.has(id))
  const problems = ownProblems([space]).map(problemJson)
  return {
    json: { manifest, space: spaceJson(space), enabled_in: enabledIn, problems },
    text: [
      `Manifest: ${manifest}`,
      ...spaceLines(space),
      ...problems.map(problemLine),
      ...Object.entries(enabledIn).map(([name, on]) => `Enabled in ${name}: ${on.join(', ')}`),
    ],
  }
}

/** How many lines of a list of changes name their tools. */
function changeLines({ added, removed, changed }: InstallResult['changes']): string[] {
  const line = (what: string, ids: readonly string[]): string[] =>
    ids.length === 0 ? [] : [`  ${what}: ${ids.map((id) => plain(id, 200)).join(', ')}`]
  return [
    ...line('New', added),
    ...line('No longer offered', removed),
    ...line('Changed, off until you accept it (tool-spaces add SPACE --accept-changes)', changed),
  ]
}

export const refresh: Command = async (context) => {
  const { spaces } = context.companion
  const [ref] = context.words
  const slug = ref === undefined ? null : await spaces.resolve(ref)
  const operation = randomUUID()
  const cancel = (): void => spaces.cancel(operation)
  context.signal.addEventListener('abort', cancel)
  const told = new Set<string>()
  const unsubscribe = spaces.onChange((snapshot) => {
    for (const { slug: name, check } of snapshot.spaces) {
      const line = check === undefined ? '' : `${plain(name)}: ${check.state}`
      if (line === '' || told.has(line)) continue
      told.add(line)
      context.progress(line)
    }
  })
  try {
    const { manifest } = await spaces.snapshot()
    const result = await spaces.refresh(operation, slug)
    context.signal.throwIfAborted()
    return {
      json: {
        spaces: result.spaces.map(({ slug: name, ok, changes, failure }) => ({
          slug: name,
          ok,
          ...(changes === undefined ? {} : { changes }),
          ...(failure === undefined ? {} : { error: errorJson(failure) }),
        })),
      },
      text: [
        `Manifest: ${manifest}`,
        ...result.spaces.flatMap(({ slug: name, ok, changes, failure }) => {
          if (!ok)
            return [`${plain(name)}: ${failure?.message ?? 'failed'}`, ...(failure?.hint ? [`  ${failure.hint}`] : [])]
          const lines = changes === undefined ? [] : changeLines(changes)
          return [`${plain(name)}: ${lines.length === 0 ? 'unchanged' : 'refreshed'}`, ...lines]
        }),
      ],
      exitCode: result.spaces.every(({ ok }) => ok) ? 0 : 1,
    }
  } finally {
    unsubscribe()
    context.signal.removeEventListener('abort', cancel)
  }
}

function errorJson({ code, message, hint }: Failure): Record<string, string> {
  return { code, message, ...(hint === undefined || hint === '' ? {} : { hint }) }
}

export const remove: Command = async (context) => {
  const { spaces } = context.companion
  const { removed, disabled } = await spaces.remove(context.words[0] ?? '')
  return {
    json: { removed, disabled },
    text: [
      `Removed ${removed}`,
      `Manifest: ${(await spaces.snapshot()).manifest}`,
      ...Object.entries(disabled).map(([name, ids]) => `Disabled in profile ${name}: ${ids.join(', ')}`),
    ],
  }
}

const DEFAULT_LIMIT = 20

export const search: Command = async (context): Promise<Outcome> => {
  const text = flag(context, 'limit')
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new CompanionError('cli/usage', { reason: '--limit is a whole number from 1 to 100' })
  }
  const found = await context.companion.spaces.search(
    { query: context.words.join(' '), filters: [], sort: 'likes', limit },
    context.signal,
  )
  if (found.failure) context.progress(found.failure.message)
  return {
    json: {
      results: found.results.map(({ slug, title, author, likes, stage, tags, installed: here }) => ({
        slug,
        title,
        author,
        likes,
        ...(stage === undefined ? {} : { stage }),
        tags: [...new Set(tags)],
        installed: here,
      })),
      from: found.from,
    },
    text:
      found.results.length === 0
        ? ['Nothing found.']
        : found.results.map(
            (card) =>
              `${card.slug}  ${card.stage ?? ''}  ${card.likes} likes${card.installed ? '  installed' : ''}  ${plain(card.title, 60)}`,
          ),
  }
}
