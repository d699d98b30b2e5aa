import { describe, expect, it } from 'vitest'

import { withDelta, withMessage } from './apply-chat-event.ts'

import type { ChatMessage, Conversation, MessagePart } from '../../electron/contract/index.ts'

const text = (value: string): MessagePart => ({ type: 'text', text: value })
const call: MessagePart = {
  type: 'tool-call',
  callId: 'c',
  toolId: 'camera',
  turn: 1,
  arguments: {},
  state: 'running',
  images: [],
}
const message = (id: string, ...parts: MessagePart[]): ChatMessage => ({
  id,
  role: 'assistant',
  parts,
  state: 'streaming',
  createdAt: 0,
})
const conversation = (...messages: ChatMessage[]): Conversation => ({
  version: 1,
  id: 'talk',
  title: '',
  profile: 'default',
  busy: true,
  messages,
})
const delta = (part: number, length: number, added: string, messageId = 'm') => ({
  conversationId: 'talk',
  messageId,
  part,
  length,
  text: added,
})

describe('withMessage', () => {
  it('replaces a message in its place and adds a new one at the end', () => {
    const held = conversation(message('a'), message('m', text('old')), message('z'))
    expect(withMessage(held, message('m', text('new'))).messages.map(({ id }) => id)).toEqual(['a', 'm', 'z'])
    expect(withMessage(held, message('m', text('new'))).messages[1]?.parts).toEqual([text('new')])
    expect(withMessage(held, message('n')).messages.map(({ id }) => id)).toEqual(['a', 'm', 'z', 'n'])
  })
})

describe('withDelta', () => {
  const held = conversation(message('m', text('Hel'), call))

  it('continues the text that is held', () => {
    expect(withDelta(held, delta(0, 3, 'lo'))?.messages[0]?.parts).toEqual([text('Hello'), call])
  })

  it('begins the next part', () => {
    expect(withDelta(held, delta(2, 0, 'Then'))?.messages[0]?.parts).toEqual([text('Hel'), call, text('Then')])
  })

  it.each([
    ['a text of another length', delta(0, 2, 'lo')],
    ['the same text twice', delta(0, 5, 'lo')],
    ['a tool call', delta(1, 0, 'x')],
    ['a part further on', delta(3, 0, 'x')],
    ['a next part that began elsewhere', delta(2, 4, 'x')],
    ['an unknown message', delta(0, 0, 'x', 'other')],
  ])('asks to read again when it does not fit: %s', (_, wrong) => {
    expect(withDelta(held, wrong)).toBeNull()
  })

  it('leaves what was held as it was', () => {
    withDelta(held, delta(0, 3, 'lo'))
    expect(held.messages[0]?.parts).toEqual([text('Hel'), call])
  })
})
