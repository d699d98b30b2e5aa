import { EMOTION_INTENTS, emotionWords } from '../robot/index.ts'

import type { JsonObject, JsonValue } from '../contract/index.ts'

/** Where a person's order ends and something else begins, in the three languages. */
const CLAUSES = /[.,;:!?\n。，；：！？、]+|\b(?:but|and|then|mais|et|puis)\b|但是?|然后|而且/u
/** A clause with one of these asks for no motion ("don't dance", "arrête de danser", "别跳舞"). */
const NEGATED =
  /\b(?:not|never|don'?t|doesn'?t|without|stop|quit|no more|no)\b|\bn'|\bne\b|\b(?:pas|sans|jamais|arrete[rz]?|stoppe)\b|不|别|没|勿|停|禁/u

/** Lower case, without accents, typographic apostrophes made plain. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll('’', "'").replaceAll('œ', 'oe').normalize('NFD').replace(/\p{M}/gu, '')

/** Words that ask for a tool of the body whatever its arguments are. */
const TOOLS: Readonly<Record<string, RegExp>> = {
  dance: /\bdanc(?:e|es|ing)\b|\bboogie\b|\bdans(?:e|es|er|ez|ons)\b|跳.{0,3}舞|舞蹈|段舞|支舞/u,
  sweep_look: /\blook (?:all )?(?:a)?round\b|\bsweep\b|\bautour\b|\bpartout\b|环顾|四处看|四周|看一圈/u,
  go_to_sleep:
    /\b(?:go to|time to|time for) (?:sleep|bed)\b|\bsleep now\b|\bgood ?night\b|\bdor(?:s|mir)\b|\bendors\b|\bbonne nuit\b|\bau lit\b|睡觉|睡吧|去睡|晚安|休息/u,
  remember: /\bremember\b|\bsouviens\b|\bretiens\b|\brappelle-toi\b|记住|记得/u,
  forget: /\bforget\b|\boublie\b|忘/u,
  volume_control: /\bvolume\b|\b(?:loud|quiet|soft)(?:er)?\b|\b(?:plus|moins) fort\b|\ble son\b|音量|大声|小声/u,
}
/** Any feeling will do: the person asks how the robot feels, or for a reaction. */
const ANY_FEELING =
  /\b(?:emotions?|emotional|feelings?|feel|react|reaction|mood|express(?:ion|ive)?)\b|\b(?:sentiments?|reagi[sr]|ressens|humeur|exprime[rz]?)\b|表情|情绪|心情|感觉|反应/u
/** Gestures that a feeling's clip makes and that its words do not name. */
const GESTURES: ReadonlyArray<readonly [RegExp, readonly string[]]> = [
  [
    /\bwav(?:e|es|ing)\b|\bcoucou\b|\bsalue[rz]?\b|\bsigne de la main\b|挥手|招手/u,
    ['greeting', 'goodbye', 'welcoming'],
  ],
  [/\bnod(?:s|ding)?\b|\bhoche[rz]?\b|点头/u, ['yes', 'yes_understanding']],
  [/\bshak(?:e|es|ing) your head\b|\bsecoue[rz]? la tete\b|摇头/u, ['no', 'no_sad', 'no_excited', 'no_firm']],
]
const LOOK =
  /\b(?:look|turn|face|glance|move|tilt|point)(?:s|ing)?\b|\b(?:regarde|tourne|leve|baisse|bouge|penche)[rsz]?\b|看|转|抬|低|朝|向/u
const DIRECTIONS: Readonly<Record<string, RegExp>> = {
  left: /\bleft\b|\bgauche\b|左/u,
  right: /\bright\b|\bdroite\b|右/u,
  up: /\b(?:up|upwards?|above|ceiling|sky)\b|\b(?:haut|plafond|ciel)\b|\b(?:leve[rsz]?) la tete\b|上|天花板|抬头/u,
  down: /\b(?:down|downwards?|below|floor)\b|\b(?:bas|terre|sol)\b|\b(?:baisse[rsz]?) la tete\b|下|地板|低头/u,
  front:
    /\b(?:front|forwards?|ahead|straight|cent(?:re|er)|back|at me)\b|\b(?:devant|tout droit|centre|face|moi)\b|前|中间|正面|看我|看着我/u,
}
/** Words of the table of feelings that ordinary sentences hold without meaning one. */
const ORDINARY = new Set(
  'no non yes oui not ok like help aide aider content dance danse anything whatever lost stop sure fine good right what 不 是 好 想 走 爱'.split(
    ' ',
  ),
)

/**
 * Whether a person's own words of this turn ask for a call of the body. Where they do not, a call after a stranger's answer
 * needs the person's yes. A table of words in English, French and Chinese: it is missed rather than guessed.
 */
export function asksFor(toolId: string, args: JsonObject, userText: string): boolean {
  const clauses = plain(userText)
    .split(CLAUSES)
    .filter((clause) => clause.trim() !== '' && !NEGATED.test(clause))
  return clauses.some((clause) => clauseAsks(toolId, args, clause.trim()))
}

function clauseAsks(toolId: string, args: JsonObject, clause: string): boolean {
  // Whoever writes the tool's own name means it.
  if (toolId.includes('_') && clause.replace(/[\s-]+/g, '_').includes(toolId)) return true
  switch (toolId) {
    case 'play_emotion':
      return ANY_FEELING.test(clause) || feelingAsked(args.emotion, clause)
    case 'move_head':
      return directionAsked(args.direction, clause)
    default:
      return Object.hasOwn(TOOLS, toolId) && TOOLS[toolId]!.test(clause)
  }
}

function feelingAsked(emotion: JsonValue | undefined, clause: string): boolean {
  if (typeof emotion !== 'string') return false
  // "laughing2" is a clip of the feeling that "laughing" tells.
  const wanted = plain(emotion).replace(/\d+$/, '').replaceAll('_', ' ').trim()
  const feelings = EMOTION_INTENTS.filter((intent) => intent.replaceAll('_', ' ') === wanted || tells(intent, wanted))
  const gestures = GESTURES.filter(([words]) => words.test(clause)).flatMap(([, intents]) => intents)
  return feelings.some((intent) => gestures.includes(intent) || tells(intent, clause))
}

/** Whether a text holds a word for a feeling. */
function tells(intent: (typeof EMOTION_INTENTS)[number], text: string): boolean {
  const framed = ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const { en, fr, 'zh-CN': zh } = emotionWords[intent]
  return [...en, ...fr, ...zh].some((word) => {
    const key = plain(word).replace(/[^\p{L}\p{N}]+/gu, ' ')
    if (ORDINARY.has(key)) return false
    return /\p{Script=Han}/u.test(key) ? text.includes(key) : framed.includes(` ${key} `)
  })
}

function directionAsked(direction: JsonValue | undefined, clause: string): boolean {
  if (typeof direction !== 'string' || !Object.hasOwn(DIRECTIONS, direction)) return false
  const short = clause.split(/\s+/).length <= 3 && clause.length <= 24
  return (short || LOOK.test(clause)) && DIRECTIONS[direction]!.test(clause)
}
