import { pythonRepr } from './space-tools.ts'

import type { JsonObject, JsonValue } from '../../electron/contract/index.ts'
import type { ModelMessage, ModelRequest, ModelStep, ScriptedCall } from './model.ts'

type Tool = ModelRequest['tools'][number]['function']

/** Pause between words, ms: slow enough to see that text streams. */
const WORD_MS = 35

/** Feelings as `play_emotion` names them, and the words that stand for them. */
const FEELINGS: Readonly<Record<string, string>> = {
  happy: 'happy|joy|glad|cheerful|content|heureu|joie|开心|高兴',
  excited: 'excited|hooray|wonderful|super|génial|兴奋',
  loving: 'love|fond of|amour|aime|爱',
  grateful: 'thank|grateful|merci|谢谢',
  sad: 'sad|unhappy|cry|triste|难过|伤心',
  surprised: 'surpris|astonish|惊讶',
  amazed: 'amazed|wow|incroyable|哇',
  scared: 'scare|afraid|fear|fright|peur|害怕',
  angry: 'angry|furious|rage|colère|生气',
  confused: 'confused|puzzled|perdu|困惑',
  attentive: 'curious|listen|curieux|好奇',
  bored: 'bored|boring|ennui|无聊',
  tired: 'tired|exhausted|fatigu|累',
  sleepy: 'sleepy|yawn|sommeil|困',
  goodbye: 'goodbye|bye|au revoir|再见',
  greeting: 'hello|hi there|good morning|bonjour|salut|你好',
}

const DIRECTIONS: Readonly<Record<string, string>> = {
  left: 'left|gauche|左',
  right: 'right|droite|右',
  up: 'up|ceiling|haut|上',
  down: 'down|floor|bas|下',
  front: 'front|straight|ahead|devant|前',
}

const ZONES: Readonly<Record<string, string>> = {
  tokyo: 'Asia/Tokyo',
  paris: 'Europe/Paris',
  bordeaux: 'Europe/Paris',
  london: 'Europe/London',
  berlin: 'Europe/Berlin',
  beijing: 'Asia/Shanghai',
  shanghai: 'Asia/Shanghai',
  sydney: 'Australia/Sydney',
  montreal: 'America/Toronto',
  'new york': 'America/New_York',
  'san francisco': 'America/Los_Angeles',
}

/** Words that call for a tool whose name contains the key. */
const CALLS_FOR: ReadonlyArray<readonly [name: RegExp, words: RegExp]> = [
  [/get_weather$/, /weather|rain|umbrella|jacket|temperature|météo|天气/i],
  [/get_time$/, /\btime\b|o'clock|what day|heure|几点|时间/i],
  [/search_web$/, /search|look up|happening|what is on|find out|who is|what is a|news|cherche|搜索/i],
  [/__paint$/, /paint|draw|postcard|picture|dessine|画/i],
  [/next_departures$/, /train|departure|station|gare|火车/i],
  [/get_tides$/, /tide|high water|marée|潮/i],
  [/__scale$/, /recipe|scale|recette|食谱/i],
  [/__planets$/, /planet|planète|行星/i],
  [/__meteors$/, /meteor|shooting star|流星/i],
  [/^roll_dice$/, /\bdice\b|\bdés?\b|骰/i],
  [/^tea_timer$/, /\btea\b|timer|thé\b|茶/i],
  [/^free_space$/, /disk|free space|disque|磁盘/i],
  [/^dance$/, /dance|danse|跳舞/i],
  [/^move_head$/, /\blook (?:to the |to your )?(?:left|right|up|down|straight)|turn your head|regarde|看/i],
  [/^play_emotion$/, new RegExp(Object.values(FEELINGS).join('|'), 'i')],
  [/echo$/, /\becho\b/i],
  [/get_sum$/, /\bsum\b|\bplus\b|\d\s*\+\s*\d/i],
  [/get_tiny_image$/, /tiny image/i],
]

/**
 * A model of a few rules for trying the app without one: it calls the tools that the words ask for, several at once when
 * they ask for several, and puts their results into a sentence. Not a language model, and it says so.
 */
export function demoModel({ messages, tools }: ModelRequest): ModelStep {
  const results = lastResults(messages)
  if (results.length > 0) return { text: retold(results), chunkMs: WORD_MS }
  const asked = lastQuestion(messages)
  const offered = tools.map((tool) => tool.function)
  const calls = callsFor(asked, offered)
  if (calls.length === 0) return { text: smallTalk(asked, offered), chunkMs: WORD_MS }
  return { text: 'One moment.', toolCalls: calls, chunkMs: WORD_MS }
}

function callsFor(asked: string, tools: readonly Tool[]): ScriptedCall[] {
  const meant = CALLS_FOR.flatMap(([name, words]) => {
    const tool = words.test(asked) ? tools.find((one) => name.test(one.name)) : undefined
    return tool === undefined ? [] : [{ tool, words }]
  }).slice(0, 4)
  // "Weather in Paris and the time in Tokyo": each of several calls takes its arguments from its own part.
  const parts = meant.length > 1 ? asked.split(/\s+(?:and|et)\s+|[,;]\s*|和/) : [asked]
  return meant.map(({ tool, words }) => ({
    id: `call_${tool.name.slice(-30)}_${asked.length}`,
    name: tool.name,
    arguments: argumentsFor(parts.find((part) => words.test(part)) ?? asked, tool),
  }))
}

/** One value a property, out of the sentence; what stays unsaid is left out unless it is required. */
function argumentsFor(asked: string, tool: Tool): JsonObject {
  const { properties, required } = tool.parameters
  const needed = Array.isArray(required) ? required : []
  const entries = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) => {
    const value = isRecord(schema) ? valueFor(asked, name, schema, needed.includes(name)) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return fillNumbers(asked, Object.fromEntries(entries), tool)
}

function valueFor(asked: string, name: string, schema: JsonObject, required: boolean): JsonValue | undefined {
  if (Array.isArray(schema['enum'])) return choice(asked, name, schema['enum'], required)
  if (schema['type'] !== 'string') return undefined
  if (/timezone/.test(name)) return name.startsWith('compare') ? undefined : zone(asked)
  if (/location|place|city|coast|station/.test(name)) return place(asked) ?? (required ? 'Bordeaux' : undefined)
  return required ? rest(asked) : undefined
}

function choice(asked: string, name: string, choices: readonly JsonValue[], required: boolean): JsonValue | undefined {
  const words = name === 'direction' ? DIRECTIONS : name === 'emotion' ? FEELINGS : {}
  const meant = Object.entries(words).find(([, pattern]) => new RegExp(pattern, 'i').test(asked))?.[0]
  if (meant !== undefined) return meant
  const named = choices.find(
    (one) => typeof one === 'string' && new RegExp(`\\b${one.replaceAll('_', '[ _]')}\\b`, 'i').test(asked),
  )
  return named ?? (required ? choices[0] : undefined)
}

function fillNumbers(asked: string, filled: JsonObject, tool: Tool): JsonObject {
  const numbers = (asked.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
  const { properties, required } = tool.parameters
  for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    const numeric = isRecord(schema) && (schema['type'] === 'number' || schema['type'] === 'integer')
    if (!numeric || !Array.isArray(required) || !required.includes(name)) continue
    filled[name] = numbers.shift() ?? 1
  }
  return filled
}

function zone(asked: string): string {
  const city = Object.keys(ZONES).find((name) => asked.toLowerCase().includes(name))
  return city === undefined ? '' : (ZONES[city] ?? '')
}

function place(asked: string): string | undefined {
  const named = /\b(?:in|at|for|above|from|of|à)\s+((?:the\s+)?[A-ZÀ-Ý][\p{L}'-]*(?:[ -][A-ZÀ-Ý][\p{L}'-]*)*)/u.exec(
    asked,
  )?.[1]
  return named?.trim()
}

/** What is left of a request without its first words of asking. */
function rest(asked: string): string {
  const words = asked
    .replace(/^(?:please|could you|can you|would you|reachy)[\s,]+/i, '')
    .replace(/^(?:search(?: the web)?(?: for)?|look up|find out(?: about)?|paint|draw|echo|scale)\s+(?:me\s+)?/i, '')
    .replace(/[?.!]+$/, '')
    .trim()
  return words === '' ? asked.trim() : words
}

function lastQuestion(messages: readonly ModelMessage[]): string {
  return textOf(messages.findLast((message) => message.role === 'user')?.content ?? '')
}

/** Tool messages behind the last question, in order. */
function lastResults(messages: readonly ModelMessage[]): string[] {
  const from = messages.findLastIndex((message) => message.role === 'user')
  return messages.slice(from + 1).flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []))
}

function textOf(content: JsonValue): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join(' ')
}

function retold(results: readonly string[]): string {
  const told = results.map((result) => {
    if (/^Tool failed:|"error"/i.test(result)) return `That did not work: ${result.slice(0, 200)}`
    if (/"status"\s*:/.test(result)) return 'Done.'
    return result.trim().slice(0, 600) || 'Done.'
  })
  return [...new Set(told)].join('\n\n')
}

function smallTalk(asked: string, tools: readonly Tool[]): string {
  if (/\b(hello|hi|hey)\b|bonjour|你好/i.test(asked))
    return 'Hello! I am a demo model made of a few rules. Ask me for the weather, the time, a search, a feeling or a look to the left.'
  if (tools.length === 0)
    return 'No tool is enabled in this profile, so there is nothing I could do. Install one under Spaces.'
  const names = tools.slice(0, 6).map((tool) => tool.name.split('__').at(-1) ?? tool.name)
  return `I am a demo model made of a few rules and did not understand “${asked.slice(0, 80)}”. I can use: ${names.join(', ')}.`
}

function isRecord(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** For the terminal of the demo: what was asked and what was called. */
export function demoLine(request: ModelRequest, step: ModelStep): string {
  const calls = (step.toolCalls ?? []).map(
    (call) => `${call.name}(${typeof call.arguments === 'object' ? pythonRepr(call.arguments) : ''})`,
  )
  return `model: “${lastQuestion(request.messages).slice(0, 60)}” → ${calls.length > 0 ? calls.join(', ') : 'text'}`
}
