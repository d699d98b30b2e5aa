import { setImmediate } from 'node:timers/promises'

/** Characters that are counted; the rest of a longer text is taken to be like them. */
const MAX_COUNTED = 50_000
/**
 * Characters counted at a time. The merging of byte pairs takes time with the square of a word's length, and text without
 * spaces is one word: 20,000 characters of it at once take seconds.
 */
const PIECE = /[^]{1,150}(?=\s|$)|[^]{1,150}/gu
/** Milliseconds of counting after which others have their turn: the robot's control loop lives in the same process. */
const TURN = 4

export interface TokenCounter {
  /** Tokens of a text, an estimate: every family of models splits words in its own way. */
  count(text: string): Promise<number>
}

/**
 * Counts tokens as current OpenAI models do (`o200k_base`), which lies within some per cent of other large vocabularies.
 * Texts are remembered, so that a registry that was built anew costs nothing where nothing changed. The vocabulary (2.4 MB)
 * is loaded with the first text.
 * @param remember how many texts are kept.
 */
export function createTokenCounter(remember = 2_000): TokenCounter {
  const known = new Map<string, number>()

  const measure = async (text: string): Promise<number> => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    const counted = text.slice(0, MAX_COUNTED)
    let tokens = 0
    let since = performance.now()
    for (const [piece] of counted.matchAll(PIECE)) {
      // The marks of chat templates are text like any other here.
      tokens += countTokens(piece, { disallowedSpecial: new Set() })
      if (performance.now() - since < TURN) continue
      await setImmediate()
      since = performance.now()
    }
    return counted.length === text.length ? tokens : Math.round((tokens * text.length) / counted.length)
  }

  return {
    async count(text) {
      if (text === '') return 0
      const before = known.get(text)
      if (before !== undefined) return before
      const tokens = await measure(text)
      if (known.size >= remember) known.delete(known.keys().next().value as string)
      known.set(text, tokens)
      return tokens
    },
  }
}
