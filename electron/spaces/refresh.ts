import { CompanionError } from '../contract/index.ts'
import { plainText } from '../mcp/index.ts'

import { readEndpointNames } from './endpoint-names.ts'
import { lookAt } from './look.ts'
import { aboutOf, replaceEntry } from './merge.ts'
import { endpointOf, ENDPOINT_NAMES_MS, sameSlug, tokenHeaders, wakeUp, withStage } from './operations.ts'
import { mcpUrlOf, spaceOrigin } from './origin.ts'
import { pinOf, pinsAsWritten } from './pins.ts'
import { isOwnText } from './seeds.ts'
import { pinsOf, writeState } from './state.ts'
import { readConfig, stageGroup, wakeLimitMs } from './wake.ts'

import type { InstallResult } from '../contract/index.ts'
import type { SpaceInfo } from '../hub/index.ts'
import type { HttpEndpoint, ListedTool } from '../mcp/index.ts'
import type { ManifestEntry } from './manifest.ts'
import type { SpacePins } from './pins.ts'
import type { Room } from './room.ts'
import type { SpacesState } from './state.ts'

type Changes = InstallResult['changes']

const NOTHING: Changes = { added: [], removed: [], changed: [] }

/** Spaces looked at at the same time. */
const PARALLEL = 4

/**
 * Runs `work` for each, at most four at a time, and gives the results in their order. What was not begun when `signal`
 * aborts is not begun any more.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  limit = PARALLEL,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

/**
 * Asks the Hub and the Space what it offers now. Nothing is written when nothing changed.
 *
 * Another address, name or visibility is recorded and not followed: the Space is contacted there after a person's yes.
 *
 * @param wake one Space that a person named is woken and waited for; with all of them a sleeping one is left asleep
 * @throws CompanionError of whatever kept it from being looked at; the reason of `signal`
 */
export async function refreshSpace(room: Room, slug: string, wake: boolean, signal: AbortSignal): Promise<Changes> {
  const info = await room.hub.space(slug, signal)
  if (info.disabled) throw new CompanionError('space/disabled', { slug })
  const mcpUrl = mcpUrlOf(spaceOrigin(info, room.hubIsLoopback()))
  const before = entryIn(await room.state(), slug)
  const moved = await recordMove(room, before.slug, info, mcpUrl)
  if (moved !== null) return moved

  await ready(room, info, mcpUrl, wake, signal)
  const place = { slug: before.slug, mcpUrl, private: info.private }
  const endpoint = { ...endpointOf(place, room.token), gradio: info.sdk === 'gradio' }
  const tools = await listed(room, endpoint, info, signal)
  const state = await room.state()
  const entry = entryIn(state, slug)
  const pins = pinsOf(state, entry.slug)
  // Nobody has said yes to a starting Space yet: its words stay ours until then.
  if (pins === undefined && entry.mcpUrl !== '' && entry.tools.every((tool) => isOwnText(entry.slug, tool)))
    return NOTHING
  const endpointNames = await namesFor(room, endpoint, tools, entry, pins, signal)
  const looked = await lookAt(room, entry.slug, {
    tools,
    write: true,
    place: { mcpUrl, private: info.private },
    about: aboutOf(info),
    ...(endpointNames === undefined ? {} : { endpointNames }),
  })
  return looked.changes
}

function entryIn(state: SpacesState, slug: string): ManifestEntry {
  const entry = state.entries.find((one) => sameSlug(one.slug, slug))
  if (entry === undefined) throw new CompanionError('space/not-installed', { slug })
  return entry
}

/** @returns what is withheld because the Space is elsewhere, or `null` when it is where it was */
async function recordMove(room: Room, slug: string, info: SpaceInfo, mcpUrl: string): Promise<Changes | null> {
  const outcome: { changes: Changes | null } = { changes: null }
  const next = (state: SpacesState): SpacePins | null => {
    const entry = entryIn(state, slug)
    const pins = pinsOf(state, entry.slug)
    const found = movedPins(entry, pins, { slug: info.slug, mcpUrl, private: info.private }, new Date(room.now()))
    outcome.changes = found.moved ? { ...NOTHING, changed: entry.tools.map(({ id }) => id) } : null
    return found.pins
  }
  if (next(await room.state()) === null) return outcome.changes
  const toolIds = outcome.changes?.changed ?? []
  if (toolIds.length > 0) room.audit.append({ kind: 'pins', origin: slug, change: 'changed', toolIds })
  await room.change(`look at ${slug}`, async (tx, before) => {
    const pins = next(before)
    const entry = entryIn(before, slug)
    if (pins === null) return
    writeState(
      tx,
      room.files,
      before,
      { ...replaceEntry(before, entry.slug, { entry, pins }), settled: () => false },
      room.now(),
    )
  })
  return outcome.changes
}

/**
 * Pins that say where a Space is now, if that differs from where it was approved.
 *
 * @returns `pins`: to be written, `null` when they are as they were; `moved`: the Space is not to be contacted
 */
export function movedPins(
  entry: ManifestEntry,
  pins: SpacePins | undefined,
  now: { readonly slug: string; readonly mcpUrl: string; readonly private: boolean },
  date: Date,
): { readonly moved: boolean; readonly pins: SpacePins | null } {
  // Without pins nobody has approved a place; the Hub's word is taken.
  const approved =
    pins === undefined
      ? { mcpUrl: now.mcpUrl, private: now.private }
      : { mcpUrl: pins.mcpUrl ?? entry.mcpUrl, private: pins.private ?? entry.private }
  const renamed = !sameSlug(now.slug, entry.slug)
  const same =
    !renamed &&
    (approved.mcpUrl === '' || approved.mcpUrl === now.mcpUrl) &&
    (approved.private ?? now.private) === now.private
  // An entry that names no usable address has none that a person could have approved.
  if (same || (entry.problem !== undefined && !renamed)) {
    // An address that only another program wrote is put right by the look that follows.
    if (pins?.moved === undefined) return { moved: false, pins: null }
    const { moved: _, ...back } = pins
    return { moved: false, pins: back }
  }
  const known = pins?.moved
  const stands =
    known !== undefined &&
    known.mcpUrl === now.mcpUrl &&
    known.private === now.private &&
    (known.slug ?? entry.slug) === (renamed ? now.slug : entry.slug)
  if (stands) return { moved: true, pins: null }
  const moved = {
    ...(renamed ? { slug: now.slug } : {}),
    mcpUrl: now.mcpUrl,
    private: now.private,
    seenAt: date.toISOString(),
  }
  return { moved: true, pins: { ...(pins ?? pinsAsWritten(entry)), moved } }
}

/** Until the Space can answer; @throws what keeps it from that. */
async function ready(room: Room, info: SpaceInfo, mcpUrl: string, wake: boolean, signal: AbortSignal): Promise<void> {
  const group = stageGroup(info.stage)
  if (group === 'usable') return
  if (!wake) {
    // A stage that the Hub does not tell says nothing: the Space is asked itself.
    if (group === 'unknown') return
    throw new CompanionError('space/not-running', { slug: info.slug, stage: plainText(info.stage ?? '', 40) })
  }
  const headers = await tokenHeaders(info.private, room.token)
  const config = { fetch: room.fetch, headers, timeoutMs: room.wakeLimits.configMs }
  const visit = async (inner: AbortSignal): Promise<void> => {
    await readConfig(new URL(mcpUrl).origin, config, inner)
  }
  const maxMs = wakeLimitMs(room.wakeLimits, await room.wakeTimes.expected(info.slug, info.hardware))
  await wakeUp(info, { ...room, visit, maxMs, said: () => undefined }, signal)
}

async function listed(
  room: Room,
  endpoint: HttpEndpoint,
  info: SpaceInfo,
  signal: AbortSignal,
): Promise<readonly ListedTool[]> {
  try {
    return (await room.mcp.list(endpoint, { signal })).tools
  } catch (error) {
    signal.throwIfAborted()
    throw await withStage(error, info.slug, room, signal)
  }
}

/** Gradio's names of the functions, where a tool is listed of which that is not known. */
async function namesFor(
  room: Room,
  endpoint: HttpEndpoint,
  tools: readonly ListedTool[],
  entry: ManifestEntry,
  pins: SpacePins | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | undefined> {
  const missing = tools.some(({ remoteName }) => !entry.tools.some((tool) => tool.remoteName === remoteName))
  const unknown = entry.tools.every(({ remoteName }) => pinOf(pins, remoteName)?.endpointName === undefined)
  if (endpoint.gradio !== true || (!missing && !unknown)) return undefined
  const headers = (await endpoint.headers?.()) ?? {}
  return readEndpointNames(endpoint.url, { fetch: room.fetch, headers, timeoutMs: ENDPOINT_NAMES_MS }, signal)
}
