import type { Envelope, Failure, Jog } from '../../../electron/contract/index.ts'

/** Wishes go out at most this often, ms: as often as the robot's state comes back. */
export const SEND_EVERY_MS = 50

export interface JogSender {
  /** The newest wish replaces one that waits; one is under way at a time. */
  send: (jog: Jog) => void
  /** Forgets what waits. */
  stop: () => void
}

export interface JogSenderDeps {
  readonly ask: (jog: Jog) => Promise<Envelope<unknown>>
  readonly onFailure: (failure: Failure) => void
  /** Runs `work` after so many milliseconds. */
  readonly after: (ms: number, work: () => void) => void
}

/** Sends what a dragged slider asks for, never faster than it is answered. */
export function createJogSender({ ask, onFailure, after }: JogSenderDeps): JogSender {
  let waiting: Jog | null = null
  let busy = false
  let stopped = false

  const next = (): void => {
    if (busy || waiting === null) return
    const jog = waiting
    waiting = null
    busy = true
    const rested = new Promise<void>((resolve) => after(SEND_EVERY_MS, resolve))
    void ask(jog)
      .then(async (answer) => {
        if (!answer.ok) {
          waiting = null
          onFailure(answer.error)
        }
        await rested
      })
      .finally(() => {
        busy = false
        if (!stopped) next()
      })
  }

  return {
    send(jog) {
      stopped = false
      waiting =
        waiting === null ? jog : { ...waiting, ...jog, ...(jog.head ? { head: { ...waiting.head, ...jog.head } } : {}) }
      next()
    },
    stop() {
      stopped = true
      waiting = null
    },
  }
}
