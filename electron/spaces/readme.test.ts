import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { describe, expect, it } from 'vitest'

import { cleanReadme, MAX_README_BYTES } from './readme.ts'

import type { Readme } from './readme.ts'

const PAGES = 'https://hub.example/spaces/acme/tool/blob/main/'
const FILES = 'https://hub.example/spaces/acme/tool/resolve/main/'
const clean = (text: string): Readme => cleanReadme(text, { pages: PAGES, files: FILES, loopbackHttp: false })
const markdown = (text: string): string => clean(text).markdown

interface Node {
  type: string
  url?: string
  value?: string
  children?: Node[]
}

/** What the parser that shows it finds: HTML that is left, and every address. */
function parsed(text: string): { html: string[]; addresses: string[]; rendered: string } {
  const html: string[] = []
  const addresses: string[] = []
  const walk = (node: Node): void => {
    if (node.type === 'html') html.push(node.value ?? '')
    if (node.url !== undefined && node.url !== '') addresses.push(node.url)
    node.children?.forEach(walk)
  }
  const collect = () => (tree: unknown) => walk(tree as Node)
  const rendered = renderToStaticMarkup(
    createElement(ReactMarkdown, { remarkPlugins: [remarkGfm, collect], components: { img: () => null } }, text),
  )
  return { html, addresses, rendered }
}

describe('what becomes of HTML', () => {
  it.each([
    ['a heading', '<h2 align="center">Hello <b>you</b></h2>', '## Hello **you**'],
    ['a heading over lines', '<h1>\n  Two\n  lines\n</h1>\ntext', '# Two lines\n\ntext'],
    ['a picture', '<img src="a b.png" alt="A [b]" width=200>', `![A b](${FILES}a%20b.png)`],
    ['a picture in a link', '<a href="x.md"><img src="p.png"></a>', `[![](${FILES}p.png)](${PAGES}x.md)`],
    ['a link over lines', '<a href="https://x.example/">\n  one\n\n  two\n</a>', '[one two](https://x.example/)'],
    ['a link without an end', '<a href="https://x.example/">text', 'text'],
    ['a link to nowhere', '<a name="top">text</a>', 'text'],
    ['line breaks', 'one<br>two<br/>\nthree', 'one  \ntwo  \nthree'],
    ['a rule', 'a<hr>b', 'a\n\n---\n\nb'],
    ['emphasis', '<b>a</b> <strong>b</strong> <i>c</i> <em> d </em>', '**a** **b** *c*  *d*'],
    ['empty emphasis', 'a<b></b>b<i> </i>', 'ab'],
    ['misnested tags', '<b>a<i>b</b>c</i>', '**ab**c'],
    ['a list', '<ul><li>a<li>b <b>c</b></ul>d', '- a\n- b **c**\n\nd'],
    ['lists in lists', '<ol>\n<li>a\n<ul><li>b</li></ul></li>\n<li>c</li></ol>', '1. a\n   - b\n2. c'],
    ['an indented block is no code', '<div>\n      <p>\n        text\n', 'text'],
    ['a table', '<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'a | b\n\n1 | 2'],
    ['HTML in a table', '| a |\n|---|\n| x<br>y <b>z</b> |', '| a |\n|---|\n| x y **z** |'],
    ['details', '<details><summary>More</summary>\n\ninner *md*\n</details>', '**More**\n\ninner *md*'],
    ['inline code', 'run <code>a &lt;b&gt; <i>c</i></code>', 'run `a <b> c`'],
    ['code with backticks', '<code>a`b</code>', '`` a`b ``'],
    ['a block of code', '<pre>\na &amp;&amp; b\n```\n</pre>', '````\na && b\n```\n````'],
    ['film', '<video src="clips/a.mp4" controls></video>', `[a.mp4](${PAGES}clips/a.mp4)`],
    ['upper case, odd spaces', '<IMG\n  SRC = p.png\n/>', `![](${FILES}p.png)`],
    ['quotes around a bracket', '<img alt="a > b" src=p.png>', `![a b](${FILES}p.png)`],
    ['other elements', '<font color=red><sub>a</sub> <span>b</span></font>', 'a b'],
    ['a placeholder in angle brackets', 'run tool <your-name>', 'run tool &lt;your-name>'],
    ['a comparison', 'if a < b and b <3', 'if a &lt; b and b &lt;3'],
    ['a tag without an end', 'a <img src="x', 'a &lt;img src="x'],
    ['a tag in a tag', '<b <i>x</i>', '&lt;b *x*'],
    ['comments', 'a<!-- <b> --> b<!---->c<!-- <script> -->', 'a bc'],
    ['a comment without an end', 'a\n\n<!-- hidden\n<b>', 'a'],
    ['a comment without an end in a line', 'a <!-- b', 'a &lt;!-- b'],
    ['declarations', '<!DOCTYPE html><?xml a?>b', 'b'],
    ['Markdown in HTML', '<div>\n\n# Title\n\n- **a** <kbd>b</kbd>\n\n</div>', '# Title\n\n- **a** `b`'],
  ])('%s', (_, text, expected) => {
    expect(markdown(text)).toBe(expected)
  })

  it.each([
    ['scripts', 'a<script>alert(1)</script>b', 'ab', 1, 0],
    ['a script that is built out of parts', '<scr<script></script>ipt>x', '&lt;script>x', 1, 0],
    ['a script without an end', 'a\n\n<script>\nalert(1)\n\nb', 'a', 1, 0],
    ['the word in a sentence', 'Put a <script> in', 'Put a  in', 1, 0],
    ['styles', '<style>\nb { color: red }\n</style>\na', 'a', 1, 0],
    ['handlers', '<p onclick="x()" ONLOAD=y>a</p>', 'a', 2, 0],
    ['frames', '<iframe src="https://e.example">no</iframe>a<embed src=x>', 'a', 0, 2],
    ['objects and applets', '<object data=x><param name=y>z</object><applet>q</applet>a', 'a', 0, 2],
    ['a frame that closes itself', '<iframe src=x />a <b>b</b>', 'a **b**', 0, 1],
    ['forms', '<form action=x>Name <input name=a><textarea>t</textarea><button>Go</button></form>', 'Name Go', 0, 1],
    ['drawings', '<svg onload="x"><script>y</script><text>t</text></svg>a', 'a', 1, 0],
    ['a parameter’s link', '[a](javascript:alert(1))', '[a]()', 1, 0],
  ])('leaves out and counts %s', (_, text, expected, scripts, frames) => {
    expect(clean(text)).toMatchObject({ markdown: expected, leftOut: { scripts, frames } })
  })
})

describe('addresses', () => {
  it.each([
    ['relative', '[a](docs/x.md "Title") ![b](./p.png)', `[a](${PAGES}docs/x.md) ![b](${FILES}p.png)`],
    ['from the root', '[a](/docs) ![b](/p.png)', '[a](https://hub.example/docs) ![b](https://hub.example/p.png)'],
    ['without a scheme', '![a](//cdn.example/p.png)', '![a](https://cdn.example/p.png)'],
    ['plain http', '[a](http://x.example/y)', '[a](https://x.example/y)'],
    ['with spaces and parentheses', '![a](<a (1).png>) [b](https://x.example/a_(b))', null],
    [
      'references',
      '[a][1]\n\n[1]: docs/x.md "T"\n[2]: <p.png>',
      `[a][1]\n\n[1]: ${PAGES}docs/x.md\n[2]: ${FILES}p.png`,
    ],
    ['references to nowhere', '[1]: javascript:alert(1)', '[1]: <>'],
    ['autolinks', '<https://x.example/a_b?c=1&d=2> <a@b.example>', '<https://x.example/a_b?c=1&d=2> a@b.example'],
    ['autolinks that run', '<javascript:alert(1)>', 'javascript:alert(1)'],
    ['of a fragment', '[a](#b)', '[a]()'],
    ['of a mailbox', '[a](mailto:b@c.example)', '[a]()'],
    ['with a user', '[a](https://hub.example@evil.example/)', '[a]()'],
    ['hidden in references', '[a](java&#115;cript&colon;alert(1))', '[a]()'],
    ['hidden by white space', '<a href="java\nscript:alert(1)">a</a>', 'a'],
    ['of data', '![a](data:image/png;base64,AAAA)<img src="data:image/svg+xml,%3Csvg%3E" alt="b">', '![a]()b'],
    ['of a file', '[a](file:///etc/passwd)', '[a]()'],
    ['of pictures nobody sees', 'a<img src="https://t.example/x.gif" width="1" height="1">b', 'ab'],
    ['too long', `[a](https://x.example/${'y'.repeat(2_000)})`, '[a]()'],
    ['inside code', '`[a](b.md)`', '`[a](b.md)`'],
    ['escaped', '\\[a](b.md) !\\[a](b.md)', '\\[a](b.md) !\\[a](b.md)'],
    ['footnotes', 'a[^1]\n\n[^1]: note', 'a[^1]\n\n[^1]: note'],
    ['tasks', '- [ ] a\n- [x] b', '- [ ] a\n- [x] b'],
  ])('%s', (_, text, expected) => {
    const read = clean(text)
    if (expected !== null) expect(read.markdown).toBe(expected)
    for (const address of parsed(read.markdown).addresses) expect(address).toMatch(/^https:\/\/|^mailto:a@b\.example$/)
  })

  it('with parentheses survive the parser', () => {
    const { markdown: text } = clean('![a](<a (1).png>) [b](https://x.example/a_(b))')
    expect(parsed(text).addresses).toEqual([`${FILES}a%20%281%29.png`, 'https://x.example/a_%28b%29'])
  })

  it('of pictures are told, whatever way they are named', () => {
    const { pictures } = clean('![a](p.png) <img src="https://x.example/q.png"> ![c][r]\n\n[r]: https://x.example/r\n')
    expect(pictures).toEqual([`${FILES}p.png`, 'https://x.example/q.png', 'https://x.example/r'])
  })

  it('of a Hub on this computer stay plain http', () => {
    const base = {
      pages: 'http://127.0.0.1:9/spaces/a/b/blob/main/',
      files: 'http://127.0.0.1:9/f/',
      loopbackHttp: true,
    }
    const { markdown: text } = cleanReadme('![a](p.png) [b](http://192.168.0.1/)', base)
    expect(text).toBe('![a](http://127.0.0.1:9/f/p.png) [b](https://192.168.0.1/)')
  })
})

describe('the text itself', () => {
  it.each([
    ['front matter', '---\ntitle: x\nsdk: gradio\n---\n\n# A', '# A'],
    ['front matter of Windows', '\ufeff---\r\ntitle: x\r\n---\r\n# A\r\n', '# A'],
    ['front matter alone', '---\ntitle: x\n---', ''],
    ['a rule that is no front matter', 'a\n\n---\n\nb', 'a\n\n---\n\nb'],
    ['front matter without an end', '---\ntitle: x\n\ntext', '---\ntitle: x\n\ntext'],
    ['nothing', '', ''],
    ['control characters', 'a\u0000b\u001b[31mc\u009bd', 'ab[31mcd'],
    ['marks that turn the direction', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['tag characters', 'a\u{e0041}\u{e0042}b', 'ab'],
    ['emoji with joiners', '👩‍🔬', '👩‍🔬'],
    [
      'fences',
      '```html\n<script>x</script>\n\n\n<!-- y -->\n```\na',
      '```html\n<script>x</script>\n\n\n<!-- y -->\n```\na',
    ],
    ['fences in lists', '- a\n\n  ```\n  <b>\n  ```\n', '- a\n\n  ```\n  <b>\n  ```'],
    ['a fence without an end', '~~~\n<b>', '~~~\n<b>'],
    ['inline code of two', '``a ` <b>`` <b>c</b>', '``a ` <b>`` **c**'],
    ['a backtick without an end', 'a ` <b>c</b>', 'a ` **c**'],
    ['code over a paragraph is none', 'a ` b\n\n<i>c</i> `', 'a ` b\n\n*c* `'],
    ['many empty lines', 'a\n\n\n\n\nb', 'a\n\nb'],
    ['escapes', '\\<b\\> \\`<i>c</i>\\`', '\\<b\\> \\`*c*\\`'],
  ])('%s', (_, text, expected) => {
    expect(markdown(text)).toBe(expected)
  })

  it('is cut at 100 KB, never inside a character', () => {
    for (const text of ['é€🤖'.repeat(40_000), 'word word\n'.repeat(30_000), 'a'.repeat(300_000)]) {
      const cut = markdown(text)
      expect(new TextEncoder().encode(cut).byteLength).toBeLessThanOrEqual(MAX_README_BYTES + 5)
      expect(cut.endsWith('…')).toBe(true)
      expect(cut).not.toContain('\ufffd')
    }
  })
})

describe('no HTML is left for the parser that shows it', () => {
  const PIECES = [
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '`',
    '``',
    '\n',
    '\n\n',
    '    ',
    '[',
    ']',
    '](',
    ')',
    '!',
    '\\',
    '"',
    "'",
    '=',
    ' ',
    'a',
    '* ',
    '<script>',
    '</script>',
    '<b>',
    '</b>',
    '<a href="x">',
    '</a>',
    '<img src=x>',
    '<h1>',
    '</h1>',
    '<li>',
    '<ul>',
    '</ul>',
    '<iframe>',
    '</iframe>',
    '<pre>',
    '</pre>',
    '<code>',
    '</code>',
    'javascript:x',
    '[x]: javascript:y',
    '<svg',
    'on',
    '|',
    '<br>',
  ]

  /** The same numbers each time (a linear congruential generator). */
  function createNumbers(seed: number): (below: number) => number {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state % below
    }
  }

  it('in a thousand heaps of broken HTML and Markdown', () => {
    const number = createNumbers(7)
    for (let i = 0; i < 1_000; i += 1) {
      const text = Array.from({ length: 3 + number(40) }, () => PIECES[number(PIECES.length)]).join('')
      const { html, addresses, rendered } = parsed(markdown(text))
      // A heap may hide a fence from one of the two readers; what then looks like HTML is not shown.
      if (!/`|~|^ {4}|\t/m.test(text)) expect(html, JSON.stringify(text)).toEqual([])
      for (const address of addresses) {
        if (!/`/.test(text)) expect(address, JSON.stringify(text)).toMatch(/^https:\/\//)
      }
      expect(rendered, JSON.stringify(text)).not.toMatch(/<(?:script|iframe|svg)|href="javascript/i)
    }
  })
})

describe('time in proportion to the text', () => {
  const MB = 1_000_000
  it.each([
    ['open tags', '<b '],
    ['open brackets', '['],
    ['link starts', ']('],
    ['whole links', '[a](b)'],
    ['links that never end', '[a](b('],
    ['backticks', '`'],
    ['runs of backticks', '` `` ``` '],
    ['comments', '<!-- '],
    ['scripts', 'a <script> '],
    ['code elements', '<code>'],
    ['blocks of code', '<pre>x'],
    ['links of HTML', '<a href=x>'],
    ['nested emphasis', '<b><i>'],
    ['closed emphasis', '<b>a</b>'],
    ['lists', '<ul><li>'],
    ['headings', '<h1>a</h1>'],
    ['attributes', '<a x="'],
    ['definitions', '[a\n'],
    ['fences', '```\n'],
    ['declarations', '<!a'],
    ['white space', ' \t'],
    ['line ends', '\n'],
    ['quotes', '> - '],
    ['front matter', '---\n'],
    ['references', '&#x41;'],
    ['escapes', '\\'],
  ])('1 MB of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(MB / piece.length))
    const started = performance.now()
    clean(text)
    // 100 ms on a quiet computer; a quadratic reader takes minutes.
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('1 MB of an ordinary README', () => {
    const page = '# Title\n\nSome *text* with a [link](x.md) and <b>bold</b>.\n\n```py\nprint(1)\n```\n\n- a\n- b\n\n'
    const started = performance.now()
    clean(page.repeat(Math.ceil(MB / page.length)))
    expect(performance.now() - started).toBeLessThan(300)
  })
})
