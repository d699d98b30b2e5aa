import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEverything } from '../../../e2e/servers/everything.ts'
import { createMcp } from '../../mcp/index.ts'
import { DANCE_NAMES, EMOTION_INTENTS } from '../../robot/index.ts'
import { builtInTools } from '../../tools/built-in.ts'
import { sanitise } from '../../tools/schema.ts'

import { fillArguments } from './fill.ts'
import { languageOf } from './language.ts'
import { planSentence } from './plan.ts'
import { createToolIndex } from './search.ts'

import type { JsonObject, Log, ToolEntry } from '../../contract/index.ts'
import type { Pending, Plan, PlanContext } from './plan.ts'

const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const entry = (
  id: string,
  description: string,
  parameters: JsonObject,
  source: ToolEntry['source'] = 'space',
): ToolEntry => ({
  id,
  shortName: id.split('__').at(-1)!,
  source,
  origin: source === 'space' ? 'acme/everything' : 'robot',
  description,
  parameters,
  enabled: true,
  available: true,
  system: false,
})
const string = (description = ''): JsonObject => ({ type: 'string', description })
const object = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})

const body = builtInTools({ intents: EMOTION_INTENTS, dances: DANCE_NAMES.map((name) => ({ name, description: '' })) })
  .filter((tool) => !tool.system && !tool.missing)
  .map((tool) => entry(tool.id, tool.description, tool.parameters, 'built-in'))
const spaces = [
  entry(
    'pollen__get_weather',
    'Current weather and forecast for a place.',
    object({ location: string('City name'), unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } }, ['location']),
  ),
  entry(
    'pollen__search_web',
    'Searches the web and returns short results.',
    object({ query: string('What to look for'), max_results: { type: 'integer' } }, ['query']),
  ),
  entry(
    'acme__letter_counter',
    'Count how often a letter occurs in a word.',
    object({ word: string(), letter: string() }),
  ),
  entry(
    'home__set_light',
    'Switches a light at home.',
    object({ light: { type: 'string', enum: ['desk_lamp', 'ceiling'] }, on: { type: 'boolean' } }),
  ),
]

let context: PlanContext
let everything: Awaited<ReturnType<typeof startEverything>>

beforeAll(async () => {
  everything = await startEverything()
  const mcp = createMcp({ fetch, version: '0', log })
  const listing = await mcp.list({ key: 'e', url: everything.url })
  await mcp.dispose()
  const remote = listing.tools.map((tool) =>
    entry(`acme_everything__${tool.remoteName.replace(/-/g, '_')}`, tool.description, tool.inputSchema),
  )
  const tools = [...body, ...spaces, ...remote]
  context = {
    index: await createToolIndex(tools),
    tools,
    schemaOf: (tool) => sanitise(tool.parameters).schema,
    enabled: new Set(tools.map(({ id }) => id)),
    dances: DANCE_NAMES,
  }
})
afterAll(() => everything.close())

const short = (plan: Plan): string => {
  if (plan.kind === 'ask') return `ask ${plan.tool.shortName}: ${plan.missing.join(', ')}`
  if (plan.kind !== 'calls') return plan.kind
  return plan.calls.map(({ id, args }) => `${id.split('__').at(-1)} ${JSON.stringify(args)}`).join(' + ')
}
const plan = (sentence: string): string => short(planSentence(sentence, context))

describe('orders to the body', () => {
  it.each([
    ['look left', 'move_head {"direction":"left"}'],
    ['Please look to the right!', 'move_head {"direction":"right"}'],
    ['can you look up at the ceiling?', 'move_head {"direction":"up"}'],
    ['Look down', 'move_head {"direction":"down"}'],
    ['look straight ahead', 'move_head {"direction":"front"}'],
    ['left', 'move_head {"direction":"left"}'],
    ['regarde à gauche', 'move_head {"direction":"left"}'],
    ['Tourne la tête à droite, s’il te plaît', 'move_head {"direction":"right"}'],
    ['lève la tête', 'move_head {"direction":"up"}'],
    ['regarde en bas', 'move_head {"direction":"down"}'],
    ['看左边', 'move_head {"direction":"left"}'],
    ['请向右看', 'move_head {"direction":"right"}'],
    ['抬头', 'move_head {"direction":"up"}'],
    ['Look around', 'sweep_look {}'],
    ['环顾四周', 'sweep_look {}'],
    ['dance', 'dance {}'],
    ['Dance for me', 'dance {}'],
    ['do a little dance', 'dance {}'],
    ['danse pour moi', 'dance {}'],
    ['跳个舞', 'dance {}'],
    ['dance the yeah nod twice', 'dance {"move":"yeah_nod","repeat":2}'],
    ['stop', 'stop_emotion {} + stop_dance {}'],
    ['Arrête !', 'stop_emotion {} + stop_dance {}'],
    ['停下', 'stop_emotion {} + stop_dance {}'],
    ['stop dancing', 'stop_dance {}'],
    ['go to sleep', 'go_to_sleep {}'],
    ['Va dormir', 'go_to_sleep {}'],
    ['晚安', 'go_to_sleep {}'],
    ['Look to the left, then back to me', 'move_head {"direction":"left"} + move_head {"direction":"front"}'],
    ['look left and wave goodbye', 'move_head {"direction":"left"} + play_emotion {"emotion":"goodbye"}'],
  ])('%s → %s', (sentence, expected) => {
    expect(plan(sentence)).toBe(expected)
  })
})

describe('feelings', () => {
  it.each([
    ['I am so happy today', 'happy'],
    ['je suis triste', 'sad'],
    ['我很开心', 'happy'],
    ['wave goodbye', 'goodbye'],
    ['I am not so happy', 'sad'],
    ['Show me how you look when you are curious', 'thinking'],
    ['thank you very much', 'grateful'],
    ['yes', 'yes'],
    ['I feel lonely', 'lonely'],
    ['Hello', 'greeting'],
    ['fais une tête en colère', 'angry'],
    ['我好害怕', 'scared'],
    ["Je n'ai pas peur", 'calming'],
  ])('%s → %s', (sentence, emotion) => {
    expect(plan(sentence)).toBe(`play_emotion {"emotion":"${emotion}"}`)
  })
})

describe('tools of Spaces', () => {
  it.each([
    ['What is the weather in Bordeaux?', 'get_weather {"location":"Bordeaux"}'],
    ['Do I need a jacket in Paris today?', 'get_weather {"location":"Paris"}'],
    ['How is the weather in New York right now, please?', 'get_weather {"location":"New York"}'],
    ['weather Tokyo', 'get_weather {"location":"Tokyo"}'],
    ['what is the weather in lyon in fahrenheit', 'get_weather {"unit":"fahrenheit","location":"lyon"}'],
    ['Quel temps fait-il à Bordeaux ?', 'get_weather {"location":"Bordeaux"}'],
    ['Quelle est la météo de Marseille demain ?', 'get_weather {"location":"Marseille"}'],
    ['北京天气怎么样？', 'get_weather {"location":"北京"}'],
    ['今天上海会下雨吗', 'get_weather {"location":"上海"}'],
    ['What is the weather?', 'ask get_weather: location'],
    ['Quel temps fait-il ?', 'ask get_weather: location'],
    ['今天天气怎么样', 'ask get_weather: location'],
    ['Search the web for robot news', 'search_web {"query":"robot news"}'],
    ['search for dance classes in Lyon', 'search_web {"query":"dance classes in Lyon"}'],
    ['cherche des nouvelles des robots', 'search_web {"query":"des nouvelles des robots"}'],
    ['搜索机器人新闻', 'search_web {"query":"机器人新闻"}'],
    ['echo hello world', 'echo {"message":"hello world"}'],
    ['say hello world with echo', 'echo {"message":"hello world"}'],
    ['use echo to say good evening', 'echo {"message":"good evening"}'],
    ['Echo “what is the sum of 2 and 3”', 'echo {"message":"what is the sum of 2 and 3"}'],
    ['what is the sum of 2 and 3', 'get_sum {"a":2,"b":3}'],
    ['add 2 and 3', 'get_sum {"a":2,"b":3}'],
    ['additionne deux et 3,5', 'get_sum {"a":2,"b":3.5}'],
    ['sum of 7', 'ask get_sum: a, b'],
    ['show me the tiny image', 'get_tiny_image {}'],
    ['montre-moi la petite image tiny', 'get_tiny_image {}'],
    ['use letter counter with “strawberry” and “r”', 'letter_counter {"word":"strawberry","letter":"r"}'],
    ['switch the desk lamp on', 'set_light {"light":"desk_lamp","on":true}'],
  ])('%s → %s', (sentence, expected) => {
    expect(plan(sentence)).toBe(expected)
  })
})

describe('what is no order', () => {
  it.each([
    ['how are you?', 'small-talk'],
    ['Do you love me?', 'small-talk'],
    ['qui es-tu ?', 'small-talk'],
    ['你是谁？', 'small-talk'],
    ['What do you think about the poetry of clouds?', 'nothing'],
    ['Why are people happy?', 'nothing'],
    ['The quick brown fox jumps over the lazy dog', 'nothing'],
    ['Explain quantum entanglement', 'nothing'],
    ['???', 'nothing'],
    ['', 'nothing'],
    ['what is left of the cake', 'nothing'],
  ])('%s → %s', (sentence, expected) => {
    expect(plan(sentence)).toBe(expected)
  })

  it('a tool that is not enabled is not found', async () => {
    const tools = body.filter(({ id }) => id !== 'dance')
    const less = { ...context, tools, enabled: new Set(tools.map(({ id }) => id)), index: await createToolIndex(tools) }
    expect(short(planSentence('do a little dance', less))).toBe('nothing')
    expect(short(planSentence('What is the weather in Bordeaux?', less))).toBe('nothing')
  })
})

describe('an answer to a question', () => {
  const pending = (): Pending => ({ toolId: 'pollen__get_weather', args: {}, missing: ['location'] })
  it.each([
    ['Bordeaux', 'get_weather {"location":"Bordeaux"}'],
    ['in San Sebastian.', 'get_weather {"location":"San Sebastian"}'],
    ['look left', 'move_head {"direction":"left"}'],
    ['echo hello', 'echo {"message":"hello"}'],
  ])('%s → %s', (sentence, expected) => {
    expect(short(planSentence(sentence, { ...context, pending: pending() }))).toBe(expected)
  })
})

describe('arguments', () => {
  const fill = (parameters: JsonObject, sentence: string) => fillArguments({ parameters, sentence, toolNames: ['t'] })
  it('a server that tells nothing as required is asked with the one open text', () => {
    expect(
      fill(
        { type: 'object', properties: { prompt: { type: 'string' }, size: { type: 'number', default: 8 } } },
        'draw a cat',
      ),
    ).toEqual({
      args: { prompt: 'a cat' },
      missing: [],
    })
  })
  it('does not guess between several texts', () => {
    expect(fill(object({ from: string(), to: string() }), 'a train from Paris to Lyon')).toEqual({
      args: {},
      missing: ['from', 'to'],
    })
  })
  it('does not fill lists and objects', () => {
    expect(fill(object({ tags: { type: 'array' } }), 'tags red and blue').missing).toEqual(['tags'])
  })
})

describe('the language of a sentence', () => {
  it.each([
    ['What is the weather in Bordeaux?', 'en'],
    ['Quel temps fait-il à Bordeaux ?', 'fr'],
    ['je suis triste', 'fr'],
    ['danse', 'fr'],
    ['dance', 'en'],
    ['我很开心', 'zh-CN'],
    ["let's look at the menu", 'en'],
    ['', 'en'],
  ])('%s → %s', (sentence, language) => {
    expect(languageOf(sentence)).toBe(language)
  })
})
