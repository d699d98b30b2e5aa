import { CompanionError } from '../contract/index.ts'
import { plainText } from '../mcp/index.ts'

import type { Hub, SpaceInfo } from '../hub/index.ts'

/** Milliseconds. Free Spaces sleep after 48 h and take up to minutes to come back; Gradio's own client polls every 5 s. */
export interface WakeLimits {
  readonly pollMs: number
  readonly maxMs: number
  /** How long a stage that the Hub does not tell, or that is unknown, is asked for again. */
  readonly unknownMs: number
  readonly configMs: number
  /** In place of `maxMs` where the hardware takes minutes to start. */
  readonly slowMaxMs: number
}

export const DEFAULT_WAKE_LIMITS: WakeLimits = {
  pollMs: 5_000,
  maxMs: 180_000,
  unknownMs: 15_000,
  configMs: 10_000,
  slowMaxMs: 600_000,
}

/** The Hub's words (huggingface_hub `SpaceStage` and what the Hub answers beside it), by what can be done about them. */
const USABLE = new Set(['RUNNING', 'RUNNING_BUILDING', 'RUNNING_APP_STARTING'])
const ASLEEP = new Set(['SLEEPING', 'STOPPED'])
const STARTING = new Set(['APP_STARTING', 'BUILDING'])
const OWNER = new Set(['PAUSED', 'CONFIG_ERROR', 'BUILD_ERROR', 'RUNTIME_ERROR', 'NO_APP_FILE', 'DELETING'])

export type StageGroup = 'usable' | 'asleep' | 'starting' | 'owner' | 'unknown'

export function stageGroup(stage: string | undefined): StageGroup {
  if (stage === undefined) return 'unknown'
  if (USABLE.has(stage)) return 'usable'
  if (ASLEEP.has(stage)) return 'asleep'
  if (STARTING.has(stage)) return 'starting'
  return OWNER.has(stage) ? 'owner' : 'unknown'
}

export interface WakeDeps {
  readonly hub: Pick<Hub, 'stage'>
  /** One visit, which wakes it; the answer does not matter. */
  visit(signal: AbortSignal): Promise<void>
  readonly limits: Pick<WakeLimits, 'pollMs' | 'unknownMs'>
  /** Milliseconds after which it is given up. */
  readonly maxMs: number
  readonly now: () => number
  /** The stage whenever the Hub told one. */
  said(stage: string): void
}

/** From here on a Space counts as slow. */
const SLOW_MS = 90_000

/** How long to wait for a Space that is expected to take `expectedMs`. */
export const wakeLimitMs = (limits: WakeLimits, expectedMs: number): number =>
  expectedMs < SLOW_MS ? limits.maxMs : Math.max(limits.maxMs, limits.slowMaxMs)

/** What the Hub tells of a stage, in one word. */
const wordOf = (stage: string | undefined): string => (stage === undefined ? 'unknown' : plainText(stage, 40))

/**
 * Waits until a Space runs; visits it once when it sleeps. A Space that starts or is built is waited for as well.
 *
 * @returns milliseconds from a sleeping stage until it ran; `null` when it did not sleep
 * @throws CompanionError `space/not-running` when only its owner can help, or while it is still being built at the end
 * (`details.stage`), `space/asleep` when it did not wake in time; the reason of `signal`.
 */
export async function wakeSpace(
  info: Pick<SpaceInfo, 'slug' | 'stage'>,
  deps: WakeDeps,
  signal: AbortSignal,
): Promise<number | null> {
  const { limits, maxMs, now } = deps
  const startedAt = now()
  let stage = info.stage
  let visited = false
  for (;;) {
    signal.throwIfAborted()
    const group = stageGroup(stage)
    const waited = now() - startedAt
    if (group === 'usable') {
      if (stage !== info.stage) deps.said(wordOf(stage))
      return visited ? waited : null
    }
    deps.said(wordOf(stage))
    const given = group === 'owner' || (group === 'unknown' && !visited && waited >= limits.unknownMs)
    if (given || waited >= maxMs) throw givenUp(info.slug, stage, given, maxMs)
    if (group === 'asleep' && !visited) {
      visited = true
      await deps.visit(signal)
    }
    await pause(Math.min(limits.pollMs, Math.max(1, maxMs - waited)), signal)
    stage = await deps.hub.stage(info.slug, signal)
  }
}

function givenUp(slug: string, stage: string | undefined, atOnce: boolean, maxMs: number): CompanionError {
  const details = { slug, stage: wordOf(stage) }
  return atOnce || stage === 'BUILDING'
    ? new CompanionError('space/not-running', details)
    : new CompanionError('space/asleep', { ...details, seconds: Math.round(maxMs / 1000) })
}

/** @throws the signal's reason when it aborts first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave)
      resolve()
    }, ms)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}

export interface ConfigDeps {
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** What `/config` of a Gradio app says; `null` when it is no Gradio page (a docker Space, a page that is still starting). */
export interface SpaceConfig {
  readonly mcpServer: boolean | null
}

const MAX_CONFIG_BYTES = 4 * 1024 * 1024

/**
 * `GET {origin}/config`, from the Space's own origin only: redirects are not followed, the body is read up to 4 MB.
 * No answer is no failure here: the MCP connection that follows has the words for it.
 *
 * @throws the reason of `signal`.
 */
export async function readConfig(origin: string, deps: ConfigDeps, signal: AbortSignal): Promise<SpaceConfig | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.timeoutMs)])
  try {
    const response = await deps.fetch(`${origin}/config`, { redirect: 'manual', headers: deps.headers, signal: limit })
    const isJson = (response.headers.get('content-type') ?? '').toLowerCase().startsWith('application/json')
    if (!response.ok || !isJson || response.body === null) {
      await response.body?.cancel()
      return null
    }
    const config = JSON.parse(await readText(response.body)) as { mcp_server?: unknown } | null
    const value = typeof config === 'object' && config !== null ? config.mcp_server : undefined
    return { mcpServer: typeof value === 'boolean' ? value : null }
  } catch (error) {
    signal.throwIfAborted()
    // Unreachable, too slow, too large, not JSON: all the same to the caller.
    if (error instanceof Error) return null
    throw error
  }
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let total = 0
  for await (const chunk of body) {
    total += chunk.byteLength
    if (total > MAX_CONFIG_BYTES) throw new Error('too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
