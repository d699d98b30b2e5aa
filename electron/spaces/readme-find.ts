/** Parentheses that an address may nest, as in cmark. */
const MAX_NESTING = 32

/**
 * Where a text occurs next, by whatever case of its letters. Remembers, so that asking forward through a long text for
 * something that is not there costs one look.
 */
export function createClosings(text: string): (what: string, from: number) => number {
  const known = new Map<string, number>()
  return (what, from) => {
    const before = known.get(what)
    if (before !== undefined && (before < 0 || before >= from)) return before
    const pattern = new RegExp(what.startsWith('</') ? `${what}(?=[\\s/>])` : what, 'gi')
    pattern.lastIndex = from
    const found = pattern.exec(text)?.index ?? -1
    known.set(what, found)
    return found
  }
}

/** Where inline code that begins with a run of `length` backticks at `from` ends: at the same run in the same paragraph. */
export function createCodeEnds(text: string): (from: number, length: number) => number {
  const blank = /\n[ \t]*\n/g
  let end = -1
  let runs = new Map<number, { starts: number[]; next: number }>()
  return (from, length) => {
    if (from >= end) {
      blank.lastIndex = from
      end = blank.exec(text)?.index ?? text.length
      runs = new Map()
      for (const run of text.slice(from, end).matchAll(/`+/g)) {
        const entry = runs.get(run[0].length) ?? { starts: [], next: 0 }
        entry.starts.push(from + run.index)
        runs.set(run[0].length, entry)
      }
    }
    const entry = runs.get(length)
    if (entry === undefined) return -1
    while ((entry.starts[entry.next] ?? Infinity) <= from) entry.next += 1
    return entry.starts[entry.next] ?? -1
  }
}

/** The address in parentheses behind `]`, CommonMark 6.3; its title is not kept. `null` when there is none. */
export function readTarget(text: string, open: number): { address: string; end: number } | null {
  const space = /[ \t]*\n?[ \t]*/y
  const skip = (from: number): number => {
    space.lastIndex = from
    return from + (space.exec(text)?.[0].length ?? 0)
  }
  let i = skip(open + 1)
  let address: string
  if (text[i] === '<') {
    const angle = /<([^<>\n]*)>/y
    angle.lastIndex = i
    const found = angle.exec(text)
    if (found === null) return null
    address = found[1] ?? ''
    i += found[0].length
  } else {
    const start = i
    for (let depth = 0; i < text.length; i += 1) {
      const char = text[i] ?? ''
      if (char === '\\' && text[i + 1] !== '\n') i += 1
      else if (char === '(') depth += 1
      else if (char === ')' && depth === 0) break
      else if (char === ')') depth -= 1
      else if (char <= ' ' || char === '<') break
      if (depth > MAX_NESTING) return null
    }
    address = text.slice(start, i).replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  }
  const behind = skip(i)
  const title = behind > i ? /(?:"(?:[^"\\\n]|\\.){0,500}"|'(?:[^'\\\n]|\\.){0,500}'|\([^()\n]{0,500}\))/y : null
  i = behind
  if (title !== null) {
    title.lastIndex = i
    i = skip(i + (title.exec(text)?.[0].length ?? 0))
  }
  return text[i] === ')' ? { address, end: i + 1 } : null
}
