import { examplesOf } from './brain/examples.ts'
import { languageOf } from './brain/language.ts'

import type { JsonObject, Suggestion, ToolEntry } from '../contract/index.ts'
import type { BrainLanguage } from './brain/language.ts'

/** Tools whose example sentences are shown first: each shows another side of the robot. */
const FIRST = ['play_emotion', 'move_head', 'dance']

/**
 * Sentences that work with the enabled tools, for an empty chat: half of them for the body, the others for tools of
 * Spaces, the newest of which a person most wants to try.
 * @param count how many at most.
 */
export function suggestionsFor(tools: readonly ToolEntry[], count = 4, language: BrainLanguage = 'en'): Suggestion[] {
  const usable = tools.filter((tool) => tool.enabled && tool.available && !tool.system)
  const body = [...FIRST, 'sweep_look']
    .map((id) => usable.find((tool) => tool.id === id))
    .flatMap((tool) => (tool ? sentenceFor(tool, language) : []))
  const remote = usable.filter((tool) => tool.source !== 'built-in').flatMap((tool) => sentenceFor(tool, language))
  const fromSpaces = remote.slice(0, Math.max(Math.floor(count / 2), count - body.length))
  return [...body.slice(0, count - fromSpaces.length), ...fromSpaces].slice(0, count)
}

function sentenceFor(tool: ToolEntry, language: BrainLanguage): Suggestion[] {
  const examples = examplesOf(tool.shortName)
  const known =
    examples.find((example) => languageOf(example) === language) ?? (language === 'en' ? examples[0] : undefined)
  if (known !== undefined) return [{ text: known, toolId: tool.id }]
  if (tool.source === 'built-in') return []
  const generated = generate(tool)
  return generated === null ? [] : [{ text: generated, toolId: tool.id }]
}

/** A sentence for a tool that nobody knows: only where it can be filled without guessing. */
function generate(tool: ToolEntry): string | null {
  const properties = Object.entries((tool.parameters.properties ?? {}) as Record<string, JsonObject>)
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required : []
  const asked = properties.filter(([name]) => required.includes(name))
  const name = tool.shortName.replace(/[_-]+/g, ' ').trim()
  if (asked.length === 0 && properties.length === 0) return `Use ${name}`
  const [only] = asked.length === 1 ? asked : asked.length === 0 && properties.length === 1 ? properties : []
  if (!only || only[1].type !== 'string' || typeof only[1].format === 'string') return null
  const choice = Array.isArray(only[1].enum) ? only[1].enum[0] : undefined
  return `Use ${name} with “${typeof choice === 'string' ? choice : sample(only[0])}”`
}

function sample(parameter: string): string {
  if (/location|city|place|town|ville/i.test(parameter)) return 'Bordeaux'
  if (/query|question|topic|search|keyword/i.test(parameter)) return 'robots in space'
  if (/prompt|description/i.test(parameter)) return 'a small robot in the rain'
  return 'Hello from Reachy Mini'
}
