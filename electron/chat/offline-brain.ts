import { brain } from '../strings/brain.ts'
import { fill } from '../strings/index.ts'
import { isOnlyLeftOut } from '../tools/index.ts'

import { answerFor } from './brain/answer.ts'
import { planSentence } from './brain/plan.ts'
import { createToolIndex } from './brain/search.ts'
import { newCallMemory, runCalls } from './calls.ts'
import { suggestionsFor } from './suggestions.ts'

import type { Log, ToolEntry } from '../contract/index.ts'
import type { Robot } from '../robot/index.ts'
import type { Tools } from '../tools/index.ts'
import type { BrainLanguage } from './brain/language.ts'
import type { Pending, Plan } from './brain/plan.ts'
import type { ToolIndex } from './brain/search.ts'
import type { AskForCall, CallEnd } from './calls.ts'
import type { TurnEnd, TurnScreen } from './loop.ts'

export interface BrainTurn {
  readonly sentence: string
  readonly profile: string
  readonly screen: TurnScreen
  readonly signal: AbortSignal
  /** The question that the last answer ended with. */
  readonly pending: Pending | null
  readonly denied: Set<string>
  readonly granted: Set<string>
  readonly approve?: AskForCall
}

export interface OfflineBrain {
  /** Finds the tools for a sentence, runs them and says what they answered. */
  run(turn: BrainTurn, ended?: (end: CallEnd) => void): Promise<{ end: TurnEnd; pending: Pending | null }>
}

export interface BrainDeps {
  readonly tools: Pick<Tools, 'list' | 'find' | 'call' | 'forModel'>
  readonly robot: Pick<Robot, 'moves'>
  readonly log: Log
  readonly now: () => number
}

/**
 * Answers without a language model and without network: it finds the enabled tool that a sentence means, fills the
 * arguments where the schema makes that safe, runs it and repeats what it said. It does not pretend to converse.
 */
export function createOfflineBrain(deps: BrainDeps): OfflineBrain {
  let cached: { key: string; index: Promise<ToolIndex> } | undefined
  let counter = 0

  const indexOf = (version: number, profile: string, tools: readonly ToolEntry[]): Promise<ToolIndex> => {
    const key = `${version}\n${profile}\n${tools.map(({ id }) => id).join('\n')}`
    if (cached?.key !== key) cached = { key, index: createToolIndex(tools) }
    return cached.index
  }

  const decide = async (turn: BrainTurn): Promise<{ plan: Plan; tools: readonly ToolEntry[] }> => {
    const [list, offered] = await Promise.all([deps.tools.list(turn.profile), deps.tools.forModel(turn.profile)])
    const tools = list.tools
      .filter(
        (tool) =>
          tool.enabled &&
          !tool.system &&
          tool.permission !== 'refuse' &&
          (tool.available || isOnlyLeftOut(tool.problem)),
      )
      .flatMap(insideOf)
    const schemas = new Map(offered.map((tool) => [tool.member ?? tool.id, tool.parameters]))
    const dances = deps.robot.moves().filter(({ kind }) => kind === 'dance')
    const plan = planSentence(turn.sentence, {
      index: await indexOf(list.version, turn.profile, tools),
      tools,
      schemaOf: (tool) => schemas.get(tool.id) ?? tool.parameters,
      enabled: new Set(tools.map(({ id }) => id)),
      dances: dances.map(({ name }) => name),
      ...(turn.pending ? { pending: turn.pending } : {}),
    })
    return { plan, tools }
  }

  const say = (turn: BrainTurn, text: string): void => turn.screen.text(text)

  return {
    async run(turn, ended = () => undefined) {
      const { plan, tools } = await decide(turn)
      if (turn.signal.aborted) return { end: { state: 'stopped' }, pending: null }
      if (plan.kind === 'calls') {
        await runPlanned(deps, turn, plan, () => `offline_${(counter += 1)}`, ended)
        return { end: { state: turn.signal.aborted ? 'stopped' : 'done' }, pending: null }
      }
      const texts = brain[plan.language]
      if (plan.kind === 'ask') {
        say(turn, fill(texts.ask, { tool: plan.tool.shortName, missing: plan.missing.join(', ') }))
        return { end: { state: 'done' }, pending: { toolId: plan.tool.id, args: plan.args, missing: plan.missing } }
      }
      if (tools.length === 0) say(turn, texts.noTools)
      else say(turn, `${plan.kind === 'small-talk' ? texts.smallTalk : texts.nothing}${hint(plan.language, tools)}`)
      return { end: { state: 'done' }, pending: null }
    },
  }
}

/** The tools of a file that offers several, each by the name it is called by. */
function insideOf(tool: ToolEntry): ToolEntry[] {
  const members = tool.file?.members ?? []
  if (members.length < 2) return [tool]
  return members.map(({ name, description, parameters }) => ({
    ...tool,
    id: name,
    shortName: name,
    description,
    parameters,
  }))
}

function hint(language: BrainLanguage, tools: readonly ToolEntry[]): string {
  const [first] = suggestionsFor(tools, 1, language)
  return first ? ` ${fill(brain[language].tryThis, { example: first.text })}` : ''
}

async function runPlanned(
  deps: BrainDeps,
  turn: BrainTurn,
  plan: Plan & { kind: 'calls' },
  nextId: () => string,
  ended: (end: CallEnd) => void,
): Promise<void> {
  const offered = await deps.tools.forModel(turn.profile)
  const ordered = new Set(offered.filter((tool) => tool.ordered).map((tool) => tool.id))
  const ends = await runCalls(
    plan.calls.map(({ id, args }) => ({ callId: nextId(), name: id, input: { ...args } })),
    1,
    {
      ...deps,
      profile: turn.profile,
      screen: turn.screen,
      signal: turn.signal,
      memory: newCallMemory(),
      // Nothing that it calls comes out of an answer: it goes by the person's words alone.
      denied: turn.denied,
      granted: turn.granted,
      ...(turn.approve ? { approve: turn.approve } : {}),
      isOrdered: (id) => ordered.has(id),
    },
  )
  ends.forEach(ended)
  if (turn.signal.aborted) return
  const answers = ends.map((end) => answerFor(end, plan.language, plan.feeling))
  turn.screen.text([...new Set(answers)].join(plan.calls.length > 1 && plan.language !== 'zh-CN' ? ' ' : '\n'))
}
