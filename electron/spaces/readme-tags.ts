/** One HTML tag as it stands in a text. */
export interface Tag {
  /** Lower case. */
  readonly name: string
  readonly closing: boolean
  readonly selfClosing: boolean
  /** The first of each name, lower case. */
  readonly attributes: ReadonlyMap<string, string>
  /** Attributes that would run code (`onclick` and the like). */
  readonly handlers: number
  /** Index behind the tag. */
  readonly end: number
}

const SPACE = new Set([' ', '\t', '\n', '\r', '\f'])
const isLetter = (char: string | undefined): boolean => char !== undefined && /[A-Za-z]/.test(char)
const isNameChar = (char: string | undefined): boolean => char !== undefined && /[A-Za-z0-9:-]/.test(char)

/**
 * Reads the tag that begins at `at` (a `<`), the way browsers do it, but for a `<` inside the tag: then it is none. Takes
 * time in proportion to the tag, or to the distance to the next `<`.
 *
 * @returns `null` when no tag begins there
 */
export function readTag(text: string, at: number): Tag | null {
  let i = at + 1
  const closing = text[i] === '/'
  if (closing) i += 1
  if (!isLetter(text[i])) return null
  const nameStart = i
  while (isNameChar(text[i])) i += 1
  const name = text.slice(nameStart, i).toLowerCase()
  const first = text[i]
  if (first !== undefined && !SPACE.has(first) && first !== '/' && first !== '>') return null

  const attributes = new Map<string, string>()
  let handlers = 0
  let selfClosing = false
  for (;;) {
    while (SPACE.has(text[i] ?? '') || text[i] === '/') {
      selfClosing = text[i] === '/'
      i += 1
    }
    const char = text[i]
    if (char === '>') return { name, closing, selfClosing, attributes, handlers, end: i + 1 }
    if (char === undefined || char === '<') return null
    const read = readAttribute(text, i)
    if (read === null) return null
    if (/^on[a-z]/.test(read.name)) handlers += 1
    if (!attributes.has(read.name)) attributes.set(read.name, read.value)
    selfClosing = false
    i = read.end
  }
}

function readAttribute(text: string, at: number): { name: string; value: string; end: number } | null {
  let i = at + 1
  while (i < text.length && !SPACE.has(text[i] ?? '') && !'/>=<'.includes(text[i] ?? '')) i += 1
  const name = text.slice(at, i).toLowerCase()
  let equals = i
  while (SPACE.has(text[equals] ?? '')) equals += 1
  if (text[equals] !== '=') return { name, value: '', end: i }
  i = equals + 1
  while (SPACE.has(text[i] ?? '')) i += 1
  const quote = text[i]
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, i + 1)
    return close < 0 ? null : { name, value: text.slice(i + 1, close), end: close + 1 }
  }
  const start = i
  while (i < text.length && !SPACE.has(text[i] ?? '') && text[i] !== '>') {
    if (text[i] === '<') return null
    i += 1
  }
  return { name, value: text.slice(start, i), end: i }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Left out with all they contain, counted as scripts. */
export const SCRIPTS = words('script style')
/** Left out, counted as frames: foreign pages, plug-ins and forms that send. */
export const FRAMES = words('iframe frame frameset object embed applet form gradio-app fencedframe portal')
/** What stands between the two tags is no text for people. */
export const OPAQUE = words(
  'script style iframe object applet template textarea select datalist svg math title noembed noframes canvas head gradio-app',
)
/** They begin and end a paragraph. */
export const BLOCKS = words(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer header hgroup html legend main menu nav noscript p section table tbody tfoot thead tr',
)
/** Dropped, their text stays. */
const INLINE = words(
  'a abbr acronym area audio b base basefont bdi bdo big br button cite code col colgroup data del dfn em embed font frame h1 h2 h3 h4 h5 h6 hr i img input ins kbd label li link map mark meta meter ol optgroup option output param picture pre progress q rb rp rt rtc ruby s samp search slot small source span strike strong sub summary sup td th time track tt u ul var video wbr',
)

/** Whether a name is one of HTML's. Any other `<name>` is a placeholder that its author wants to be read. */
export const isElement = (name: string): boolean =>
  INLINE.has(name) || BLOCKS.has(name) || OPAQUE.has(name) || SCRIPTS.has(name) || FRAMES.has(name)
