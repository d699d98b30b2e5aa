import type { ChatMessage, Conversation, EventPayload, MessagePart } from '../../electron/contract/index.ts'

/** The conversation with one message replaced in its place, or added at the end. */
export function withMessage(conversation: Conversation, message: ChatMessage): Conversation {
  const known = conversation.messages.some((held) => held.id === message.id)
  const messages = known
    ? conversation.messages.map((held) => (held.id === message.id ? message : held))
    : [...conversation.messages, message]
  return { ...conversation, messages }
}

/**
 * The conversation with text added to one part.
 *
 * `null` when the delta does not continue what is held (another length, an unknown message, a part that is no text):
 * something was missed, and the conversation has to be read again.
 */
export function withDelta(conversation: Conversation, delta: EventPayload<'chat.delta'>): Conversation | null {
  const message = conversation.messages.find((held) => held.id === delta.messageId)
  if (!message) return null
  const held: MessagePart | undefined = message.parts[delta.part]
  const isNext = held === undefined && delta.part === message.parts.length && delta.length === 0
  if (!isNext && (held?.type !== 'text' || held.text.length !== delta.length)) return null
  const text = held?.type === 'text' ? held.text + delta.text : delta.text
  const parts: MessagePart[] = isNext
    ? [...message.parts, { type: 'text', text }]
    : message.parts.map((part, i) => (i === delta.part ? { type: 'text', text } : part))
  return withMessage(conversation, { ...message, parts })
}
