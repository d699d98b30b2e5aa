import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { latestOnly } from './latest-only.ts'

interface Pending {
  input: string
  resolve: (value: string) => void
  reject: (error: Error) => void
}

function harness(delayMs = 300) {
  const started: Pending[] = []
  const seen: string[] = []
  const runner = latestOnly<string, string>({
    delayMs,
    run: (input) => new Promise((resolve, reject) => started.push({ input, resolve, reject })),
    done: (output, input) => seen.push(`${input}=${output}`),
    failed: (error, input) => seen.push(`${input}!${(error as Error).message}`),
  })
  const flush = () => vi.advanceTimersByTimeAsync(0)
  return { runner, started, seen, flush }
}

describe('latestOnly', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('runs once, with the last input, after the pause', async () => {
    const { runner, started } = harness()
    runner.schedule('w')
    await vi.advanceTimersByTimeAsync(299)
    runner.schedule('we')
    await vi.advanceTimersByTimeAsync(299)
    expect(started).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(started.map((run) => run.input)).toEqual(['we'])
  })

  it('drops an answer that comes after a newer question was asked', async () => {
    const { runner, started, seen, flush } = harness()
    runner.schedule('old', 0)
    runner.schedule('new', 0)
    started[1]?.resolve('2')
    await flush()
    started[0]?.resolve('1')
    await flush()
    expect(seen).toEqual(['new=2'])
  })

  it('drops an answer that comes while the next question still waits', async () => {
    const { runner, started, seen, flush } = harness()
    runner.schedule('old', 0)
    runner.schedule('new')
    started[0]?.resolve('1')
    await flush()
    expect(seen).toEqual([])
  })

  it('tells a failure of the newest run only', async () => {
    const { runner, started, seen, flush } = harness()
    runner.schedule('a', 0)
    runner.schedule('b', 0)
    started[0]?.reject(new Error('late'))
    started[1]?.reject(new Error('now'))
    await flush()
    expect(seen).toEqual(['b!now'])
  })

  it('forgets everything on cancel', async () => {
    const { runner, started, seen, flush } = harness()
    runner.schedule('under way', 0)
    runner.schedule('waits')
    runner.cancel()
    await vi.advanceTimersByTimeAsync(1000)
    started[0]?.resolve('x')
    await flush()
    expect(started).toHaveLength(1)
    expect(seen).toEqual([])
  })
})
