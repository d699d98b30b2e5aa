import { CompanionError } from '../contract/index.ts'
import { DEFAULT_LIMITS, plainText } from '../mcp/index.ts'

import { aliasOf } from './alias.ts'
import { readEndpointNames } from './endpoint-names.ts'
import { goneTools, judgeListing, previewTools, requireUsable } from './judge.ts'
import { looksLike } from './looks-like.ts'
import { mcpUrlOf, spaceOrigin, sseUrlOf } from './origin.ts'
import { parseSpaceRef } from './ref.ts'
import { isOfficial } from './seeds.ts'
import { pinsOf } from './state.ts'
import { readConfig, stageGroup, wakeLimitMs, wakeSpace } from './wake.ts'

import type { Details, InstallStep, SpacePreview } from '../contract/index.ts'
import type { Hub, SpaceInfo } from '../hub/index.ts'
import type { HttpEndpoint, Mcp, McpListing } from '../mcp/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { JudgedTool } from './judge.ts'
import type { ManifestEntry } from './manifest.ts'
import type { SpacePins } from './pins.ts'
import type { Steps } from './progress.ts'
import type { SpacesState } from './state.ts'
import type { ProfileLines } from './types.ts'
import type { WakeTimes } from './wake-times.ts'
import type { WakeDeps, WakeLimits } from './wake.ts'

export interface PreviewDeps {
  readonly hub: Hub
  readonly mcp: Mcp
  readonly fetch: typeof globalThis.fetch
  readonly token: () => Promise<string | null>
  readonly wakeLimits: WakeLimits
  readonly wakeTimes: WakeTimes
  readonly now: () => number
  readonly state: () => Promise<SpacesState>
}

/** What a preview found, kept until it is installed. */
export interface Found {
  readonly info: SpaceInfo
  readonly mcpUrl: string
  readonly tools: readonly JudgedTool[]
  readonly preview: SpacePreview
  /** Gradio's own names of the functions, by remote name; absent when the Space does not tell them. */
  readonly endpointNames?: ReadonlyMap<string, string>
}

/** The token goes to private Spaces only, in the header that the Spaces proxy consumes (huggingface/hf-mcp-server#249). */
export async function tokenHeaders(
  isPrivate: boolean,
  token: () => Promise<string | null>,
): Promise<Record<string, string>> {
  const value = isPrivate ? await token() : null
  return value === null ? {} : { 'X-HF-Authorization': `Bearer ${value}` }
}

export function endpointOf(
  space: { readonly slug: string; readonly mcpUrl: string; readonly private: boolean },
  token: () => Promise<string | null>,
): HttpEndpoint {
  return {
    key: space.slug,
    url: space.mcpUrl,
    sseUrl: sseUrlOf(space.mcpUrl),
    headers: () => tokenHeaders(space.private, token),
  }
}

/** @throws CompanionError when the manifest is not to be written. */
export function requireWritable(state: SpacesState): void {
  if (state.readOnly !== null) throw new CompanionError(state.readOnly.code, state.readOnly.details ?? {})
}

/** @throws CompanionError `space/alias-conflict` naming both Spaces. */
export function requireFreeAlias(slug: string, entries: readonly ManifestEntry[]): void {
  const alias = aliasOf(slug)
  const other = entries.find((entry) => entry.alias === alias && !sameSlug(entry.slug, slug))
  if (other !== undefined) throw new CompanionError('space/alias-conflict', { slug, other: other.slug, alias })
}

/** Lines added, by profile. A profile named twice is one. */
export async function enableEach(
  tx: Transaction,
  profiles: Pick<ProfileLines, 'enableIn'>,
  names: readonly string[],
  toolIds: readonly string[],
): Promise<Record<string, string[]>> {
  const added: [string, string[]][] = []
  for (const name of new Set(toolIds.length === 0 ? [] : names)) {
    added.push([name, (await profiles.enableIn(tx, name, toolIds)).added])
  }
  return Object.fromEntries(added)
}

export const sameSlug = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Validate, Wake, Connect, Discover. Reads the disk and the network, changes neither.
 *
 * @throws CompanionError of the step that failed; the reason of `signal`.
 */
export async function findSpace(
  operationId: string,
  ref: string,
  steps: Steps,
  deps: PreviewDeps,
  signal: AbortSignal,
): Promise<Found> {
  steps.start('validate', { limitMs: VALIDATE_MS })
  const late = (): CompanionError =>
    new CompanionError('space/timeout', {
      slug: plainText(ref.trim(), 200),
      step: 'validate',
      seconds: VALIDATE_MS / 1000,
    })
  const { info, typed, state } = await within(VALIDATE_MS, signal, late, (inner) => validate(ref, deps, inner))
  const origin = spaceOrigin(info, deps.hub.isLoopback())
  const space = { slug: info.slug, mcpUrl: mcpUrlOf(origin), private: info.private }
  const before = state.entries.find((entry) => sameSlug(entry.slug, info.slug))
  const pins = before === undefined ? undefined : pinsOf(state, before.slug)
  steps.rename(info.slug)
  steps.done()

  const headers = await tokenHeaders(info.private, deps.token)
  const config = (inner: AbortSignal): ReturnType<typeof readConfig> =>
    readConfig(origin, { fetch: deps.fetch, headers, timeoutMs: deps.wakeLimits.configMs }, inner)
  const awake = stageGroup(info.stage) === 'usable'
  const expectedMs = awake ? 0 : await deps.wakeTimes.expected(info.slug, info.hardware)
  const maxMs = wakeLimitMs(deps.wakeLimits, expectedMs)
  steps.start('wake', { limitMs: maxMs, ...(awake ? {} : { expectedMs }) })
  const visit = async (inner: AbortSignal): Promise<void> => void (await config(inner))
  await wakeUp(info, { ...deps, visit, maxMs, said: (stage) => steps.say(stage) }, signal)
  steps.done(awake ? 'awake' : undefined)

  steps.start('connect', { limitMs: deps.wakeLimits.configMs + DEFAULT_LIMITS.connectMs })
  if ((await config(signal))?.mcpServer === false) throw new CompanionError('space/no-mcp', { slug: info.slug })
  const endpoint = { ...endpointOf(space, deps.token), gradio: info.sdk === 'gradio' }
  try {
    const listing = await list(endpoint, steps, deps, signal)
    const tools = judgeListing(info.slug, listing.tools, before, pins)
    requireUsable(info.slug, tools)
    const parts = { info, typed, mcpUrl: space.mcpUrl, listing, tools, state, before, pins }
    const preview = previewOf(operationId, parts, headers)
    const named = { fetch: deps.fetch, headers, timeoutMs: ENDPOINT_NAMES_MS }
    const endpointNames = endpoint.gradio ? await readEndpointNames(space.mcpUrl, named, signal) : undefined
    steps.done(String(tools.length))
    const found = { info, mcpUrl: space.mcpUrl, tools, preview }
    return endpointNames === undefined ? found : { ...found, endpointNames }
  } catch (error) {
    // Nothing of it is installed, so nobody will use the connection.
    if (before === undefined) await deps.mcp.drop(info.slug)
    throw error
  }
}

/** The Hub's own limits end each of its two requests earlier, with the reason. */
const VALIDATE_MS = 45_000
/** Without an answer by then a tool that gets another name is shown as one that is gone and one that is new. */
export const ENDPOINT_NAMES_MS = 3_000

/** @throws what `late` makes when `ms` are over first. */
async function within<T>(
  ms: number,
  signal: AbortSignal,
  late: () => CompanionError,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(ms)
  try {
    return await work(AbortSignal.any([signal, limit]))
  } catch (error) {
    throw limit.aborted && !signal.aborted ? late() : error
  }
}

type WakeUpDeps = Pick<PreviewDeps, 'hub' | 'wakeLimits' | 'wakeTimes' | 'now'> &
  Pick<WakeDeps, 'visit' | 'maxMs' | 'said'>

/** Waits as {@link wakeSpace}, and remembers how long that took. */
export async function wakeUp(
  space: Pick<SpaceInfo, 'slug' | 'stage'>,
  deps: WakeUpDeps,
  signal: AbortSignal,
): Promise<void> {
  const { hub, wakeLimits: limits, now, visit, maxMs, said } = deps
  const took = await wakeSpace(space, { hub, limits, now, visit, maxMs, said }, signal)
  if (took !== null) await deps.wakeTimes.took(space.slug, took)
}

async function validate(
  ref: string,
  deps: PreviewDeps,
  signal: AbortSignal,
): Promise<{ info: SpaceInfo; typed: string | null; state: SpacesState }> {
  const { hub } = deps
  const parsed = parseSpaceRef(ref, hub.endpoint())
  const state = await deps.state()
  requireWritable(state)
  const info =
    parsed.kind === 'slug' ? await hub.space(parsed.slug, signal) : await hub.spaceBySubdomain(parsed.label, signal)
  if (info.disabled) throw new CompanionError('space/disabled', { slug: info.slug })
  if (info.gated) throw new CompanionError('space/gated', { slug: info.slug })
  // A docker Space may serve MCP at the same path; a static one has no server at all.
  if (info.sdk !== 'gradio' && info.sdk !== 'docker') {
    throw new CompanionError('space/wrong-sdk', { slug: info.slug, sdk: plainText(info.sdk, 40) || 'static' })
  }
  requireFreeAlias(info.slug, state.entries)
  return { info, typed: parsed.kind === 'slug' ? parsed.slug : null, state }
}

async function list(endpoint: HttpEndpoint, steps: Steps, deps: PreviewDeps, signal: AbortSignal): Promise<McpListing> {
  let step: InstallStep = 'connect'
  try {
    return await deps.mcp.list(endpoint, {
      signal,
      onConnected: (transport) => {
        if (step === 'discover') return
        step = 'discover'
        steps.done(transport)
        steps.start('discover', { limitMs: DEFAULT_LIMITS.listMs + ENDPOINT_NAMES_MS })
      },
    })
  } catch (error) {
    signal.throwIfAborted()
    throw await withStage(error, endpoint.key, deps, signal)
  }
}

/** "Not ready" says more with the Hub's word for it, unless that word contradicts what the Space answered. */
export async function withStage(
  error: unknown,
  slug: string,
  deps: Pick<PreviewDeps, 'hub'>,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof CompanionError) || error.code !== 'space/not-running') return error
  try {
    const stage = await deps.hub.stage(slug, signal)
    if (stage === undefined || stageGroup(stage) === 'usable') return error
    const details: Details = { ...error.details, stage: plainText(stage, 40) }
    return new CompanionError(error.code, details, { cause: error })
  } catch (hubError) {
    // The Space's own answer stays the reason; that the Hub is silent as well adds nothing.
    return new CompanionError(error.code, error.details, { cause: new AggregateError([error, hubError]) })
  }
}

interface PreviewParts {
  readonly info: SpaceInfo
  readonly typed: string | null
  readonly mcpUrl: string
  readonly listing: McpListing
  readonly tools: readonly JudgedTool[]
  readonly state: SpacesState
  readonly before: ManifestEntry | undefined
  readonly pins: SpacePins | undefined
}

function previewOf(operationId: string, parts: PreviewParts, headers: Readonly<Record<string, string>>): SpacePreview {
  const { info, typed, state, before } = parts
  const others = state.entries
    .filter(({ slug }) => !sameSlug(slug, info.slug))
    .flatMap(({ tools }) => tools.flatMap(({ id, remoteName }) => [id, remoteName]))
  const alike = looksLike(
    info.slug,
    state.entries.map(({ slug }) => slug),
  )
  return {
    operationId,
    slug: info.slug,
    title: info.title,
    author: info.author,
    ...(info.emoji === undefined ? {} : { emoji: info.emoji }),
    official: isOfficial(info.slug),
    ...(alike === undefined ? {} : { looksLike: alike }),
    ...(info.sdk === 'docker' ? { docker: true } : {}),
    private: info.private,
    sendsToken: Object.keys(headers).length > 0,
    mcpUrl: parts.mcpUrl,
    transport: parts.listing.transport === 'sse' ? 'sse' : 'streamable-http',
    ...(typed !== null && !sameSlug(typed, info.slug) ? { movedFrom: typed } : {}),
    refresh: before !== undefined,
    removedTools: goneTools(parts.tools, before).flatMap(({ id }) => (id === null ? [] : [id])),
    tools: previewTools(parts.tools, others, before, parts.pins),
  }
}
