import { carriedAnswer } from './carried.ts'
import { asksFor } from './own-words.ts'

import type { Approval, JsonObject } from '../contract/index.ts'
import type { Registered } from './registered.ts'
import type { Taint } from './types.ts'

/** Index into `RISK_CLASSES`: inert, moves, reads online, senses, writes, runs code. */
export type RiskClass = 0 | 1 | 2 | 3 | 4 | 5

/**
 * Tools of the robot that do no harm whatever made the model call them (stopping among them), and those that see and
 * hear. Every other one moves the body or changes something that stays.
 */
const INERT: ReadonlySet<string> = new Set([
  'idle_do_nothing',
  'stop_emotion',
  'stop_dance',
  'robot_status',
  'task_status',
  'task_cancel',
])
const SENSES: ReadonlySet<string> = new Set(['camera', 'head_tracking'])

/** What a tool is by its source. A server's own hints can only raise it (MCP 2025-06-18, "Tool annotations are untrusted"). */
export function riskOf(tool: Pick<Registered, 'id' | 'source' | 'runsHere' | 'destructive'>): RiskClass {
  switch (tool.source) {
    case 'built-in':
      if (INERT.has(tool.id)) return 0
      return SENSES.has(tool.id) ? 3 : 1
    case 'local':
      return 5
    case 'space':
    case 'server':
      if (tool.runsHere === true) return 5
      return tool.destructive === true ? 4 : 2
  }
}

export type Decision = { readonly kind: 'allow' } | { readonly kind: 'ask'; readonly approval: Approval }

const ALLOW: Decision = { kind: 'allow' }

type Asked = Pick<Registered, 'id' | 'shortName' | 'source' | 'origin' | 'runsHere' | 'destructive' | 'consented'>

export interface Circumstances {
  /** What strangers answered before in the conversation; absent when nothing was read. */
  readonly taint?: Taint | undefined
  /** The profile wants a question before every call. */
  readonly askEachTime?: boolean
  /** A person allowed this tool for the conversation. */
  readonly granted?: boolean
}

/**
 * Whether a call may run by itself. Decided here by rules, never by a model and never by what a server says of itself. What
 * a profile says can only add a question.
 *
 * @param tool with `consented`: a person allowed it for good as it is now.
 * @param args checked arguments.
 */
export function decide(tool: Asked, args: JsonObject, circumstances: Circumstances = {}): Decision {
  const decision = decideByClass(tool, args, circumstances)
  if (circumstances.askEachTime !== true) return decision
  if (decision.kind === 'ask' && LASTING[decision.approval.reason] !== true) return decision
  return askFor(tool, 'profile')
}

/** Reasons whose yes would hold longer than one call. */
const LASTING: Readonly<Partial<Record<Approval['reason'], true>>> = { 'first-use': true, senses: true }

function askFor(tool: Asked, reason: Approval['reason'], more: Partial<Approval> = {}): Decision {
  const goesTo = tool.source === 'built-in' ? {} : { goesTo: tool.origin }
  return { kind: 'ask', approval: { reason, riskClass: riskOf(tool), ...goesTo, canAlways: false, ...more } }
}

function decideByClass(tool: Asked, args: JsonObject, { taint, granted }: Circumstances): Decision {
  const riskClass = riskOf(tool)
  const ask = (reason: Approval['reason'], more: Partial<Approval> = {}): Decision => askFor(tool, reason, more)
  switch (riskClass) {
    case 0:
      return ALLOW
    case 1:
      if (taint === undefined || asksFor(tool.id, args, taint.userText)) return ALLOW
      return ask('tainted', { afterToolId: taint.afterToolId })
    case 3:
      if (granted !== true) return ask('senses')
      // A yes to the person's own wish to be seen is none to a stranger's.
      if (taint === undefined || asksFor(tool.id, args, taint.userText)) return ALLOW
      return ask('tainted', { afterToolId: taint.afterToolId })
    case 4:
      return ask('writes')
    case 5:
      return ask('runs-code')
    case 2: {
      const carried = taint && outboundTaint(tool.origin, args, taint)
      // A tool that was never allowed keeps the question that "always" can answer only where nothing else is in doubt.
      if (carried !== undefined) return ask('tainted', { afterToolId: carried })
      return tool.consented === true ? ALLOW : ask('first-use', { canAlways: true })
    }
  }
}

/**
 * Whose answer makes a call to somebody else doubtful: one that a piece of the arguments comes from, or one that tries to
 * steer the model. What goes back to where it came from tells nobody anything.
 */
function outboundTaint(origin: string, args: JsonObject, taint: Taint): string | undefined {
  const elsewhere = (taint.answers ?? []).filter((answer) => answer.origin !== origin)
  const doubtful = carriedAnswer(args, elsewhere, taint.userText) ?? elsewhere.find(({ suspicious }) => suspicious)
  return doubtful?.toolId
}
