import { z } from 'zod'

import { CompanionError, jsonValueSchema } from '../../contract/index.ts'
import { plainText } from '../../mcp/index.ts'

import { readMembers } from './members.ts'

import type { JsonObject, JsonValue, ToolMember } from '../../contract/index.ts'
import type { ToolProgress } from '../types.ts'
import type { LogRing } from './log-ring.ts'
import type { LocalLimits, ToolProcess } from './types.ts'

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('ready'), members: z.unknown() }),
  z.object({ type: z.literal('failed'), reason: z.string() }),
  z.object({
    type: z.literal('progress'),
    id: z.number(),
    fraction: z.number().nullish().catch(undefined),
    message: z.string().nullish(),
  }),
  z.object({ type: z.literal('log'), text: z.string() }),
  z.object({ type: z.literal('result'), id: z.number(), value: z.unknown() }),
  z.object({
    type: z.literal('error'),
    id: z.number(),
    kind: z.enum(['failed', 'bad-answer']),
    reason: z.string(),
  }),
])
type Message = z.output<typeof messageSchema>

export interface SessionDeps {
  /** For messages to people. */
  readonly id: string
  readonly path: string
  readonly limits: LocalLimits
  readonly ring: LogRing
  /** @throws CompanionError when there is no program for this language. */
  readonly launch: () => Promise<{ process: ToolProcess; source?: string }>
  /** It began, or it is gone. */
  readonly onState: () => void
}

/** The process of one tool file: started when it is needed, used again, ended when nobody needs it. */
export interface Session {
  readonly running: boolean
  /** Starts it where it does not run, and answers what the file offers. */
  members(): Promise<readonly ToolMember[]>
  call(request: {
    member: string
    arguments: JsonObject
    signal: AbortSignal
    onProgress?: ((progress: ToolProgress) => void) | undefined
  }): Promise<JsonValue>
  /** At once; calls that run fail. */
  end(): void
}

interface Call {
  resolve(value: JsonValue): void
  reject(error: CompanionError): void
  progress(progress: ToolProgress): void
}

interface Running {
  readonly process: ToolProcess
  readonly members: Promise<readonly ToolMember[]>
  readonly calls: Map<number, Call>
}

export function createSession(deps: SessionDeps): Session {
  const { id, path, limits, ring } = deps
  let running: Promise<Running> | null = null
  let alive: Running | null = null
  let idle: NodeJS.Timeout | undefined
  let next = 1
  let ended = false

  const gone = (which: Running, code: number | null, intended: boolean): void => {
    if (alive === which) {
      alive = null
      running = null
      clearTimeout(idle)
    }
    if (!intended) ring.note(code === null ? 'ended by the system' : `ended with status ${code}`)
    const reason = ring.lastWords() || (code === null ? 'ended by the system' : `status ${code}`)
    for (const call of which.calls.values()) call.reject(new CompanionError('tools/crashed', { id, path, reason }))
    which.calls.clear()
    deps.onState()
  }

  const rest = (which: Running): void => {
    clearTimeout(idle)
    if (which.calls.size > 0) return
    idle = setTimeout(() => {
      ring.note('ended because nobody needed it')
      which.process.kill()
    }, limits.idleMs)
    idle.unref()
  }

  const launch = async (): Promise<Running> => {
    const { process, source } = await deps.launch()
    const calls = new Map<number, Call>()
    let over = false
    const members = new Promise<readonly ToolMember[]>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new CompanionError('tools/timeout', { id, seconds: Math.round(limits.startMs / 1000) }))
        process.kill()
      }, limits.startMs)
      const settle = (result: CompanionError | readonly ToolMember[]): void => {
        clearTimeout(timer)
        if (result instanceof CompanionError) {
          reject(result)
          process.kill()
        } else resolve(result)
      }
      process.onMessage((raw) => {
        if (over) return
        const parsed = messageSchema.safeParse(raw)
        if (!parsed.success) {
          ring.note('said something that is no message')
          return
        }
        takeMessage(parsed.data, calls, settle)
      })
      process.onExit((code) => {
        over = true
        const reason = ring.lastWords() || (code === null ? 'it could not be started' : `status ${code}`)
        settle(new CompanionError('tools/not-started', { id, path, reason }))
        if (made !== undefined) gone(made, code, ended)
      })
    })
    members.catch(() => undefined)
    process.onOutput((from, text) => ring.feed(from, text))
    const made: Running = { process, members, calls }
    process.post({ type: 'start', ...(source === undefined ? {} : { source }) })
    ring.note('started')
    alive = made
    deps.onState()
    return made
  }

  const takeMessage = (
    message: Message,
    calls: Map<number, Call>,
    settle: (result: CompanionError | readonly ToolMember[]) => void,
  ): void => {
    if (message.type === 'hello') return
    if (message.type === 'log') ring.feed('out', `${message.text}\n`)
    else if (message.type === 'failed') {
      settle(new CompanionError('tools/bad-file', { id, path, reason: plainText(message.reason, 500) }))
    } else if (message.type === 'ready') {
      const read = readMembers(message.members)
      settle(read.ok ? read.members : new CompanionError('tools/bad-file', { id, path, reason: read.reason }))
    } else answer(message, calls)
  }

  const answer = (message: Extract<Message, { id: number }>, calls: Map<number, Call>): void => {
    const call = calls.get(message.id)
    if (call === undefined) return
    if (message.type === 'progress') {
      call.progress({
        ...(typeof message.fraction === 'number' ? { fraction: message.fraction } : {}),
        ...(typeof message.message === 'string' ? { message: message.message } : {}),
      })
      return
    }
    if (message.type === 'error') {
      const code = message.kind === 'bad-answer' ? 'tools/bad-answer' : 'tools/failed'
      call.reject(new CompanionError(code, { id, reason: plainText(message.reason, 500) }))
      return
    }
    const value = jsonValueSchema.safeParse(message.value ?? null)
    if (!value.success) call.reject(new CompanionError('tools/bad-answer', { id, reason: 'no JSON value' }))
    else if (JSON.stringify(value.data).length > limits.answerBytes)
      call.reject(new CompanionError('tools/too-large', { id }))
    else call.resolve(value.data)
  }

  const started = (): Promise<Running> => {
    running ??= launch().catch((error: unknown) => {
      running = null
      throw error
    })
    return running
  }

  const ready = async (): Promise<Running> => {
    const mine = await started()
    await mine.members
    return mine
  }

  return {
    get running() {
      return alive !== null
    },
    async members() {
      const mine = await started()
      const members = await mine.members
      rest(mine)
      return members
    },
    async call({ member, arguments: args, signal, onProgress }) {
      const cancelled = (): CompanionError => new CompanionError('tools/cancelled', { id })
      if (signal.aborted) throw cancelled()
      const mine = await ready()
      // The start takes its time, and a call that was cancelled meanwhile must not begin.
      if (signal.aborted) {
        if (alive === mine) rest(mine)
        throw cancelled()
      }
      clearTimeout(idle)
      const number = next
      next += 1
      const beganAt = Date.now()
      try {
        return await new Promise<JsonValue>((resolve, reject) => {
          let limit: NodeJS.Timeout | undefined
          let grace: NodeJS.Timeout | undefined
          const finish = (): void => {
            clearTimeout(limit)
            clearTimeout(grace)
            signal.removeEventListener('abort', cancel)
            mine.calls.delete(number)
          }
          /** Asked to stop; ended with its process when it does not. */
          const giveUp = (error: CompanionError): void => {
            mine.process.post({ type: 'cancel', id: number })
            clearTimeout(limit)
            signal.removeEventListener('abort', cancel)
            reject(error)
            // It may still answer, which nobody hears: then the process may go on.
            const over = (): void => {
              finish()
              if (alive === mine) rest(mine)
            }
            mine.calls.set(number, { resolve: over, reject: over, progress: () => undefined })
            grace = setTimeout(() => {
              if (!mine.calls.has(number)) return
              ring.note('ended because it did not stop')
              mine.process.kill()
            }, limits.graceMs)
          }
          const cancel = (): void => giveUp(cancelled())
          const wait = (ms: number): void => {
            clearTimeout(limit)
            limit = setTimeout(() => {
              giveUp(new CompanionError('tools/timeout', { id, seconds: Math.round((Date.now() - beganAt) / 1000) }))
            }, ms)
          }
          mine.calls.set(number, {
            resolve(value) {
              finish()
              resolve(value)
            },
            reject(error) {
              finish()
              reject(error)
            },
            progress(progress) {
              wait(Math.max(0, Math.min(limits.callMs, beganAt + limits.longestMs - Date.now())))
              onProgress?.(progress)
            },
          })
          signal.addEventListener('abort', cancel, { once: true })
          wait(limits.callMs)
          mine.process.post({ type: 'call', id: number, member, arguments: args })
        })
      } finally {
        if (alive === mine) rest(mine)
      }
    },
    end() {
      ended = true
      clearTimeout(idle)
      alive?.process.kill()
      void running?.then(({ process }) => process.kill()).catch(() => undefined)
    },
  }
}
