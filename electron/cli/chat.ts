import { CompanionError } from '../contract/index.ts'

import { asker } from './ask.ts'
import { flag, profileOf } from './context.ts'
import { plain } from './output.ts'
import { withRobot } from './robot.ts'

import type { ProviderConfig } from '../chat/index.ts'
import type { Command, CommandContext } from './context.ts'

/** What the flags say, on top of what is set up. A key only goes to the address it was set for. */
async function providerOf(context: CommandContext, profile: string): Promise<ProviderConfig> {
  const set = await context.companion.provider(profile)
  const kind =
    flag(context, 'provider') ?? (flag(context, 'base-url') || flag(context, 'model') ? 'openai-compatible' : set.kind)
  if (kind === 'offline') return { kind, baseUrl: '', model: '', key: null }
  if (kind !== 'openai-compatible') {
    throw new CompanionError('cli/usage', { reason: '--provider is offline or openai-compatible' })
  }
  const baseUrl = flag(context, 'base-url') ?? set.baseUrl
  const model = flag(context, 'model') ?? set.model
  if (baseUrl === '' || model === '') throw new CompanionError('provider/none')
  const environment = context.companion.host.env
  const key =
    baseUrl === set.baseUrl
      ? set.key
      : baseUrl === environment.OPENAI_BASE_URL
        ? (environment.OPENAI_API_KEY ?? null)
        : null
  return { kind, baseUrl, model, key }
}

export const chat: Command = async (context) => {
  const text = context.words[0]?.trim() ?? ''
  if (text === '') throw new CompanionError('cli/usage', { reason: 'chat needs a sentence.' })
  const profile = await profileOf(context)
  const provider = await providerOf(context, profile)
  const turn = await withRobot(context, () =>
    context.companion.chat.once({
      text,
      profile,
      provider,
      signal: context.signal,
      onText: (piece) => context.stream(piece),
      ...asker(context),
    }),
  )
  // The text went out while it came; this ends its last line.
  context.stream('\n')
  for (const call of turn.calls) context.progress(`${call.id}: ${plain(call.resultText, 200)}`)
  return {
    json: {
      text: turn.text,
      calls: turn.calls.map(({ id, arguments: args, resultText, isError, durationMs }) => ({
        id,
        arguments: args,
        result_text: resultText,
        is_error: isError,
        duration_ms: Math.round(durationMs),
      })),
      provider: turn.provider,
      ...(turn.model === null ? {} : { model: turn.model }),
    },
    text: [],
  }
}
