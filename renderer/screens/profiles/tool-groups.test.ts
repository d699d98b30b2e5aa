import { describe, expect, it } from 'vitest'

import { groupTools, matchesTool } from './tool-groups.ts'

import type { ToolEntry } from '../../../electron/contract/index.ts'

function tool(id: string, source: ToolEntry['source'], origin: string, system = false): ToolEntry {
  return {
    id,
    shortName: id.split('__').at(-1) ?? id,
    source,
    origin,
    description: `Does ${id}`,
    parameters: {},
    enabled: true,
    available: true,
    system,
  }
}

describe('groupTools', () => {
  it('puts built-in first, then local, then each Space and server, then what is always on', () => {
    const groups = groupTools([
      tool('acme_weather__now', 'space', 'acme/weather'),
      tool('task_status', 'built-in', 'system', true),
      tool('timer', 'local', '/home/me/timer.py'),
      tool('acme_news__top', 'space', 'acme/news'),
      tool('dance', 'built-in', 'robot'),
      tool('acme_weather__later', 'space', 'acme/weather'),
      tool('notes__add', 'server', 'notes'),
    ])
    expect(groups.map((group) => [group.kind, group.title, group.owner, group.tools.map((held) => held.id)])).toEqual([
      ['built-in', '', '', ['dance']],
      ['local', '', '', ['timer']],
      ['remote', 'weather', 'acme', ['acme_weather__now', 'acme_weather__later']],
      ['remote', 'news', 'acme', ['acme_news__top']],
      ['remote', 'notes', '', ['notes__add']],
      ['system', '', '', ['task_status']],
    ])
  })

  it('keeps a Space and a server of one name apart', () => {
    const groups = groupTools([tool('a', 'space', 'x/y'), tool('b', 'server', 'x/y')])
    expect(groups.filter((group) => group.kind === 'remote')).toHaveLength(2)
  })

  it('has a place for tools of one’s own before there is one', () => {
    const groups = groupTools([tool('dance', 'built-in', 'robot')])
    expect(groups.map((group) => [group.key, group.tools.length])).toEqual([
      ['built-in', 1],
      ['local', 0],
    ])
  })
})

describe('matchesTool', () => {
  const weather = tool('acme_weather__get_forecast', 'space', 'acme/weather')
  it.each([
    ['', true],
    ['  ', true],
    ['forecast', true],
    ['FORECAST acme', true],
    ['does', true],
    ['forecast dance', false],
    ['météo', true],
  ])('“%s”: %s', (search, found) => {
    expect(matchesTool(weather, search, 'Dit la météo')).toBe(found)
  })
})
