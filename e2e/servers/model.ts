import { listenOnLoopback, logged, pause, readBody, sendHtml, sendJson, type LoggedRequest } from './http.ts'
import { completionJson, streamEvents, type ModelStep } from './model-wire.ts'

import type { JsonObject, JsonValue } from '../../electron/contract/index.ts'
import type { ServerResponse } from 'node:http'

export type { ModelFault, ModelStep, ScriptedCall } from './model-wire.ts'

export interface ModelMessage {
  readonly role: string
  readonly content: JsonValue
  readonly tool_calls?: ReadonlyArray<{ id: string; type: string; function: { name: string; arguments: string } }>
  readonly tool_call_id?: string
}

export interface ModelRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
  readonly messages: readonly ModelMessage[]
  /** Names of the offered tools. */
  readonly toolNames: readonly string[]
  readonly tools: ReadonlyArray<{
    type: string
    function: { name: string; description?: string; parameters: JsonObject }
  }>
  readonly stream: boolean
  /** `performance.now()`, ms. */
  readonly at: number
}

export type ModelScript =
  readonly ModelStep[] | ((request: ModelRequest, index: number) => ModelStep | Promise<ModelStep>)

export interface ModelOptions {
  /** Required as `Authorization: Bearer`; default: any or none. */
  key?: string
  /** Answers of `/v1/models`. Default `stand-in`. */
  models?: readonly string[]
  /** 400 for requests that the strictest providers refuse: see {@link strictProblem}. */
  strict?: boolean
  port?: number
}

export interface StandInModel {
  /** Base URL with `/v1`. */
  readonly url: string
  /** Requests to `/chat/completions` that were well-formed enough to read. */
  readonly requests: ModelRequest[]
  readonly log: LoggedRequest[]
  /** What strict mode refused. */
  readonly refused: string[]
  /** Answers that the client closed before their end. */
  readonly aborted: number
  /** Replaces what comes next; a list starts anew. */
  script(next: ModelScript): void
  close(): Promise<void>
}

/** A model endpoint after OpenAI's chat completions API (https://platform.openai.com/docs/api-reference/chat), driven by a script. */
export async function startModel(script: ModelScript, options: ModelOptions = {}): Promise<StandInModel> {
  const requests: ModelRequest[] = []
  const log: LoggedRequest[] = []
  const refused: string[] = []
  let current = script
  let index = 0
  let aborted = 0

  async function nextStep(request: ModelRequest): Promise<ModelStep | undefined> {
    const at = index++
    return typeof current === 'function' ? current(request, at) : current[at]
  }

  const server = await listenOnLoopback(async (request, response) => {
    const body = (await readBody(request)).toString('utf8')
    log.push(logged(request, body))
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      return sendError(response, 401, 'Incorrect API key provided.', 'invalid_api_key')
    }
    if (path === '/v1/models') {
      const data = (options.models ?? ['stand-in']).map((id) => ({
        id,
        object: 'model',
        created: 1_760_000_000,
        owned_by: 'stand-in',
      }))
      return sendJson(response, 200, { object: 'list', data })
    }
    if (path !== '/v1/chat/completions' || request.method !== 'POST')
      return sendError(response, 404, 'Not found', 'not_found')
    const asked = readRequest(body, logged(request, '').headers)
    requests.push(asked)
    const problem = options.strict === true ? strictProblem(asked) : null
    if (problem !== null) {
      refused.push(problem)
      return sendError(response, 400, problem, 'invalid_request_error')
    }
    const step = await nextStep(asked)
    if (step === undefined) return sendError(response, 400, 'the script has no step left', 'script_exhausted')
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1
    })
    await play(step, asked, response)
  }, options.port)

  return {
    url: `${server.url}/v1`,
    requests,
    log,
    refused,
    get aborted() {
      return aborted
    },
    script(next) {
      current = next
      index = 0
    },
    close: () => server.close(),
  }
}

function readRequest(text: string, headers: Readonly<Record<string, string>>): ModelRequest {
  const body = JSON.parse(text) as JsonObject
  const tools = (body['tools'] ?? []) as unknown as ModelRequest['tools']
  return {
    headers,
    body,
    messages: (body['messages'] ?? []) as unknown as readonly ModelMessage[],
    tools,
    toolNames: tools.map((tool) => tool.function.name),
    stream: body['stream'] === true,
    at: performance.now(),
  }
}

/**
 * What OpenAI's own endpoint refuses: a tool call without its tool message right behind it, a tool message without its
 * call, content of a tool message that is no string, more than 128 tools, names outside `[a-zA-Z0-9_-]{1,64}`, equal
 * names, parameters that are no object schema.
 */
export function strictProblem(request: ModelRequest): string | null {
  return messageProblem(request.messages) ?? toolProblem(request.tools)
}

function messageProblem(messages: readonly ModelMessage[]): string | null {
  let open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.tool_call_id === undefined || !open.delete(message.tool_call_id)) {
        return `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${message.tool_call_id ?? '(no id)'}`
      }
      if (typeof message.content !== 'string') return 'content of a tool message must be a string'
      continue
    }
    if (open.size > 0) return unanswered(open)
    const ids = (message.tool_calls ?? []).map((call) => call.id)
    if (new Set(ids).size !== ids.length) return 'duplicate tool_call ids in one message'
    open = new Set(ids)
  }
  return open.size > 0 ? unanswered(open) : null
}

function unanswered(ids: ReadonlySet<string>): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...ids].join(', ')}`
}

function toolProblem(tools: ModelRequest['tools']): string | null {
  if (tools.length > 128) return `array too long: ${tools.length} tools`
  const names = tools.map((tool) => tool.function.name)
  const bad = names.find((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
  if (bad !== undefined) return `tool name '${bad}' does not match '^[a-zA-Z0-9_-]{1,64}$'`
  if (new Set(names).size !== names.length) return 'tools: Tool names must be unique.'
  const shapeless = tools.find(
    ({ function: { parameters } }) => parameters['type'] !== 'object' || parameters['properties'] === undefined,
  )
  return shapeless === undefined
    ? null
    : `Invalid schema for function '${shapeless.function.name}': In context=(), object schema missing properties`
}

async function play(step: ModelStep, request: ModelRequest, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  if (step.delayMs !== undefined) await pause(step.delayMs, gone.signal)
  switch (step.fault) {
    case 'unauthorized':
      return sendError(response, 401, 'Incorrect API key provided: sk-***.', 'invalid_api_key')
    case 'rate-limited':
      return sendError(response, 429, 'Rate limit reached', 'rate_limit_exceeded', { 'retry-after': '30' })
    case 'http500':
      return sendError(response, 500, 'The server had an error', 'server_error')
    case 'bad-request':
      return sendError(response, 400, step.message ?? 'Invalid request', 'invalid_request_error')
    case 'html':
      return sendHtml(response, 200, 'Sign in to the network')
    case 'reset':
      return void response.destroy()
    case 'stall':
      return pause(600_000, gone.signal)
    default:
  }
  if (!request.stream) return sendJson(response, 200, completionJson(step))
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for (const event of streamEvents(step)) {
    if (gone.signal.aborted) return
    if ('cut' in event) return void setTimeout(() => response.destroy(), 20)
    if ('waitMs' in event) await pause(event.waitMs, gone.signal)
    else
      response.write(`data: ${event.json}

`)
  }
  response.end()
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, { error: { message, type: code, param: null, code } }, headers)
}
