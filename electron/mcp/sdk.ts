import { z } from 'zod'

import { dropReason, HttpFailure, RpcFailure } from './wire-failures.ts'

import type { JsonObject } from '../contract/index.ts'
import type { McpListing } from './types.ts'
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
  readonly transport: McpListing['transport']
  readonly url: URL
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  readonly version: string
  /** `lost`: the one stream of the SSE transport ended, and pending requests with it. */
  onError(error: unknown, lost: boolean): void
  onClose(): void
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
    options.transport === 'sse' ? sseTransport(options) : streamableTransport(options),
  ])
  const client: Client = new Client({ name: 'reachy-mini-companion', version: options.version })
  const translate = (error: unknown): unknown => {
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

interface Wire {
  readonly transport: Parameters<Client['connect']>[0]
  /** HTTP status in an error of the transport. */
  statusOf(error: unknown): number | null
  isLost(error: unknown): boolean
  protocolVersion(): string
  hasSession(): boolean
  endSession(): Promise<void>
}

async function streamableTransport({ url, fetch, headers }: SdkOptions): Promise<Wire> {
  const sdk = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  const transport = new sdk.StreamableHTTPClientTransport(url, { fetch, requestInit: { headers: { ...headers } } })
  return {
    transport: transport,
    statusOf: (error) => (error instanceof sdk.StreamableHTTPError && error.code !== undefined ? error.code : null),
    isLost: () => false,
    protocolVersion: () => transport.protocolVersion ?? '',
    hasSession: () => transport.sessionId !== undefined,
    endSession: () => transport.terminateSession(),
  }
}

/** The older transport: it keeps the negotiated version to itself, and its session is the stream. */
async function sseTransport({ url, fetch, headers }: SdkOptions): Promise<Wire> {
  const sdk = await import('@modelcontextprotocol/sdk/client/sse.js')
  return {
    transport: new sdk.SSEClientTransport(url, { fetch, requestInit: { headers: { ...headers } } }),
    statusOf: (error) => (error instanceof sdk.SseError && error.code !== undefined ? error.code : null),
    isLost: (error) => error instanceof sdk.SseError,
    protocolVersion: () => '',
    hasSession: () => false,
    endSession: () => Promise.resolve(),
  }
}
