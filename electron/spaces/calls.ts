import { CompanionError } from '../contract/index.ts'

import { differencesOf } from './differences.ts'
import { lookAt } from './look.ts'
import { endpointOf, sameSlug, tokenHeaders, wakeUp, withStage } from './operations.ts'
import { isMcpUrl } from './origin.ts'
import { moveOf, withheld } from './pins.ts'
import { pinsOf } from './state.ts'
import { readConfig, stageGroup, wakeLimitMs } from './wake.ts'

import type { HttpEndpoint, McpListing, McpResult } from '../mcp/index.ts'
import type { ManifestEntry } from './manifest.ts'
import type { Room } from './room.ts'
import type { SpacesState } from './state.ts'
import type { SpaceCall } from './types.ts'

const changed = (id: string, slug: string): CompanionError => new CompanionError('space/changed', { id, slug })

/** @throws CompanionError `space/not-installed`. */
export function entryOf(state: SpacesState, slug: string): ManifestEntry {
  const entry = state.entries.find((one) => sameSlug(one.slug, slug))
  if (entry === undefined) throw new CompanionError('space/not-installed', { slug })
  return entry
}

/**
 * Where the tools of an installed Space are called.
 *
 * @throws CompanionError `space/bad-origin`; `space/changed` while another address or visibility waits for a person
 */
export function endpointIn(
  state: SpacesState,
  entry: ManifestEntry,
  room: Pick<Room, 'token' | 'hubIsLoopback'>,
): HttpEndpoint {
  const { slug, mcpUrl } = entry
  if (!isMcpUrl(mcpUrl, room.hubIsLoopback())) throw new CompanionError('space/bad-origin', { slug })
  const pins = pinsOf(state, slug)
  if (moveOf(entry, pins) !== null) throw changed(slug, slug)
  // A Space that is no Gradio app is the exception; what Gradio refuses would be refused at the call all the same.
  const endpoint = endpointOf({ slug, mcpUrl, private: entry.private ?? false }, room.token)
  return { ...endpoint, gradio: pins?.gradio ?? true }
}

/**
 * @throws CompanionError `space/changed`, `tools/no-longer-offered`, `tools/unknown` for a tool that may not be called as
 * things are stored
 */
function requireOffered(state: SpacesState, slug: string, remoteName: string): void {
  const entry = entryOf(state, slug)
  const tool = entry.tools.find((one) => one.remoteName === remoteName)
  const pins = pinsOf(state, entry.slug)
  if (tool === undefined) {
    const gone = differencesOf(entry, pins).find((one) => one.kind === 'gone' && one.remoteName === remoteName)
    const id = gone?.id ?? remoteName
    throw new CompanionError(gone === undefined ? 'tools/unknown' : 'tools/no-longer-offered', { id, slug: entry.slug })
  }
  if (withheld(tool, entry, pins) !== undefined) throw changed(tool.id, entry.slug)
}

/** Calls a tool of an installed Space, see `Spaces.call`. */
export async function callTool(room: Room, call: SpaceCall): Promise<McpResult> {
  const { remoteName, signal = new AbortController().signal } = call
  const state = await room.state()
  const entry = entryOf(state, call.slug)
  const { slug } = entry
  const endpoint = endpointIn(state, entry, room)
  requireOffered(state, slug, remoteName)
  const once = (): Promise<McpResult> =>
    room.mcp.call(endpoint, remoteName, call.arguments, {
      signal,
      ...(call.onProgress === undefined ? {} : { onProgress: call.onProgress }),
      verify: (listing) => verify(room, endpoint, listing, remoteName, signal),
    })
  try {
    return await once()
  } catch (error) {
    if (signal.aborted || !fellAsleep(error)) throw error
    try {
      await wakeForCall(room, entry, error, call, signal)
    } catch (failure) {
      throw signal.aborted
        ? new CompanionError('tools/cancelled', { id: remoteName, slug }, { cause: failure })
        : failure
    }
    return once()
  }
}

/**
 * Compares what the server lists with what was approved. Differences are recorded, so that they show at once.
 *
 * @throws as {@link requireOffered}
 */
async function verify(
  room: Room,
  endpoint: HttpEndpoint,
  listing: McpListing,
  remoteName: string,
  signal: AbortSignal,
): Promise<void> {
  const slug = endpoint.key
  const first = await lookAt(room, slug, { tools: listing.tools, write: false })
  if (first.differs) {
    // The list of a connection is as old as the connection; a difference is only one if the server still says so.
    const now = await room.mcp.list(endpoint, { signal })
    await lookAt(room, slug, { tools: now.tools, write: true })
    await room.announce()
  }
  requireOffered(await room.state(), slug, remoteName)
}

/**
 * Whether the proxy in front of a Space answered in its place, which proves that the tool did not run: 503, or a page where
 * the protocol's answer should be. (A 502 or 504 can come after the tool began.)
 */
function fellAsleep(error: unknown): error is CompanionError {
  if (!(error instanceof CompanionError) || error.code !== 'space/not-running') return false
  const { status } = error.details
  return status === 503 || (typeof status === 'number' && status >= 200 && status < 300)
}

/** @throws `error` with the Hub's word when the Space does not sleep; what {@link wakeUp} throws. */
async function wakeForCall(
  room: Room,
  entry: ManifestEntry,
  error: CompanionError,
  call: SpaceCall,
  signal: AbortSignal,
): Promise<void> {
  const { slug, mcpUrl } = entry
  const stage = await stageOrNothing(room, slug, signal)
  if (!['asleep', 'starting'].includes(stageGroup(stage))) throw await withStage(error, slug, room, signal)
  const expectedMs = await room.wakeTimes.expected(slug, undefined)
  const said = (word: string): void => {
    const message = `${slug} is waking (${word}), about ${Math.round(expectedMs / 1000)} s`
    call.onProgress?.({ progress: 0, message })
  }
  const headers = await tokenHeaders(entry.private ?? false, room.token)
  const config = { fetch: room.fetch, headers, timeoutMs: room.wakeLimits.configMs }
  const visit = async (inner: AbortSignal): Promise<void> => {
    await readConfig(new URL(mcpUrl).origin, config, inner)
  }
  const maxMs = wakeLimitMs(room.wakeLimits, expectedMs)
  await wakeUp({ slug, ...(stage === undefined ? {} : { stage }) }, { ...room, visit, maxMs, said }, signal)
}

/** The Space's own answer stays the reason when the Hub is silent as well. */
async function stageOrNothing(room: Room, slug: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await room.hub.stage(slug, signal)
  } catch (error) {
    if (!(error instanceof CompanionError) || signal.aborted) throw error
    room.log.warn('spaces: the Hub does not tell whether a Space sleeps', { slug, code: error.code })
    return undefined
  }
}
