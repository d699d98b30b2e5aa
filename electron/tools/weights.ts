import { modelsOf } from './offer.ts'

import type { Registered } from './registered.ts'
import type { Registry } from './registry.ts'
import type { TokenCounter } from './tokens.ts'

/**
 * Estimated tokens that each tool adds to a request, by ID: name, description and schema as the request has them. What
 * cannot be used adds nothing.
 */
export async function weigh(registry: Registry, counter: TokenCounter): Promise<Record<string, number>> {
  const tokens: Record<string, number> = {}
  for (const tool of registry.tools) tokens[tool.id] = await weightOf(tool, registry, counter)
  return tokens
}

async function weightOf(tool: Registered, registry: Registry, counter: TokenCounter): Promise<number> {
  if (tool.problem) return 0
  let sum = 0
  for (const { wireName, description, parameters } of modelsOf(tool, registry).models) {
    // The form that OpenAI-compatible servers take; each server writes it into the prompt in its own way.
    const sent = { type: 'function', function: { name: wireName, description, parameters } }
    sum += await counter.count(JSON.stringify(sent))
  }
  return sum
}
