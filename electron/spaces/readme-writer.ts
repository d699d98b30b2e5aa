type Span = 'heading' | 'strong' | 'emphasis' | 'link'

interface OpenSpan {
  readonly kind: Span
  /** Place of what is written inside. */
  readonly index: number
  readonly before: string
  readonly after: string
}

/** Collects Markdown that is written piece by piece, with at most one empty line in a row outside of code. */
export interface Writer {
  put(text: string): void
  /** Code, as it stands. */
  verbatim(text: string): void
  newLine(): void
  /** One empty line, unless there is one. */
  endParagraph(): void
  /** A new line inside a list, else {@link endParagraph}. */
  softBreak(): void
  lineBreak(inTable: boolean): void
  rule(): void
  /** Everything up to {@link close} stands between the two; not nested in one of its own kind. */
  open(kind: Span, before: string, after?: string): void
  close(kind: Span): void
  /** Begins a list inside the present one; `null` ends one. */
  list(kind: 'ul' | 'ol' | null): void
  item(): void
  cell(): void
  inList(): boolean
  atLineStart(): boolean
  /** Nothing stands in the line but markers of lists and quotes. */
  atLineMarkers(): boolean
  /** Characters so far. */
  length(): number
  text(): string
}

const MAX_LISTS = 8

export function createWriter(): Writer {
  const pieces: string[] = []
  const lists: { kind: 'ul' | 'ol'; count: number }[] = []
  let spans: OpenSpan[] = []
  let written = 0
  /** Line ends that the text so far ends with. */
  let ends = 2
  /** White space that follows means nothing: behind a marker. */
  let glue = false
  let rowEmpty = true
  let markersOnly = true

  const push = (text: string): void => {
    pieces.push(text)
    written += text.length
  }
  const put = (text: string): void => {
    const shown = glue ? text.replace(/^[ \t]+/, '') : text
    if (shown === '') return
    push(shown)
    ends = 0
    glue = false
    rowEmpty = false
    if (/[^\s>*+\-\d.)]/.test(shown)) markersOnly = false
  }
  const newLine = (): void => {
    if (glue || ends >= 2) return
    push('\n')
    ends += 1
    markersOnly = true
  }
  const endParagraph = (): void => {
    if (glue) return
    const heading = spans.some(({ kind }) => kind === 'heading')
    if (heading) return newLine()
    while (ends < 2) newLine()
    rowEmpty = true
  }
  const inList = (): boolean => lists.length > 0

  return {
    put,
    verbatim(text) {
      glue = false
      push(text)
      ends = 0
      markersOnly = false
    },
    newLine,
    endParagraph,
    softBreak: () => (inList() ? newLine() : endParagraph()),
    lineBreak(inTable) {
      if (inTable || glue) return put(' ')
      if (spans.some(({ kind }) => kind === 'heading') || ends > 0) return
      push('  ')
      newLine()
      // The line end that stands behind `<br>` as a rule is this one.
      glue = true
    },
    rule() {
      endParagraph()
      put('---')
      endParagraph()
    },
    open(kind, before, after = '') {
      if (spans.some((span) => span.kind === kind)) return
      if (kind === 'heading') {
        if (spans.some((span) => span.kind === 'link') || before === '') return
        spans = []
        endParagraph()
        put(before)
        glue = true
      }
      spans.push({ kind, index: pieces.length, before, after })
      pieces.push('')
    },
    close(kind) {
      const span = spans.find((one) => one.kind === kind)
      if (span === undefined) return
      // What began inside and did not end there is no span.
      spans = spans.filter(({ index }) => index < span.index)
      const inside = pieces.splice(span.index).join('')
      if (kind === 'heading') {
        pieces.push(inside.replace(/\n+/g, ' ').replace(/ {2,}/g, ' ').trim())
        glue = false
        ends = 0
        return endParagraph()
      }
      const broken = inside.includes('\n\n')
      const core = inside.trim()
      const usable = core !== '' && (kind === 'link' ? core.length < 4_000 : !broken && !/^[*_]|[*_]$/.test(core))
      if (!usable) return void pieces.push(inside)
      const lead = /^\s/.test(inside) ? ' ' : ''
      const trail = /\s$/.test(inside) ? ' ' : ''
      const line = kind === 'link' ? core.replace(/\n+/g, ' ').replace(/ {2,}/g, ' ') : core
      pieces.push(`${lead}${span.before}${line}${span.after}${trail}`)
      written += span.before.length + span.after.length
      ends = 0
    },
    list(kind) {
      glue = false
      if (kind !== null) {
        if (!inList()) endParagraph()
        if (lists.length < MAX_LISTS) lists.push({ kind, count: 0 })
        return
      }
      lists.pop()
      if (!inList()) endParagraph()
    },
    item() {
      glue = false
      if (ends === 0) newLine()
      const list = lists.at(-1)
      if (list !== undefined) list.count += 1
      const indent = lists.slice(0, -1).reduce((sum, { kind }) => sum + (kind === 'ol' ? 3 : 2), 0)
      put(`${' '.repeat(indent)}${list?.kind === 'ol' ? `${list.count}. ` : '- '}`)
      glue = true
    },
    cell() {
      if (rowEmpty) return
      put(' | ')
    },
    inList,
    atLineStart: () => ends > 0,
    atLineMarkers: () => markersOnly,
    length: () => written,
    text: () => pieces.join(''),
  }
}
