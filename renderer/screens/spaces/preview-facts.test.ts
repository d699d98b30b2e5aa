import { describe, expect, it } from 'vitest'

import { chosenAtFirst, hostOf, parameterNames, sameSlug, shownSteps, toolName, usableIds } from './preview-facts.ts'

import type { InstallProgress, InstallStepState, SpacePreview, ToolWarning } from '../../../electron/contract/index.ts'

describe('parameterNames', () => {
  it.each([
    [{ type: 'object', properties: { city: { type: 'string' }, unit: {} } }, ['city', 'unit']],
    [{ type: 'object' }, []],
    [{ properties: [] }, []],
    [{ properties: null }, []],
    [{}, []],
  ])('%j → %j', (schema, names) => {
    expect(parameterNames(schema as Record<string, never>)).toEqual(names)
  })
})

describe('toolName', () => {
  it.each([
    [{ id: 'acme_weather__get_weather', remoteName: 'get_weather' }, 'get_weather'],
    [{ id: 'acme_weather__a__b', remoteName: 'a__b' }, 'a__b'],
    [{ id: 'plain', remoteName: 'plain' }, 'plain'],
    [{ id: null, remoteName: 'näme' }, 'näme'],
  ])('%j → %s', (tool, name) => {
    expect(toolName(tool)).toBe(name)
  })
})

describe('usableIds', () => {
  it('leaves out what is rejected or has no ID', () => {
    const tool = { remoteName: 'x', description: '', parameters: {}, warnings: [] }
    const preview = {
      tools: [
        { ...tool, id: 'a__x', status: 'usable' },
        { ...tool, id: 'a__y', status: 'rejected' },
        { ...tool, id: null, status: 'rejected' },
        { ...tool, id: 'a__z', status: 'usable' },
      ],
    } as unknown as SpacePreview
    expect(usableIds(preview)).toEqual(['a__x', 'a__z'])
  })
})

describe('chosenAtFirst', () => {
  it.each<[ToolWarning[], boolean]>([
    [[], true],
    [['very-long'], true],
    [['gives-orders'], false],
    [['names-other-tools'], false],
    [['invisible-characters'], false],
    [['very-long', 'invisible-characters'], false],
  ])('%j → %s', (warnings, on) => {
    const preview = { tools: [{ id: 'a__x', status: 'usable', warnings }] } as unknown as SpacePreview
    expect(chosenAtFirst(preview).has('a__x')).toBe(on)
  })
})

describe('shownSteps', () => {
  const progress = (...states: InstallStepState['state'][]): InstallProgress => ({
    operationId: '1',
    slug: 'a/b',
    steps: (['validate', 'wake', 'connect', 'discover', 'enable'] as const).flatMap((step, i) => {
      const state = states[i]
      return state ? [{ step, state }] : []
    }),
  })

  it.each([
    ['nothing known', undefined, false, 'pending pending pending pending pending'],
    ['under way', progress('done', 'running'), false, 'done running pending pending pending'],
    ['failed before it began', undefined, true, 'failed pending pending pending pending'],
    ['failed while one ran', progress('done', 'running'), true, 'done failed pending pending pending'],
    ['failed and said so', progress('done', 'failed', 'pending'), true, 'done failed pending pending pending'],
    ['failed between two', progress('done', 'done'), true, 'done done failed pending pending'],
    ['failed at the end', progress('done', 'done', 'done', 'done', 'running'), true, 'done done done done failed'],
  ] as const)('%s', (_, known, failed, states) => {
    expect(
      shownSteps(known, failed)
        .map((step) => step.state)
        .join(' '),
    ).toBe(states)
  })
})

it('hostOf shows the host, and what is no address as it is', () => {
  expect(hostOf('https://acme-weather.hf.space/gradio_api/mcp/')).toBe('acme-weather.hf.space')
  expect(hostOf('nowhere')).toBe('nowhere')
})

it('sameSlug ignores the case of letters', () => {
  expect(sameSlug('Acme/Weather', 'acme/weather')).toBe(true)
  expect(sameSlug('acme/weather', 'acme/weather2')).toBe(false)
})
