import { EMOTION_INTENTS, INTENT_CLIPS, NAMED_CLIPS, RANDOM_POOL } from './intents.ts'
import { emotionWords } from './words.ts'

import type { EmotionIntent } from './intents.ts'

/** Words that together mean a nuance of yes or no which either alone would lose. */
const PAIRS: readonly (readonly [string, string, Exclude<EmotionIntent, 'random'>])[] = [
  ['no', 'sad', 'no_sad'],
  ['no', 'excited', 'no_excited'],
  ['no', 'firm', 'no_firm'],
  ['yes', 'understanding', 'yes_understanding'],
]

/** Lower case ASCII words joined by `_`, accents dropped: the form in which names are compared. */
export function keyOf(text: string): string {
  return text
    .replaceAll('’', "'")
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

interface Phrase {
  readonly text: string
  readonly intent: EmotionIntent
}

interface Lexicon {
  /** Latin phrases by key. */
  readonly exact: ReadonlyMap<string, EmotionIntent>
  /** Longest first, so that "no way" wins over "no". */
  readonly latin: readonly Phrase[]
  readonly chinese: readonly Phrase[]
}

function buildLexicon(): Lexicon {
  const exact = new Map<string, EmotionIntent>()
  const latin: Phrase[] = []
  const chinese: Phrase[] = []
  for (const intent of EMOTION_INTENTS) {
    const words = emotionWords[intent]
    for (const word of [...words.en, ...words.fr]) {
      const key = latinKey(word)
      if (!exact.has(key)) exact.set(key, intent)
      latin.push({ text: `_${key}_`, intent })
    }
    for (const text of words['zh-CN']) chinese.push({ text, intent })
  }
  const longestFirst = (a: Phrase, b: Phrase): number => b.text.length - a.text.length
  return { exact, latin: latin.sort(longestFirst), chinese: chinese.sort(longestFirst) }
}

/** As {@link keyOf}, with the ligature that has no decomposition spelled out. */
function latinKey(text: string): string {
  return keyOf(text.toLowerCase().replaceAll('œ', 'oe'))
}

const LEXICON = buildLexicon()

/** The feeling that a word or a short phrase in English, French or Chinese means; `null` when none is in it. */
export function intentInWords(text: string): EmotionIntent | null {
  const key = latinKey(text)
  const exact = LEXICON.exact.get(key)
  if (exact !== undefined) return exact
  const words = new Set(key.split('_'))
  const pair = PAIRS.find(([a, b]) => words.has(a) && words.has(b))
  if (pair !== undefined) return pair[2]
  const chinese = LEXICON.chinese.find((phrase) => text.includes(phrase.text))
  if (chinese !== undefined) return chinese.intent
  const framed = `_${key}_`
  return LEXICON.latin.find((phrase) => framed.includes(phrase.text))?.intent ?? null
}

const isIntent = (key: string): key is EmotionIntent => (EMOTION_INTENTS as readonly string[]).includes(key)

/**
 * The clip to play for what a model or a person called a feeling: a clip's own name, an intent, or words in one of the
 * interface's languages; anything else is drawn at random, so that an emotion is never refused. The order of the rules
 * is the one of pollen-robotics/reachy_mini_conversation_app; words come after its exact names.
 *
 * @param available names of the emotion clips there are, not empty
 * @param random a number from 0 up to, not including, 1
 */
export function resolveEmotion(intent: string, available: readonly string[], random: () => number): string {
  const draw = (): string => {
    const pool = RANDOM_POOL.filter((name) => available.includes(name))
    const from = pool.length > 0 ? pool : available
    return from[Math.floor(random() * from.length)] ?? ''
  }
  const firstOf = (name: EmotionIntent): string =>
    (name === 'random' ? undefined : INTENT_CLIPS[name].find((clip) => available.includes(clip))) ?? draw()

  const text = intent.trim()
  const key = keyOf(text)
  if (key === 'random' || text === '') return draw()
  const clip = available.find((name) => NAMED_CLIPS.has(name) && keyOf(name) === key)
  if (clip !== undefined) return clip
  if (isIntent(key)) return firstOf(key)
  const meant = intentInWords(text)
  return meant === null ? draw() : firstOf(meant)
}
