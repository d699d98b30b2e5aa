import { listenOnLoopback, logged, readBody, sendHtml, sendJson, type LoggedRequest } from './http.ts'
import { createFaults, type SpaceFault } from './space-faults.ts'
import { createFiles, type SpaceFiles } from './space-files.ts'
import { BODY_LIMIT, mcp } from './space-mcp.ts'
import { capturedConfig, capturedTools, type SpaceTool } from './space-tools.ts'
import { createStreams } from './space-wire.ts'

import type { JsonObject, JsonValue } from '../../electron/contract/index.ts'
import type { SpaceCall, SpaceOptions, State } from './space-state.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

export type { SpaceFault } from './space-faults.ts'
export type { SpaceCall, SpaceOptions } from './space-state.ts'
export { mediaTools, type MediaOptions } from './space-media.ts'
export { text, type SpaceTool, type ToolContext, type ToolOutcome } from './space-tools.ts'

export interface StandInSpace {
  /** Origin; what the Hub tells as `host`. */
  readonly url: string
  /** `{url}/gradio_api/mcp/`. */
  readonly mcpUrl: string
  /** Change it at any time. */
  readonly tools: SpaceTool[]
  readonly requests: LoggedRequest[]
  readonly calls: SpaceCall[]
  readonly files: SpaceFiles
  /** JSON-RPC methods in the order they came, over every transport. */
  readonly methods: string[]
  /** Event streams open now. */
  readonly openStreams: number
  /** Stage that the Hub would tell: follows `asleep` and `paused`. */
  stage(): string
  /** Switches a fault on (`false`: off). The values are described at `SPACE_FAULTS`. */
  fault(name: SpaceFault, value?: JsonValue): void
  clearFaults(): void
  close(): Promise<void>
}

/**
 * A Hugging Face Space that runs Gradio 6.25 with `mcp_server=True` (Python `mcp` 1.29): status codes and event-stream
 * bytes as captured from the real one, stateless streamable HTTP plus the older SSE transport, and switches that make it
 * misbehave.
 */
export async function startSpace(options: SpaceOptions = {}): Promise<StandInSpace> {
  const requests: LoggedRequest[] = []
  const state: State = {
    options,
    tools: options.tools ?? capturedTools(),
    faults: createFaults(),
    streams: createStreams(options.pingMs ?? 15_000),
    calls: [],
    methods: [],
    files: createFiles(),
    sessions: new Map(),
    crashed: false,
    visitedAt: null,
    url: '',
  }
  const server = await listenOnLoopback(async (request, response) => {
    const body = await readBody(request)
    requests.push(logged(request, body.length > BODY_LIMIT ? `(${body.length} bytes)` : body.toString('utf8')))
    await answer(state, request, response, body)
  }, options.port)
  state.url = server.url
  state.files.origin = server.url
  return {
    url: server.url,
    mcpUrl: `${server.url}/gradio_api/mcp/`,
    tools: state.tools,
    requests,
    calls: state.calls,
    files: state.files,
    methods: state.methods,
    get openStreams() {
      return state.streams.count()
    },
    stage: () => stageOf(state),
    fault(name, value = true) {
      state.faults.set(name, value)
      if (name === 'asleep') state.visitedAt = null
      if (value !== false && (name === 'asleep' || name === 'paused')) state.streams.closeAll()
    },
    clearFaults() {
      state.faults.clear()
      state.crashed = false
      state.visitedAt = null
    },
    close: () => server.close(),
  }
}

function stageOf(state: State): string {
  if (state.faults.on('paused')) return 'PAUSED'
  if (!state.faults.on('asleep')) return 'RUNNING'
  if (state.visitedAt === null) return 'SLEEPING'
  return performance.now() - state.visitedAt < state.faults.number('asleep', 2) * 1000 ? 'APP_STARTING' : 'RUNNING'
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const { faults } = state
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (!isUp(state)) return sendHtml(response, 503, 'Your space is starting')
  if (faults.on('html200')) return sendHtml(response, 200, 'Preparing Space')
  const token = state.options.token
  if (faults.on('401') || (token !== undefined && request.headers['x-hf-authorization'] !== `Bearer ${token}`)) {
    return sendHtml(response, 401, 'Sorry, we cannot find the page')
  }
  if (faults.on('403')) return sendHtml(response, 403, 'Forbidden')
  if (faults.on('429')) {
    return sendJson(response, 429, { error: 'Too many requests' }, { 'retry-after': String(faults.number('429', 30)) })
  }
  const mcpOff = faults.on('noMcp404')
  if (url.pathname === '/config') return sendJson(response, 200, config(state, !mcpOff))
  if (url.pathname === '/') return sendHtml(response, 200, state.options.title ?? 'Demo App')
  if (url.pathname.startsWith('/gradio_api/mcp')) {
    return mcpOff ? sendJson(response, 404, { detail: 'Not Found' }) : mcp(state, url, request, response, body)
  }
  if (await state.files.answer(url, request, response, body)) return
  sendJson(response, 404, { detail: 'Not Found' })
}

function isUp(state: State): boolean {
  if (state.faults.on('paused')) return false
  if (state.faults.on('asleep')) state.visitedAt ??= performance.now()
  return stageOf(state) === 'RUNNING'
}

function config(state: State, mcpServer: boolean): JsonObject {
  const { options, faults } = state
  const version = faults.on('oldGradio') ? `${faults.text('oldGradio', '6.22')}.0` : undefined
  return {
    ...capturedConfig(),
    ...(version === undefined ? {} : { version }),
    ...(options.id === undefined ? {} : { space_id: options.id }),
    ...(options.title === undefined ? {} : { title: options.title }),
    mcp_server: mcpServer,
    root: state.url,
  }
}
