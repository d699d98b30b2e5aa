import { createClosings, createCodeEnds, readTarget } from './readme-find.ts'
import { decodeReferences, resolveTarget } from './readme-links.ts'
import { BLOCKS, FRAMES, isElement, OPAQUE, readTag, SCRIPTS } from './readme-tags.ts'
import { createWriter } from './readme-writer.ts'

import type { ReadmeBase } from './readme-links.ts'
import type { Tag } from './readme-tags.ts'
import type { Writer } from './readme-writer.ts'

export interface Scanned {
  readonly markdown: string
  readonly scripts: number
  readonly frames: number
  /** Absolute addresses that pictures are named by. */
  readonly pictures: ReadonlySet<string>
}

const PLAIN = /[^\\`<[\]\n]+/y
const FENCE = /(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})([^\n]*)/y
const DEFINITION = /\[(?!\^)((?:[^\][\\]|\\[^\n]){1,300})\]:[ \t]*\n?[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))[^\n]*/y
const BLANK = /\n[ \t]*(?=\n)/y
const INDENT = /[ \t]*/y
const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>@]{1,255})>/y
/** Pictures of this size are there to be counted, not to be seen. */
const TRACKER_PX = 2

/**
 * Reads Markdown with HTML in it from left to right, once, and writes Markdown without: HTML that has an equivalent becomes
 * it, the text of the rest stays, what runs or frames is left out with its content. Code is copied as it stands.
 *
 * @param limit characters after which reading ends
 */
export function scanReadme(text: string, base: ReadmeBase, limit: number): Scanned {
  const scanner = createScanner(text, base)
  while (!scanner.atEnd() && scanner.writer.length() < limit) scanner.step()
  return { markdown: scanner.writer.text(), ...scanner.counts(), pictures: scanner.pictures }
}

interface Scanner {
  readonly writer: Writer
  readonly pictures: Set<string>
  atEnd(): boolean
  step(): void
  counts(): { scripts: number; frames: number }
}

function createScanner(text: string, base: ReadmeBase): Scanner {
  const writer = createWriter()
  const pictures = new Set<string>()
  const closings = createClosings(text)
  const codeEnds = createCodeEnds(text)
  /** Brackets that are open: whether a picture's. */
  let brackets: boolean[] = []
  let scripts = 0
  let frames = 0
  let at = 0
  /** Index of a character that a backslash stands before. */
  let escaped = -1
  let lineStart = true
  let inTable = false
  /** Inside HTML that began in this paragraph: indentation there means nothing. */
  let inHtml = false

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const link = (target: string): string => {
    const read = resolveTarget(target, base.pages, base.loopbackHttp)
    if (read.kind === 'script') scripts += 1
    return read.kind === 'ok' ? read.url : ''
  }
  const picture = (target: string): string => {
    const read = resolveTarget(target, base.files, base.loopbackHttp)
    if (read.kind === 'script') scripts += 1
    if (read.kind !== 'ok') return ''
    pictures.add(read.url)
    return read.url
  }

  function newLine(): void {
    const rest = match(BLANK)
    if (rest !== null) {
      brackets = []
      inHtml = false
      writer.endParagraph()
    } else {
      writer.newLine()
    }
    at += 1
    lineStart = true
    inTable = false
  }

  /** @returns whether the line was dealt with. */
  function beginLine(): boolean {
    lineStart = false
    const fence = match(FENCE)
    if (fence !== null && copyFence(fence)) return true
    const indent = match(INDENT)?.[0] ?? ''
    const next = text[at + indent.length]
    inTable = next === '|'
    if (inHtml || (indent.length >= 4 && next === '<')) at += indent.length
    return false
  }

  /** A reference definition is one where only markers of lists and quotes stand before it, also when those were HTML. */
  function define(): boolean {
    const definition = writer.atLineMarkers() ? match(DEFINITION) : null
    if (definition === null) return false
    const target = definition[2] ?? definition[3] ?? ''
    const isPicture = /\.(?:png|jpe?g|gif|webp|avif)(?:[?#]|$)/i.test(target)
    const url = isPicture ? picture(target) : link(target)
    // A reference may be a picture whatever its address looks like.
    if (url !== '') pictures.add(url)
    writer.put(
      `[${(definition[1] ?? '').replace(/<|\n/g, (one) => (one === '<' ? '&lt;' : ' '))}]: ${url === '' ? '<>' : url}`,
    )
    at += definition[0].length
    return true
  }

  function copyFence(fence: RegExpExecArray): boolean {
    const [whole, marks = '', info = ''] = fence
    if (marks.startsWith('`') && info.includes('`')) return false
    const close = new RegExp(`\\n[ \\t>]*${marks[0] ?? ''}{${marks.length},}[ \\t]*(?=\\n|$)`, 'g')
    close.lastIndex = at + whole.length
    const end = close.exec(text)
    const stop = end === null ? text.length : end.index + end[0].length
    writer.verbatim(text.slice(at, stop))
    at = stop
    return true
  }

  function code(): void {
    const marks = match(/`+/y)?.[0] ?? '`'
    const close = codeEnds(at, marks.length)
    writer.put(close < 0 ? marks : text.slice(at, close + marks.length))
    at = close < 0 ? at + marks.length : close + marks.length
  }

  function closeBracket(): void {
    const isPicture = brackets.pop()
    at += 1
    const target = isPicture === undefined || text[at] !== '(' ? null : readTarget(text, at)
    if (target === null) return writer.put(']')
    writer.put(`](${isPicture === true ? picture(target.address) : link(target.address)})`)
    at = target.end
  }

  function angle(): void {
    if (text.startsWith('<!--', at)) {
      const end = closings('-->', at)
      const rest = text.startsWith('<!-->', at) ? at + 5 : end < 0 ? -1 : end + 3
      if (rest < 0 && !writer.atLineStart()) return literal()
      at = rest < 0 ? text.length : rest
      return
    }
    if (text[at + 1] === '!' || text[at + 1] === '?') {
      const end = closings('>', at)
      if (end < 0 || !/[A-Za-z?[]/.test(text[at + 2] ?? '')) return literal()
      at = end + 1
      return
    }
    const auto = match(AUTOLINK)
    if (auto !== null) return autolink(auto)
    const tag = readTag(text, at)
    if (tag === null) return literal()
    scripts += tag.handlers
    if (!isElement(tag.name)) return literal()
    at = tag.end
    element(tag)
  }

  const literal = (): void => {
    writer.put('&lt;')
    at += 1
  }

  function autolink([whole, address = '']: RegExpExecArray): void {
    const url = /^https?:/i.test(address) ? link(address) : ''
    if (url === '') {
      if (/^(?:javascript|vbscript):/i.test(address)) scripts += 1
      writer.put(address)
    } else {
      writer.put(`<${url}>`)
    }
    at += whole.length
  }

  function element(tag: Tag): void {
    const { name, closing } = tag
    if (!closing && SCRIPTS.has(name)) scripts += 1
    if (!closing && FRAMES.has(name)) frames += 1
    if (name === 'pre' || name === 'code' || name === 'kbd' || name === 'samp' || name === 'tt') return codeElement(tag)
    if (OPAQUE.has(name)) {
      if (closing || tag.selfClosing) return
      const end = closings(`</${name}`, at)
      const gone = end < 0 ? -1 : closings('>', end)
      const atLineStart = writer.atLineStart()
      if (gone >= 0) at = gone + 1
      else if (SCRIPTS.has(name) && atLineStart) at = text.length
      return
    }
    if (BLOCKS.has(name)) {
      inHtml = true
      return inTable ? writer.put(' ') : name === 'p' || writer.inList() ? writer.softBreak() : writer.endParagraph()
    }
    if (name === 'img') return pictureElement(tag)
    if (name === 'video' || name === 'audio') return clip(tag)
    if (name === 'a') return anchor(tag)
    words(tag)
  }

  function words({ name, closing }: Tag): void {
    const heading = /^h([1-6])$/.exec(name)?.[1]
    if (name === 'br') writer.lineBreak(inTable)
    else if (name === 'hr') writer.rule()
    else if (heading !== undefined) {
      inHtml = true
      if (closing) writer.close('heading')
      else writer.open('heading', inTable ? '' : `${'#'.repeat(Number(heading))} `)
    } else if (name === 'summary') {
      if (closing) writer.close('strong')
      writer.endParagraph()
      if (!closing) writer.open('strong', '**', '**')
    } else if (['b', 'strong'].includes(name)) {
      if (closing) writer.close('strong')
      else writer.open('strong', '**', '**')
    } else if (['i', 'em', 'cite'].includes(name)) {
      if (closing) writer.close('emphasis')
      else writer.open('emphasis', '*', '*')
    } else if (name === 'ul' || name === 'ol') {
      inHtml = true
      writer.list(closing ? null : name)
    } else if (name === 'li') {
      inHtml = true
      if (!closing) writer.item()
    } else if ((name === 'td' || name === 'th') && !closing) writer.cell()
  }

  function anchor({ closing, attributes }: Tag): void {
    if (closing) return writer.close('link')
    const href = attributes.get('href')
    const url = href === undefined ? '' : link(href)
    if (url !== '') writer.open('link', '[', `](${url})`)
  }

  function pictureElement({ attributes }: Tag): void {
    const size = (side: string): number => Number.parseFloat(attributes.get(side) ?? 'NaN')
    if (size('width') <= TRACKER_PX && size('height') <= TRACKER_PX) return
    const url = picture(attributes.get('src') ?? '')
    const alt = plainWords(attributes.get('alt') ?? '')
    writer.put(url === '' ? alt : `![${alt}](${url})`)
  }

  /** Sound and film become a link to their file. */
  function clip({ closing, attributes }: Tag): void {
    const url = closing ? '' : link(attributes.get('src') ?? '')
    if (url !== '') writer.put(`[${plainWords(url.split('/').at(-1) ?? url)}](${url})`)
  }

  function codeElement({ name, closing, selfClosing }: Tag): void {
    const end = closing || selfClosing ? -1 : closings(`</${name}`, at)
    const stop = end < 0 ? -1 : closings('>', end)
    // Inline code does not reach over a paragraph's end.
    if (stop < 0 || (name !== 'pre' && text.slice(at, Math.min(end, at + MAX_INLINE + 1)).length > MAX_INLINE)) return
    const inner = decodeReferences(text.slice(at, end).replace(/<[^<>]*>/g, ''))
    at = stop + 1
    const runs = [...inner.matchAll(/`+/g)].map(([run]) => run.length)
    const marks = '`'.repeat(runs.reduce((most, run) => Math.max(most, run), 0) + 1)
    if (name !== 'pre') {
      const line = inner.replace(/\s+/g, ' ').trim()
      if (line !== '') writer.put(marks.length > 1 ? `${marks} ${line} ${marks}` : `${marks}${line}${marks}`)
      return
    }
    const fence = marks.padEnd(3, '`')
    writer.endParagraph()
    writer.verbatim(`${fence}\n${inner.replace(/^\n/, '').trimEnd()}\n${fence}`)
    writer.endParagraph()
  }

  return {
    writer,
    pictures,
    atEnd: () => at >= text.length,
    counts: () => ({ scripts, frames }),
    step() {
      if (lineStart && beginLine()) return
      const plain = match(PLAIN)
      if (plain !== null) {
        writer.put(plain[0])
        at += plain[0].length
        return
      }
      switch (text[at]) {
        case '\n':
          return newLine()
        case '`':
          return code()
        case '<':
          return angle()
        case ']':
          return closeBracket()
        case '[':
          if (define()) return
          brackets.push(text[at - 1] === '!' && escaped !== at - 1)
          writer.put('[')
          at += 1
          return
        default: {
          const next = text[at + 1]
          const taken = next === undefined || next === '\n' ? 1 : 2
          writer.put(text.slice(at, at + taken))
          escaped = at + 1
          at += taken
        }
      }
    },
  }
}

/** Longest inline code of HTML. */
const MAX_INLINE = 2_000

/** Text for between brackets. */
function plainWords(text: string): string {
  return decodeReferences(text)
    .replace(/[[\]<>\\`*_|\n\r!]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 300)
}
