import { describe, expect, it } from 'vitest'

import { TooLate, untilDeadline } from './deadline.ts'

const never = new Promise<never>(() => undefined)
const after = <T>(ms: number, value: T): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(value), ms))

describe('untilDeadline', () => {
  it('has no limit without a signal', async () => {
    const { signal } = new AbortController()
    expect(await untilDeadline(after(60, 'done'), signal, () => 1)).toBe('done')
  })

  it('waits for a clean end after a signal', async () => {
    const abort = new AbortController()
    const work = untilDeadline(after(60, 'clean'), abort.signal, () => 5_000)
    abort.abort()
    expect(await work).toBe('clean')
  })

  it('gives up when the end does not come, by the limit at the time of the signal', async () => {
    const abort = new AbortController()
    let limit = 60_000
    const work = untilDeadline(never, abort.signal, () => limit)
    limit = 30
    abort.abort()
    await expect(work).rejects.toBeInstanceOf(TooLate)
  })

  it('counts a signal from before', async () => {
    await expect(untilDeadline(never, AbortSignal.abort(), () => 10)).rejects.toBeInstanceOf(TooLate)
  })

  it('throws what the work throws', async () => {
    const { signal } = new AbortController()
    await expect(untilDeadline(Promise.reject(new Error('broken')), signal, () => 10)).rejects.toThrow('broken')
  })
})
