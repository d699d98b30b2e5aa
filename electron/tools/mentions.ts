/** Words of tool names that say nothing about what a tool is for. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an and api app by call do fetch for from get in is it list make mcp my new of on or read run set show the to tool tools use with'.split(
    ' ',
  ),
)

/**
 * Whether a prompt speaks of a tool: it names it, or uses a word of its name ("search" for `search_web`), whatever comes
 * after it ("searching"). Generous on purpose: this decides about a hint, and a wrong one is worse than none.
 * @param names every name that the tool has.
 */
export function mentions(prompt: string, names: readonly string[]): boolean {
  const text = prompt.toLowerCase()
  const words = text.split(/[^\p{L}\p{N}]+/u)
  return names.some((name) => {
    const whole = name.toLowerCase()
    if (whole !== '' && text.includes(whole)) return true
    return wordsOf(name).some((wanted) => words.some((word) => word === wanted || isFormOf(word, wanted)))
  })
}

const isFormOf = (word: string, stem: string): boolean => stem.length >= 4 && word.startsWith(stem)

/** `getWeather_v2` → weather. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3 && !EMPTY_WORDS.has(word))
}
