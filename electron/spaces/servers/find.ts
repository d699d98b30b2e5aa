import { CompanionError } from '../../contract/index.ts'

import { parseAddress } from './address.ts'
import { endpointOf, timeoutsOf } from './endpoint.ts'
import { isVariableName } from './environment.ts'
import { serverFailure } from './failures.ts'
import { DEFAULT_TIMEOUTS, entriesOf, targetHash, targetProblem } from './file.ts'
import { goneTools, judge, previewTools, requireUsable } from './listing.ts'
import { requireServerName, sameName } from './names.ts'
import { isPlainHttp, needsOptIn } from './snapshot.ts'
import { entryOf, pinsOf } from './state.ts'
import { cleanToken } from './token.ts'

import type { ServerDraft, ServerPreview, ServerTarget } from '../../contract/index.ts'
import type { Mcp } from '../../mcp/index.ts'
import type { EndpointDeps } from './endpoint.ts'
import type { ServerEntry } from './file.ts'
import type { JudgedTool } from './listing.ts'
import type { ServersState } from './state.ts'

/** What a preview found, kept until it is installed. */
export interface Found {
  /** As it would be written, its tools not yet taken over. */
  readonly entry: ServerEntry
  readonly judged: readonly JudgedTool[]
  readonly serverName: string
  /** Stored with the server. */
  readonly token: string | undefined
  readonly preview: ServerPreview
}

export interface FindDeps extends EndpointDeps {
  readonly mcp: Mcp
  /** Of the installed Spaces. */
  readonly aliases: () => Promise<string[]>
}

/** @throws CompanionError when the file is not to be written. */
export function requireWritable(state: Pick<ServersState, 'readOnly'>): void {
  if (state.readOnly !== null) throw new CompanionError(state.readOnly.code, state.readOnly.details ?? {})
}

/**
 * The entry that a draft would become. The same name with the same address or program is the same server looked at again:
 * what the draft leaves open (sign-in, time limits) stays as it was.
 *
 * @throws CompanionError `server/bad-name`, `server/bad-address`, `server/insecure`, `server/exists`, `server/bad-entry`.
 */
export function draftEntry(
  draft: ServerDraft,
  state: ServersState,
  aliases: readonly string[],
  hasToken: boolean,
): { entry: ServerEntry; before: ServerEntry | undefined } {
  const { name } = draft
  requireServerName(name)
  const before = entryOf(state, name)
  const wanted = normalTarget(draft.target)
  const exists = (reason: string): CompanionError => new CompanionError('server/exists', { name, reason })
  if (aliases.some((alias) => sameName(alias, name))) throw exists('a Space has this name')
  if (before !== undefined && before.name !== name) throw exists(`there is a server ${before.name}`)
  if (before !== undefined && placeOf(before.target) !== placeOf(wanted)) {
    throw exists('the server of this name is somewhere else')
  }
  const target = before === undefined ? wanted : keepSignIn(before.target, wanted)
  const problem = targetProblem(name, target)
  if (problem !== undefined) throw new CompanionError(problem.code, problem.details ?? {})
  if (hasToken && target.kind === 'http' && target.allowInsecureHttp !== true && needsOptIn(target.url)) {
    throw new CompanionError('server/insecure', { name })
  }
  const { problem: _, ...kept } =
    before ??
    ({
      requestTimeoutS: DEFAULT_TIMEOUTS.request,
      toolTimeoutS: DEFAULT_TIMEOUTS.tool,
      tools: [],
      raw: {},
    } as Omit<ServerEntry, 'name' | 'target'>)
  return { entry: { ...kept, name, target }, before }
}

/** @throws CompanionError `server/bad-address`, `server/bad-entry`. */
function normalTarget(target: ServerTarget): ServerTarget {
  const refuse = (reason: string): CompanionError => new CompanionError('server/bad-entry', { reason })
  if (target.kind === 'http') {
    const { tokenEnv, allowInsecureHttp } = target
    if (tokenEnv !== undefined && !isVariableName(tokenEnv)) throw refuse(`${tokenEnv} is no name of a variable`)
    return {
      kind: 'http',
      url: parseAddress(target.url).url,
      ...(tokenEnv === undefined ? {} : { tokenEnv }),
      ...(allowInsecureHttp === true ? { allowInsecureHttp } : {}),
    }
  }
  const { command, args, env, envFrom, cwd } = target
  const names = [...Object.keys(env ?? {}), ...(envFrom ?? [])]
  const wrong = names.find((one) => !isVariableName(one))
  if (wrong !== undefined) throw refuse(`${wrong} is no name of a variable`)
  if (command.trim() === '') throw refuse('an empty command')
  if ([command, ...args, ...Object.values(env ?? {}), cwd ?? ''].some((text) => text.includes('\0'))) {
    throw refuse('a NUL character')
  }
  return {
    kind: 'stdio',
    command,
    args,
    ...(env === undefined || Object.keys(env).length === 0 ? {} : { env }),
    ...(envFrom === undefined || envFrom.length === 0 ? {} : { envFrom }),
    ...(cwd === undefined || cwd === '' ? {} : { cwd }),
  }
}

const hasStored = async ({ name, target }: ServerDraft, { tokens }: FindDeps): Promise<boolean> =>
  target.kind === 'http' && tokens.has(name, parseAddress(target.url).url)

/** Where a target is; sign-in may change without it being another server. */
const placeOf = (target: ServerTarget): string =>
  target.kind === 'http' ? (URL.canParse(target.url) ? new URL(target.url).href : target.url) : targetHash(target)

function keepSignIn(before: ServerTarget, wanted: ServerTarget): ServerTarget {
  return before.kind === 'http' && wanted.kind === 'http' ? { ...before, ...wanted } : wanted
}

/**
 * Connects, or starts the program, and lists. Reads the disk and asks the server, changes neither.
 *
 * @throws CompanionError of {@link draftEntry}, of the connector; the reason of `signal`.
 */
export async function findServer(
  operationId: string,
  draft: ServerDraft,
  given: string | undefined,
  state: ServersState,
  deps: FindDeps,
  signal: AbortSignal,
): Promise<Found> {
  requireWritable(state)
  const token = given === undefined ? undefined : cleanToken(draft.name, given)
  const hasToken = token !== undefined || (await hasStored(draft, deps))
  const { entry, before } = draftEntry(draft, state, await deps.aliases(), hasToken)
  const pins = before === undefined ? undefined : pinsOf(state, entry.name)
  const endpoint = endpointOf({ name: entry.name, target: entry.target, ...timeoutsOf(entry) }, deps, token)
  try {
    // A connection that was made without the token, or for a server removed meanwhile, would be used again.
    await deps.mcp.drop(entry.name)
    const listing = await deps.mcp.list(endpoint, { signal })
    const judged = judge({ entry, pins }, listing.tools)
    requireUsable(entry.name, judged)
    const known = { entry, pins }
    const others = entriesOf(state.items)
      .filter(({ name }) => !sameName(name, entry.name))
      .flatMap(({ tools }) => tools.flatMap(({ id, remoteName }) => [id, remoteName]))
    const preview: ServerPreview = {
      operationId,
      name: entry.name,
      target: entry.target,
      serverName: listing.serverName,
      transport: listing.transport,
      plainHttp: isPlainHttp(entry.target),
      refresh: before !== undefined,
      removedTools: goneTools(judged, { entry, pins: undefined }).flatMap(({ id }) => (id === null ? [] : [id])),
      tools: previewTools(judged, before === undefined ? null : known, others),
    }
    return { entry, judged, serverName: listing.serverName, token, preview }
  } catch (error) {
    // Nothing of it is installed: no connection is kept, no program left running.
    if (before === undefined) await deps.mcp.drop(entry.name)
    throw serverFailure(error, entry.name)
  }
}
