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
}

export const DEFAULT_WAKE_LIMITS: WakeLimits = { pollMs: 5_000, maxMs: 180_000, unknownMs: 15_000, configMs: 10_000 }

/** The Hub's words (huggingface_hub `SpaceStage` and what the Hub answers beside it), by what can be done about them. */
const USABLE = new Set(['RUNNING', 'RUNNING_BUILDING', 'RUNNING_APP_STARTING'])
const ASLEEP = new Set(['SLEEPING', 'STOPPED'])
const STARTING = new Set(['APP_STARTING'])
const OWNER = new Set(['PAUSED', 'BUILDING', 'CONFIG_ERROR', 'BUILD_ERROR', 'RUNTIME_ERROR', 'NO_APP_FILE', 'DELETING'])

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
  readonly limits: WakeLimits
  readonly now: () => number
  /** The stage whenever the Hub told one. */
  said(stage: string): void
}

/**
 * Waits until a Space runs; visits it once when it sleeps. While it wakes it may also be building for a moment.
 *
 * @throws CompanionError `space/not-running` when only its owner can help (`details.stage`), `space/asleep` when it did not
 * wake in time; the reason of `signal`.
 */
export async function wakeSpace(info: SpaceInfo, deps: WakeDeps, signal: AbortSignal): Promise<void> {
  const { limits, now } = deps
  const startedAt = now()
  const word = (stage: string | undefined): string => (stage === undefined ? 'unknown' : plainText(stage, 40))
  const notRunning = (stage: string | undefined): CompanionError =>
    new CompanionError('space/not-running', { slug: info.slug, stage: word(stage) })

  let stage = info.stage
  let visited = false
  for (;;) {
    signal.throwIfAborted()
    const group = stageGroup(stage)
    if (group === 'usable') return
    deps.said(word(stage))
    const waited = now() - startedAt
    if (group === 'owner' && !(visited && stage === 'BUILDING')) throw notRunning(stage)
    if (group === 'unknown' && !visited && waited >= limits.unknownMs) throw notRunning(stage)
    if (waited >= limits.maxMs) {
      throw new CompanionError('space/asleep', {
        slug: info.slug,
        stage: word(stage),
        seconds: Math.round(limits.maxMs / 1000),
      })
    }
    if (group === 'asleep' && !visited) {
      visited = true
      await deps.visit(signal)
    }
    await pause(limits.pollMs, signal)
    stage = await deps.hub.stage(info.slug, signal)
  }
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
