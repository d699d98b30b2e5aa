import { plain } from './output.ts'

import type { Approval, ApprovalAnswer, JsonValue } from '../contract/index.ts'
import type { CommandContext } from './context.ts'

/** Characters of the arguments that are shown before a person answers. */
const MAX_ARGUMENTS = 2_000

const WHY: Record<Approval['reason'], (approval: Approval) => string> = {
  'first-use': () => 'Nobody has allowed this tool as it is now.',
  tainted: ({ afterToolId = 'a tool' }) => `It follows from an answer of ${afterToolId}, not from your words.`,
  'runs-code': () => 'It is a program on this computer, so it asks each time.',
  writes: () => 'It can change or send something, so it asks each time.',
  senses: () => 'It sees or hears. Allowed once, it may until this command ends.',
  profile: () => 'This profile wants to be asked each time.',
}

/** The question in plain text, without characters that could move the cursor or hide something. */
export function questionOf(call: { toolId: string; arguments: JsonValue; approval: Approval }): string {
  const { toolId, approval } = call
  const json = JSON.stringify(call.arguments)
  const more = json.length > MAX_ARGUMENTS ? ` (${json.length} characters in all)` : ''
  const given = `${plain(json, MAX_ARGUMENTS)}${more}`
  const goes = whereTo(approval)
  const choices = approval.canAlways ? '[y]es, [a]lways, [N]o' : '[y]es, [N]o'
  const inside = approval.member === undefined ? '' : ` (${plain(approval.member)})`
  return `${plain(toolId)}${inside} ${given}\n${WHY[approval.reason](approval)} ${goes}\nAllow it? ${choices} `
}

/** The kind of tools that run as programs here, see `RISK_CLASSES`. */
const RUNS_CODE = 5

function whereTo({ goesTo, riskClass }: Approval): string {
  if (goesTo === undefined) return 'Nothing leaves this computer.'
  return riskClass === RUNS_CODE ? `Given to ${plain(goesTo, 200)}.` : `Sent to ${plain(goesTo)}.`
}

/** Everything but a clear yes is a no. */
export function answerOf(text: string, canAlways: boolean): ApprovalAnswer {
  const word = text.trim().toLowerCase()
  if (word === 'y' || word === 'yes') return 'once'
  return canAlways && (word === 'a' || word === 'always') ? 'always' : 'deny'
}

type Ask = (call: { toolId: string; arguments: JsonValue; approval: Approval }) => Promise<ApprovalAnswer>

/** Asks on the terminal; absent where there is none, and then calls that need a yes are refused. */
export function asker(context: CommandContext): { approve?: Ask } {
  const { ask, signal } = context
  if (ask === undefined) return {}
  return {
    approve: async (call) => answerOf(await ask(questionOf(call), signal), call.approval.canAlways),
  }
}
