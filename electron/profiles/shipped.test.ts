import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { checkFiles, defaultsFrom, effectiveOf, readFiles } from './profile-files.ts'
import { listProfiles } from './roots.ts'

const dir = path.resolve(import.meta.dirname, '../../profiles')

const BUILT_IN = ['dance', 'stop_dance', 'play_emotion', 'stop_emotion', 'camera', 'idle_do_nothing', 'move_head']
  .concat(['go_to_sleep', 'sweep_look', 'remember', 'forget', 'head_tracking'])
const SEARCH = 'pollen_robotics_reachy_mini_search_tool__search_web'
const WEATHER = 'pollen_robotics_reachy_mini_weather_tool__get_weather'
const TIME = 'pollen_robotics_reachy_mini_time_tool__get_time'
const CANARY = ['play_emotion', 'stop_emotion', 'idle_do_nothing', 'move_head', SEARCH]

const { places, refused } = await listProfiles([{ source: 'shipped', dir }])
const loaded = new Map(
  await Promise.all(places.map(async (place) => [place.name, await readFiles(place)] as const)),
)
const defaultFiles = loaded.get('default')
const defaults = defaultsFrom(defaultFiles === undefined ? [] : [defaultFiles])
const effective = (name: string): ReturnType<typeof effectiveOf> => {
  const files = loaded.get(name)
  if (files === undefined) throw new Error(`no profile ${name}`)
  return effectiveOf(name, files, defaults)
}

describe('the shipped profiles', () => {
  it('are all listed', () => {
    expect(refused).toEqual([])
    expect(places.map(({ name }) => name)).toEqual(['default', ...readdirSync(dir).filter((name) => name !== 'default').sort()])
  })

  it.each(places.map(({ name }) => name))('%s has no problem and only tools that exist', (name) => {
    const files = loaded.get(name)
    expect(files === undefined ? null : checkFiles(name, files, defaults)).toEqual([])
    const known = new Set([...BUILT_IN, SEARCH, WEATHER, TIME])
    expect(effective(name).toolIds.filter((id) => !known.has(id))).toEqual([])
    expect(effective(name).toolIds.length).toBeGreaterThan(0)
    expect(effective(name).greeting).toMatch(/\S/)
    expect(effective(name).instructions).not.toMatch(/^\[/m)
    for (const file of ['instructions.txt', 'tools.txt', 'greeting.txt']) {
      expect(existsSync(path.join(dir, name, file))).toBe(true)
      expect(readFileSync(path.join(dir, name, file), 'utf8')).toMatch(/[^\n]\n$/)
    }
  })

  it('have the tools of the robot’s own app, in its order', () => {
    expect(effective('default').toolIds).toEqual([...BUILT_IN, SEARCH, WEATHER, TIME])
    expect(effective('canary_web_search').toolIds).toEqual(CANARY)
    expect(effective('canary_web_search_weather').toolIds).toEqual([...CANARY, WEATHER])
  })

  it('canaries speak as default first', () => {
    for (const name of ['canary_web_search', 'canary_web_search_weather']) {
      expect(readFileSync(path.join(dir, name, 'instructions.txt'), 'utf8')).toMatch(/^\[default_prompt\]\n/)
      expect(effective(name).instructions.startsWith(defaults.prompt)).toBe(true)
    }
  })
})
