import { CompanionError } from '../contract/index.ts'

import type { Approval, ApprovalAnswer } from '../contract/index.ts'
import type { Registered } from './registered.ts'
import type { CallRequest } from './types.ts'

/**
 * A person's answer. There is no limit of time: silence is no yes, and Stop ends the waiting.
 * @throws CompanionError `tools/needs-approval` when nobody can be asked, `tools/cancelled`.
 */
export async function askPerson(
  { id, source, origin }: Pick<Registered, 'id' | 'source' | 'origin'>,
  approval: Approval,
  { approve, signal }: Pick<CallRequest, 'approve' | 'signal'>,
): Promise<ApprovalAnswer> {
  if (!approve) throw new CompanionError('tools/needs-approval', { id, source, origin })
  const until = signal ?? new AbortController().signal
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new CompanionError('tools/cancelled', { id }))
    until.addEventListener('abort', stop)
  })
  try {
    const answer = await Promise.race([approve(approval, until), aborted])
    if (until.aborted) throw new CompanionError('tools/cancelled', { id })
    return answer
  } finally {
    until.removeEventListener('abort', stop)
  }
}

/** Whether two entries of the registry are the tool that a person was shown. */
export function isSameTool(asked: Registered, now: Registered): boolean {
  const shown = ({
    id,
    source,
    origin,
    remoteName,
    description,
    parameters,
    destructive,
    runsHere,
    file,
  }: Registered): string =>
    JSON.stringify([
      [id, source, origin, remoteName, description, parameters],
      [destructive ?? false, runsHere ?? false, file?.sha256],
    ])
  return shown(asked) === shown(now)
}
