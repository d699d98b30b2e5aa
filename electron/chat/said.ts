import { CompanionError } from '../contract/index.ts'

/** Characters of a provider's own words that are shown. */
const MAX_REASON = 300
/** Longest text that is looked at. */
const MAX_LOOKED_AT = 4_000
/** The key of the words "no reason given" in the texts. */
const NO_REASON = 'no-reason'

/** Control characters, line ends, and marks that are invisible or turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/** Prefixes of the keys of OpenAI, Hugging Face, Groq, xAI, Google and GitHub; web tokens; whatever is random enough. */
const KEYS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 …'],
  [/\b(sk-|hf_|gsk_|xai-|ghp_|gho_|github_pat_|nvapi-|r8_)[A-Za-z0-9_*.-]*[A-Za-z0-9_*-]/gi, '$1…'],
  [/\bAIza[A-Za-z0-9_-]+/g, '…'],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)?/g, '…'],
  [/\b[A-Za-z0-9]{32,}\b/g, '…'],
]

/**
 * A provider's words as a person may see them: one line of at most 300 characters, without control characters and
 * without anything like a key. They stay a stranger's words.
 *
 * @param secret the key that was sent, which some servers repeat
 */
export function cleanReason(said: string, secret = ''): string {
  let text = said.slice(0, MAX_LOOKED_AT)
  if (secret.length >= 4) text = text.replaceAll(secret, '…')
  text = text.replace(UNSEEN, ' ').replace(/\s+/g, ' ')
  for (const [pattern, replacement] of KEYS) text = text.replace(pattern, replacement)
  const bare = text.trim().replace(/[\s.。]+$/u, '')
  return bare.length > MAX_REASON ? `${bare.slice(0, MAX_REASON - 1)}…` : bare
}

/**
 * The message in the body of an error: `error.message` (OpenAI), `error` (Ollama), `detail` (FastAPI), `message`, also
 * inside of a list (Google), or a plain text. A page of HTML or XML says nothing.
 */
export function messageIn(body: string): string | undefined {
  const text = body.trim()
  if (text.startsWith('<')) return undefined
  try {
    return messageOf(JSON.parse(text))
  } catch {
    // A document that was cut off is no sentence.
    return /^[[{]/.test(text) ? undefined : text
  }
}

function messageOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  const inner: readonly unknown[] = Array.isArray(value)
    ? value.slice(0, 1)
    : ['error', 'message', 'detail', 'msg'].map((key) =>
        Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined,
      )
  for (const one of inner) {
    const found = messageOf(one, depth + 1)
    if (found !== undefined && found.trim() !== '') return found
  }
  return undefined
}

/**
 * `provider/error` with a reason that always reads well.
 *
 * @param said the provider's own words, uncleaned
 */
export function providerError(
  status: string | number,
  { said, secret, cause }: { said?: string | undefined; secret?: string | undefined; cause?: unknown } = {},
): CompanionError {
  const reason = cleanReason(said ?? '', secret)
  return new CompanionError('provider/error', { status, reason: reason === '' ? NO_REASON : reason }, { cause })
}
