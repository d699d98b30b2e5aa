import { z } from 'zod'

import { createStdioTransport } from './stdio-transport.ts'
import { dropReason, HttpFailure, RpcFailure } from './wire-failures.ts'

import type { JsonObject } from '../contract/index.ts'
import type { McpListing, StdioEndpoint } from './types.ts'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Progress } from '@modelcontextprotocol/sdk/types.js'

/** The SDK's client and transport behind our own words: nothing of its types or errors goes further than this file. */
export interface SdkClient {
  connect(): Promise<void>
  request(
    method: string,
    params: JsonObject,
    /** `signal` belongs to this request alone: the SDK never takes its listener off. */
    options: { signal: AbortSignal; onProgress?: (progress: Progress) => void },
  ): Promise<JsonObject>
  serverName(): string
  protocolVersion(): string
  hasSession(): boolean
  /** Tells the server that the session is over; does nothing without one. */
  endSession(): Promise<void>
  close(): Promise<void>
}

export interface SdkOptions {
  readonly wire: HttpWire | StdioWire
  readonly version: string
  /** `lost`: the one stream of the SSE transport ended, and pending requests with it. */
  onError(error: unknown, lost: boolean): void
  onClose(): void
}

export interface HttpWire {
  readonly transport: Exclude<McpListing['transport'], 'stdio'>
  readonly url: URL
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
}

export interface StdioWire {
  readonly transport: 'stdio'
  readonly stdio: StdioEndpoint['stdio']
  readonly lineBytes: number
  /** A program is about to be started. */
  readonly onProgram: (program: { gone: Promise<void>; kill: () => void }) => void
}

/** Only that the result is an object; each caller judges what is inside. */
const anyResult = z.looseObject({})
/** The SDK always arms a time-out of its own; ours decide, so that one place knows why a request ended. */
const NEVER = 2 ** 31 - 1

/** Loads the SDK, which takes a while the first time, and makes a client that is not connected yet. */
export async function createSdkClient(options: SdkOptions): Promise<SdkClient> {
  const [{ Client }, { McpError }, wire] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    openWire(options.wire),
  ])
  const client: Client = new Client({ name: 'reachy-mini-companion', version: options.version })
  const translate = (error: unknown): unknown => {
    const ending = wire.ending()
    if (ending !== null) return ending
    if (error instanceof McpError) return new RpcFailure(error.code, bare(error.message), lostBy(error))
    const status = wire.statusOf(error)
    return status === null ? error : new HttpFailure(status, '', null)
  }
  const lostBy = (error: { code: number; data?: unknown }): RpcFailure['why'] =>
    dropReason(error.data) ?? (error.code === CONNECTION_CLOSED && client.transport === undefined ? 'closed' : null)
  const translated = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw translate(error)
    }
  }
  client.onerror = (error) => options.onError(translate(error), wire.isLost(error))
  client.onclose = () => options.onClose()

  return {
    connect: () => translated(client.connect(wire.transport, { timeout: NEVER })),
    async request(method, params, { signal, onProgress }) {
      signal.throwIfAborted()
      const progress = onProgress === undefined ? {} : { onprogress: onProgress }
      const request = client.request({ method, params }, anyResult, { signal, timeout: NEVER, ...progress })
      return (await translated(request)) as JsonObject
    },
    serverName: () => client.getServerVersion()?.name ?? '',
    protocolVersion: () => wire.protocolVersion(),
    hasSession: () => wire.hasSession(),
    endSession: () => translated(wire.endSession()),
    close: () => client.close(),
  }
}

/** JSON-RPC code of the SDK's "Connection closed". */
const CONNECTION_CLOSED = -32000

/** The SDK puts its own words in front of the server's. */
const bare = (message: string): string => message.replace(/^MCP error -?\d+: /, '')

const openWire = (wire: SdkOptions['wire']): Promise<Wire> => {
  if (wire.transport === 'stdio') return stdioTransport(wire)
  return wire.transport === 'sse' ? sseTransport(wire) : streamableTransport(wire)
}

interface Wire {
  readonly transport: Parameters<Client['connect']>[0]
  /** HTTP status in an error of the transport. */
  statusOf(error: unknown): number | null
  isLost(error: unknown): boolean
  /** Why everything on it fails from now on; `null` while it is open. */
  ending(): unknown
  protocolVersion(): string
  hasSession(): boolean
  endSession(): Promise<void>
}

async function streamableTransport({ url, fetch, headers }: HttpWire): Promise<Wire> {
  const sdk = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  const transport = new sdk.StreamableHTTPClientTransport(url, { fetch, requestInit: { headers: { ...headers } } })
  return {
    transport: transport,
    statusOf: (error) => (error instanceof sdk.StreamableHTTPError && error.code !== undefined ? error.code : null),
    isLost: () => false,
    ending: () => null,
    protocolVersion: () => transport.protocolVersion ?? '',
    hasSession: () => transport.sessionId !== undefined,
    endSession: () => transport.terminateSession(),
  }
}

/** The older transport: it keeps the negotiated version to itself, and its session is the stream. */
async function sseTransport({ url, fetch, headers }: HttpWire): Promise<Wire> {
  const sdk = await import('@modelcontextprotocol/sdk/client/sse.js')
  return {
    transport: new sdk.SSEClientTransport(url, { fetch, requestInit: { headers: { ...headers } } }),
    statusOf: (error) => (error instanceof sdk.SseError && error.code !== undefined ? error.code : null),
    isLost: (error) => error instanceof sdk.SseError,
    ending: () => null,
    protocolVersion: () => '',
    hasSession: () => false,
    endSession: () => Promise.resolve(),
  }
}

/** A program on this computer: no status, no session, nothing of HTTP. */
async function stdioTransport({ stdio, lineBytes, onProgram }: StdioWire): Promise<Wire> {
  const { JSONRPCMessageSchema } = await import('@modelcontextprotocol/sdk/types.js')
  let version = ''
  const program = createStdioTransport({
    stdio,
    lineBytes,
    parse: (value) => JSONRPCMessageSchema.safeParse(value).data ?? null,
  })
  program.setProtocolVersion = (negotiated) => (version = negotiated)
  onProgram(program)
  return {
    transport: program,
    statusOf: () => null,
    isLost: () => false,
    ending: () => program.ending(),
    protocolVersion: () => version,
    hasSession: () => false,
    endSession: () => Promise.resolve(),
  }
}
