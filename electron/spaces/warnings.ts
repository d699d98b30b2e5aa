import { givesOrders } from './orders.ts'
import { foldLetters, hidesCharacters, imitatesLetters, visibleText } from './visible-text.ts'

import type { ToolWarning } from '../contract/index.ts'

/** Longer descriptions cost every request of the model and hide things. UTF-16 units. */
const LONG = 1_000
/** Of one text that is looked at; what is longer is marked for that already. */
const MAX_TEXT = 80_000

/**
 * What a person should look at before switching a tool on. Heuristics on remote text; they mark, they never decide.
 *
 * @param otherTools names that the text has no reason to mention: built-in tools and those of other Spaces
 */
export function warningsFor(description: string, schemaText: string, otherTools: readonly string[]): ToolWarning[] {
  const text = `${description}\n${wordsOf(schemaText)}`.slice(0, MAX_TEXT)
  const found: ToolWarning[] = []
  if (givesOrders(text)) found.push('gives-orders')
  if (otherToolsIn(text, otherTools).length > 0) found.push('names-other-tools')
  if (hidesCharacters(text) || imitatesLetters(text)) found.push('invisible-characters')
  if (description.length > LONG) found.push('very-long')
  return found
}

/** JSON with its escapes read, so that a sentence in a schema is one: `ignore\nprevious`, `\u200b`. */
function wordsOf(schemaText: string): string {
  return schemaText
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[nrt]/g, ' ')
}

/** An identifier without what programs put between its words: `go_to_sleep`, `go-to-sleep` and `goToSleep` are one. */
const keyOf = (name: string): string => foldLetters(name).replace(/[^a-z0-9]/g, '')

/**
 * Names of other tools that a text mentions. Only those that are no ordinary word, with an underscore: `camera` or `dance`
 * in a description mean the thing.
 */
export function otherToolsIn(text: string, names: readonly string[]): string[] {
  const words = new Set((visibleText(text).match(/[\p{L}\p{N}_-]+/gu) ?? []).map(keyOf))
  return [...new Set(names)].filter((name) => /[A-Za-z0-9]_[A-Za-z0-9]/.test(name) && words.has(keyOf(name)))
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
