import { CompanionError } from '../contract/index.ts'

import type { Approval, ApprovalAnswer } from '../contract/index.ts'

/** A call that waits for a person. */
export interface AskedCall {
  readonly callId: string
  readonly toolId: string
  readonly approval: Approval
}

export interface Approvals {
  /** Waits as long as it takes. @throws CompanionError `tools/cancelled` when `signal` ends the waiting. */
  ask(call: AskedCall, signal: AbortSignal): Promise<ApprovalAnswer>
  /** @throws CompanionError `tools/denied` when no such call waits: an answer that comes late is no yes to anything. */
  answer(callId: string, answer: ApprovalAnswer): void
}

/** The calls that wait for a person's answer, each by its own ID. Only what is in this list can be allowed. */
export function createApprovals(): Approvals {
  const waiting = new Map<string, AskedCall & { settle: (answer: ApprovalAnswer) => void }>()

  return {
    ask(call, signal) {
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          waiting.delete(call.callId)
          reject(new CompanionError('tools/cancelled', { id: call.toolId }))
        }
        if (signal.aborted) {
          stop()
          return
        }
        signal.addEventListener('abort', stop)
        waiting.set(call.callId, {
          ...call,
          settle(answer) {
            waiting.delete(call.callId)
            signal.removeEventListener('abort', stop)
            resolve(answer)
          },
        })
      })
    },
    answer(callId, answer) {
      const call = waiting.get(callId)
      if (!call) throw new CompanionError('tools/denied', { id: callId })
      call.settle(answer)
      const lasts = (answer === 'always' && call.approval.canAlways) || call.approval.reason === 'senses'
      if (answer === 'deny' || !lasts) return
      // Allowed for longer than this call: the same question about the same tool need not be answered twice.
      for (const other of [...waiting.values()]) {
        if (other.toolId === call.toolId && other.approval.reason === call.approval.reason) other.settle('once')
      }
    },
  }
}
