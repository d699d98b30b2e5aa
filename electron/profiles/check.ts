/** Problems of texts by themselves; pure. */
import { VOICES } from '../contract/index.ts'

import { DEFAULT_PLACEHOLDER, isKnownPlaceholder, placeholdersIn, resolveInstructions } from './instructions.ts'
import { parseTools, splitLines } from './tools-file.ts'

import type { FileProblem } from '../contract/index.ts'

/**
 * Characters above which realtime models are seen to follow a prompt less well
 * (https://github.com/pollen-robotics/reachy_mini_conversation_app/pull/162).
 */
export const LONG_PROMPT = 1_500

/** Duplicates, and what the robot's own app up to 0.10 does not understand: comments behind an ID, a byte order mark. */
export function checkTools(text: string): FileProblem[] {
  const file = 'tools.txt'
  const marks = splitLines(text).flatMap((line, index): FileProblem[] =>
    line.text.startsWith('\uFEFF') ? [{ file, line: index + 1, code: 'tools/bom' }] : [],
  )
  const lines = parseTools(text).flatMap(({ line, id, note, duplicate }): FileProblem[] => [
    ...(note === 'inline-comment' ? [{ file, line, code: 'tools/inline-comment' as const, details: { id } }] : []),
    ...(duplicate ? [{ file, line, code: 'tools/duplicate-line' as const, details: { id } }] : []),
  ])
  return [...marks, ...lines]
}

/** @param defaultPrompt what `[default_prompt]` stands for; in the profile `default` itself it stands for nothing. */
export function checkInstructions(profile: string, text: string, defaultPrompt: string): FileProblem[] {
  const file = 'instructions.txt'
  const unknown = placeholdersIn(text)
    .filter(({ name }) => !isKnownPlaceholder(name) || (profile === 'default' && name === DEFAULT_PLACEHOLDER))
    .map(
      ({ line, name }): FileProblem => ({
        file,
        line,
        code: 'profile/unknown-placeholder',
        details: { placeholder: `[${name}]` },
      }),
    )
  const characters = [...resolveInstructions(text, defaultPrompt)].length
  const long: FileProblem[] =
    characters > LONG_PROMPT
      ? [{ file, line: null, code: 'profile/long-prompt', details: { characters, limit: LONG_PROMPT } }]
      : []
  return [...unknown, ...long]
}

/** The robot app's name of a voice, whose case does not matter there; `undefined` for one that it does not have. */
export function knownVoice(voice: string): string | undefined {
  return VOICES.find((known) => known.toLowerCase() === voice.toLowerCase())
}

/** @param voice trimmed. */
export function checkVoice(voice: string | undefined): FileProblem[] {
  if (voice === undefined || knownVoice(voice) !== undefined) return []
  return [
    { file: 'voice.txt', line: null, code: 'profile/unknown-voice', details: { voice: shortened(voice), default: VOICES[0] } },
  ]
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
