import { bare, planFeeling, planOrder } from './body.ts'
import { fillArguments, withoutQuotes } from './fill.ts'
import { languageOf, withoutAccents } from './language.ts'
import { words } from './tokens.ts'

import type { JsonObject, ToolEntry } from '../../contract/index.ts'
import type { BodyContext, PlannedCall } from './body.ts'
import type { BrainLanguage } from './language.ts'
import type { Found, ToolIndex } from './search.ts'

/** What the brain makes of a sentence. */
export type Plan = { readonly language: BrainLanguage } & (
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[]; readonly feeling?: string }
  /** The right tool is clear, the arguments are not. */
  | { readonly kind: 'ask'; readonly tool: ToolEntry; readonly args: JsonObject; readonly missing: readonly string[] }
  | { readonly kind: 'small-talk' }
  | { readonly kind: 'nothing' }
)

/** A question that waits for its answer. */
export interface Pending {
  readonly toolId: string
  readonly args: JsonObject
  readonly missing: readonly string[]
}

export interface PlanContext extends BodyContext {
  readonly index: ToolIndex
  readonly tools: readonly ToolEntry[]
  /** Sanitised schemas by ID. */
  readonly schemaOf: (tool: ToolEntry) => JsonObject
  readonly pending?: Pending
}

const MAX_CLAUSES = 4
const CLAUSES =
  /\s*(?:[,;，；]\s*)?(?:\band then\b|\bthen\b|\band\b|\bet puis\b|\bpuis\b|\bensuite\b|\bet\b|然后|接着|再)\s*|\s*[,;，；]\s*/iu
/** Questions to the robot as a person; words like "love" in them are no feeling to show. */
const QUESTIONS =
  /^(how are you|how do you do|how is it going|what's up|who are you|what are you|what is your name|what's your name|what can you do|tell me (a joke|a story|something|about yourself)|are you (alive|real|a robot|human).*|do you (like|love|think|feel|know|remember).*|help|comment (ca va|vas-tu|allez-vous|tu t'appelles)|ca va|qui es-tu|que sais-tu faire|raconte(-| )moi .*|tu t'appelles comment|你好吗|你是谁|你叫什么.*|你会什么|你能做什么|讲个(笑话|故事).*)$/
const GREETINGS =
  /^(hi|hello|hey|good (morning|afternoon|evening)|bonjour|bonsoir|salut|coucou|你好|您好|早上好|晚上好|嗨)$/
/** A question about a feeling is no feeling, except how one looks. */
const ASKING =
  /^(?!how (do|would) you look|what (do|would) you look like)(what|why|who|whom|where|when|which|how|do|does|did|are|is|have|has|quoi|que|qu'|qui|pourquoi|comment|quand|est-ce|quel|quelle|penses-tu|es-tu|as-tu)\b|什么|为什么|怎么|谁|吗$|是不是/
const isSmallTalk = (sentence: string): boolean =>
  QUESTIONS.test(plainBare(sentence)) || GREETINGS.test(plainBare(sentence))
const plainBare = (sentence: string): string => withoutAccents(bare(sentence))

/** What to do with a sentence. Pure: nothing is called here. */
export function planSentence(sentence: string, context: PlanContext): Plan {
  const language = languageOf(sentence)
  const answered = context.pending && answerTo(context.pending, sentence, context)
  if (answered) return { language, kind: 'calls', calls: [answered] }
  return severalClauses(sentence, language, context) ?? oneClause(sentence, language, context)
}

/** "Look left, then wave goodbye": only when every part is clear by itself. */
function severalClauses(sentence: string, language: BrainLanguage, context: PlanContext): Plan | null {
  const clauses = sentence.split(CLAUSES).filter((clause) => clause.trim() !== '')
  if (clauses.length < 2 || clauses.length > MAX_CLAUSES) return null
  const calls = clauses.map((clause) => planOrder(clause, context) ?? feelingOrder(clause, context))
  return calls.every((part) => part !== null) ? { language, kind: 'calls', calls: calls.flat() } : null
}

/** A feeling that is asked for; one that is told ("I am happy and …") belongs to the whole sentence. */
function feelingOrder(clause: string, context: PlanContext): PlannedCall[] | null {
  if (bare(clause).split(' ').length > 4) return null
  const feeling = planFeeling(clause, context)
  return feeling ? [feeling.call] : null
}

function oneClause(sentence: string, language: BrainLanguage, context: PlanContext): Plan {
  const order = withoutQuotes(sentence)
  const [best] = context.index.search(order).filter(({ tool }) => !BODY.has(tool.id))
  if (best && best.named === 1) return callOf(best.tool, sentence, language, context)
  const calls = planOrder(order, context)
  if (calls) return { language, kind: 'calls', calls }
  if (best && best.named >= 0.5) return callOf(best.tool, sentence, language, context)
  const isQuestion = QUESTIONS.test(plainBare(sentence)) || ASKING.test(plainBare(sentence))
  const feeling = isQuestion ? null : planFeeling(sentence, context)
  if (feeling) return { language, kind: 'calls', calls: [feeling.call], feeling: feeling.intent }
  if (GREETINGS.test(plainBare(sentence))) return { language, kind: 'small-talk' }
  if (QUESTIONS.test(plainBare(sentence))) return { language, kind: 'small-talk' }
  if (best && isClear(best)) return callOf(best.tool, sentence, language, context)
  return { language, kind: 'nothing' }
}

/** Tools that have rules of their own, and the idle one, which is no answer to a person. */
const BODY = new Set([
  'play_emotion',
  'stop_emotion',
  'dance',
  'stop_dance',
  'move_head',
  'sweep_look',
  'go_to_sleep',
  'idle_do_nothing',
])

const isClear = ({ matched, covered }: Found): boolean =>
  (matched >= 2 && covered >= 0.4) || (matched >= 1 && covered >= 0.6)

function callOf(tool: ToolEntry, sentence: string, language: BrainLanguage, context: PlanContext): Plan {
  const parameters = context.schemaOf(tool)
  const { args, missing } = fillArguments({
    parameters,
    sentence,
    toolNames: [tool.shortName, tool.id, ...shortForms(tool)],
  })
  return missing.length === 0
    ? { language, kind: 'calls', calls: [{ id: tool.id, args }] }
    : { language, kind: 'ask', tool, args, missing }
}

/** "get-sum" is also called "sum". */
function shortForms(tool: ToolEntry): string[] {
  const rest = tool.shortName.replace(/^(get|do|run|make)[_-]/i, '')
  return rest === tool.shortName ? [] : [rest]
}

/** An answer to a question is short and says nothing that another tool would understand. */
function answerTo(pending: Pending, sentence: string, context: PlanContext): PlannedCall | null {
  const tool = context.tools.find(({ id }) => id === pending.toolId)
  const [name] = pending.missing
  if (!tool || pending.missing.length !== 1 || name === undefined) return null
  if (words(sentence).length > 8 || isSmallTalk(sentence) || planOrder(sentence, context)) return null
  const [other] = context.index.search(sentence)
  if (other && other.named === 1 && other.tool.id !== tool.id) return null
  const parameters = context.schemaOf(tool)
  const properties = parameters.properties as JsonObject
  const only = { ...parameters, properties: { [name]: properties[name] ?? {} }, required: [name] }
  const filled = fillArguments({
    parameters: only,
    sentence: `“${sentence.replace(/^(in|at|à|a|en|au|在)\s+/i, '').replace(/[\s.!?。！？]+$/u, '')}”`,
    toolNames: [],
  })
  const value = filled.args[name]
  return value === undefined ? null : { id: tool.id, args: { ...pending.args, [name]: value } }
}
