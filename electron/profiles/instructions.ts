/**
 * instructions.txt: the prompt of a profile. A line `[name]` stands for a text of its own, as in the robot's app up to
 * 0.8; later versions send such a line to the model as it is, so unknown ones are reported.
 */
import { newlineOf, pythonStrip, splitBom } from './tools-file.ts'

import type { InstructionsPart } from './types.ts'

const PLACEHOLDER = /^\[([A-Za-z0-9/_-]+)\]$/

/** Stands for the prompt of the profile `default`. */
export const DEFAULT_PLACEHOLDER = 'default_prompt'

/** Our own words for the texts that the robot's app once shipped under these names. */
export const KNOWN_TEXTS: Readonly<Record<string, string>> = {
  'identities/basic_info':
    'You are Reachy Mini, a small white desktop robot, open source, made by Pollen Robotics with Hugging Face. ' +
    'Your head moves freely in all directions, your body turns, and you have two antennas and two eyes of different ' +
    'size. You have no mouth and no arms.',
  'identities/witty_identity':
    'You have a dry, sarcastic wit with a warm heart. You tease, you never hurt, and you keep it short. ' +
    'You speak English unless asked for another language.',
  'behaviors/silent_robot':
    'Never speak and never write text. Answer only by moving: emotions, head movements and dances.',
  passion_for_lobster_jokes: 'You are strangely fond of lobsters and slip in a lobster joke now and then.',
}

/** In force when even the profile `default` has no text that can be read. */
export const BUILT_IN_PROMPT =
  'You are Reachy Mini, a small friendly desktop robot. Answer in one or two short spoken sentences, in English unless ' +
  'asked otherwise, and use your tools when they help.'

export interface PlaceholderLine {
  /** From 1. */
  readonly line: number
  readonly name: string
}

/** Lines of the source that are a placeholder as a whole, known or not. */
export function placeholdersIn(source: string): PlaceholderLine[] {
  return linesOf(source).flatMap((line, index) => {
    const name = placeholderOf(line)
    return name === null ? [] : [{ line: index + 1, name }]
  })
}

export function isKnownPlaceholder(name: string): boolean {
  return name === DEFAULT_PLACEHOLDER || Object.hasOwn(KNOWN_TEXTS, name)
}

/**
 * The text that the model gets, in pieces: `\n` line ends, placeholders replaced once and not in what replaces them.
 * Unknown ones stay as they are. Joined with `\n` and trimmed they are {@link resolveInstructions}.
 * @param defaultPrompt what `[default_prompt]` stands for.
 */
export function instructionsParts(source: string, defaultPrompt: string): InstructionsPart[] {
  const parts: InstructionsPart[] = []
  for (const line of linesOf(source)) {
    const part = partOf(line, defaultPrompt)
    const last = parts.at(-1)
    if (part.origin === 'profile' && last?.origin === 'profile') {
      parts[parts.length - 1] = { origin: 'profile', text: `${last.text}\n${line}` }
    } else parts.push(part)
  }
  return parts
}

function partOf(line: string, defaultPrompt: string): InstructionsPart {
  const name = placeholderOf(line)
  if (name === DEFAULT_PLACEHOLDER) return { origin: 'default', name, text: defaultPrompt }
  const text = name !== null && Object.hasOwn(KNOWN_TEXTS, name) ? KNOWN_TEXTS[name] : undefined
  return name === null || text === undefined
    ? { origin: 'profile', text: line }
    : { origin: 'placeholder', name, text }
}

/** The text that the model gets, trimmed. */
export function resolveInstructions(source: string, defaultPrompt: string): string {
  return pythonStrip(joinParts(instructionsParts(source, defaultPrompt)))
}

export function joinParts(parts: readonly InstructionsPart[]): string {
  return parts.map(({ text }) => text).join('\n')
}

/**
 * The source with its placeholders replaced, for good; every other byte as it was. A text of several lines gets the line
 * ending that the line had, or the one that the source has most of.
 */
export function writeOutPlaceholders(source: string, defaultPrompt: string): string {
  const { bom, body } = splitBom(source)
  const newline = newlineOf(body)
  return (
    bom +
    body.replace(/([^\r\n]*)(\r\n|\n|\r|$)/g, (whole: string, line: string, ending: string) => {
      const part = partOf(line, defaultPrompt)
      if (part.origin === 'profile') return whole
      return part.text.replaceAll('\n', ending === '' ? newline : ending) + ending
    })
  )
}

function placeholderOf(line: string): string | null {
  return PLACEHOLDER.exec(pythonStrip(line))?.[1] ?? null
}

function linesOf(source: string): string[] {
  return source.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
}
