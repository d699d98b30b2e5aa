import { isSteering } from '../tools/index.ts'

import { newCallMemory, runCalls } from './calls.ts'
import { assistantMessage, recent, toolMessage, withOwnIds } from './history.ts'
import { causeOf } from './provider.ts'
import { providerError } from './said.ts'

import type { CompanionError } from '../contract/index.ts'
import type { Log } from '../contract/index.ts'
import type { CalledTool, ModelTool, Tools } from '../tools/index.ts'
import type { AskForCall, CallEnd, CallScreen } from './calls.ts'
import type { ModelStep, StepAnswer, WrittenCall } from './provider.ts'
import type { Reading } from './reading.ts'
import type { ModelMessage } from 'ai'

/** Requests to the model for one message of the person; the last one must answer in words. */
export const MAX_STEPS = 8

export interface TurnScreen extends CallScreen {
  text(delta: string): void
}

export interface TurnDeps {
  readonly step: ModelStep
  readonly tools: Pick<Tools, 'forModel' | 'find' | 'call'>
  readonly profile: string
  /** Read again before every step. */
  readonly system: () => Promise<string>
  /** Grows by this turn. After every end it is complete: each call in it has its answer. */
  readonly history: ModelMessage[]
  readonly screen: TurnScreen
  readonly signal: AbortSignal
  readonly log: Log
  readonly now: () => number
  /** What strangers answered in this conversation. Grows by this turn. */
  readonly reading: Reading
  readonly denied: Set<string>
  /** Tools that see or hear which a person allowed in this conversation. Grows. */
  readonly granted: Set<string>
  readonly approve?: AskForCall
}

export type TurnEnd = { state: 'done' | 'stopped' } | { state: 'failed'; error: CompanionError }

/**
 * One turn of a conversation with a model: its text is streamed, its calls are run, and their results go back to it
 * until it answers without a call.
 */
export async function runTurn(deps: TurnDeps, ended: (end: CallEnd) => void = () => undefined): Promise<TurnEnd> {
  const { signal, history, log } = deps
  const memory = newCallMemory()
  const refusedTools = new Set<string>()
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const last = step === MAX_STEPS
    const offered = (await deps.tools.forModel(deps.profile)).filter((tool) => !refusedTools.has(tool.wireName))
    if (signal.aborted) return { state: 'stopped' }
    const answer = await ask(deps, offered, last)
    const refused = answer.failure && toolNamedBy(answer.failure, offered)
    if (refused && refusedTools.size === 0 && answer.text === '') {
      log.warn('the provider refuses the schema of a tool: asked again without it', { tool: refused.id })
      refusedTools.add(refused.wireName)
      continue
    }
    const calls = last ? [] : withOwnIds(answer.calls, history)
    keep(history, answer.text, calls)
    if (signal.aborted) return { state: 'stopped' }
    if (answer.failure) return { state: 'failed', error: answer.failure }
    if (calls.length === 0) return endOf(answer, last)
    const ordered = new Set(offered.filter((tool) => tool.ordered).map((tool) => tool.id))
    const taint = deps.reading.taint()
    const isOrdered = (id: string): boolean => ordered.has(id)
    const ends = await runCalls(calls, step, { ...deps, memory, isOrdered, ...(taint ? { taint } : {}) })
    for (const { called } of ends) if (called) read(deps.reading, called)
    calls.forEach((call, k) => history.push(toolMessage(call, ends[k]!.textForModel)))
    ends.forEach(ended)
    if (signal.aborted) return { state: 'stopped' }
  }
  return { state: 'done' }
}

/** The robot's own answers are ours; everything else was written by a stranger. */
function read(reading: Reading, { entry, result, textForModel }: CalledTool): void {
  if (entry.source === 'built-in') return
  const suspicious = isSteering(result.warnings ?? [])
  reading.add({ toolId: entry.id, origin: entry.origin, text: textForModel, suspicious })
}

async function ask(deps: TurnDeps, offered: readonly ModelTool[], last: boolean): Promise<StepAnswer> {
  return deps.step({
    system: await deps.system(),
    messages: recent(deps.history),
    tools: offered,
    toolChoice: last ? 'none' : 'auto',
    signal: deps.signal,
    onText: (delta) => deps.screen.text(delta),
  })
}

function endOf(answer: StepAnswer, last: boolean): TurnEnd {
  if (answer.text.trim() !== '') return { state: 'done' }
  // Nothing said and nothing called would look like a hang.
  const status = last && answer.calls.length > 0 ? 'no end of calls' : 'an empty answer'
  return { state: 'failed', error: providerError(status) }
}

function keep(history: ModelMessage[], text: string, calls: readonly WrittenCall[]): void {
  const message = assistantMessage(text, calls)
  if (message) history.push(message)
}

/** The offered tool whose name a refusal (400) of the provider contains. */
function toolNamedBy(error: CompanionError, offered: readonly ModelTool[]): ModelTool | undefined {
  if (error.details.status !== 400 && error.details.status !== 422) return undefined
  const said = causeOf(error)
  const named = offered.filter((tool) => said.includes(tool.wireName))
  // "dance" is a part of "stop_dance": the longest name is the one that is meant.
  return named.sort((a, b) => b.wireName.length - a.wireName.length)[0]
}
