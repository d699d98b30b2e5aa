import { describe, expect, it } from 'vitest'

import { measure, scaleEnd, segments } from './meter.ts'

import type { ToolEntry } from '../../../../electron/contract/index.ts'

function tool(id: string, change: Partial<ToolEntry> = {}): ToolEntry {
  return {
    id,
    shortName: id,
    source: 'built-in',
    origin: 'robot',
    description: '',
    parameters: {},
    enabled: true,
    available: true,
    system: false,
    ...change,
  }
}

const tools = [
  tool('dance'),
  tool('camera', { available: false, problem: { code: 'tools/unavailable' } }),
  tool('task_status', { system: true }),
  tool('timer', { source: 'local' }),
  tool('a__b', { source: 'space' }),
  tool('notes__add', { source: 'server' }),
  tool('door', { source: 'local', autoloaded: true }),
  tool('a__c', { source: 'space', permission: 'refuse' }),
]
const weights = { dance: 100, camera: 500, task_status: 40, timer: 20, a__b: 200, notes__add: 10, door: 7, a__c: 300 }

describe('measure', () => {
  it.each<[string, string[], number, object]>([
    ['nothing on', [], 386, { parts: { prompt: 386, 'built-in': 40, local: 7, remote: 0 }, tokens: 433, tools: 1 }],
    [
      'some',
      ['dance', 'a__b', 'notes__add', 'timer'],
      386,
      { parts: { prompt: 386, 'built-in': 140, local: 27, remote: 210 }, tokens: 763, tools: 5 },
    ],
    // Neither reaches the model.
    ['unusable and refused', ['camera', 'a__c'], 0, { tokens: 47, tools: 1 }],
    ['an ID of nothing', ['ghost'], 0, { tokens: 47, tools: 1 }],
  ])('%s', (_, listed, prompt, expected) => {
    expect(measure({ tools, weights, isListed: (id) => listed.includes(id), prompt })).toMatchObject({
      tooManyTools: false,
      tooManyTokens: false,
      ...expected,
    })
  })

  it('advises above 25 tools and above 8,192 tokens, not at them', () => {
    const many = Array.from({ length: 26 }, (_, n) => tool(`t${n}`))
    const of = (count: number, prompt: number) =>
      measure({ tools: many.slice(0, count), weights: {}, isListed: () => true, prompt })
    expect(of(25, 8_192)).toMatchObject({ tooManyTools: false, tooManyTokens: false })
    expect(of(26, 8_193)).toMatchObject({ tooManyTools: true, tooManyTokens: true })
  })

  it('a tool that was not weighed counts as a tool', () => {
    expect(measure({ tools: [tool('new')], weights: {}, isListed: () => true, prompt: 0 })).toMatchObject({
      tokens: 0,
      tools: 1,
    })
  })
})

describe('scale', () => {
  it.each([
    [0, 8_192],
    [8_192, 8_192],
    [8_193, 16_384],
    [40_000, 65_536],
  ])('%i tokens on a scale up to %i', (tokens, end) => {
    expect(scaleEnd(tokens)).toBe(end)
  })

  it('puts the parts side by side, with gaps, and shows the smallest', () => {
    const parts = { prompt: 4_096, 'built-in': 0, local: 1, remote: 4_000 }
    const bars = segments({ parts, tokens: 8_097 }, 560)
    expect(bars.map(({ part }) => part)).toEqual(['prompt', 'local', 'remote'])
    expect(bars[0]).toMatchObject({ x: 0, width: 278.5 })
    bars.slice(1).forEach((bar, k) => expect(bar.x).toBeGreaterThan((bars[k]?.x ?? 0) + (bars[k]?.width ?? 0)))
    expect(Math.min(...bars.map(({ width }) => width))).toBeGreaterThanOrEqual(2)
    expect((bars.at(-1)?.x ?? 0) + (bars.at(-1)?.width ?? 0)).toBeLessThanOrEqual(560)
  })
})
