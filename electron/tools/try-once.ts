import { checkArguments } from './arguments.ts'
import { recordedArguments, recordedFailure } from './recorded.ts'
import { readResult, receivedText } from './results.ts'

import type { Spaces } from '../spaces/index.ts'
import type { AuditEntry, Storage } from '../storage/index.ts'
import type { CheckCache } from './arguments.ts'
import type { Runner } from './run.ts'
import type { Tools } from './types.ts'

interface TryDeps {
  readonly spaces: Pick<Spaces, 'tools' | 'tryTool'>
  readonly storage: Pick<Storage, 'audit'>
  readonly runner: Pick<Runner, 'filesOf'>
  readonly now: () => number
}

/** One call for a person who looks at a Space; neither model nor robot sees it. */
export function createTryOnce({ spaces, storage, runner, now }: TryDeps): Tools['tryOnce'] {
  const checks: CheckCache = new WeakMap()
  return async (request) => {
    const { slug, remoteName } = request
    const startedAt = now()
    const record = (end: Pick<AuditEntry & { kind: 'try' }, 'outcome' | 'code'>): void => {
      const durationMs = Math.round(now() - startedAt)
      const given = recordedArguments(request.arguments)
      storage.audit.append({ kind: 'try', slug, remoteName, arguments: given, ...end, durationMs })
    }
    try {
      const installed = request.previewId === undefined ? await spaces.tools() : []
      const known = installed.find((tool) => tool.slug === slug && tool.remoteName === remoteName)
      const args = known ? await checkArguments(known, request.arguments, checks) : request.arguments
      const { answer, received, durationMs } = await spaces.tryTool({ ...request, arguments: args })
      const files = await runner.filesOf(slug, answer, new AbortController().signal)
      const { result } = readResult(answer, durationMs, { from: slug, ...(files ? { files } : {}) })
      record({ outcome: result.isError ? 'failed' : 'done' })
      return { result, received: receivedText(received) }
    } catch (error) {
      record(recordedFailure(error))
      throw error
    }
  }
}
