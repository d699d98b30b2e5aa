import { openModel } from './provider.ts'

import type { Log } from '../contract/index.ts'
import type { ProviderConfig } from './types.ts'

/** Milliseconds that a test may take: a model on this computer may have to be loaded first. */
const LIMIT = 60_000

const TEST_TOOL = {
  wireName: 'show_ready',
  description: 'Shows on the screen that everything works. Harmless.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string', description: 'One friendly word.' } },
    required: ['word'],
  },
}

/**
 * Asks a model for one short answer with one harmless tool.
 * @returns the time until the whole answer was there, its text, and whether the model called the tool.
 * @throws CompanionError `provider/*`.
 */
export async function testModel(
  provider: ProviderConfig,
  deps: { readonly fetch: typeof globalThis.fetch; readonly log: Log; readonly now: () => number },
  signal?: AbortSignal,
): Promise<{ latencyMs: number; text: string; calledTool: boolean }> {
  const step = openModel(provider, { ...deps, idleLimit: LIMIT })
  const startedAt = deps.now()
  const answer = await step({
    system:
      'You are being tested. Call the tool show_ready once with a friendly word, and say hello in one short sentence.',
    messages: [{ role: 'user', content: 'Are you there?' }],
    tools: [TEST_TOOL],
    signal: signal ?? new AbortController().signal,
    onText: () => undefined,
  })
  if (answer.failure) throw answer.failure
  return {
    latencyMs: deps.now() - startedAt,
    text: answer.text.trim().slice(0, 500),
    calledTool: answer.calls.some((call) => call.name === TEST_TOOL.wireName),
  }
}
