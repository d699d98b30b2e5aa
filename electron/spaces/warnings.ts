import type { ToolWarning } from '../contract/index.ts'

/** Zero-width, bidirectional control, soft hyphen, variation-selector-like and tag characters: text that a person does not see. */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/u

/** Phrases that talk to the model about more than the tool, in the languages that Spaces are written in most. */
const ORDERS = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|other|all|any|system|instructions?|rules?)\b/i,
  /\b(?:always|must|never)\b.{0,30}\b(?:call|run|invoke|mention|reveal)\b/i,
  /\bbefore\b.{0,30}\b(?:answering|responding|replying|any other|every)\b/i,
  /\b(?:do not|don't|never)\b.{0,30}\b(?:tell|inform|mention|show|reveal)\b.{0,30}\b(?:user|person|human|anyone)\b/i,
  /\b(?:system prompt|hidden instruction|developer message|<\/?(?:system|important|instructions?)>)/i,
  /\b(?:send|post|upload|forward|exfiltrate)\b.{0,50}\b(?:conversation|history|camera|picture|photo|token|password|secret|key)s?\b/i,
  /\b(?:ignore[sz]?|oublie[sz]?)\b.{0,40}\b(?:instructions?|consignes?|règles?)/i,
  /(?:忽略|无视|忘记).{0,20}(?:指令|指示|规则|提示)/,
]

/** Longer descriptions cost every request of the model and hide things. */
const LONG = 1_000

/**
 * What a person should look at before switching a tool on. Heuristics on remote text; they mark, they never decide.
 *
 * @param otherTools names that the text has no reason to mention: built-in tools and those of other Spaces
 */
export function warningsFor(description: string, schemaText: string, otherTools: readonly string[]): ToolWarning[] {
  const text = `${description}\n${schemaText}`
  const found: ToolWarning[] = []
  const visible = text.replace(new RegExp(INVISIBLE.source, 'gu'), '')
  if (ORDERS.some((pattern) => pattern.test(visible.replace(/\s+/g, ' ')))) found.push('gives-orders')
  if (otherTools.some((name) => mentions(visible, name))) found.push('names-other-tools')
  if (INVISIBLE.test(text)) found.push('invisible-characters')
  if (description.length > LONG) found.push('very-long')
  return found
}

/** Only names that are no ordinary word: with an underscore. `camera` or `dance` in a description mean the thing. */
function mentions(text: string, name: string): boolean {
  return name.includes('_') && new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`, 'i').test(text)
}

/**
 * Built-in tools of the robot whose names no description of a Space needs
 * (`pollen-robotics/reachy_mini_conversation_app`, tools folder).
 */
export const ROBOT_TOOLS: readonly string[] = [
  'move_head',
  'play_emotion',
  'stop_emotion',
  'stop_dance',
  'head_tracking',
  'do_nothing',
  'go_to_sleep',
  'idle_do_nothing',
  'task_status',
  'task_cancel',
  'sweep_look',
]

/** Names of other tools that a text mentions. */
export const otherToolsIn = (text: string, names: readonly string[]): string[] =>
  names.filter((name) => mentions(text, name))
