import { CompanionError } from '../contract/index.ts'

import { deadline } from './deadline.ts'
import { parseResult, parseTools } from './parse.ts'
import { RpcFailure } from './wire-failures.ts'

import type { JsonObject } from '../contract/index.ts'
import type { Connection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { McpLimits } from './limits.ts'
import type { McpEndpoint, McpListing, McpProgress, McpResult } from './types.ts'

/** The Space was too slow at a step of ours. */
export const spaceTimeout = (slug: string, step: string, ms: number): CompanionError =>
  new CompanionError('space/timeout', { slug, step, seconds: ms / 1000 })

/** All pages of `tools/list`, up to the limits of pages and tools; a cursor that comes again ends it. */
export async function readPages(
  connection: Connection,
  key: string,
  limits: McpLimits,
  signal: AbortSignal,
): Promise<{ raws: unknown[]; leftOut: number }> {
  const raws: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < limits.pages; page++) {
    const one = deadline(limits.pageMs, signal)
    let result: JsonObject
    try {
      result = await connection.request('tools/list', cursor === undefined ? {} : { cursor }, { signal: one.signal })
    } catch (error) {
      throw one.timedOut() && !signal.aborted ? spaceTimeout(key, 'list', limits.pageMs) : error
    } finally {
      one.clear()
    }
    if (!Array.isArray(result.tools))
      throw new CompanionError('space/protocol', { slug: key, step: 'list', reason: 'no list of tools' })
    raws.push(...result.tools)
    const next = result.nextCursor
    if (typeof next !== 'string' || next === '' || seen.has(next)) break
    seen.add(next)
    cursor = next
  }
  return { raws: raws.slice(0, limits.tools), leftOut: Math.max(0, raws.length - limits.tools) }
}

/** The whole list, each tool judged alone. */
export async function readListing(
  connection: Connection,
  endpoint: McpEndpoint,
  limits: McpLimits,
  signal: AbortSignal,
): Promise<McpListing> {
  const { raws, leftOut } = await readPages(connection, endpoint.key, limits, signal)
  return {
    tools: parseTools(raws, { gradio: endpoint.gradio ?? false, toolBytes: limits.toolBytes }),
    ...(leftOut ? { leftOut } : {}),
    transport: connection.transport,
    serverName: connection.serverName,
    protocolVersion: connection.protocolVersion,
  }
}

/** After a restart the server may offer other tools: nothing is called that it no longer lists. */
export function mustStillOffer({ tools }: McpListing, key: string, remoteName: string): void {
  if (tools.some((tool) => tool.remoteName === remoteName)) return
  throw new CompanionError('tools/no-longer-offered', { id: remoteName, slug: key })
}

/** One `tools/call`, which may be silent for `callMs`. */
export async function callOnce(
  connection: Connection,
  key: string,
  remoteName: string,
  args: JsonObject,
  limits: McpLimits,
  whole: Deadline,
  onProgress: ((progress: McpProgress) => void) | undefined,
): Promise<McpResult> {
  const quiet = whole.part(limits.callMs)
  try {
    const raw = await connection.request(
      'tools/call',
      { name: remoteName, arguments: args },
      {
        signal: whole.signal,
        // Always given: without it no progress token is sent, and no progress would extend the limit.
        onProgress: (progress) => {
          quiet.extend()
          onProgress?.(progress)
        },
      },
    )
    return parseResult(raw)
  } catch (error) {
    if (quiet.timedOut()) {
      throw new CompanionError('tools/timeout', { id: remoteName, slug: key, seconds: limits.callMs / 1000 })
    }
    if (!whole.signal.aborted && !connection.isClosed() && isAnswer(error)) {
      return parseResult({ content: error.text, isError: true })
    }
    throw error
  } finally {
    quiet.clear()
  }
}

/**
 * A JSON-RPC error that the server itself answered to a call ("unknown tool" of older servers) is an answer: the tool
 * failed, the connection did not.
 */
const isAnswer = (error: unknown): error is RpcFailure => error instanceof RpcFailure && error.why === null
