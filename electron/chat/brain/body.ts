import { emotionWords, EMOTION_INTENTS } from '../../robot/index.ts'

import { withoutAccents } from './language.ts'

import type { JsonObject } from '../../contract/index.ts'

/** One call that the brain has decided on. */
export interface PlannedCall {
  readonly id: string
  readonly args: JsonObject
}

export interface BodyContext {
  readonly enabled: ReadonlySet<string>
  readonly dances: readonly string[]
}

const plain = (sentence: string): string =>
  withoutAccents(sentence.toLowerCase())
    .replaceAll('’', "'")
    .replace(/[!?.,;:。！？，；：…"“”«»]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const POLITE =
  /^((please|hey|ok|okay|now|and|then|so|reachy( mini)?|can you|could you|would you|will you|i want you to|i'd like you to|s'il te plait|s'il vous plait|peux-tu|peux tu|tu peux|pourrais-tu|et|puis|ensuite|maintenant|alors|请|麻烦|帮我|你能|你可以|能不能|可以|然后|再|接着)\s*,?\s*)+/

/** A clause without the words that only make it polite. */
export function bare(sentence: string): string {
  return plain(sentence)
    .replace(POLITE, '')
    .replace(/(\s+(please|now|for me|s'il te plait|s'il vous plait|stp|svp)|吗|吧|一下|好吗)+$/, '')
    .trim()
}

type Direction = 'left' | 'right' | 'up' | 'down' | 'front'

const DIRECTION_WORDS: ReadonlyArray<[Direction, RegExp]> = [
  ['left', /\bleft\b|\bgauche\b|左/],
  ['right', /\bright\b|\bdroite\b|右/],
  ['up', /\b(up|upwards?|above|ceiling|sky)\b|\b(en haut|vers le haut|au plafond|le plafond|le ciel)\b|上|天花板/],
  ['down', /\b(down|downwards?|below|floor)\b|\b(en bas|vers le bas|par terre|le sol)\b|下|地板/],
  [
    'front',
    /\b(front|forward|forwards|ahead|straight|centre|center|back( at| to)? me|at me)\b|\b(devant|tout droit|au centre|en face|regarde-?\s?moi)\b|前|中间|正面|看我|看着我/,
  ],
]
const LOOK =
  /\b(look|turn|face|glance|move|tilt|point)\b|\b(regarde|regarder|tourne|tourner|leve|baisse|bouge)\b|看|转|抬头|低头|朝|向/

function direction(text: string): Direction | undefined {
  if (/抬头|leve (la|ta) tete/.test(text)) return 'up'
  if (/低头|baisse (la|ta) tete/.test(text)) return 'down'
  if (/^(back|back (to|at) me|straight ahead|tout droit|reviens vers moi)$/.test(text)) return 'front'
  const found = DIRECTION_WORDS.find(([, pattern]) => pattern.test(text))?.[0]
  if (!found) return undefined
  const short = text.split(' ').length <= 3 && text.length <= 24
  const asked = LOOK.test(text) && text.split(' ').length <= 9
  // A direction alone is an order only where nothing else is said: "left", "to the right", "左边".
  const alone = short && /^(to the |the |a |vers la |la |à la |往|向|朝)?\S+( side)?$/.test(text)
  return asked || alone ? found : undefined
}

const AROUND =
  /\blook (all )?around\b|\bsweep\b|\bregarde (autour|partout)|\bautour de toi\b|环顾|四处看|看看四周|看一圈/
const STOP =
  /^(stop|halt|freeze|enough|stop (it|that|moving|now|everything|the music)|hold still|arrete|arrete-toi|arrete toi|stoppe|ca suffit|ne bouge plus|停|停下|停止|停下来|别动|住手|够了)$/
const STOP_DANCE = /\b(stop|quit|end|no more)\b.*\b(danc|dance)|\barrete\b.*\bdans|停.*舞|别跳/
const STOP_EMOTION =
  /\b(stop|quit|end)\b.*\b(emotion|feeling|laugh|cry|crying)|\barrete\b.*\b(emotion|rire|pleurer)|停.*(表情|情绪)|别(笑|哭)/
const SLEEP =
  /^(go to sleep|go to bed|sleep|sleep now|good night|goodnight|time to sleep|time for bed|va dormir|va te coucher|dors|endors-toi|endors toi|bonne nuit|au lit|去睡觉|睡觉|睡觉吧|睡吧|去睡吧|晚安|休息)( reachy( mini)?)?$/
const DANCE =
  /^(do |show( me)? |let's see |make |start |perform )?(a |your |the |some |little |nice |another )*(danc(e|es|ing)|boogie)\b|^let's dance|^(fais|montre(-| )moi|fais(-| )moi)( voir)? (une |ta |la |un peu de )?(petite )?danse|^danse|^(跳|来)?.{0,4}(跳舞|跳个舞|舞蹈|支舞|段舞)/

const REPEATS: ReadonlyArray<[RegExp, number]> = [
  [/\btwice\b|\bdeux fois\b|两次|两遍|(^|\D)2\s*(times|fois|次|遍)/, 2],
  [/\bthree times\b|\btrois fois\b|三次|三遍|(^|\D)3\s*(times|fois|次|遍)/, 3],
  [/\bfour times\b|\bquatre fois\b|四次|四遍|(^|\D)4\s*(times|fois|次|遍)/, 4],
]

/** Orders to the body that are meant as such: stop, look, sleep, dance. `null` when the clause is none. */
export function planOrder(sentence: string, context: BodyContext): PlannedCall[] | null {
  const text = bare(sentence)
  const has = (id: string): boolean => context.enabled.has(id)
  const stops = stopIds(text).filter(has)
  if (stops.length > 0) return stops.map((id) => ({ id, args: {} }))
  if (SLEEP.test(text) && has('go_to_sleep')) return [{ id: 'go_to_sleep', args: {} }]
  if (AROUND.test(text) && has('sweep_look')) return [{ id: 'sweep_look', args: {} }]
  const where = has('move_head') ? direction(text) : undefined
  if (where) return [{ id: 'move_head', args: { direction: where } }]
  if (has('dance')) return dance(text, context)
  return null
}

function stopIds(text: string): string[] {
  if (STOP_DANCE.test(text)) return ['stop_dance']
  if (STOP_EMOTION.test(text)) return ['stop_emotion']
  return STOP.test(text) ? ['stop_emotion', 'stop_dance'] : []
}

function dance(text: string, context: BodyContext): PlannedCall[] | null {
  const squashed = text.replace(/[^a-z0-9]+/g, '')
  const move = context.dances.find((name) => squashed.includes(name.replace(/[^a-z0-9]+/g, '')))
  if (!move && !DANCE.test(text)) return null
  const repeat = REPEATS.find(([pattern]) => pattern.test(text))?.[1]
  return [{ id: 'dance', args: { ...(move ? { move } : {}), ...(repeat ? { repeat } : {}) } }]
}

interface Feeling {
  readonly intent: string
  /** Letters of the words that tell it. */
  readonly length: number
}

/** Words of the emotion table that ordinary sentences contain without meaning a feeling. */
const AMBIGUOUS = new Set([
  'no',
  'non',
  'yes',
  'oui',
  'not',
  'ok',
  'like',
  'help',
  'aide',
  'aider',
  'content',
  'dance',
  'danse',
  'anything',
  'whatever',
  'lost',
  'stop',
  '不',
  '是',
  '好',
  '想',
  '走',
  '爱',
])
const OPPOSITE: Readonly<Record<string, string>> = {
  happy: 'sad',
  excited: 'sad',
  loving: 'sad',
  sad: 'calming',
  angry: 'calming',
  scared: 'calming',
  anxious: 'calming',
}
const NEGATED = /\b(not|never|don't|isn't|aren't|am not|no longer)\b|\bn'?e? ?\S+ (pas|plus|jamais)\b|\bpas\b|不|没/

/**
 * The feeling that a sentence names in English, French or Chinese, and how to show it. Longer words win, so that
 * "no way" is not "no"; a plain "yes" or "no" counts only when it is the whole sentence.
 */
export function planFeeling(sentence: string, context: BodyContext): { call: PlannedCall; intent: string } | null {
  if (!context.enabled.has('play_emotion')) return null
  const text = bare(sentence)
  const framed = ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  let best: Feeling | undefined
  for (const intent of EMOTION_INTENTS) {
    const known = emotionWords[intent]
    for (const word of [...known.en, ...known.fr, ...known['zh-CN'], intent]) {
      const key = withoutAccents(word.toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ')
      const whole = key === text
      if (!whole && AMBIGUOUS.has(key)) continue
      const found = /\p{Script=Han}/u.test(key) ? text.includes(key) : framed.includes(` ${key} `)
      const length = whole ? 1_000 : key.length
      if (found && (!best || length > best.length)) best = { intent, length }
    }
  }
  if (!best) return null
  const intent = NEGATED.test(text) && best.length < 1_000 ? (OPPOSITE[best.intent] ?? best.intent) : best.intent
  return { call: { id: 'play_emotion', args: { emotion: intent } }, intent }
}
