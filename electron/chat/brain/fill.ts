import { withoutAccents } from './language.ts'
import { words } from './tokens.ts'

import type { JsonObject, JsonValue } from '../../contract/index.ts'

export interface Filled {
  readonly args: JsonObject
  /** Required parameters that the sentence does not tell. */
  readonly missing: readonly string[]
}

export interface FillRequest {
  /** Sanitised schema. */
  readonly parameters: JsonObject
  readonly sentence: string
  /** Names by which the sentence may call the tool: its short name and its ID. */
  readonly toolNames: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly schema: JsonObject
  readonly required: boolean
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Fills the arguments of a tool from a sentence where that is safe: numbers in their order, a choice that is named, and
 * one free text. Several free texts are taken only when the sentence quotes that many. Everything optional is left out.
 */
export function fillArguments(request: FillRequest): Filled {
  const parameters = parametersOf(request.parameters)
  const args: Record<string, JsonValue> = {}
  const choices = fillChoices(parameters, request.sentence, args)
  const numeric = parameters.filter(
    ({ schema, required }) => required && (schema.type === 'number' || schema.type === 'integer'),
  )
  const texts = parameters.filter(
    ({ name, schema, required }) => required && schema.type === 'string' && !schema.enum && !(name in args),
  )
  const numbers = numbersIn(request.sentence)
  if (numbers.length >= numeric.length) numeric.forEach(({ name }, k) => (args[name] = numbers[k]!))
  const quoted = quotesIn(request.sentence)
  if (texts.length > 1 && quoted.length === texts.length) {
    texts.forEach(({ name }, k) => (args[name] = quoted[k]!))
  } else if (texts.length === 1) {
    const [{ name, schema }] = texts as [Parameter]
    const value = objectOf(request, name, schema, [...choices, ...(numeric.length > 0 ? numbers.map(String) : [])])
    if (value !== '') args[name] = value
  }
  return {
    args,
    missing: parameters.filter(({ name, required }) => required && !(name in args)).map(({ name }) => name),
  }
}

/**
 * Gradio before 6.23 told no parameter as required; the one text without a default is then what the tool is about.
 */
function parametersOf(schema: JsonObject): Parameter[] {
  const declared = Array.isArray(schema.required) ? schema.required : []
  const all = Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([name, property]) =>
    isObject(property) ? [{ name, schema: property, required: declared.includes(name) }] : [],
  )
  const open = all.filter(({ schema: own }) => own.type === 'string' && !own.enum && own.default === undefined)
  if (declared.length > 0 || open.length !== 1) return all
  return all.map((parameter) => ({ ...parameter, required: parameter.name === open[0]!.name }))
}

/** Choices and switches that the sentence names. */
function fillChoices(parameters: readonly Parameter[], sentence: string, args: Record<string, JsonValue>): string[] {
  const said = ` ${words(sentence).join(' ')} `
  const used: string[] = []
  for (const { name, schema, required } of parameters) {
    if (Array.isArray(schema.enum)) {
      const named = schema.enum
        .filter((value) => typeof value === 'string')
        .filter((value) => value !== '' && said.includes(` ${words(value).join(' ')} `))
        .sort((a, b) => b.length - a.length)[0]
      if (named === undefined) continue
      args[name] = named
      used.push(named)
    } else if (schema.type === 'boolean' && required) {
      if (/ (on|true|yes|oui|allume|active|开|是) /.test(said)) args[name] = true
      else if (/ (off|false|no|non|eteins|desactive|关|否) /.test(said)) args[name] = false
    }
  }
  return used
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  un: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  sept: 7,
  huit: 8,
  neuf: 9,
  dix: 10,
  零: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
}

/** Numbers in the order they are said, digits and small number words. */
export function numbersIn(sentence: string): number[] {
  const found =
    withoutAccents(sentence.toLowerCase()).match(/(?<![\p{L}\p{N}.])[-−]?\d+(?:[.,]\d+)?|\p{Script=Han}|\p{L}+/gu) ?? []
  return found.flatMap((part) => {
    if (/\d/.test(part)) return [Number(part.replace('−', '-').replace(',', '.'))]
    return Object.hasOwn(NUMBER_WORDS, part) ? [NUMBER_WORDS[part]!] : []
  })
}

const QUOTES = /"([^"]+)"|“([^”]+)”|«\s*([^»]+?)\s*»|「([^」]+)」|『([^』]+)』|(?<=^|\s)'([^']+)'(?=$|[\s.,!?])/g

function quotesIn(sentence: string): string[] {
  return [...sentence.matchAll(QUOTES)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
}

/** A sentence without what it quotes: quoted words are given to a tool, they do not choose one. */
export function withoutQuotes(sentence: string): string {
  return sentence.replace(QUOTES, ' ')
}

const PLACE = /^(location|city|place|town|address|country|region|where|ville|lieu|destination|station|area)(_?name)?$/i
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Words about time at the end of a place: "in Bordeaux today". */
const TIME_WORDS =
  /[\s,]*\b(today|tonight|tomorrow|now|right now|currently|at the moment|this (morning|afternoon|evening|week|weekend)|please|like|aujourd['’]hui|demain|maintenant|ce (soir|matin|week-end)|cet après-midi|en ce moment|s['’]il (te|vous) pla[iî]t|stp|svp)\s*$/i
const END = /[\s.,;:!?。！？，、…]+$/u
const DANGLING = /\s+(?:in|at|for|near|of|à|a|en|au|aux|pour|de|du)\s*$/iu
const START = /^[\s.,;:!?。！？，、…]+/u

function tidy(text: string): string {
  let before: string
  let now = text
  do {
    before = now
    now = now.replace(END, '').replace(START, '').replace(TIME_WORDS, '').replace(DANGLING, '')
  } while (now !== before)
  return now
}

/** What a sentence is about: the quoted words, the place, or what is left when the order itself is taken away. */
function objectOf(request: FillRequest, name: string, schema: JsonObject, used: readonly string[]): string {
  const [quoted] = quotesIn(request.sentence)
  if (quoted !== undefined) return quoted
  const isPlace =
    PLACE.test(name) ||
    (typeof schema.description === 'string' && /\b(city|place|town) name\b/i.test(schema.description))
  let text = request.sentence.trim()
  for (const value of used)
    text = text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escape(value)}(?![\\p{L}\\p{N}])`, 'iu'), ' ')
  text = withoutToolPhrases(text, request.toolNames)
  if (/\p{Script=Han}/u.test(text)) return chineseObject(text, isPlace)
  return isPlace ? placeIn(text) : tidyObject(withoutOrder(text, request.toolNames))
}

/** "with echo", "use the echo tool to", "avec echo", "用 echo". */
function withoutToolPhrases(text: string, toolNames: readonly string[]): string {
  const forms = toolNames.flatMap((name) => [name, name.replace(/[_-]+/g, ' ')]).map(escape)
  const tool = `(?:${[...new Set(forms)].sort((a, b) => b.length - a.length).join('|')})`
  return text
    .replace(
      new RegExp(
        `[\\s,]*\\b(?:with|using|via|through|by|avec|par)\\s+(?:the\\s+|l['’]outil\\s+)?${tool}(?:\\s+tool)?(?=$|[\\s.,!?])`,
        'i',
      ),
      '',
    )
    .replace(
      new RegExp(
        `^\\s*(?:please\\s+)?(?:use|call|run|utilise|appelle|lance)\\s+(?:the\\s+|l['’]outil\\s+)?${tool}(?:\\s+tool)?[\\s:,]*(?:to|for|with|on|and|pour|avec|sur|et)?\\s*`,
        'i',
      ),
      '',
    )
    .replace(new RegExp(`(?:请)?(?:用|使用)\\s*${tool}\\s*(?:工具)?`, 'i'), '')
}

/** The last "in …", "at …", "à …" of a sentence, else a name with a capital letter after the first word. */
function placeIn(text: string): string {
  const clean = tidy(text)
  const after =
    /^.*(?:^|\s)(?:in|at|for|near|around|of|à|a|au|aux|en|pour|vers|chez|sur|de|du)\s+(?:the city of\s+|la ville de\s+)?(.+)$/i.exec(
      clean,
    )?.[1]
  if (after) {
    const place = tidy(after)
    // "for a walk", "of the day": a common noun is no place.
    if (!/^(a|an|the|me|my|you|today|un|une|le|la|les|moi|toi|rain|weather)\b/i.test(place)) return place
  }
  const named = /(?<=\s)(\p{Lu}[\p{L}'’-]+(?:[\s,]+\p{Lu}[\p{L}'’-]+)*)/u.exec(clean)?.[1]
  if (named && !/^(I|I'm|I’m)$/.test(named)) return named
  const rest = clean
    .split(/\s+/)
    .filter(
      (word) =>
        !/^(the|weather|forecast|temperature|météo|meteo|la|le|quel|quelle|temps|fait-il|what|what's|what’s|is|how|how's|show|tell|me|get|please|est|il|fait)$/i.test(
          word,
        ),
    )
  return rest.length > 0 && rest.length <= 3 && rest.length < clean.split(/\s+/).length ? tidy(rest.join(' ')) : ''
}

const POLITE =
  /^(?:please|hey|ok|okay|reachy(?: mini)?|can you|could you|would you|will you|i want you to|i['’]d like you to|i want to|s['’]il te pla[iî]t|s['’]il vous pla[iî]t|peux-tu|tu peux|pourrais-tu|pouvez-vous|je veux|je voudrais)[\s,]+/i
const ORDER =
  /^(?:search|look|google|find|browse|check|tell|show|give|get|say|repeat|echo|speak|read|write|print|send|post|draw|paint|make|create|generate|translate|count|explain|remember|cherche|recherche|trouve|dis|répète|repete|lis|écris|ecris|envoie|dessine|peins|crée|cree|génère|genere|fais|traduis|compte|explique|montre|donne|retiens)\b/i
const AFTER_ORDER =
  /^[\s,:]*(?:-?(?:me|moi|us|nous)\b\s*)?(?:(?:up|out)\b\s*)?(?:(?:on |sur )?(?:the |le |l['’])?(?:web|internet|online|en ligne)\b\s*)?(?:for\b|about\b|that\b|of\b|après\b|pour\b|sur\b|que\b)?[\s:,]*/i

function withoutOrder(text: string, toolNames: readonly string[]): string {
  let rest = text.trim()
  while (POLITE.test(rest)) rest = rest.replace(POLITE, '')
  const own = new RegExp(
    `^(?:${toolNames
      .flatMap((name) => [name, name.replace(/[_-]+/g, ' ')])
      .map(escape)
      .join('|')})(?=$|[\\s:,])`,
    'i',
  )
  if (own.test(rest)) return rest.replace(own, '').replace(AFTER_ORDER, '')
  if (ORDER.test(rest)) return rest.replace(ORDER, '').replace(AFTER_ORDER, '')
  return rest
}

function tidyObject(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\s.!。！]+$/u, '')
    .replace(START, '')
    .replace(/\?$/, '')
    .trim()
}

const CHINESE_FRAME =
  /请问|请|帮我|帮忙|麻烦你|麻烦|我想知道|我想|我要|你能|能不能|可以|告诉我|给我|看看|查一查|查一下|查询|查找|查|搜索一下|搜索|搜一下|搜|找一下|找|重复|说一遍|说|念|画一张|画一个|画|翻译一下|翻译|一下|吗|呢|吧|。|？|！|，|,|\?|!/g
const CHINESE_PLACE =
  /今天|明天|现在|今晚|后天|这里|的|天气预报|天气|气温|温度|怎么样|怎样|如何|多少度|多少|会不会|会|下雨|冷不冷|热不热|冷|热|在|是|什么|要不要|需要|带|伞|外套|穿/g

function chineseObject(text: string, isPlace: boolean): string {
  const bareText = text.replace(CHINESE_FRAME, ' ')
  return (isPlace ? bareText.replace(CHINESE_PLACE, ' ') : bareText.replace(/关于|有关/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}
