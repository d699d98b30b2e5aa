import type { ChatMessage, Failure, MessagePart, ToolCall } from '../contract/index.ts'
import type { TurnScreen } from './loop.ts'
import type { ChatDelta } from './types.ts'

/** Milliseconds between two pieces of text on the way to a window: 30 a second look continuous. */
const DELTA_EVERY = 33

export interface MessageEvents {
  /** The message changed in structure. */
  message(message: ChatMessage): void
  delta(delta: Omit<ChatDelta, 'conversationId'>): void
}

export interface MessageWriter extends TurnScreen {
  message(): ChatMessage
  /** Sends the text that waits, so that a snapshot and the events after it fit together. */
  flush(): void
  /** After it nothing changes any more. */
  finish(state: 'done' | 'stopped' | 'failed', failure?: Failure): ChatMessage
}

/** Builds one answer while it arrives. Messages are never changed in place: what was handed out stays as it was. */
export function createMessageWriter(start: ChatMessage, events: MessageEvents): MessageWriter {
  let current = start
  let buffer: { part: number; length: number; text: string } | null = null
  let timer: NodeJS.Timeout | undefined
  let finished = false

  const clearBuffer = (): void => {
    clearTimeout(timer)
    timer = undefined
    buffer = null
  }
  const flush = (): void => {
    const waiting = buffer
    clearBuffer()
    if (waiting) events.delta({ messageId: current.id, ...waiting })
  }
  /** A whole message carries everything that waits in the buffer. */
  const emit = (parts: MessagePart[]): void => {
    clearBuffer()
    current = { ...current, parts }
    events.message(current)
  }

  return {
    message: () => current,
    flush,
    text(delta) {
      if (finished || delta === '') return
      const part = current.parts.length - 1
      const last = current.parts[part]
      if (last?.type !== 'text') {
        emit([...current.parts, { type: 'text', text: delta }])
        return
      }
      buffer ??= { part, length: last.text.length, text: '' }
      buffer.text += delta
      current = { ...current, parts: [...current.parts.slice(0, -1), { type: 'text', text: last.text + delta }] }
      timer ??= setTimeout(flush, DELTA_EVERY)
    },
    add(calls) {
      if (!finished) emit([...current.parts, ...calls])
    },
    update(callId, change) {
      if (finished) return
      emit(
        current.parts.map((part) => (part.type === 'tool-call' && part.callId === callId ? merge(part, change) : part)),
      )
    },
    finish(state, failure) {
      if (finished) return current
      finished = true
      const parts = current.parts.map((part) =>
        part.type === 'tool-call' && (part.state === 'running' || part.state === 'waiting')
          ? merge(part, { state: 'stopped', approval: undefined })
          : part,
      )
      current = { ...current, state, ...(failure ? { failure } : {}) }
      emit(parts)
      return current
    },
  }
}

function merge(call: ToolCall, change: Partial<ToolCall>): ToolCall {
  const { approval, ...merged } = { ...call, ...change }
  return approval === undefined ? merged : { ...merged, approval }
}
