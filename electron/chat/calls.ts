import { CompanionError } from '../contract/index.ts'
import { failureOf } from '../failure.ts'

import type { Approval, ApprovalAnswer, Failure, JsonValue, Log, ToolCall, ToolEntry } from '../contract/index.ts'
import type { CalledTool, Taint, Tools } from '../tools/index.ts'
import type { WrittenCall } from './provider.ts'

/** More calls of one turn than this are answered with a refusal. */
const MAX_CALLS = 16
/** Milliseconds between two shown states of one call's progress. */
const PROGRESS_EVERY = 200
const STOPPED = 'Cancelled by the user.'
const DENIED = 'The user denied this call.'
const DENIED_BEFORE = 'The user denied this call before. Do not repeat it.'

/** What a call ended with: how it is shown and what the model is told. */
export interface CallEnd {
  readonly callId: string
  readonly id: string
  readonly state: 'done' | 'failed' | 'stopped' | 'refused'
  readonly textForModel: string
  readonly resultText: string
  readonly isError: boolean
  readonly durationMs: number
  readonly called?: CalledTool
  readonly failure?: Failure
}

/** Where the calls of a turn are shown. */
export interface CallScreen {
  add(calls: readonly ToolCall[]): void
  update(callId: string, change: Partial<ToolCall>): void
}

/** What went wrong before in one run, so that a model cannot go round in circles. */
export interface CallMemory {
  /** The last error and how often it came, by tool and arguments. */
  readonly failures: Map<string, { text: string; times: number }>
  /** Calls with bad arguments, by tool. */
  readonly badArguments: Map<string, number>
}

export const newCallMemory = (): CallMemory => ({ failures: new Map(), badArguments: new Map() })

export interface CallDeps {
  readonly tools: Pick<Tools, 'find' | 'call'>
  readonly profile: string
  readonly screen: CallScreen
  readonly memory: CallMemory
  readonly signal: AbortSignal
  readonly log: Log
  readonly now: () => number
  /** Whether calls of a tool of this ID run one after another. */
  readonly isOrdered: (id: string) => boolean
  /** Waits for a person's answer; absent: calls that need one are refused. */
  readonly approve?: AskForCall
  /** What was read before these calls were written. */
  readonly taint?: Taint
  /** Tools with arguments that a person said no to in this conversation, see {@link callKey}. Grows. */
  readonly denied: Set<string>
  /** Tools that see or hear which a person allowed in this conversation. Grows. */
  readonly granted: Set<string>
}

/** Asks a person about one call. */
export type AskForCall = (
  call: {
    readonly callId: string
    readonly toolId: string
    readonly arguments: JsonValue
    readonly approval: Approval
  },
  signal: AbortSignal,
) => Promise<ApprovalAnswer>

interface Planned {
  readonly call: WrittenCall
  readonly entry: ToolEntry | undefined
  readonly ordered: boolean
  readonly shown: ToolCall
}

/**
 * Runs the calls of one turn of a model: motions one after another in their order, everything else at the same time.
 * Every call ends with an answer for the model, also when it was refused, failed or was stopped.
 * @param turn number shared by calls of one model turn, for the screen.
 */
export async function runCalls(calls: readonly WrittenCall[], turn: number, deps: CallDeps): Promise<CallEnd[]> {
  const planned = await Promise.all(calls.map((call) => plan(call, turn, deps)))
  const firstOrdered = planned.findIndex((one) => one.ordered)
  deps.screen.add(
    planned.map(({ shown, ordered }, k) => ({
      ...shown,
      state: ordered && k !== firstOrdered ? 'waiting' : 'running',
    })),
  )
  let queue: Promise<unknown> = Promise.resolve()
  return Promise.all(
    planned.map((one, k) => {
      if (k >= MAX_CALLS) return Promise.resolve(refuse(one, deps, `Refused: at most ${MAX_CALLS} calls in one turn.`))
      if (!one.ordered) return runOne(one, deps)
      const mine = queue.then(() => runOne(one, deps))
      queue = mine
      return mine
    }),
  )
}

async function plan(call: WrittenCall, turn: number, deps: CallDeps): Promise<Planned> {
  const entry = await deps.tools.find(call.name, deps.profile)
  const toolId = entry?.id ?? call.name.replace(/[^\x20-\x7e]+/g, '').slice(0, 100)
  return {
    call,
    entry,
    ordered: entry !== undefined && deps.isOrdered(entry.id),
    shown: {
      type: 'tool-call',
      callId: call.callId,
      toolId,
      ...(entry ? { source: entry.source, origin: entry.origin } : {}),
      turn,
      arguments: readable(call.input),
      state: 'waiting',
      images: [],
    },
  }
}

/** Arguments as the person sees them: a JSON text that a model sent inside a text is opened. */
function readable(input: JsonValue): JsonValue {
  if (typeof input !== 'string') return input ?? {}
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input) as JsonValue
  } catch {
    return input
  }
}

async function runOne(one: Planned, deps: CallDeps): Promise<CallEnd> {
  const { call, shown } = one
  const { tools, profile, screen, signal, now } = deps
  if (signal.aborted)
    return end(one, deps, { state: 'stopped', textForModel: STOPPED, resultText: '', isError: true, durationMs: 0 })
  const key = `${call.name}\n${JSON.stringify(call.input)}`
  const before = deps.memory.failures.get(key)
  if (before && before.times >= 2) {
    return refuse(
      one,
      deps,
      'Not repeated: this call failed twice with the same error. Do something else or tell the user.',
    )
  }
  let startedAt = now()
  screen.update(call.callId, { state: 'running', startedAt })
  const asking = asker(one, deps, () => (startedAt = now()))
  const progress = throttled(PROGRESS_EVERY, now)
  try {
    const calling = tools.call({
      name: call.name,
      arguments: call.input,
      profile,
      signal,
      ...(asking.approve ? { approve: asking.approve } : {}),
      ...(deps.taint ? { taint: deps.taint } : {}),
      granted: deps.granted,
      onProgress: (told) => {
        if (!signal.aborted && progress()) screen.update(call.callId, { progress: told })
      },
    })
    // Stop does not wait for a server to notice; a result that comes later is of no use to anybody.
    const called = await orAborted(calling, signal, shown.toolId)
    const { result, textForModel } = called
    remember(deps, key, result.isError ? result.text : null)
    return end(one, deps, {
      state: result.isError ? 'failed' : 'done',
      textForModel,
      resultText: result.text,
      isError: result.isError,
      durationMs: now() - startedAt,
      called,
    })
  } catch (error) {
    return failed(one, deps, error, { key, durationMs: now() - startedAt, deniedBefore: asking.deniedBefore() })
  }
}

/** Shows that the call waits, and remembers a no: a model that asks again for the same thing gets the same answer. */
function asker(
  { call, entry, shown }: Planned,
  deps: CallDeps,
  resumed: () => number,
): { approve?: (approval: Approval, signal: AbortSignal) => Promise<ApprovalAnswer>; deniedBefore: () => boolean } {
  const { approve, screen, denied } = deps
  let before = false
  if (!approve) return { deniedBefore: () => false }
  // A file can offer several tools, which share its ID.
  const key = callKey(entry?.file === undefined ? shown.toolId : call.name, shown.arguments)
  return {
    deniedBefore: () => before,
    async approve(approval, signal) {
      before = denied.has(key)
      if (before) return 'deny'
      screen.update(call.callId, { state: 'waiting', approval })
      const answer = await approve(
        { callId: call.callId, toolId: shown.toolId, arguments: shown.arguments, approval },
        signal,
      )
      if (answer === 'deny') denied.add(key)
      // The time that a person thought is not the tool's.
      screen.update(call.callId, { state: 'running', startedAt: resumed(), approval: undefined })
      return answer
    },
  }
}

/** A tool with its arguments, whatever the order of their names. */
function callKey(toolId: string, args: JsonValue): string {
  const sorted = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return members.map(([name, one]) => [name, sorted(one)])
  }
  return JSON.stringify([toolId, sorted(args)])
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal, id: string): Promise<T> {
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new CompanionError('tools/cancelled', { id }))
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

interface FailedCall {
  readonly key: string
  readonly durationMs: number
  readonly deniedBefore: boolean
}

function failed(one: Planned, deps: CallDeps, error: unknown, { key, durationMs, deniedBefore }: FailedCall): CallEnd {
  const stopped = deps.signal.aborted
  const known =
    error instanceof CompanionError
      ? error
      : new CompanionError('tools/failed', { id: one.shown.toolId }, { cause: error })
  if (stopped)
    return end(one, deps, { state: 'stopped', textForModel: STOPPED, resultText: '', isError: true, durationMs })
  const failure = failureOf(known)
  const state = stateOf(known)
  deps.log.info('a tool call did not work', { tool: one.shown.toolId, code: known.code })
  const denied = known.code === 'tools/denied'
  if (!denied) remember(deps, key, known.code + failure.message)
  return end(one, deps, {
    state,
    textForModel: denied ? (deniedBefore ? DENIED_BEFORE : DENIED) : modelText(known, failure, one, deps),
    resultText: '',
    isError: true,
    durationMs,
    failure,
  })
}

function stateOf(error: CompanionError): 'failed' | 'refused' | 'stopped' {
  switch (error.code) {
    case 'tools/unknown':
    case 'tools/not-enabled':
    case 'tools/unavailable':
    case 'tools/denied':
    case 'tools/needs-approval':
    case 'tools/no-longer-offered':
    case 'tools/duplicate-name':
    case 'tools/bad-schema':
    case 'tools/bad-tool-name':
    case 'tools/schema-unusable':
    case 'tools/too-large':
    case 'tools/not-allowed':
    case 'tools/file-changed':
    case 'tools/bad-file':
    case 'tools/no-python':
    case 'space/changed':
    case 'space/bad-origin':
    case 'manifest/bad-entry':
    case 'manifest/newer':
      return 'refused'
    case 'tools/cancelled':
      return 'stopped'
    default:
      return 'failed'
  }
}

function modelText(error: CompanionError, failure: Failure, one: Planned, deps: CallDeps): string {
  if (error.code !== 'tools/bad-arguments') {
    return `${stateOf(error) === 'refused' ? 'Refused' : 'Error'}: ${failure.message}`
  }
  const times = (deps.memory.badArguments.get(one.shown.toolId) ?? 0) + 1
  deps.memory.badArguments.set(one.shown.toolId, times)
  const next =
    times === 1
      ? 'Correct the arguments and call it once more.'
      : 'Do not call it again; tell the user what is missing.'
  return `Error: ${failure.message} ${next}`
}

function remember(deps: CallDeps, key: string, error: string | null): void {
  const { failures } = deps.memory
  if (error === null) failures.delete(key)
  else failures.set(key, { text: error, times: failures.get(key)?.text === error ? failures.get(key)!.times + 1 : 1 })
}

function refuse(one: Planned, deps: CallDeps, text: string): CallEnd {
  return end(one, deps, { state: 'refused', textForModel: text, resultText: text, isError: true, durationMs: 0 })
}

function end(one: Planned, deps: CallDeps, outcome: Omit<CallEnd, 'callId' | 'id'>): CallEnd {
  deps.screen.update(one.call.callId, {
    state: outcome.state,
    durationMs: outcome.durationMs,
    ...(outcome.resultText === '' ? {} : { resultText: outcome.resultText }),
    ...(outcome.called ? shownResult(outcome.called.result) : {}),
    ...(outcome.failure ? { failure: outcome.failure } : {}),
    approval: undefined,
  })
  return { callId: one.call.callId, id: one.shown.toolId, ...outcome }
}

function shownResult({ images, files, warnings }: CalledTool['result']): Partial<ToolCall> {
  return { images, ...(files ? { files } : {}), ...(warnings ? { warnings } : {}) }
}

function throttled(every: number, now: () => number): () => boolean {
  let last = -Infinity
  return () => {
    if (now() - last < every) return false
    last = now()
    return true
  }
}
