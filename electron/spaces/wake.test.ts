import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { failure, openSpacesHouse, tool } from '../../e2e/spaces-house.ts'
import { createStorage } from '../storage/index.ts'

import { parseEndpointNames } from './endpoint-names.ts'
import { createWakeTimes, expectedByHardware, expectedByWakes } from './wake-times.ts'
import { DEFAULT_WAKE_LIMITS, wakeLimitMs, wakeSpace } from './wake.ts'

import type { SpacesHouse } from '../../e2e/spaces-house.ts'
import type { InstallStepState, Log } from '../contract/index.ts'

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

describe('how long a Space is expected to take', () => {
  it.each([
    [undefined, 30_000],
    ['cpu-basic', 30_000],
    ['cpu-upgrade', 30_000],
    ['zero-a10g', 60_000],
    ['t4-small', 180_000],
    ['a100-large', 180_000],
  ])('%s: %d ms', (hardware, ms) => {
    expect(expectedByHardware(hardware)).toBe(ms)
  })

  it.each([
    [[], undefined],
    [[20_000], 20_000],
    [[20_000, 22_000, 170_000], 22_000],
  ])('after %j: %j', (wakes, ms) => {
    expect(expectedByWakes(wakes)).toBe(ms)
  })

  it('a slow one may take longer before it is given up', () => {
    expect(wakeLimitMs(DEFAULT_WAKE_LIMITS, 30_000)).toBe(180_000)
    expect(wakeLimitMs(DEFAULT_WAKE_LIMITS, 180_000)).toBe(600_000)
  })

  it('remembers the last five wakes, and starts anew from a file that is none', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'wakes-'))
    const storage = await createStorage({ dataDir: dir, log: silent })
    try {
      const times = createWakeTimes({ storage, log: silent })
      for (const seconds of [99, 5, 4, 3, 2, 1]) await times.took('a/b', seconds * 1000)
      await times.took('__proto__', 1000)
      expect(await times.expected('a/b', 't4-small')).toBe(3_000)
      expect(await times.expected('c/d', 't4-small')).toBe(180_000)
      expect(await times.expected('constructor', undefined)).toBe(30_000)
      const file = path.join(dir, 'cache', 'space-wakes.json')
      expect(await readFile(file, 'utf8')).toContain('"a/b":[5000,4000,3000,2000,1000]')
      await writeFile(file, '{')
      expect(await times.expected('a/b', undefined)).toBe(30_000)
      await times.took('a/b', 7_000)
      expect(await times.expected('a/b', undefined)).toBe(7_000)
    } finally {
      await storage.dispose()
      await rm(dir, { recursive: true })
    }
  })
})

describe('waiting for a Space', () => {
  const run = async (
    stages: readonly (string | undefined)[],
    maxMs = 200,
  ): Promise<[number | null, string[], number]> => {
    const left = [...stages]
    const said: string[] = []
    let visits = 0
    const first = left.shift()
    const took = await wakeSpace(
      { slug: 'a/b', ...(first === undefined ? {} : { stage: first }) },
      {
        hub: { stage: async () => (left.length > 1 ? left.shift() : (left[0] ?? first)) },
        visit: async () => void (visits += 1),
        limits: { pollMs: 5, unknownMs: 30 },
        maxMs,
        now: () => performance.now(),
        said: (word) => said.push(word),
      },
      new AbortController().signal,
    )
    return [took === null ? null : Math.round(took), said, visits]
  }

  it('one that runs is not visited, and nothing is said', async () => {
    expect(await run(['RUNNING'])).toEqual([null, [], 0])
  })

  it('one that sleeps is visited once, and the time is told', async () => {
    const [took, said, visits] = await run(['SLEEPING', 'SLEEPING', 'APP_STARTING', 'RUNNING'])
    expect(took).toBeGreaterThan(10)
    expect([said, visits]).toEqual([['SLEEPING', 'SLEEPING', 'APP_STARTING', 'RUNNING'], 1])
  })

  it('one that is built or starts is waited for, and says nothing about waking', async () => {
    expect(await run(['BUILDING', 'BUILDING', 'RUNNING'])).toEqual([null, ['BUILDING', 'BUILDING', 'RUNNING'], 0])
    expect((await run([undefined, 'RUNNING']))[1]).toEqual(['unknown', 'RUNNING'])
  })

  it.each([
    [['BUILDING'], 'space/not-running', 'BUILDING'],
    [['SLEEPING', 'APP_STARTING'], 'space/asleep', 'APP_STARTING'],
    [['PAUSED'], 'space/not-running', 'PAUSED'],
    [['SLEEPING', 'RUNTIME_ERROR'], 'space/not-running', 'RUNTIME_ERROR'],
    [[undefined], 'space/not-running', 'unknown'],
    [['SOMETHING_NEW'], 'space/not-running', 'SOMETHING_NEW'],
  ])('%j for ever: %s', async (stages, code, stage) => {
    const started = performance.now()
    expect(await failure(run(stages, 100))).toMatchObject({ code, details: { slug: 'a/b', stage } })
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('one that its owner paused is given up at once', async () => {
    const started = performance.now()
    await failure(run(['PAUSED'], 60_000))
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('the steps of an installation', () => {
  let h: SpacesHouse
  beforeEach(async () => {
    h = await openSpacesHouse()
  })
  afterEach(() => h.close())
  const last = (step: string): InstallStepState | undefined => h.progress.at(-1)?.steps.find((one) => one.step === step)

  it('tell when they began, their limit, and what is expected of the wake', async () => {
    const server = await h.space({ id: 'a/b', hardware: 'cpu-basic' }, { tools: [tool('x')] })
    server.fault('asleep', 0.1)
    await h.spaces.preview('op', 'a/b')
    const wakes = h.progress.flatMap(({ steps }) =>
      steps.filter(({ step, state }) => step === 'wake' && state === 'running'),
    )
    expect(wakes[0]).toMatchObject({ limitMs: 3_000, expectedMs: 30_000 })
    expect(Math.abs((wakes[0]?.startedAt ?? 0) - Date.now())).toBeLessThan(10_000)
    expect(wakes.map(({ detail }) => detail)).toContain('SLEEPING')
    expect(last('wake')).toMatchObject({ state: 'done', detail: 'RUNNING' })
    for (const step of ['validate', 'connect', 'discover']) expect(last(step)?.limitMs).toBeGreaterThan(0)

    // The second time it is known how long that takes.
    server.fault('asleep', 0.1)
    await h.mcp.drop('a/b')
    h.tick(10 * 60_000)
    await h.spaces.preview('again', 'a/b')
    const again = h.progress.filter(({ operationId }) => operationId === 'again')
    const expected = again.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.step === 'wake' ? [step.expectedMs] : [])),
    )
    expect(expected.at(-1)).toBeLessThan(3_000)
  })

  it('one that was awake says so, and expects nothing', async () => {
    await h.space({ id: 'a/b' }, { tools: [tool('x')] })
    await h.spaces.preview('op', 'a/b')
    expect(last('wake')).toMatchObject({ state: 'done', detail: 'awake' })
    expect(last('wake')?.expectedMs).toBeUndefined()
  })

  it('one that is being built is waited for', async () => {
    await h.space({ id: 'a/b', stage: ['BUILDING', 'BUILDING', 'RUNNING'] }, { tools: [tool('x')] })
    expect((await h.spaces.preview('op', 'a/b')).tools).toHaveLength(1)
  })

  it('a name that resembles an installed one, and a Space that is no Gradio app, are told', async () => {
    await h.installed('acme/piano-teacher', [tool('x')])
    await h.space({ id: 'evil/piano-teachers', sdk: 'docker' }, { tools: [tool('x')] })
    expect(await h.spaces.preview('op', 'evil/piano-teachers')).toMatchObject({
      looksLike: 'acme/piano-teacher',
      docker: true,
    })
  })
})

describe('Gradio’s names of the functions', () => {
  it('are read from the newer form, leniently', () => {
    const answer = [
      { name: 'a', meta: { endpoint_name: '/a', mcp_type: 'tool' } },
      { name: 'a', meta: { endpoint_name: '/second' } },
      { name: 'prompt', meta: { endpoint_name: '/p', mcp_type: 'prompt' } },
      { name: 'old', meta: { endpoint_name: '/old' } },
      { name: 'none', meta: {} },
      { name: 'long', meta: { endpoint_name: 'x'.repeat(201) } },
      { name: 7, meta: { endpoint_name: '/seven' } },
      { name: '__proto__', meta: { endpoint_name: '/proto' } },
      'x',
      null,
    ]
    expect([...parseEndpointNames(answer)]).toEqual([
      ['a', '/a'],
      ['old', '/old'],
      ['__proto__', '/proto'],
    ])
  })

  it.each([[{}], [{ a: {} }], [null], ['x'], [[]]])('%j tells none', (answer) => {
    expect([...parseEndpointNames(answer)]).toEqual([])
  })
})
