import { subscribe } from '../app/bridge.ts'

import { withDelta, withMessage } from './apply-chat-event.ts'
import { snapshotStore } from './snapshot-store.ts'

import type { Conversation, Unsubscribe } from '../../electron/contract/index.ts'

const store = snapshotStore<'chat.get', 'chat.changed', Conversation>('chat.get', {}, 'chat.changed')

/** The conversation on screen. Messages and streamed text are applied as they come. */
export const useChat = store.use

/** A call of the conversation waits for a person's answer. */
export const isAsking = ({ snapshot }: { snapshot: Conversation | null }): boolean =>
  snapshot?.messages.at(-1)?.parts.some((part) => part.type === 'tool-call' && part.approval !== undefined) ?? false

export function followChat(): Unsubscribe {
  const held = (id: string): Conversation | null => {
    const conversation = useChat.getState().snapshot
    return conversation?.id === id ? conversation : null
  }
  const unsubscribes = [
    store.follow(),
    subscribe('chat.message', ({ conversationId, message }) => {
      const conversation = held(conversationId)
      if (conversation) useChat.setState({ snapshot: withMessage(conversation, message) })
    }),
    subscribe('chat.delta', (delta) => {
      const conversation = held(delta.conversationId)
      if (!conversation) return
      const next = withDelta(conversation, delta)
      if (next) useChat.setState({ snapshot: next })
      else void useChat.getState().load()
    }),
  ]
  return () => unsubscribes.forEach((unsubscribe) => unsubscribe())
}
