import { CompanionError } from '../contract/index.ts'

import { baseAddress } from './address.ts'
import { providerFetch } from './provider-fetch.ts'
import { providerError } from './said.ts'

import type { JsonObject, JsonValue, Log } from '../contract/index.ts'
import type { FetchReport } from './provider-fetch.ts'
import type { ProviderConfig } from './types.ts'
import type { ModelMessage, ToolSet } from 'ai'

/** A tool as the request names it. */
export interface OfferedTool {
  readonly wireName: string
  readonly description: string
  readonly parameters: JsonObject
}

export interface StepRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly OfferedTool[]
  /** `none`: the model must answer in words. */
  readonly toolChoice?: 'auto' | 'none'
  readonly signal: AbortSignal
  readonly onText: (text: string) => void
}

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly callId: string
  readonly name: string
  /** Parsed where it was JSON, else the text as it came. */
  readonly input: JsonValue
  /** Opaque data that some providers want back with the call (Gemini's thought signatures). */
  readonly providerOptions?: Record<string, JsonObject>
}

export interface StepAnswer {
  readonly text: string
  /** Whole calls in the order of the model. Their IDs are the model's: some repeat, in one turn or in the next. */
  readonly calls: readonly WrittenCall[]
  /** The stream ended otherwise than well; what is here was received before. Calls are empty then. */
  readonly failure?: CompanionError
}

/** One request to a model and its streamed answer. */
export type ModelStep = (request: StepRequest) => Promise<StepAnswer>

export interface ModelDeps {
  readonly fetch: typeof globalThis.fetch
  readonly log: Log
  /** Milliseconds of silence after which a stream counts as dropped. */
  readonly idleLimit?: number
}

/**
 * Opens a model behind an OpenAI-compatible address. The libraries are loaded with the first request.
 * @throws CompanionError `provider/none`, `provider/bad-address`.
 */
export function openModel(config: ProviderConfig, deps: ModelDeps): ModelStep {
  const baseURL = baseAddress(config.baseUrl)
  const modelId = config.model.trim()
  if (modelId === '') throw new CompanionError('provider/none')
  return (request) => runStep({ baseURL, modelId, key: config.key, deps, request })
}

interface Step {
  readonly baseURL: string
  readonly modelId: string
  readonly key: string | null
  readonly deps: ModelDeps
  readonly request: StepRequest
}

async function runStep({ baseURL, modelId, key, deps, request }: Step): Promise<StepAnswer> {
  const [{ streamText, jsonSchema, tool }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ])
  const report: FetchReport = {}
  const provider = createOpenAICompatible({
    name: 'companion',
    baseURL,
    ...(key ? { apiKey: key } : {}),
    fetch: providerFetch(deps.fetch, report, deps.idleLimit),
  })
  // Without `execute`, so that the loop is ours; an empty list is left out because servers refuse `"tools": []`.
  const tools: ToolSet = Object.fromEntries(
    request.tools.map(({ wireName, description, parameters }) => [
      wireName,
      tool({ description, inputSchema: jsonSchema<JsonObject>(parameters as Parameters<typeof jsonSchema>[0]) }),
    ]),
  )
  let text = ''
  let failure: CompanionError | undefined
  const calls: WrittenCall[] = []
  try {
    const stream = streamText({
      model: provider.chatModel(modelId),
      system: request.system,
      messages: [...request.messages],
      ...(request.tools.length > 0 ? { tools, toolChoice: request.toolChoice ?? 'auto' } : {}),
      maxRetries: 0,
      abortSignal: request.signal,
      // Errors also come as parts of the stream; the default handler writes them to the console.
      onError: () => undefined,
    })
    for await (const part of stream.fullStream) {
      if (part.type === 'text-delta') {
        text += part.text
        request.onText(part.text)
      } else if (part.type === 'tool-call') {
        calls.push(written(part))
      } else if (part.type === 'error') {
        failure ??= asFailure(part.error, report)
      }
    }
  } catch (error) {
    if (!request.signal.aborted) failure ??= asFailure(error, report)
  }
  if (request.signal.aborted) return { text, calls: [] }
  failure = report.failure ?? failure
  if (failure) {
    deps.log.warn('the model did not answer well', { code: failure.code, cause: causeOf(failure) })
    return { text, calls: [], failure }
  }
  return { text, calls }
}

function written(part: {
  toolCallId: string
  toolName: string
  input: unknown
  providerMetadata?: unknown
}): WrittenCall {
  return {
    callId: part.toolCallId,
    name: part.toolName,
    input: (part.input ?? null) as JsonValue,
    ...(part.providerMetadata ? { providerOptions: part.providerMetadata as Record<string, JsonObject> } : {}),
  }
}

function asFailure(error: unknown, report: FetchReport): CompanionError {
  if (report.failure) return report.failure
  if (error instanceof CompanionError) return error
  return providerError('unreadable', { cause: error })
}

/** What the server said, for the log and for finding the tool that it refuses; never shown as it is. */
export function causeOf(error: CompanionError): string {
  return error.cause instanceof Error ? error.cause.message.slice(0, 1_000) : ''
}
