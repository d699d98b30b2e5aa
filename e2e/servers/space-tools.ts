import { readFileSync } from 'node:fs'
import path from 'node:path'

import { pause } from './http.ts'

import type { JsonObject, JsonValue } from '../../electron/contract/index.ts'

export interface ToolContext {
  /** Sends a progress notification when the caller gave a token; `progress` counts by itself. */
  readonly progress: (message?: string) => void
  /** Aborted when the caller closes the stream. */
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  /** The caller sent a progress token. */
  readonly wantsProgress: boolean
}

/** Content blocks; a failure with its text; or the result object as it goes over the wire. */
export type ToolOutcome =
  | readonly JsonObject[]
  | { isError: true; text: string }
  | { content: readonly JsonObject[]; isError?: boolean; structuredContent?: JsonValue }

export interface SpaceTool {
  name: string
  description?: string
  /** Sent and, for the root's `required`, `enum` and plain `type`, checked before `run` as the real server does. */
  inputSchema: JsonObject
  run(args: JsonObject, context: ToolContext): ToolOutcome | Promise<ToolOutcome>
  /** Further fields of the list entry, e.g. `annotations`. */
  extra?: JsonObject
  /** `endpoint_name` of the schema route: stays when the tool gets another name. Default: the end of its name. */
  endpoint?: string
  /** Callable, but in no list; its arguments are not checked. */
  hidden?: boolean
}

export function text(value: string): JsonObject[] {
  return [{ type: 'text', text: value }]
}

/** How Python prints a JSON value: the real server's messages are made so. */
export function pythonRepr(value: JsonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return value.includes("'") && !value.includes('"') ? `"${value}"` : `'${value.replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, inner]) => `${pythonRepr(key)}: ${pythonRepr(inner)}`)
    .join(', ')}}`
}

const FITS: Record<string, (value: JsonValue) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** The text of the first violation as Gradio 6.25 words it, or `null`. */
export function violation(schema: JsonObject, args: JsonObject): string | null {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, property] of Object.entries(properties)) {
    const value = args[name]
    if (value === undefined || !isObject(property)) continue
    const { type, enum: choices } = property
    if (typeof type === 'string' && FITS[type]?.(value) === false) {
      return `Input validation error: ${pythonRepr(value)} is not of type '${type}'`
    }
    if (Array.isArray(choices) && !choices.includes(value)) {
      return `Input validation error: ${pythonRepr(value)} is not one of ${pythonRepr(choices)}`
    }
  }
  for (const name of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (typeof name === 'string' && args[name] === undefined) {
      return `Input validation error: '${name}' is a required property`
    }
  }
  const surplus = Object.keys(args).find((name) => !(name in properties))
  return surplus === undefined
    ? null
    : `Parameter \`${surplus}\` is not a valid key-word argument. Please click on 'view API' in the footer of the Gradio app to see usage.`
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/gradio')

/** Where the captured server said it was; answers are sent with the stand-in's own origin instead. */
export const CAPTURED_ORIGIN = 'http://127.0.0.1:39600'

export interface CapturedExchange {
  request: { method: string; params: JsonObject }
  status: number
  contentType: string
  /** Raw SSE text. */
  body: string
}

/** The exchanges of the capture after `initialize`. */
export function capturedExchanges(): CapturedExchange[] {
  const whole = JSON.parse(readFileSync(path.join(FIXTURES, 'gradio-6.25-mcp-1.29-wire.json'), 'utf8')) as unknown[]
  return whole.slice(1) as CapturedExchange[]
}

export function capturedSchema(): JsonObject[] {
  return JSON.parse(readFileSync(path.join(FIXTURES, 'gradio-6.25-schema-endpoint.json'), 'utf8')) as JsonObject[]
}

export function capturedConfig(): JsonObject {
  return JSON.parse(readFileSync(path.join(FIXTURES, 'gradio-6.25-config-head.json'), 'utf8')) as JsonObject
}

/** JSON payloads of the `data:` lines of an SSE text. */
export function payloads(body: string): JsonObject[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject)
}

/**
 * The tools of the captured Gradio app. Calls that were captured are answered as captured; others get an answer of the
 * same kind. `stepMs` is the pause between captured progress messages.
 */
export function capturedTools(stepMs = 100): SpaceTool[] {
  const exchanges = capturedExchanges()
  const calls = exchanges.filter(({ request }) => request.method === 'tools/call')
  const listed = payloads(exchanges.find(({ request }) => request.method === 'tools/list')?.body ?? '')[0]
  const result = listed?.['result']
  const entries = isObject(result) && Array.isArray(result['tools']) ? result['tools'].filter(isObject) : []
  const unlisted = ['slow', 'files'].map((name): JsonObject => ({
    name: `My_Cool_Space_1_${name}`,
    inputSchema: { type: 'object' },
  }))
  const endpoints = new Map(
    capturedSchema().map(({ name, meta }) => [name, isObject(meta) ? meta['endpoint_name'] : undefined]),
  )
  return [...entries, ...unlisted].map((entry, index) => {
    const { name, description, inputSchema, ...extra } = entry
    const toolName = typeof name === 'string' ? name : ''
    const endpoint = endpoints.get(toolName)
    const mine = calls.filter(({ request }) => request.params['name'] === toolName)
    return {
      name: toolName,
      ...(typeof description === 'string' ? { description } : {}),
      inputSchema: isObject(inputSchema) ? inputSchema : {},
      extra,
      ...(typeof endpoint === 'string' ? { endpoint } : {}),
      hidden: index >= entries.length,
      run: (args, context) => replay(toolName, args, mine, context, stepMs),
    }
  })
}

async function replay(
  name: string,
  args: JsonObject,
  calls: readonly CapturedExchange[],
  context: ToolContext,
  stepMs: number,
): Promise<ToolOutcome> {
  const wanted = JSON.stringify(args)
  const exact = calls.find(({ request }) => JSON.stringify(request.params['arguments']) === wanted)
  const call = exact ?? calls.find(({ body }) => body.includes('"isError":false')) ?? calls[0]
  if (name.endsWith('_letter_counter') && exact === undefined) return text(String(countLetters(args)))
  if (name.endsWith('_boom')) {
    const said = `Something broke: ${typeof args['x'] === 'string' ? args['x'] : ''}`
    return { isError: true, text: context.wantsProgress ? `Oh no: ${said}` : said }
  }
  if (call === undefined) return text(pythonRepr(args))
  const messages = payloads(call.body)
  const steps = messages.slice(0, -1).flatMap((message) => {
    const params = message['params']
    const step = isObject(params) ? params['message'] : undefined
    return typeof step === 'string' ? [step] : []
  })
  // The first two ("In queue", "Processing") are written around every tool.
  for (const step of steps.slice(2)) {
    await pause(stepMs, context.signal)
    context.progress(step)
  }
  const result = messages.at(-1)?.['result']
  return isObject(result) ? (result as unknown as { content: JsonObject[] }) : text('')
}

function countLetters(args: JsonObject): number {
  const word = typeof args['word'] === 'string' ? args['word'] : 'strawberry'
  const letter = typeof args['letter'] === 'string' ? args['letter'] : 'r'
  return letter === '' ? 0 : word.toLowerCase().split(letter.toLowerCase()).length - 1
}
