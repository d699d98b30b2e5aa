import { CompanionError } from '../contract/index.ts'

import { runTurn } from './loop.ts'
import { systemPrompt } from './prompt.ts'
import { openModel } from './provider.ts'
import { createReading } from './reading.ts'

import type { JsonValue, Log } from '../contract/index.ts'
import type { Profiles } from '../profiles/index.ts'
import type { Tools } from '../tools/index.ts'
import type { AskForCall, CallEnd } from './calls.ts'
import type { TurnEnd, TurnScreen } from './loop.ts'
import type { OfflineBrain } from './offline-brain.ts'
import type { Chat, ProviderConfig, Turn } from './types.ts'
import type { ModelMessage } from 'ai'

type OnceRequest = Parameters<Chat['once']>[0]

interface OnceDeps {
  readonly tools: Pick<Tools, 'list' | 'forModel' | 'find' | 'call' | 'motionsEnded'>
  readonly profiles: Pick<Profiles, 'effective'>
  readonly brain: OfflineBrain
  readonly fetch: typeof globalThis.fetch
  readonly log: Log
  readonly now: () => number
}

/**
 * One turn for the command line: nothing is kept, and it ends when the motions that it began have ended.
 * @throws CompanionError `provider/*` when the model failed, `app/cancelled` when `signal` was aborted.
 */
export async function answerOnce(request: OnceRequest, deps: OnceDeps): Promise<Turn> {
  const signal = request.signal ?? new AbortController().signal
  const shown = new Map<string, JsonValue>()
  const ends: CallEnd[] = []
  let text = ''
  const screen: TurnScreen = {
    text(delta) {
      text += delta
      request.onText?.(delta)
    },
    add: (calls) => calls.forEach((call) => shown.set(call.callId, call.arguments)),
    update: () => undefined,
  }
  const end = await turn(request, deps, screen, signal, (one) => ends.push(one))
  if (signal.aborted) throw new CompanionError('app/cancelled')
  if (end.state === 'failed') throw end.error
  await untilAborted(deps.tools.motionsEnded(), signal)
  return {
    text,
    calls: ends.map((one) => ({
      id: one.id,
      arguments: shown.get(one.callId) ?? {},
      resultText: one.resultText || (one.failure?.message ?? one.textForModel),
      isError: one.isError,
      durationMs: one.durationMs,
    })),
    provider: request.provider.kind,
    model: request.provider.kind === 'offline' ? null : request.provider.model,
  }
}

async function turn(
  request: OnceRequest,
  deps: OnceDeps,
  screen: TurnScreen,
  signal: AbortSignal,
  ended: (end: CallEnd) => void,
): Promise<TurnEnd> {
  const { text, profile } = request
  const provider: ProviderConfig = request.provider
  const asked = askers(request)
  if (provider.kind === 'offline') {
    return (await deps.brain.run({ sentence: text, profile, screen, signal, pending: null, ...asked }, ended)).end
  }
  const system = async (): Promise<string> => systemPrompt(await deps.profiles.effective(profile))
  const step = openModel(provider, deps)
  const reading = createReading()
  reading.beginTurn(text)
  const history: ModelMessage[] = [{ role: 'user', content: text }]
  return runTurn({ ...deps, step, profile, history, screen, signal, system, reading, ...asked }, ended)
}

/** One question after another: a terminal has one line to answer on. */
function askers({ approve }: OnceRequest): { denied: Set<string>; granted: Set<string>; approve?: AskForCall } {
  const denied = new Set<string>()
  const granted = new Set<string>()
  if (!approve) return { denied, granted }
  let queue: Promise<unknown> = Promise.resolve()
  return {
    denied,
    granted,
    approve: ({ toolId, arguments: args, approval }, signal) => {
      const answer = queue.then(() => {
        if (signal.aborted) throw new CompanionError('tools/cancelled', { id: toolId })
        return approve({ toolId, arguments: args, approval })
      })
      queue = answer.catch(() => undefined)
      return answer
    },
  }
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new CompanionError('app/cancelled')
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new CompanionError('app/cancelled'))
    signal.addEventListener('abort', stop)
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
