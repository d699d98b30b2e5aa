import { CompanionError } from '../contract/index.ts'

import { endpointOf, sameSlug } from './operations.ts'
import { listingHash } from './pins.ts'

import type { JsonValue } from '../contract/index.ts'
import type { Mcp, McpListing, McpResult } from '../mcp/index.ts'
import type { Found } from './operations.ts'
import type { Spaces } from './types.ts'

type TryRequest = Parameters<Spaces['tryTool']>[0]

export interface Trials {
  /**
   * One call for a person who looks at a Space.
   * @throws CompanionError `tools/unknown`, `tools/cancelled`, `space/changed` when the server no longer offers what the
   * preview showed; what a call throws.
   */
  run(request: TryRequest): Promise<{ answer: McpResult; received: JsonValue; durationMs: number }>
  /** Ends the call of this name, if one is under way. */
  cancel(operationId: string): void
  dispose(): void
}

export interface TrialDeps {
  readonly mcp: Mcp
  readonly token: () => Promise<string | null>
  /** The call of an installed tool, with all it checks. */
  readonly call: Spaces['call']
  /** What a preview found, while it is kept. */
  readonly found: (previewId: string) => Found | null
}

export function createTrials(deps: TrialDeps): Trials {
  const running = new Map<string, AbortController>()

  const ask = (request: TryRequest, signal: AbortSignal): Promise<McpResult> => {
    const { slug, previewId, remoteName, arguments: args } = request
    if (previewId === undefined) return deps.call({ slug, remoteName, arguments: args, signal })
    const found = deps.found(previewId)
    if (found === null || !sameSlug(found.info.slug, slug)) throw new CompanionError('space/not-installed', { slug })
    const tool = found.tools.find((one) => one.remoteName === remoteName && one.manifest !== null)
    if (tool === undefined) throw new CompanionError('tools/unknown', { id: remoteName.slice(0, 200) })
    const space = { slug: found.info.slug, mcpUrl: found.mcpUrl, private: found.info.private }
    const shown = listingHash(tool.raw)
    const verify = async (listing: McpListing): Promise<void> => {
      const now = listing.tools.find((one) => one.remoteName === remoteName)
      if (now === undefined || listingHash(now.raw) !== shown) {
        throw new CompanionError('space/changed', { slug: space.slug, id: tool.id ?? remoteName.slice(0, 200) })
      }
    }
    return deps.mcp.call(endpointOf(space, deps.token), remoteName, args, { signal, verify })
  }

  return {
    async run(request) {
      const { operationId } = request
      running.get(operationId)?.abort()
      const controller = new AbortController()
      running.set(operationId, controller)
      const started = performance.now()
      try {
        const answer = await ask(request, controller.signal)
        return { answer, received: receivedOf(answer), durationMs: performance.now() - started }
      } finally {
        if (running.get(operationId) === controller) running.delete(operationId)
      }
    },
    cancel: (operationId) => running.get(operationId)?.abort(new CompanionError('tools/cancelled')),
    dispose() {
      for (const controller of running.values()) controller.abort(new CompanionError('tools/cancelled'))
    },
  }
}

/** The answer in the protocol's own words. */
function receivedOf({ content, structured, isError }: McpResult): JsonValue {
  const blocks = content.map((block): JsonValue => ({ ...block }))
  return { content: blocks, ...(structured === undefined ? {} : { structuredContent: structured }), isError }
}
