import { ROBOT_TOOLS, warningsFor } from '../spaces/index.ts'

import type { TextWarning } from '../contract/index.ts'

/** Characters of an answer that are looked through. */
const MAX_LOOKED_AT = 65_536

/**
 * How texts speak to a model instead of telling something, in English, French and Chinese: roles and marks of chat
 * templates, "you must now", orders to the body, "call the tool". They mark an answer; what may be called is decided
 * without them (see `permission.ts`).
 */
const ORDERS: readonly RegExp[] = [
  /(?:^|\n)\s*(?:#+\s*)?(?:\[|<|\*\*)?(?:system|developer|assistant|système|systeme|assistante?|系统|助手)(?:\]|>|\*\*)?\s*(?:prompt|message|note|提示|消息)?\s*[:：]/i,
  /<\|[a-z_]{2,30}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|instructions?|tool_call|function_calls?|important)\b/i,
  /\b(?:you|the (?:robot|assistant|model|ai)|reachy(?: mini)?)\s+(?:must|should|have to|has to|need to|are to|is to|will now|shall)\b.{0,40}\b(?:now|wave|dance|move|turn|look|nod|say|call|use|run|play|sleep|send|ignore|repeat)\b/i,
  /\b(?:now|then|next|immediately|please)[,:]?\s+(?:also\s+)?(?:wave|dance|nod|move (?:your|the)|turn (?:your|the|to)|look (?:up|down|left|right|around)|play (?:the|an?)\b|call (?:the|your)|use (?:the|your) tool|run (?:the|your) tool|go to sleep|shake your|raise your|say (?:that|to|“|"))/i,
  /\b(?:new|updated|real|actual) (?:instructions?|orders?|task|rules?)\b\s*[:：]?/i,
  /\b(?:call|use|invoke|trigger|execute)\b.{0,20}\b(?:tool|function)s?\b/i,
  /\b(?:maintenant|ensuite|puis|immédiatement|immediatement)\s*[,:]?\s+(?:tu dois|vous devez|fais|faites|danse|dansez|salue|saluez|bouge|bougez|tourne|tournez|regarde|regardez|dis|dites|appelle|appelez|utilise|utilisez)(?![\p{L}])/iu,
  /\b(?:tu dois|vous devez|le robot doit|l[’']assistant doit)\b.{0,40}(?:appeler|danser|bouger|saluer|tourner|regarder|dire|utiliser|exécuter|ignorer|envoyer)/i,
  /\b(?:appelle|appelez|utilise|utilisez|lance|lancez|exécute|exécutez)\b.{0,20}(?:outil|fonction)/i,
  /\b(?:nouvelles|vraies) (?:instructions|consignes)\b/i,
  /(?:现在|接着|然后|立即|立刻|马上|请).{0,6}(?:挥手|招手|跳舞|跳个舞|点头|摇头|转头|抬头|低头|看向|调用|执行|播放|睡觉|告诉|发送|说出|说)/,
  /(?:你|机器人|助手)(?:必须|应该|需要|现在要|要立刻).{0,20}(?:挥手|跳舞|移动|转|看|说|调用|执行|发送|忽略)/,
  /(?:调用|使用|执行).{0,12}(?:工具|函数)|新的?(?:指令|指示|任务)\s*[:：]/,
]

/**
 * What a person should know about a stranger's answer. `gives-orders` and `names-other-tools` mean that it may try to steer
 * the model. A long answer is nothing to warn of.
 *
 * @param text as it came, invisible characters included.
 */
export function answerWarnings(text: string): TextWarning[] {
  const looked = text
    .slice(0, MAX_LOOKED_AT)
    // Joined pictographs and places to break a word hide nothing.
    .replace(/(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu, '')
    .replaceAll('\u00ad', '')
  const found = new Set(warningsFor(looked, '', ROBOT_TOOLS).filter((warning) => warning !== 'very-long'))
  // Zero-width characters inside words hide an order from the patterns as well as from a person.
  const bare = looked.replace(/[\p{Cf}\u034f\u115f\u1160\u3164]+/gu, '').normalize('NFKC')
  if (ORDERS.some((pattern) => pattern.test(bare))) found.add('gives-orders')
  for (const warning of warningsFor(bare, '', ROBOT_TOOLS)) if (warning !== 'very-long') found.add(warning)
  return [...found]
}

export const isSteering = (warnings: readonly TextWarning[]): boolean =>
  warnings.includes('gives-orders') || warnings.includes('names-other-tools')
