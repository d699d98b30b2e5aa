import type { JsonObject, JsonValue, Problem } from '../contract/index.ts'

/** Where a server is and what goes to it. */
export type McpEndpoint = HttpEndpoint | StdioEndpoint

/** A program that is started and spoken to over its standard streams. */
export interface StdioEndpoint {
  readonly key: string
  readonly stdio: {
    readonly command: string
    readonly args: readonly string[]
    /** The whole environment of the program; nothing of ours is added. */
    readonly env: Readonly<Record<string, string>>
    readonly cwd?: string
  }
  readonly gradio?: false
  readonly limits?: EndpointLimits
}

/** Milliseconds; instead of the connector's own. */
export interface EndpointLimits {
  readonly requestMs?: number
  readonly callMs?: number
}

export interface HttpEndpoint {
  /** One client a key: the Space's slug, or the server's name. */
  readonly key: string
  readonly stdio?: never
  readonly limits?: EndpointLimits
  /** Streamable HTTP address, trailing slash kept as given. */
  readonly url: string
  /** SSE address tried when streamable HTTP answers 400, 404 or 405; absent: no fallback. */
  readonly sseUrl?: string
  /** The server is Gradio, which itself refuses some schemas: their tools are rejected. Only `list` asks. */
  readonly gradio?: boolean
  /** Asked anew for every connection; a token goes here and nowhere else. */
  headers?(): Promise<Readonly<Record<string, string>>>
}

/** One entry of `tools/list`, judged alone. */
export interface ListedTool {
  /** As the server sent it, trimmed; empty when it sent none. */
  readonly remoteName: string
  readonly description: string
  /** Exactly as received; `{}` when the tool is rejected for its schema. */
  readonly inputSchema: JsonObject
  readonly status: 'usable' | 'rejected'
  readonly problem?: Problem
  /** The entry as received, for pins. */
  readonly raw: JsonValue
}

export interface McpListing {
  readonly tools: readonly ListedTool[]
  /** Tools beyond the limit of 200, not looked at; absent when there are none. */
  readonly leftOut?: number
  readonly transport: 'streamable-http' | 'sse' | 'stdio'
  readonly serverName: string
  readonly protocolVersion: string
}

export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; mimeType: string; data: string }
  | { type: 'audio'; mimeType: string; data: string }
  | { type: 'resource'; uri: string; text?: string }
  | { type: 'link'; uri: string; name: string }
  | { type: 'unsupported'; what: string }

export interface McpResult {
  readonly content: readonly ContentBlock[]
  readonly structured?: JsonValue
  readonly isError: boolean
}

export interface McpProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface Mcp {
  /**
   * Connects (or uses the open client) and lists, leniently, all pages. `onConnected` fires between the two.
   * @throws CompanionError with a `space/*` code, `app/cancelled`.
   */
  list(
    endpoint: McpEndpoint,
    options?: {
      signal?: AbortSignal
      onConnected?: (transport: McpListing['transport']) => void
      /** Not asked for by a person: fails at once, with the last failure, while the back-off after it runs. */
      background?: boolean
    },
  ): Promise<McpListing>
  /**
   * @throws CompanionError with a `space/*` code when the server could not be asked, `tools/timeout`, `tools/cancelled`.
   * A tool's own failure, and a JSON-RPC error that the server answers to the call, is a result with `isError`.
   */
  call(
    endpoint: McpEndpoint,
    remoteName: string,
    args: JsonObject,
    options?: {
      signal?: AbortSignal
      onProgress?: (progress: McpProgress) => void
      background?: boolean
      /**
       * Called with a fresh listing before the first call on each new connection: a server may offer something else than
       * what a person approved. What it throws is thrown, and the call is not sent.
       */
      verify?: (listing: McpListing) => Promise<void>
    },
  ): Promise<McpResult>
  /** Closes the client of a key; the next use connects anew. */
  drop(key: string): Promise<void>
  /** After the computer slept: every client is closed. */
  dropAll(): Promise<void>
  dispose(): Promise<void>
}
