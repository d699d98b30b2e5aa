import { CompanionError } from '../contract/index.ts'

export interface Slots {
  /** Waits for a free slot. @returns the function that frees it. @throws CompanionError `app/cancelled`. */
  take(signal: AbortSignal): Promise<() => void>
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  function once(): () => void {
    let held = true
    return () => {
      if (held) release()
      held = false
    }
  }

  return {
    async take(signal) {
      if (signal.aborted) throw new CompanionError('app/cancelled')
      if (free > 0) {
        free -= 1
        return once()
      }
      await new Promise<void>((resolve, reject) => {
        const start = (): void => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = (): void => {
          waiting.splice(waiting.indexOf(start), 1)
          reject(new CompanionError('app/cancelled'))
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(start)
      })
      return once()
    },
  }
}
