import type { JsonValue } from '../contract/index.ts'
import type { WrittenCall } from './provider.ts'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'

/** Characters of a conversation that a request carries; older turns are left out whole. */
const MAX_HISTORY = 240_000

/** The answer of one step: what was said and what was called. `null` when there is nothing to keep. */
export function assistantMessage(text: string, calls: readonly WrittenCall[]): AssistantModelMessage | null {
  if (text === '' && calls.length === 0) return null
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.callId,
        toolName: wireSafe(call.name),
        input: asObject(call.input),
        ...(call.providerOptions ? { providerOptions: call.providerOptions } : {}),
      })),
    ],
  }
}

/** One message for each call: most servers refuse a request in which one is missing. */
export function toolMessage(call: WrittenCall, text: string): ToolModelMessage {
  return {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: call.callId,
        toolName: wireSafe(call.name),
        output: { type: 'text', value: text },
      },
    ],
  }
}

/**
 * Gives a call an ID of its own where the model's was used before: some servers count anew in every answer, and two calls
 * with one ID could not be answered apart.
 */
export function withOwnIds(calls: readonly WrittenCall[], history: readonly ModelMessage[]): WrittenCall[] {
  const used = new Set(history.flatMap(callIds))
  return calls.map((call) => {
    const wanted = call.callId || 'call'
    let callId = wanted
    for (let n = 2; used.has(callId); n += 1) callId = `${wanted}_${n}`
    used.add(callId)
    return { ...call, callId }
  })
}

function callIds(message: ModelMessage): string[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  return message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
}

/** A name that a model made up can hold anything; servers check the names of past calls too. */
function wireSafe(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64) || 'unknown'
}

/** Arguments that were no object are sent back as one, because servers parse them again. */
function asObject(input: JsonValue): JsonValue {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
}

/** The newest messages that fit, beginning with one of the person, so that no call loses its answer. */
export function recent(messages: readonly ModelMessage[], max = MAX_HISTORY): ModelMessage[] {
  const sizes = messages.map((message) => JSON.stringify(message.content).length)
  let from = messages.length
  let size = 0
  for (let k = messages.length - 1; k >= 0; k -= 1) {
    size += sizes[k]!
    if (size > max && from < messages.length) break
    if (messages[k]!.role === 'user') from = k
  }
  return messages.slice(from === messages.length ? 0 : from)
}
