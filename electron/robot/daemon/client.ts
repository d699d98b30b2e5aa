import { z } from 'zod'

import { CompanionError } from '../../contract/index.ts'

import type { ErrorCode } from '../../contract/index.ts'

/** Milliseconds for one request on the same computer or network. */
const REQUEST_MS = 3_000
/** Bytes of an answer; a status is a few hundred. */
const MAX_ANSWER = 64 * 1024

const statusSchema = z.object({
  robot_name: z.string().catch('Reachy Mini'),
  state: z.enum(['not_initialized', 'starting', 'running', 'stopping', 'stopped', 'error']),
  wireless_version: z.boolean().catch(false),
  simulation_enabled: z.boolean().nullish().catch(null),
  mockup_sim_enabled: z.boolean().nullish().catch(null),
  version: z.string().nullish().catch(null),
  hardware_id: z.string().nullish().catch(null),
  error: z.string().nullish().catch(null),
  backend_status: z.object({ ready: z.boolean().optional(), error: z.string().nullish() }).nullish().catch(null),
})
export type DaemonStatus = z.output<typeof statusSchema>

const modeSchema = z.object({ mode: z.enum(['enabled', 'disabled', 'gravity_compensation']) })
const lockSchema = z.object({
  state: z.enum(['free', 'local_app', 'remote_session']),
  holder_name: z.string().nullish(),
})
const anything = z.unknown()

/** What is asked of a daemon (`reachy_mini.daemon.app` of pollen-robotics/reachy_mini, routes below `/api`). */
export interface DaemonClient {
  status(limitMs?: number): Promise<DaemonStatus>
  /** Who uses the robot; `null` for nobody, or a daemon that does not know. */
  holder(): Promise<string | null>
  mode(): Promise<'enabled' | 'disabled' | 'gravity_compensation'>
  setMode(mode: 'enabled' | 'disabled', limitMs?: number): Promise<void>
  /** Starts the backend of a daemon that runs without one; the head is not moved. */
  startBackend(): Promise<void>
}

/**
 * All methods reject with CompanionError `robot/disconnected` when the daemon does not answer, or answers something else
 * than it should.
 */
export function createDaemonClient(base: string, fetch: typeof globalThis.fetch): DaemonClient {
  const ask = async <S extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    schema: S,
    limitMs = REQUEST_MS,
  ): Promise<z.output<S>> => {
    let response: Response
    let text: string
    try {
      response = await fetch(`${base}/api${path}`, {
        method,
        redirect: 'error',
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(limitMs),
      })
      // The limit holds for the body too: a daemon may begin an answer and never end it.
      text = await beginningOf(response)
    } catch (cause) {
      throw new CompanionError('robot/disconnected', {}, { cause })
    }
    if (!response.ok) {
      throw new CompanionError(
        'robot/disconnected',
        { status: response.status },
        { cause: new Error(text.slice(0, 200)) },
      )
    }
    try {
      return schema.parse(JSON.parse(text))
    } catch (cause) {
      throw new CompanionError('robot/disconnected', {}, { cause })
    }
  }

  return {
    status: (limitMs) => ask('GET', '/daemon/status', statusSchema, limitMs),
    async holder() {
      try {
        const { state, holder_name } = await ask('GET', '/daemon/robot-app-lock-status', lockSchema)
        return state === 'free' ? null : (holder_name ?? state)
      } catch (error) {
        // Daemons before the lock answer 404.
        if (error instanceof CompanionError && error.details.status === 404) return null
        throw error
      }
    },
    mode: async () => (await ask('GET', '/motors/status', modeSchema)).mode,
    async setMode(mode, limitMs) {
      await ask('POST', `/motors/set_mode/${mode}`, anything, limitMs)
    },
    async startBackend() {
      await ask('POST', '/daemon/start?wake_up=false', anything)
    },
  }
}

/** At most {@link MAX_ANSWER} bytes of a body; the rest is not read. */
async function beginningOf(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
    if (text.length < MAX_ANSWER) continue
    await reader.cancel()
    return text.slice(0, MAX_ANSWER)
  }
}

/** What a daemon's own words of an error mean; they are those of its motor controller. */
export function meaningOf(error: string): { code: ErrorCode; details?: Record<string, string> } {
  if (/no motors detected|power supply/i.test(error)) return { code: 'robot/no-power' }
  const missing = /missing motors?:?\s*\[?([^\]!]+)/i.exec(error)?.[1]
  if (missing !== undefined) {
    const names = missing.replace(/['"]/g, '').trim().slice(0, 200)
    return { code: 'robot/missing-motors', details: { names } }
  }
  if (/multiple reachy mini|already in use|busy/i.test(error)) return { code: 'robot/busy' }
  if (/permission/i.test(error)) return { code: 'robot/no-permission' }
  return { code: 'robot/disconnected' }
}
