import type { JsonObject, JsonValue } from '../../electron/contract/index.ts'

/**
 * The first seven are answers of another kind than a completion; the others are faults that were seen in streams of real
 * OpenAI-compatible servers (e.g. https://github.com/ollama/ollama/issues/7881, https://github.com/vllm-project/vllm/issues/18412).
 */
export const MODEL_FAULTS = [
  'unauthorized',
  'rate-limited',
  'http500',
  'bad-request',
  'html',
  'reset',
  'stall',
  'no-index',
  'no-id',
  'first-index-1',
  'no-type',
  'no-role',
  'arguments-empty',
  'arguments-null',
  'arguments-object',
  'broken-json',
  'duplicate-ids',
  'finish-stop',
  'cut-mid-stream',
  'error-event',
  'no-done',
] as const

export type ModelFault = (typeof MODEL_FAULTS)[number]

export interface ScriptedCall {
  /** Default `call_1`, `call_2`, … */
  id?: string
  name: string
  /** An object is sent as its JSON text; a string is sent as it is. */
  arguments?: JsonObject | string
}

export interface ModelStep {
  /** One text is sent in words; a list as it is, each with its pause before it. */
  text?: string | ReadonlyArray<string | { text: string; delayMs: number }>
  toolCalls?: readonly ScriptedCall[]
  /** Default `stop`, or `tool_calls` when there are calls. */
  finishReason?: string
  /** Before the first byte, ms. */
  delayMs?: number
  /** Between two pieces of text, ms; default 0. */
  chunkMs?: number
  fault?: ModelFault
  /** Text of `bad-request` and `error-event`. */
  message?: string
}

/** A JSON event, a pause, or the end by reset. */
export type StreamEvent = { json: string } | { waitMs: number } | { cut: true }

const USAGE = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }

function event(value: unknown): StreamEvent {
  return { json: JSON.stringify(value) }
}

function chunk(delta: JsonObject, finish: string | null = null): StreamEvent {
  return event({
    id: 'chatcmpl-stand-in',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'stand-in',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
}

function pieces(step: ModelStep): { text: string; delayMs: number }[] {
  const { text = '', chunkMs = 0 } = step
  if (typeof text !== 'string') {
    return text.map((piece) => (typeof piece === 'string' ? { text: piece, delayMs: chunkMs } : piece))
  }
  return (text.match(/\S+\s*|\s+/g) ?? []).map((word) => ({ text: word, delayMs: chunkMs }))
}

function argumentsOf(call: ScriptedCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
}

function sentArguments(call: ScriptedCall, fault: ModelFault | undefined): JsonValue {
  if (fault === 'arguments-empty') return ''
  if (fault === 'arguments-null') return null
  if (fault === 'arguments-object') return typeof call.arguments === 'object' ? call.arguments : {}
  if (fault === 'broken-json') return `${argumentsOf(call).slice(0, -1)},,`
  return argumentsOf(call)
}

function callDelta(call: ScriptedCall, index: number, step: ModelStep): JsonObject {
  const { fault } = step
  const delta: JsonObject = { function: { name: call.name, arguments: sentArguments(call, fault) } }
  if (fault !== 'no-type') delta['type'] = 'function'
  if (fault !== 'no-id') delta['id'] = fault === 'duplicate-ids' ? 'call_1' : (call.id ?? `call_${index + 1}`)
  if (fault !== 'no-index') delta['index'] = fault === 'first-index-1' ? index + 1 : index
  return delta
}

/** The stream of one step, fault included. Arguments longer than 40 characters come in two pieces, as real servers split them. */
export function* streamEvents(step: ModelStep): Generator<StreamEvent> {
  const { fault } = step
  if (fault !== 'no-role') yield chunk({ role: 'assistant', content: '' })
  const words = pieces(step)
  for (const [index, word] of words.entries()) {
    if (word.delayMs > 0) yield { waitMs: word.delayMs }
    if (fault === 'cut-mid-stream' && index >= Math.ceil(words.length / 2)) return void (yield { cut: true })
    yield chunk({ content: word.text })
  }
  if (fault === 'error-event') {
    yield event({ error: { message: step.message ?? 'provider exploded', type: 'server_error', code: 500 } })
    return
  }
  for (const [index, call] of (step.toolCalls ?? []).entries()) yield* callEvents(call, index, step)
  if (fault === 'cut-mid-stream') return void (yield { cut: true })
  yield chunk({}, finishReason(step))
  yield event({
    id: 'chatcmpl-stand-in',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'stand-in',
    choices: [],
    usage: USAGE,
  })
  if (fault !== 'no-done') yield { json: '[DONE]' }
}

function* callEvents(call: ScriptedCall, index: number, step: ModelStep): Generator<StreamEvent> {
  const delta = callDelta(call, index, step)
  const whole = argumentsOf(call)
  if (step.fault === 'cut-mid-stream') {
    yield chunk({
      tool_calls: [{ ...delta, function: { name: call.name, arguments: whole.slice(0, whole.length / 2) } }],
    })
  } else if (step.fault !== undefined || whole.length <= 40) {
    yield chunk({ tool_calls: [delta] })
  } else {
    yield chunk({ tool_calls: [{ ...delta, function: { name: call.name, arguments: whole.slice(0, 20) } }] })
    yield chunk({ tool_calls: [{ index, function: { arguments: whole.slice(20) } }] })
  }
}

function finishReason(step: ModelStep): string {
  if (step.fault === 'finish-stop') return 'stop'
  return step.finishReason ?? ((step.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop')
}

/** The same step as one answer without streaming. */
export function completionJson(step: ModelStep): JsonObject {
  const calls = step.toolCalls ?? []
  const message: JsonObject = {
    role: 'assistant',
    content: pieces(step)
      .map((piece) => piece.text)
      .join(''),
  }
  if (calls.length > 0) {
    message['tool_calls'] = calls.map((call, index) => {
      const { index: _index, ...rest } = callDelta(call, index, step)
      return rest
    })
  }
  return {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'stand-in',
    choices: [{ index: 0, message, finish_reason: finishReason(step) }],
    usage: USAGE,
  }
}
