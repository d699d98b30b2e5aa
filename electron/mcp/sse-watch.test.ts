import { describe, expect, it } from 'vitest'

import { watchSse } from './sse-watch.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const answer = '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"grüße 🤖"}]}}'

function watched(chunks: readonly Uint8Array[], id: number | string = 3): ReturnType<typeof watchSse> {
  const watch = watchSse(id)
  for (const chunk of chunks) watch.feed(chunk)
  return watch
}

describe('watching a stream for an answer', () => {
  it.each<[string, string, boolean]>([
    ['CRLF', `event: message\r\ndata: ${answer}\r\n\r\n`, true],
    ['LF', `data: ${answer}\n\n`, true],
    ['CR', `data: ${answer}\r\r`, true],
    ['no space behind the colon', `data:${answer}\n\n`, true],
    ['data in two lines', 'data: {"jsonrpc":"2.0","id":3,\ndata: "result":{}}\n\n', true],
    ['id as text', 'data: {"jsonrpc":"2.0","id":"3","result":{}}\n\n', true],
    ['an error', 'data: {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}\n\n', true],
    ['a broken line before', `data: {broken\n\ndata: ${answer}\n\n`, true],
    ['comments before', `: ping - now\r\n\r\ndata: ${answer}\r\n\r\n`, true],
    ['the event is not ended', `data: ${answer}\n`, false],
    ['another id', 'data: {"jsonrpc":"2.0","id":4,"result":{}}\n\n', false],
    ['another kind of event', `event: endpoint\ndata: ${answer}\n\n`, false],
    ['a request of the server with the same id', 'data: {"jsonrpc":"2.0","id":3,"method":"ping"}\n\n', false],
    ['the id only in the arguments', 'data: {"jsonrpc":"2.0","method":"x","params":{"id":3,"result":{}}}\n\n', false],
    ['nothing', '', false],
  ])('%s', (_, text, answered) => {
    expect(watched([bytes(text)]).answered).toBe(answered)
    expect(watched([...bytes(text)].map((byte) => Uint8Array.of(byte))).answered).toBe(answered)
  })

  it.each<[string, string]>([
    ['_meta null', '{"jsonrpc":"2.0","id":3,"result":{"_meta":null}}'],
    ['no version', '{"id":3,"result":{}}'],
    ['neither result nor error', '{"jsonrpc":"2.0","id":3}'],
    ['result that is a list', '{"jsonrpc":"2.0","id":3,"result":[]}'],
    ['error without a code', '{"jsonrpc":"2.0","id":3,"error":{"message":"x"}}'],
  ])('malformed: %s', (_, json) => {
    const watch = watched([bytes(`data: ${json}\n\n`)])
    expect([watch.answered, watch.malformed]).toEqual([false, true])
  })

  it('sees a large answer by its ends, in either order of its keys', () => {
    const picture = 'A'.repeat(400_000)
    expect(watched([bytes(`data: {"jsonrpc":"2.0","id":3,"result":{"x":"${picture}"}}\n\n`)]).answered).toBe(true)
    expect(watched([bytes(`data: {"result":{"x":"${picture}"},"jsonrpc":"2.0","id":3}\n\n`)]).answered).toBe(true)
    expect(watched([bytes(`data: {"jsonrpc":"2.0","id":4,"result":{"x":"${picture}"}}\n\n`)]).answered).toBe(false)
  })

  it('remembers the last event id and the size of the open event', () => {
    const watch = watched([bytes('id: a1\ndata:\n\nid: a2\ndata: {"half')])
    expect(watch.lastEventId).toBe('a2')
    expect(watch.openLength).toBeGreaterThan(0)
    watch.feed(bytes('"}\n\n'))
    expect(watch.openLength).toBe(0)
  })
})
