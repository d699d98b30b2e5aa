import type { McpEndpoint } from './types.ts'

/**
 * Limits of one connector. Milliseconds, bytes (UTF-8) and counts.
 *
 * The call limits follow huggingface/chat-ui#1992 (60 s, extended by progress). The idle limit is three of the 15 s pings
 * that the Python MCP server behind Gradio sends on an open stream (`sse-starlette`'s default ping interval).
 */
export interface McpLimits {
  /** Handshake: until the server answered `initialize` and took `notifications/initialized`. */
  readonly connectMs: number
  readonly pageMs: number
  readonly listMs: number
  readonly pages: number
  readonly tools: number
  readonly toolBytes: number
  /** Without an answer or a progress notification. */
  readonly callMs: number
  readonly callTotalMs: number
  /** Without a byte on an answer's stream. */
  readonly idleStreamMs: number
  readonly responseBytes: number
  /** Calls under way at the same time on one client. */
  readonly parallelCalls: number
  /** A client without use is closed after this. */
  readonly idleClientMs: number
  readonly backoffFirstMs: number
  readonly backoffMaxMs: number
}

export const DEFAULT_LIMITS: McpLimits = {
  connectMs: 15_000,
  pageMs: 15_000,
  listMs: 30_000,
  pages: 20,
  tools: 200,
  toolBytes: 64 * 1024,
  callMs: 60_000,
  callTotalMs: 300_000,
  idleStreamMs: 45_000,
  responseBytes: 32 * 1024 * 1024,
  parallelCalls: 2,
  idleClientMs: 5 * 60_000,
  backoffFirstMs: 1_000,
  backoffMaxMs: 60_000,
}

/**
 * How long a background reconnect waits: 1, 2, 4 … 60 s, of which the upper half is random, so that many clients of a
 * server that came back do not return in the same instant.
 *
 * @param failures connects that failed in a row, at least 1
 * @param random a number in [0, 1)
 * @returns milliseconds
 */
export function nextBackoff(failures: number, limits: McpLimits, random: number): number {
  const full = Math.min(limits.backoffMaxMs, limits.backoffFirstMs * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (0.5 + random / 2))
}

/** The limits for one endpoint: what it says itself counts instead of ours. */
export function limitsOf({ limits: own }: McpEndpoint, ours: McpLimits): McpLimits {
  if (own === undefined) return ours
  const { requestMs, callMs = ours.callMs } = own
  return {
    ...ours,
    ...(requestMs === undefined
      ? {}
      : { connectMs: requestMs, pageMs: requestMs, listMs: Math.max(ours.listMs, requestMs) }),
    callMs,
    callTotalMs: Math.max(ours.callTotalMs, callMs),
  }
}
