import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { VOICES } from '../contract/constants.ts'
import { avatarSchema, languageSchema } from '../contract/index.ts'
import { SEEDS } from '../spaces/seeds.ts'
import { createStorage } from '../storage/index.ts'
import { builtInTools } from '../tools/built-in.ts'

import { placeholdersIn } from './instructions.ts'
import { createProfiles } from './profiles.ts'

import type { Log } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Profiles } from './types.ts'

const dir = path.resolve(import.meta.dirname, '../../profiles')
const names = readdirSync(dir).sort()
const FILES = ['about.json', 'greeting.txt', 'instructions.txt', 'tools.txt', 'voice.txt']

/** Order of the robot's own app (`pollen-robotics/reachy_mini_conversation_app` 0.10, `profiles/default/tools.txt`). */
const DEFAULT_BODY = ['dance', 'stop_dance', 'play_emotion', 'stop_emotion', 'camera', 'idle_do_nothing', 'move_head']
  .concat(['go_to_sleep', 'sweep_look', 'remember', 'forget', 'head_tracking'])
const SEARCH = 'pollen_robotics_reachy_mini_search_tool__search_web'
const WEATHER = 'pollen_robotics_reachy_mini_weather_tool__get_weather'
const TIME = 'pollen_robotics_reachy_mini_time_tool__get_time'
const CANARY = ['play_emotion', 'stop_emotion', 'idle_do_nothing', 'move_head', SEARCH]

/** Words by which a prompt can speak of a tool that is not plain movement. */
const WORDS: Readonly<Record<string, RegExp>> = {
  camera: /\bcamera\b/i,
  remember: /\bremember\b/i,
  forget: /\bforget\b/i,
  go_to_sleep: /\bgo to sleep\b/i,
  head_tracking: /\bfollow/i,
  sweep_look: /\b(sweep|look(ing)? around)\b/i,
  dance: /\bdance\b/i,
  play_emotion: /\bemotions?\b/i,
  [SEARCH]: /\bsearch\b/i,
  [WEATHER]: /\bweather\b/i,
  [TIME]: /\b(clock|time)\b/i,
}
/** Nothing that a prompt has to ask for: the counterpart of another tool, a look, the answer to an idle moment. */
const SILENT = ['stop_dance', 'stop_emotion', 'move_head', 'idle_do_nothing']

/** Realtime models were seen to take in long prompts badly (pollen-robotics/reachy_mini_conversation_app, pull request 162). */
const LONG = 1_500

const aboutSchema = z.strictObject({
  version: z.literal(1),
  purpose: z.strictObject({
    en: z.string().min(10).max(80),
    'zh-CN': z.string().min(5).max(40),
    fr: z.string().min(10).max(80),
  }),
  avatar: avatarSchema.strict(),
})

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const textOf = (name: string, file: string): string => readFileSync(path.join(dir, name, file), 'utf8')
const aboutOf = (name: string): z.output<typeof aboutSchema> => aboutSchema.parse(JSON.parse(textOf(name, 'about.json')))

const warnings: string[] = []
let folder: string
let storage: Storage
let profiles: Profiles

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'shipped-'))
  storage = await createStorage({ dataDir: path.join(folder, 'data'), log: silent })
  profiles = createProfiles({
    storage,
    shippedDir: dir,
    choice: { get: async () => null, set: async () => undefined },
    log: { ...silent, warn: (message, details) => warnings.push(`${message} ${JSON.stringify(details)}`) },
  })
})

afterAll(async () => {
  profiles.dispose()
  await storage.dispose()
  rmSync(folder, { recursive: true, force: true })
})

describe('the shipped profiles', () => {
  it('are enough to choose from, all listed, none with a problem or a warning', async () => {
    expect(names.length).toBeGreaterThanOrEqual(13)
    const { active, profiles: listed } = await profiles.snapshot()
    expect(active).toBe('default')
    expect(listed.map(({ name }) => name)).toEqual(['default', ...names.filter((name) => name !== 'default')])
    expect(listed.filter(({ problem, edited, hidden, source }) => problem ?? (edited || hidden || source !== 'shipped'))).toEqual([])
    expect(warnings).toEqual([])
  })

  it.each(names)('%s is a folder of text files that end in one line ending', (name) => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    const files = readdirSync(path.join(dir, name))
    expect(files.filter((file) => !FILES.includes(file))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(FILES.filter((file) => file !== 'voice.txt')))
    for (const file of files) {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path.join(dir, name, file)))
      expect(text, file).toMatch(/^[^\uFEFF\s][^\r\0\t]*[^\s]\n$/)
      expect(text, file).not.toMatch(/ \n|\n\n\n/)
      expect(text, file).toBe(text.normalize('NFC'))
    }
  })

  it.each(names)('%s has only tools that exist, each once, and says when to use them', async (name) => {
    expect(await profiles.check(name)).toEqual([])
    const { toolIds, instructions } = await profiles.effective(name)
    const lines = profiles.parseTools(textOf(name, 'tools.txt'))
    expect(lines.filter(({ duplicate, note }) => duplicate || note !== undefined)).toEqual([])
    const known = new Set([
      ...builtInTools({ intents: [], dances: [] }).flatMap(({ id, system }) => (system ? [] : [id])),
      ...SEEDS.flatMap(({ tools }) => tools.map(({ id }) => id)),
    ])
    expect(toolIds.filter((id) => !known.has(id))).toEqual([])
    expect(toolIds.length).toBeGreaterThan(3)
    expect(toolIds.includes('dance')).toBe(toolIds.includes('stop_dance'))
    expect(toolIds.includes('play_emotion')).toBe(toolIds.includes('stop_emotion'))
    expect(toolIds.includes('remember')).toBe(toolIds.includes('forget'))
    const spoken = toolIds.filter((id) => !SILENT.includes(id))
    expect(spoken.filter((id) => WORDS[id]?.test(instructions) !== true)).toEqual([])
  })

  it.each(names)('%s speaks in a short prompt, a greeting and a voice that exists', async (name) => {
    const { instructions, greeting, voice } = await profiles.effective(name)
    const source = textOf(name, 'instructions.txt')
    expect(source.length).toBeGreaterThan(400)
    expect(source.length).toBeLessThanOrEqual(LONG)
    expect(placeholdersIn(source).map((line) => line.name)).toEqual(name.startsWith('canary_') ? ['default_prompt'] : [])
    expect(instructions).not.toMatch(/^\[/m)
    expect(instructions).toContain('You are Reachy Mini')
    // Everything is heard: no lists, no headings, no emphasis.
    expect(source).not.toMatch(/^\s*([-*#]|\d+\.)\s|\*\*|`/m)
    expect(greeting?.split('\n')).toHaveLength(1)
    expect(existsSync(path.join(dir, name, 'voice.txt'))).toBe(voice !== undefined)
    if (voice !== undefined) expect(VOICES).toContain(voice)
  })

  it('have a face and a purpose of their own, in three languages', () => {
    const abouts = names.map(aboutOf)
    const distinct = (values: readonly unknown[]): number => new Set(values.map((value) => JSON.stringify(value))).size
    expect(distinct(abouts.map(({ avatar }) => avatar))).toBe(names.length)
    expect(distinct(abouts.map(({ avatar: { roll, antennas } }) => [roll, antennas]))).toBe(names.length)
    for (const language of languageSchema.options) {
      const purposes = abouts.map(({ purpose }) => purpose[language])
      expect(distinct(purposes)).toBe(names.length)
      expect(purposes.filter((purpose) => !/[.。]$/.test(purpose))).toEqual([])
      expect(purposes.filter((purpose) => /!/.test(purpose))).toEqual([])
    }
    // A narrow no-break space before a colon and its like.
    expect(abouts.filter(({ purpose }) => /[^\u202F][:;?]/.test(purpose.fr)).map(({ purpose }) => purpose.fr)).toEqual([])
  })

  it('say the purpose in the language of the app', async () => {
    const purposeOf = async (): Promise<string | undefined> =>
      (await profiles.snapshot()).profiles.find(({ name }) => name === 'quiz_master')?.purpose
    profiles.speak('fr')
    expect(await purposeOf()).toBe(aboutOf('quiz_master').purpose.fr)
    profiles.speak('en')
    expect(await purposeOf()).toBe(aboutOf('quiz_master').purpose.en)
  })

  it('share no sentence', () => {
    const seen = new Map<string, string>()
    const shared: string[] = []
    for (const name of names) {
      const text = `${textOf(name, 'instructions.txt')}\n${textOf(name, 'greeting.txt')}`
      const sentences = text.split(/(?<=[.?!;:])\s+|\n+/).map((sentence) => sentence.toLowerCase().replaceAll(/[^a-z ]/g, '').trim())
      for (const sentence of new Set(sentences)) {
        // "You are Reachy Mini" begins them all; a placeholder is no sentence.
        if (sentence.split(' ').length < 3) continue
        const first = seen.get(sentence)
        if (first === undefined) seen.set(sentence, name)
        else shared.push(`${first}, ${name}: ${sentence}`)
      }
    }
    expect(shared).toEqual([])
  })

  it('have the tools of the robot’s own app where it has that profile, in its order', async () => {
    const idsOf = async (name: string): Promise<readonly string[]> => (await profiles.effective(name)).toolIds
    expect(await idsOf('default')).toEqual([...DEFAULT_BODY, SEARCH, WEATHER, TIME])
    expect(await idsOf('canary_web_search')).toEqual(CANARY)
    expect(await idsOf('canary_web_search_weather')).toEqual([...CANARY, WEATHER])
    for (const name of ['canary_web_search', 'canary_web_search_weather']) {
      expect(textOf(name, 'tools.txt')).toBe((await idsOf(name)).map((id) => `${id}\n`).join(''))
    }
  })

  it('canaries speak as default first, then get both look-ups into one turn', async () => {
    const base = (await profiles.effective('default')).instructions
    for (const name of ['canary_web_search', 'canary_web_search_weather']) {
      expect(textOf(name, 'instructions.txt')).toMatch(/^\[default_prompt\]\n/)
      expect((await profiles.effective(name)).instructions.startsWith(base)).toBe(true)
    }
    expect(textOf('canary_web_search_weather', 'instructions.txt')).toMatch(/both calls in the same turn/)
  })

  it('are copied with their face, byte for byte, when one is made of them', async () => {
    const { path: copy } = await profiles.create('mine', 'night_watch')
    const files = readdirSync(path.join(dir, 'night_watch')).sort()
    expect(readdirSync(copy).sort()).toEqual(files)
    for (const file of files) expect(readFileSync(path.join(copy, file))).toEqual(readFileSync(path.join(dir, 'night_watch', file)))
  })
})
