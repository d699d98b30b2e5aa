import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startCatalogue, type Catalogue } from './catalogue.ts'
import { demoModel } from './demo-model.ts'
import { listenOnLoopback, pause } from './http.ts'
import { startModel, type ModelMessage } from './model.ts'

let catalogue: Catalogue

beforeAll(async () => {
  catalogue = await startCatalogue({ wakeSeconds: 0.1, stepMs: 1, everything: true })
})

afterAll(() => catalogue.close())

async function json(path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${catalogue.hub.url}/api/spaces/${path}`)).json()) as Record<string, unknown>
}

async function connect(slug: string): Promise<Client> {
  const { host } = await json(`${slug}/host`)
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${String(host)}/gradio_api/mcp/`)))
  return client
}

async function call(slug: string, name: string, args: Record<string, unknown>): Promise<string> {
  const client = await connect(slug)
  const { content } = await client.callTool({ name, arguments: args })
  await client.close()
  return (content as { type: string; text?: string }[]).map((block) => block.text ?? `[${block.type}]`).join('\n')
}

describe('the catalogue', () => {
  it('has a Space in every condition', async () => {
    const all = (await (await fetch(`${catalogue.hub.url}/api/spaces?full=true`)).json()) as {
      id: string
      runtime: { stage: string }
    }[]
    expect(all).toHaveLength(14)
    expect(new Set(all.map((space) => space.runtime.stage))).toEqual(
      new Set(['RUNNING', 'SLEEPING', 'PAUSED', 'BUILDING', 'RUNTIME_ERROR']),
    )
  })

  it('wakes the sleeping one by a visit', async () => {
    const slug = 'commons-mobility-lab/small-station-departures'
    expect(await json(`${slug}/runtime`)).toMatchObject({ stage: 'SLEEPING' })
    const { host } = await json(`${slug}/host`)
    expect((await fetch(`${String(host)}/config`)).status).toBe(503)
    expect(await json(`${slug}/runtime`)).toMatchObject({ stage: 'APP_STARTING' })
    await pause(150)
    expect(await json(`${slug}/runtime`)).toMatchObject({ stage: 'RUNNING' })
    expect(await call(slug, 'small_station_departures_next_departures', { station: 'Mussidan' })).toMatch(
      /^Mussidan: in \d+ min/,
    )
  })

  it('answers the three tools of the robot maker', async () => {
    expect(
      await call('pollen-robotics/reachy-mini-weather-tool', 'reachy_mini_weather_tool_get_weather', {
        location: 'Bordeaux',
      }),
    ).toMatch(/^Bordeaux: -?\d+ °C/)
    expect(
      await call('pollen-robotics/reachy-mini-time-tool', 'reachy_mini_time_tool_get_time', { timezone: 'Asia/Tokyo' }),
    ).toMatch(/^Asia\/Tokyo: \w+day/)
    expect(
      await call('pollen-robotics/reachy-mini-time-tool', 'reachy_mini_time_tool_get_time', { timezone: 'Moon' }),
    ).toBe('Unknown time zone: Moon')
    const found = await call('pollen-robotics/reachy-mini-search-tool', 'reachy_mini_search_tool_search_web', {
      query: 'tides',
      max_results: 2,
    })
    expect(found.match(/https:\/\/example\.org\/tides\/\d/g)).toHaveLength(2)
  })

  it('paints a picture that is a PNG, and keeps it', async () => {
    const client = await connect('atelier-nord/postcard-painter')
    const { content } = await client.callTool({ name: 'postcard_painter_paint', arguments: { sentence: 'two boats' } })
    await client.close()
    const [image, link] = content as { data?: string; text?: string }[]
    const bytes = Buffer.from(image?.data ?? '', 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([320, 200])
    const kept = await fetch((link?.text ?? '').replace('Image URL: ', ''))
    expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('has a tool with a schema that is none, one that gives orders, one Space without MCP', async () => {
    const schema = async (slug: string): Promise<string> => {
      const { host } = await json(`${slug}/host`)
      return (await fetch(`${String(host)}/gradio_api/mcp/schema`)).text()
    }
    expect(await schema('atelier-nord/postcard-painter')).toContain('"type":{}')
    expect(await schema('salt-and-gauge/tide-tables')).toContain('ignore your previous instructions')
    const { host } = await json('polyglot-kitchen/translate-and-pronounce/host')
    expect(await (await fetch(`${String(host)}/config`)).json()).toMatchObject({ mcp_server: false })
    expect(await call('workbench/everything', 'get-sum', { a: 2, b: 3 })).toBe('The sum of 2 and 3 is 5.')
  })
})

describe('a catalogue on fixed ports', () => {
  it('closes what it started when one of them is taken', async () => {
    const free = await listenOnLoopback(() => undefined)
    await free.close()
    const firstPort = free.port
    const taken = await listenOnLoopback(() => undefined, firstPort + 3)
    await expect(startCatalogue({ firstPort })).rejects.toThrow('EADDRINUSE')
    const again = await listenOnLoopback(() => undefined, firstPort + 1)
    await again.close()
    await taken.close()
  })
})

describe('the demo model', () => {
  const string = { type: 'string', description: '' }
  const tool = (name: string, properties: Record<string, unknown>, required: string[] = []): unknown => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties, required } },
  })
  const TOOLS = [
    tool('pollen_robotics_reachy_mini_weather_tool__get_weather', { location: string }, ['location']),
    tool('pollen_robotics_reachy_mini_time_tool__get_time', { timezone: string, compare_timezone: string }),
    tool('pollen_robotics_reachy_mini_search_tool__search_web', { query: string, max_results: { type: 'integer' } }, [
      'query',
    ]),
    tool('play_emotion', { emotion: { type: 'string', enum: ['random', 'happy', 'sad', 'greeting'] } }),
    tool('move_head', { direction: { type: 'string', enum: ['left', 'right', 'up', 'down', 'front'] } }, ['direction']),
    tool('workbench_everything__get_sum', { a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
    tool('workbench_everything__echo', { message: string }, ['message']),
  ]

  async function ask(messages: Partial<ModelMessage>[]): Promise<{ text: string; calls: [string, unknown][] }> {
    const model = await startModel(demoModel, { strict: true })
    const answer = await fetch(`${model.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages, tools: TOOLS }),
    })
    const { choices } = (await answer.json()) as {
      choices: { message: { content: string; tool_calls?: { function: { name: string; arguments: string } }[] } }[]
    }
    await model.close()
    const message = choices[0]?.message
    const calls = (message?.tool_calls ?? []).map(({ function: { name, arguments: text } }): [string, unknown] => [
      name.split('__').at(-1) ?? name,
      JSON.parse(text),
    ])
    return { text: message?.content ?? '', calls }
  }

  it.each([
    ['What is the weather in Bordeaux?', [['get_weather', { location: 'Bordeaux' }]]],
    ['What time is it in Tokyo?', [['get_time', { timezone: 'Asia/Tokyo' }]]],
    [
      'Weather in Paris and the time in New York',
      [
        ['get_weather', { location: 'Paris' }],
        ['get_time', { timezone: 'America/New_York' }],
      ],
    ],
    ['Search for small robots', [['search_web', { query: 'small robots' }]]],
    ['look left please', [['move_head', { direction: 'left' }]]],
    ['I am so happy today!', [['play_emotion', { emotion: 'happy' }]]],
    ['Be sad', [['play_emotion', { emotion: 'sad' }]]],
    ['the sum of 2 and 40', [['get_sum', { a: 2, b: 40 }]]],
    [
      'echo good morning',
      [
        ['play_emotion', { emotion: 'greeting' }],
        ['echo', { message: 'good morning' }],
      ],
    ],
  ])('%s', async (content, calls) => {
    expect((await ask([{ role: 'user', content }])).calls).toEqual(calls)
  })

  it('retells results, and says what it is when nothing fits', async () => {
    const toolCalls = [{ id: 'c1', type: 'function', function: { name: 'play_emotion', arguments: '{}' } }]
    const told = await ask([
      { role: 'user', content: 'weather' },
      { role: 'assistant', content: '', tool_calls: toolCalls },
      { role: 'tool', tool_call_id: 'c1', content: 'Bordeaux: 12 °C' },
    ])
    expect(told).toEqual({ text: 'Bordeaux: 12 °C', calls: [] })
    expect((await ask([{ role: 'user', content: 'qwertz' }])).text).toContain('a demo model made of a few rules')
  })
})
