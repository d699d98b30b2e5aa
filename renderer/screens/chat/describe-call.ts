import type { JsonValue, ToolCall } from '../../../electron/contract/index.ts'

const MAX_VALUE = 240
/** A person who allows a call sees what it is given; more than this nobody reads, and the row says how much is missing. */
const MAX_ASKED = 8_000
/** Control, format and other characters that take no room or turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\u034f\u115f\u1160\u2028\u2029\u3164\uffa0]/gu

export interface Argument {
  name: string
  value: string
}

function valueText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text
}

/** The arguments of a call as rows; anything that is no object as one row without a name. */
export function argumentRows(args: JsonValue): Argument[] {
  if (args === null) return []
  if (typeof args !== 'object' || Array.isArray(args)) return [{ name: '', value: valueText(args) }]
  return Object.entries(args).map(([name, value]) => ({ name, value: valueText(value) }))
}

const spelled = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    character === '\n' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )

/**
 * The arguments of a call that a person is asked about: whole, and with every character spelled out that could hide
 * something from them.
 */
export function askedRows(args: JsonValue): Argument[] {
  const whole = typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.entries(args) : [['', args]]
  return (args === null ? [] : (whole as [string, JsonValue][])).map(([name, value]) => {
    const text = spelled(typeof value === 'string' ? value : JSON.stringify(value))
    const missing = text.length - MAX_ASKED
    return { name: spelled(name), value: missing > 0 ? `${text.slice(0, MAX_ASKED)}… (+${missing})` : text }
  })
}

function parsed(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined || !text.startsWith('{')) return null
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // Not every text that begins with a brace is JSON: a tool may answer with Python's spelling of a dictionary.
    return null
  }
}

/**
 * The move that a call of the body plays: what the tool answered, else what was asked for by its exact name. `null` for
 * every other tool.
 */
export function moveOf(call: ToolCall, known: ReadonlySet<string>): string | null {
  if (call.source !== 'built-in' || !['play_emotion', 'dance'].includes(call.toolId)) return null
  const args = argumentRows(call.arguments)
  const answer = parsed(call.resultText)
  const named = [answer?.['emotion'], answer?.['move'], ...args.map(({ value }) => value)]
  const move = named.find((name) => typeof name === 'string' && known.has(name))
  return typeof move === 'string' ? move : null
}

/** What a call answered, in one line for its collapsed row. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

/** Lanes of calls that ran at the same time, as fractions 0..1 of the longest span; `null` until one has begun. */
export function lanes(
  calls: readonly ToolCall[],
  now: number,
): { spanMs: number; lanes: { start: number; end: number }[] } | null {
  const spans = calls.flatMap(({ startedAt, durationMs }) =>
    startedAt === undefined
      ? []
      : [{ start: startedAt, end: startedAt + (durationMs ?? Math.max(0, now - startedAt)) }],
  )
  if (spans.length === 0) return null
  const first = Math.min(...spans.map(({ start }) => start))
  const last = Math.max(...spans.map(({ end }) => end))
  const spanMs = Math.max(1, last - first)
  return {
    spanMs,
    lanes: spans.map(({ start, end }) => ({ start: (start - first) / spanMs, end: (end - first) / spanMs })),
  }
}
