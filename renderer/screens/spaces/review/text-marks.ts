import type { TextWarning } from '../../../../electron/contract/index.ts'

/**
 * Characters that are there and not seen: zero width, direction, soft hyphen, fillers, tags. The joiner inside of an
 * emoji is part of what is seen.
 */
const HIDDEN =
  /(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu

export interface SeenPart {
  readonly text: string
  /** `text` names a character that cannot be seen, e.g. `U+200B`. */
  readonly hidden: boolean
}

/** A text in parts, with the name of each invisible character in its place. */
export function seenParts(text: string): SeenPart[] {
  const parts: SeenPart[] = []
  let at = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), hidden: false })
    const code = match[0].codePointAt(0) ?? 0
    parts.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, hidden: true })
    at = match.index + match[0].length
  }
  if (at < text.length) parts.push({ text: text.slice(at), hidden: false })
  return parts
}

export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0
}

/** Words that tell a reader what to do. Only to point at the place: whether a text gives orders is judged elsewhere. */
const ORDER =
  /\b(?:always|never|must|do not|don't|ignore|disregard|forget|override|instead|first|before (?:you|any|every|answering|responding|replying)|call|invoke|send|upload|forward|reveal|system prompt)\b|<\/?(?:system|important|instructions?)>|(?:忽略|无视|忘记|必须|总是|不要|先调用|调用)|\b(?:toujours|jamais|ignore[sz]?|oublie[sz]?|appele[rz]|avant de)\b/iu

const SENTENCE = /[^.!?。！？]+[.!?。！？]*["”’)\]]*\s*/gu

export interface Span {
  readonly from: number
  readonly to: number
}

/** Where a text names one of these tools, or tells the reader what to do: whole sentences, neighbours joined. */
export function oddSpans(text: string, warnings: readonly TextWarning[], otherTools: readonly string[]): Span[] {
  const orders = warnings.includes('gives-orders')
  if (!orders && !warnings.includes('names-other-tools')) return []
  const spans: Span[] = []
  for (const match of text.matchAll(SENTENCE)) {
    const sentence = match[0]
    const odd = otherTools.some((name) => namesTool(sentence, name)) || (orders && ORDER.test(sentence))
    if (!odd) continue
    const from = match.index + (sentence.length - sentence.trimStart().length)
    const to = match.index + sentence.trimEnd().length
    const last = spans.at(-1)
    if (last && text.slice(last.to, from).trim() === '') spans[spans.length - 1] = { from: last.from, to }
    else if (to > from) spans.push({ from, to })
  }
  return spans
}

function namesTool(sentence: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, 'iu').test(sentence)
}

export interface MarkedPart {
  readonly text: string
  readonly odd: boolean
}

/** Cuts a piece of a text at the borders of the spans. @param offset where the piece begins in that text */
export function cutAtSpans(piece: string, offset: number, spans: readonly Span[]): MarkedPart[] {
  const parts: MarkedPart[] = []
  let at = 0
  for (const { from, to } of spans) {
    const start = Math.max(at, from - offset)
    const end = Math.min(piece.length, to - offset)
    if (end <= start) continue
    if (start > at) parts.push({ text: piece.slice(at, start), odd: false })
    parts.push({ text: piece.slice(start, end), odd: true })
    at = end
  }
  if (at < piece.length) parts.push({ text: piece.slice(at), odd: false })
  return parts
}
