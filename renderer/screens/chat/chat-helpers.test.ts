import { describe, expect, it } from 'vitest'

import { argumentRows, askedRows, firstLine, lanes, moveOf } from './describe-call.ts'
import { groupParts, waitingFor } from './group-parts.ts'
import { followsEnd } from './use-stick-to-end.ts'

import type { ChatMessage, MessagePart, ToolCall } from '../../../electron/contract/index.ts'

function call(over: Partial<ToolCall>): ToolCall {
  return { type: 'tool-call', callId: 'c', toolId: 't', turn: 0, arguments: {}, state: 'done', images: [], ...over }
}

const text = (value: string): MessagePart => ({ type: 'text', text: value })

describe('groupParts', () => {
  it('keeps calls of one turn together and turns apart', () => {
    const blocks = groupParts([
      text('a'),
      call({ callId: '1', turn: 0 }),
      call({ callId: '2', turn: 0 }),
      call({ callId: '3', turn: 1 }),
      text(''),
      text('b'),
    ])
    expect(blocks.map((block) => (block.kind === 'text' ? block.text : block.calls.map((c) => c.callId)))).toEqual([
      'a',
      ['1', '2'],
      ['3'],
      'b',
    ])
  })
})

describe('waitingFor', () => {
  const message = (state: ChatMessage['state'], parts: MessagePart[]): ChatMessage => ({
    id: 'm',
    role: 'assistant',
    parts,
    state,
    createdAt: 0,
  })
  it.each([
    ['done', [], 'nothing'],
    ['streaming', [], 'model'],
    ['streaming', [text('')], 'model'],
    ['streaming', [text('so far')], 'nothing'],
    ['streaming', [call({ state: 'running' })], 'tools'],
    ['streaming', [call({ state: 'running', turn: 0 }), call({ state: 'done', turn: 0 })], 'tools'],
    ['streaming', [call({ state: 'done' })], 'model'],
  ] as const)('%s %j → %s', (state, parts, expected) => {
    expect(waitingFor(message(state, [...parts]))).toBe(expected)
  })
})

describe('askedRows', () => {
  it('are whole, where the rows of a card are shortened', () => {
    const long = 'x'.repeat(3_000)
    expect(askedRows({ text: long })).toEqual([{ name: 'text', value: long }])
    expect(argumentRows({ text: long })[0]?.value).toHaveLength(240)
    expect(askedRows({ text: 'y'.repeat(8_010) })[0]?.value).toMatch(/^y{8000}… \(\+10\)$/)
  })

  it('spell out what cannot be seen, in names too, and keep lines', () => {
    expect(askedRows({ 'a\u200b': 'one\ntwo\u202eevil\u{e0041}', n: [1, '\u2066'] })).toEqual([
      { name: 'a\\u{200b}', value: 'one\ntwo\\u{202e}evil\\u{e0041}' },
      { name: 'n', value: '[1,"\\u{2066}"]' },
    ])
    expect(askedRows('plain')).toEqual([{ name: '', value: 'plain' }])
    expect(askedRows(null)).toEqual([])
    expect(askedRows({})).toEqual([])
  })
})

describe('argumentRows', () => {
  it.each([
    [{ a: 'x', n: 3, deep: { k: [1] } }, ['a=x', 'n=3', 'deep={"k":[1]}']],
    [null, []],
    ['text', ['=text']],
    [[1, 2], ['=[1,2]']],
  ])('%j', (args, rows) => {
    expect(argumentRows(args).map(({ name, value }) => `${name}=${value}`)).toEqual(rows)
  })

  it('shortens a long value', () => {
    expect(argumentRows({ a: 'x'.repeat(5_000) })[0]?.value).toHaveLength(240)
  })
})

describe('moveOf', () => {
  const known = new Set(['cheerful1', 'simple_nod'])
  it.each([
    [
      { toolId: 'play_emotion', source: 'built-in', resultText: '{"status":"queued","emotion":"cheerful1"}' },
      'cheerful1',
    ],
    [{ toolId: 'dance', source: 'built-in', resultText: '{"status":"queued","move":"simple_nod"}' }, 'simple_nod'],
    [{ toolId: 'dance', source: 'built-in', arguments: { move: 'simple_nod' } }, 'simple_nod'],
    [{ toolId: 'play_emotion', source: 'built-in', arguments: { emotion: 'happy' } }, null],
    [{ toolId: 'play_emotion', source: 'built-in', resultText: '{broken' }, null],
    [{ toolId: 'move_head', source: 'built-in', resultText: '{"emotion":"cheerful1"}' }, null],
    [{ toolId: 'a__play_emotion', source: 'space', resultText: '{"emotion":"cheerful1"}' }, null],
  ] as const)('%j → %s', (over, move) => {
    expect(moveOf(call(over as Partial<ToolCall>), known)).toBe(move)
  })
})

describe('lanes', () => {
  it('is nothing before a call has begun', () => {
    expect(lanes([call({ state: 'waiting' })], 5)).toBeNull()
  })

  it('puts calls on one time axis, a running one up to now', () => {
    const result = lanes([call({ startedAt: 100, durationMs: 50 }), call({ startedAt: 120, state: 'running' })], 200)
    expect(result).toEqual({
      spanMs: 100,
      lanes: [
        { start: 0, end: 0.5 },
        { start: 0.2, end: 1 },
      ],
    })
  })
})

describe('firstLine', () => {
  it('takes the first line that says something', () => {
    expect(firstLine('\n  5 results\nmore')).toBe('5 results')
  })
})

describe('followsEnd', () => {
  it.each([
    ['content grew before the own scrolling arrived', true, 300, 300, 900, true],
    ['the own scrolling, still short of the end', true, 300, 700, 400, true],
    ['the person scrolls up', true, 700, 400, 600, false],
    ['the person scrolls up a little', true, 700, 680, 40, true],
    ['away, content grows', false, 400, 400, 1_200, false],
    ['away, down but not to the end', false, 400, 600, 300, false],
    ['back at the end', false, 600, 900, 10, true],
  ] as const)('%s', (_name, following, before, after, fromEnd, expected) => {
    expect(followsEnd(following, before, after, fromEnd)).toBe(expected)
  })
})
