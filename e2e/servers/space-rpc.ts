import { pause } from './http.ts'
import { isRemoved, isRenamed, nameOf, spoiltList, spoiltResult } from './space-faults.ts'
import { olderThan, type SpaceCall, type State } from './space-state.ts'
import { CAPTURED_ORIGIN, isObject, violation, type SpaceTool, type ToolOutcome } from './space-tools.ts'
import { errorJson, progressJson, resultJson, type Channel, type RpcMessage } from './space-wire.ts'

import type { JsonObject, JsonValue } from '../../electron/contract/index.ts'

const NEWEST = '2025-11-25'
export const KNOWN_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', NEWEST]

/** Methods that the Python server knows and Gradio does not register. */
const KNOWN_ELSEWHERE = new Set(['logging/setLevel', 'completion/complete'])
const METHODS = new Set(['initialize', 'ping', 'tools/list', 'tools/call'])

export function isUnknown(method: string): boolean {
  return !METHODS.has(method) && !KNOWN_ELSEWHERE.has(method) && !/^(resources|prompts)\//.test(method)
}

/** Answers one request on `channel` and ends it. */
export async function respond(
  state: State,
  id: JsonValue,
  message: RpcMessage,
  channel: Channel,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  switch (message.method) {
    case 'initialize':
      channel.send(resultJson(id, initialised(state, message.params)))
      break
    case 'ping':
      channel.send(resultJson(id, {}))
      break
    case 'tools/list':
      if (state.faults.hits('dropMidStream', 'tools/list')) return cutMidStream(channel)
      channel.send(resultJson(id, listPage(state, message.params)))
      break
    case 'tools/call':
      if (!(await call(state, id, message.params, channel, headers))) return
      break
    default:
      channel.send(
        KNOWN_ELSEWHERE.has(message.method ?? '')
          ? errorJson(id, -32_601, 'Method not found')
          : errorJson(id, -32_602, 'Invalid request parameters', ''),
      )
  }
  channel.end()
}

function cutMidStream(channel: Channel): void {
  channel.response.write('event: message\r\ndata: {"jsonrpc":"2.0","id":')
  // Let the half line leave before the connection is reset.
  setTimeout(() => channel.response.destroy(), 20)
}

function initialised(state: State, params: JsonObject): JsonObject {
  const asked = params['protocolVersion']
  return {
    protocolVersion: typeof asked === 'string' && KNOWN_VERSIONS.includes(asked) ? asked : NEWEST,
    capabilities: {
      experimental: {},
      prompts: { listChanged: false },
      resources: { subscribe: false, listChanged: false },
      tools: { listChanged: false },
    },
    serverInfo: { name: state.options.title ?? 'Demo App', version: '1.29.0' },
  }
}

function listed(tools: readonly SpaceTool[]): JsonObject[] {
  return tools
    .filter((tool) => tool.hidden !== true)
    .map((tool) => ({
      name: tool.name,
      description: tool.description ?? '',
      inputSchema: tool.inputSchema,
      ...tool.extra,
    }))
}

function listPage(state: State, params: JsonObject): JsonObject {
  const tools = spoiltList(listed(state.tools), state.faults)
  const size = state.options.pageSize ?? Math.max(tools.length, 1)
  const start = state.faults.on('loopingCursor') ? 0 : Number(params['cursor'] ?? 0)
  const page = { tools: tools.slice(start, start + size) }
  if (state.faults.on('loopingCursor')) return { ...page, nextCursor: 'again' }
  return start + size < tools.length ? { ...page, nextCursor: String(start + size) } : page
}

/** @returns false when the stream was cut and must not be ended in an orderly way. */
async function call(
  state: State,
  id: JsonValue,
  params: JsonObject,
  channel: Channel,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { faults } = state
  const name = typeof params['name'] === 'string' ? params['name'] : ''
  const args = isObject(params['arguments']) ? params['arguments'] : {}
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const token = olderThan(faults, 5, 49) ? undefined : meta['progressToken']
  const record: SpaceCall = { name, args, headers, startedAt: performance.now(), cancelled: false }
  state.calls.push(record)
  let count = 0
  const progress = (said?: string): void => {
    if (token !== undefined) channel.send(progressJson(token, count++, said))
  }
  progress('In queue. Position 0 out of 1.')
  progress('Processing')
  if (faults.hits('dropMidStream', 'tools/call')) {
    record.endedAt = performance.now()
    cutMidStream(channel)
    return false
  }
  if (faults.on('slow')) await pause(faults.number('slow', 2) * 1000, channel.signal)
  const result = await outcomeOf(state, name, args, {
    progress,
    signal: channel.signal,
    headers,
    wantsProgress: token !== undefined,
  })
  record.endedAt = performance.now()
  record.cancelled = channel.signal.aborted
  record.isError = result['isError'] === true
  if (!record.cancelled) {
    progress()
    channel.send(resultJson(id, result))
  }
  return true
}

async function outcomeOf(
  state: State,
  name: string,
  args: JsonObject,
  context: Parameters<SpaceTool['run']>[1],
): Promise<JsonObject> {
  const spoilt = spoiltResult(state.faults)
  if (spoilt !== null) return spoilt
  const entries = listed(state.tools)
  const unknown = entries.some(
    (entry, index) =>
      entry['name'] === name && (isRenamed(entry, index, state.faults) || isRemoved(entry, index, state.faults)),
  )
  const original = state.tools.find(
    (tool) => tool.name === name || (state.faults.on('renamedTool') && `${tool.name}_1` === name),
  )
  if (original === undefined || unknown) return failure(`Unknown tool for this Gradio app: ${name}`)
  const wrong = original.hidden === true ? null : violation(original.inputSchema, args)
  if (wrong !== null) return failure(wrong)
  try {
    return withOrigin(state, resultOf(await original.run(args, context)))
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error))
  }
}

function failure(message: string): JsonObject {
  return { content: [{ type: 'text', text: message }], isError: true }
}

function resultOf(outcome: ToolOutcome): JsonObject {
  if ('text' in outcome) return failure(outcome.text)
  if (!('content' in outcome)) return { content: [...outcome], isError: false }
  return { ...outcome, content: [...outcome.content], isError: outcome.isError ?? false }
}

function withOrigin(state: State, result: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(result).replaceAll(CAPTURED_ORIGIN, state.url)) as JsonObject
}

/** `GET /gradio_api/mcp/schema`: an object up to 5.35, an array since. */
export function schemaAnswer(state: State): JsonValue {
  const tools = spoiltList(listed(state.tools), state.faults).filter(isObject)
  if (olderThan(state.faults, 5, 36)) {
    return Object.fromEntries(tools.map((tool) => [nameOf(tool), tool['inputSchema'] ?? {}]))
  }
  const endpoints = new Map(
    state.tools.flatMap(({ name, endpoint }) => {
      const told = endpoint ?? name.split('_').slice(-2).join('_')
      return [
        [name, told],
        [`${name}_1`, told],
      ] as const
    }),
  )
  return tools.map((tool) => ({
    name: tool['name'] ?? '',
    description: tool['description'] ?? '',
    inputSchema: tool['inputSchema'] ?? {},
    meta: {
      file_data_present: false,
      mcp_type: 'tool',
      endpoint_name: endpoints.get(nameOf(tool)) ?? nameOf(tool),
    },
  }))
}
