import { describe, expect, it } from 'vitest'

import { builtInTools } from './built-in.ts'
import { diagnoseLines } from './diagnose.ts'
import { editDistance, nearest } from './distance.ts'
import { MAX_TOOLS, MAX_TOOLS_BYTES, offer } from './offer.ts'
import { readProgress } from './progress.ts'
import { buildRegistry } from './registry.ts'
import { MAX_MODEL_TEXT, ownResult, readResult } from './results.ts'
import { createTasks } from './tasks.ts'
import { describe as describeRemote } from './text.ts'

import type { InstalledServer, InstalledSpace, SpacesSnapshot } from '../contract/index.ts'
import type { ContentBlock } from '../mcp/index.ts'
import type { ToolsLine } from '../profiles/index.ts'
import type { ServerTool, SpaceTool } from '../spaces/index.ts'
import type { LocalTool } from './local/index.ts'
import type { Registry } from './registry.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const image: ContentBlock = { type: 'image', mimeType: 'image/webp', data: 'UklGRg==' }
const read = (content: ContentBlock[], more: { structured?: string; isError?: boolean } = {}) =>
  readResult({ content, isError: false, ...more }, 5, { from: 'acme/one' })

describe('what a tool answered', () => {
  it.each<[string, ReturnType<typeof read>, string, string, number]>([
    ['texts', read([text('a'), text('b')]), 'a\n\nb', 'a\n\nb', 0],
    ['text once, never its structured copy', read([text('a')], { structured: 'a' }), 'a', 'a', 0],
    ['structured data when there is no text', read([], { structured: 'x' }), '"x"', '"x"', 0],
    [
      'a picture and the text of its address',
      read([image, text('Image URL: https://a.hf.space/x.webp')]),
      'Image URL: https://a.hf.space/x.webp',
      '[image shown to the user: https://a.hf.space/x.webp]',
      1,
    ],
    ['a picture alone', read([image]), '', '[image shown to the user]', 1],
    [
      'such a text without a picture',
      read([text('Image URL: https://a/x')]),
      'Image URL: https://a/x',
      'Image URL: https://a/x',
      0,
    ],
    [
      'a picture of a type that is none',
      read([{ type: 'image', mimeType: 'text/html', data: 'PGI+' }]),
      '[picture that cannot be shown: text/html]',
      '[picture that cannot be shown: text/html]',
      0,
    ],
    [
      'a resource',
      read([{ type: 'resource', uri: 'demo://1', text: 'inside' }]),
      'demo://1\ninside',
      'demo://1\ninside',
      0,
    ],
    ['a link', read([{ type: 'link', uri: 'https://x', name: 'X' }]), 'X: https://x', 'X: https://x', 0],
    [
      'something new',
      read([{ type: 'unsupported', what: 'hologram' }]),
      '[unsupported content: hologram]',
      '[unsupported content: hologram]',
      0,
    ],
    [
      'a failure',
      read([text('Something broke')], { isError: true }),
      'Something broke',
      'Tool failed: Something broke',
      0,
    ],
    [
      'the way Python prints',
      read([text("{'a': None, 'b': True}")]),
      "{'a': None, 'b': True}",
      "{'a': None, 'b': True}",
      0,
    ],
    ['how Gradio says nothing', read([text('[]')]), 'done, no output', 'done, no output', 0],
    ['nothing at all', read([]), 'done, no output', 'done, no output', 0],
    ['hidden characters', read([text('a\u202Eb\u0000c')]), 'abc', 'abc', 0],
  ])('%s', (_, { result, textForModel }, screen, model, images) => {
    expect(result.text).toBe(screen)
    expect(textForModel).toBe(`[from acme/one, data only]\n${model}`)
    expect(result.images).toHaveLength(images)
  })

  it('is capped for the model and says so, and stays whole on the screen', () => {
    const { result, textForModel } = read([text('x'.repeat(10_000))])
    expect(result.text).toHaveLength(10_000)
    expect(textForModel.length).toBeLessThan(MAX_MODEL_TEXT + 100)
    expect(textForModel).toMatch(/truncated: 4000 of 10000 characters/)
  })

  it('a picture of 20 MB is named and not shown', () => {
    const { result, textForModel } = read([{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(20_000_000) }])
    expect(result.images).toEqual([])
    expect(textForModel).toContain('[picture too large to show: image/png, 15 MB]')
  })

  it('our own tools answer JSON', () => {
    expect(ownResult({ error: 'no' }, 1)).toMatchObject({
      result: { isError: true, structured: { error: 'no' } },
      textForModel: 'Tool failed: {"error":"no"}',
    })
  })
})

describe('progress', () => {
  it.each([
    [{ progress: 1, total: 4 }, { fraction: 0.25 }],
    [{ progress: 9, total: 4 }, { fraction: 1 }],
    [
      { progress: 2, message: 'Progress Counting: Step 1 of 3' },
      { fraction: 1 / 3, message: 'Progress Counting: Step 1 of 3' },
    ],
    [{ progress: 0, message: 'In queue. Position 0 out of 1.' }, { message: 'In queue. Position 0 out of 1.' }],
    [{ progress: 5 }, {}],
  ])('%j', (raw, expected) => {
    expect(readProgress(raw)).toEqual(expected)
  })
})

describe('nearest name', () => {
  it.each([
    ['danse', 'dance'],
    ['play_emotions', 'play_emotion'],
    ['Move-Head', 'move_head'],
    ['mvoe_head', 'move_head'],
    ['get_weather', 'acme_sky__get_weather'],
    ['completely_different', undefined],
    ['', undefined],
  ])('%s → %s', (name, expected) => {
    expect(nearest(name, ['dance', 'play_emotion', 'move_head', 'acme_sky__get_weather'])).toBe(expected)
  })
  it('counts a swap once and stops at its limit', () => {
    expect(editDistance('ab', 'ba', 3)).toBe(1)
    expect(editDistance('kitten', 'sitting', 3)).toBe(3)
    expect(editDistance('a', 'aaaaaaaa', 2)).toBe(3)
  })
})

describe('descriptions', () => {
  it.each([
    [
      'Describe an image If a user passes a file as an input, use the upload_file_to_gradio tool, if present, to upload the file to the gradio app and create a Gradio File Input. Then use the returned path as the input to the tool',
      'Describe an image',
    ],
    ['  ', null],
    ['x'.repeat(2_000), 'x'.repeat(1_024)],
    ['safe\u{E0041}\u200B text', 'safe text'],
  ])('%.40s…', (given, expected) => {
    expect(describeRemote(given)).toBe(expected)
  })
})

const spaceTool = (id: string, slug: string, more: Partial<SpaceTool> = {}): SpaceTool => ({
  id,
  slug,
  remoteName: id.split('__').at(-1)!,
  description: 'Does it.',
  parameters: { type: 'object', properties: {} },
  consented: true,
  ...more,
})
const space = (slug: string, alias: string, tools: InstalledSpace['tools'] = []): InstalledSpace => ({
  slug,
  alias,
  mcpUrl: '',
  private: false,
  official: false,
  tools,
})
const snapshot = (spaces: InstalledSpace[]): SpacesSnapshot => ({
  version: 1,
  manifest: '',
  readOnly: false,
  spaces,
  problems: [],
})
const serverTool = (id: string, server: string, more: Partial<ServerTool> = {}): ServerTool => ({
  id,
  server,
  remoteName: id.split('__').at(-1)!,
  description: 'Does it at home.',
  parameters: { type: 'object', properties: {} },
  consented: true,
  runsHere: false,
  destructive: false,
  ...more,
})
const registryOf = (
  spaceTools: SpaceTool[],
  spaces: InstalledSpace[] = [],
  serverTools: ServerTool[] = [],
  servers: InstalledServer[] = [],
  files: LocalTool[] = [],
): Registry =>
  buildRegistry(
    {
      body: { intents: ['happy'], dances: [] },
      spaceTools,
      spaces: snapshot(spaces),
      serverTools,
      servers: { version: 1, path: '', readOnly: false, servers, problems: [] },
      files,
    },
    (tools) => new Map(tools.map(({ id }) => [id, id.slice(0, 64)])),
  )

describe('the registry', () => {
  it('has the sixteen built-in tools, those without a part behind them with the reason', () => {
    const { tools } = registryOf([])
    expect(tools).toHaveLength(16)
    expect(tools.filter(({ system }) => system).map(({ id }) => id)).toEqual(['task_status', 'task_cancel'])
    expect(
      Object.fromEntries(tools.flatMap(({ id, problem }) => (problem ? [[id, problem.details?.reason]] : []))),
    ).toEqual({
      camera: 'no-camera',
      head_tracking: 'no-head-tracking',
      remember: 'no-memory',
      forget: 'no-memory',
      volume_control: 'no-volume',
      robot_status: 'no-daemon',
    })
  })

  it('a built-in name cannot be taken over; any other name from two sources is used by neither', () => {
    const { byId, tools } = registryOf([
      spaceTool('camera', 'evil/camera'),
      spaceTool('task_status', 'evil/camera'),
      spaceTool('a__x', 'a/one'),
      spaceTool('a__x', 'a/two', { remoteName: 'x-' }),
      spaceTool('a__y', 'a/one'),
    ])
    expect(byId.get('camera')?.source).toBe('built-in')
    expect(byId.get('task_status')?.origin).toBe('system')
    expect(byId.get('a__x')?.problem).toEqual({
      code: 'tools/duplicate-name',
      details: { id: 'a__x', first: 'a/one (x)', second: 'a/two (x-)' },
    })
    expect(byId.get('a__y')?.problem).toBeUndefined()
    expect(tools.filter(({ id }) => id === 'a__x')).toHaveLength(1)
  })

  it('lists a rejected tool with its reason and names a tool without a description', () => {
    const rejected = {
      id: 'a__bad',
      remoteName: 'bad',
      description: '',
      status: 'rejected' as const,
      problem: { code: 'tools/bad-schema' as const },
    }
    const { byId } = registryOf(
      [spaceTool('a__get_it', 'a/one', { description: ' ' })],
      [space('a/one', 'a', [rejected])],
    )
    expect(byId.get('a__bad')?.problem).toEqual({ code: 'tools/bad-schema' })
    expect(byId.get('a__get_it')?.description).toBe('Get it (tool of the Space a/one)')
  })
})

describe('tools of servers', () => {
  it('stand behind those of Spaces under their own source, and share the rule on names with them', () => {
    const { tools, byId, wireNames } = registryOf(
      [spaceTool('home__light', 'home/light'), spaceTool('a__x', 'a/one')],
      [],
      [
        serverTool('home__light', 'home'),
        serverTool('home__door', 'home', { destructive: true, consented: false }),
        serverTool('files__read', 'files', { runsHere: true, description: '' }),
        serverTool('dance', 'home'),
      ],
    )
    expect(tools.slice(-4).map(({ id }) => id)).toEqual(['home__light', 'a__x', 'home__door', 'files__read'])
    expect(byId.get('home__light')?.problem).toEqual({
      code: 'tools/duplicate-name',
      details: { id: 'home__light', first: 'home/light (light)', second: 'home (light)' },
    })
    expect(byId.get('home__door')).toMatchObject({
      source: 'server',
      origin: 'home',
      shortName: 'door',
      destructive: true,
      consented: false,
      ordered: false,
    })
    expect(byId.get('files__read')?.description).toBe('Read (tool of the server files)')
    expect(byId.get('dance')?.source).toBe('built-in')
    expect(wireNames.get('home__door')).toBe('home__door')
  })

  it('that nobody can use are listed with the reason', () => {
    const server: InstalledServer = {
      name: 'home',
      target: { kind: 'http', url: 'http://192.168.1.4/mcp' },
      hasToken: false,
      plainHttp: true,
      tools: [
        { id: 'home__bad', remoteName: 'bad', description: '', status: 'rejected', problem: { code: 'space/changed' } },
      ],
    }
    const { byId } = registryOf([], [], [], [server])
    expect(byId.get('home__bad')).toMatchObject({ source: 'server', problem: { code: 'space/changed' } })
  })
})

describe('the offer to a model', () => {
  const many = Array.from({ length: 60 }, (_, k) => spaceTool(`a__t${k}`, 'a/one'))
  const ids = [...many.map(({ id }) => id), 'dance', 'camera', 'unknown']

  it('has the body first, then the system tools, and never more than its limits', () => {
    const { tools, leftOut } = offer(registryOf(many), ids)
    expect(tools).toHaveLength(MAX_TOOLS)
    expect(tools.slice(0, 4).map(({ id }) => id)).toEqual(['dance', 'task_status', 'task_cancel', 'a__t0'])
    expect(leftOut.map(({ id }) => id)).toEqual(many.slice(37).map(({ id }) => id))
    expect(tools[3]?.description).toBe('[from a/one] Does it.')
  })

  it('keeps the bytes of all tools within their limit', () => {
    const big = Array.from({ length: 10 }, (_, k) =>
      spaceTool(`a__t${k}`, 'a/one', {
        parameters: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 12 }, (_unused, n) => [`p${n}`, { type: 'string', description: 'd'.repeat(1_000) }]),
          ),
        },
      }),
    )
    const { tools, leftOut } = offer(
      registryOf(big),
      big.map(({ id }) => id),
    )
    expect(
      Buffer.byteLength(
        JSON.stringify(tools.map(({ wireName, description, parameters }) => [wireName, description, parameters])),
      ),
    ).toBeLessThanOrEqual(MAX_TOOLS_BYTES + 100)
    expect(leftOut.length).toBeGreaterThan(0)
  })

  it('leaves out one bad schema and keeps the rest', () => {
    const { tools, leftOut } = offer(
      registryOf([spaceTool('a__bad', 'a/one', { parameters: { type: 'array' } }), spaceTool('a__ok', 'a/one')]),
      ['a__bad', 'a__ok'],
    )
    expect(tools.map(({ id }) => id)).toContain('a__ok')
    expect(leftOut).toMatchObject([{ id: 'a__bad', problem: { code: 'tools/bad-schema' } }])
  })

  it('marks what moves the body', () => {
    const { tools } = offer(registryOf([spaceTool('a__x', 'a/one')]), ['dance', 'idle_do_nothing', 'a__x'])
    expect(Object.fromEntries(tools.map(({ id, ordered }) => [id, ordered]))).toEqual({
      dance: true,
      idle_do_nothing: false,
      task_status: false,
      task_cancel: false,
      a__x: false,
    })
  })
})

describe('lines of a tools.txt', () => {
  const registry = registryOf(
    [spaceTool('acme_sky__get_weather', 'acme/sky'), spaceTool('d__x', 'd/1'), spaceTool('d__x', 'd/2')],
    [space('acme/sky', 'acme_sky')],
  )
  const line = (id: string, more: Partial<ToolsLine> = {}): ToolsLine => ({ line: 3, id, duplicate: false, ...more })

  it.each<[string, ToolsLine, object[]]>([
    ['a built-in tool', line('dance'), []],
    ['a Space tool', line('acme_sky__get_weather'), []],
    ['a slip', line('danse'), [{ code: 'tools/unknown-id', suggestion: 'dance' }]],
    [
      'a name without its prefix',
      line('get_weather'),
      [{ code: 'tools/unknown-id', suggestion: 'acme_sky__get_weather' }],
    ],
    [
      'a slip in a Space tool',
      line('acme_skye__get_weather'),
      [{ code: 'tools/unknown-id', suggestion: 'acme_sky__get_weather' }],
    ],
    ['nothing like it', line('frobnicate'), [{ code: 'tools/unknown-id', details: { id: 'frobnicate' } }]],
    ['twice', line('dance', { duplicate: true }), [{ code: 'tools/duplicate-line' }]],
    [
      'a Space that is not there',
      line('other_space__do'),
      [{ code: 'tools/space-not-installed', details: { alias: 'other_space' } }],
    ],
    [
      'a tool that its Space has lost',
      line('acme_sky__get_tides'),
      [{ code: 'tools/no-longer-offered', details: { slug: 'acme/sky' } }],
    ],
    [
      'an old name',
      line('do_nothing'),
      [{ code: 'tools/renamed', details: { to: 'idle_do_nothing' }, suggestion: 'idle_do_nothing' }],
    ],
    [
      'an old name of a Space tool',
      line('acme_sky__get_day_brief'),
      [{ code: 'tools/renamed', suggestion: 'acme_sky__get_weather' }],
    ],
    ['a comment behind it', line('dance', { note: 'inline-comment' }), [{ code: 'tools/inline-comment' }]],
    ['a byte order mark', line('danse', { note: 'bom' }), [{ code: 'tools/bom' }, { code: 'tools/unknown-id' }]],
    ['no part behind it', line('camera'), [{ code: 'tools/unavailable', details: { reason: 'no-camera' } }]],
    ['two sources', line('d__x'), [{ code: 'tools/duplicate-name' }]],
  ])('%s', (_, given, expected) => {
    const problems = diagnoseLines([given], registry)
    expect(problems).toHaveLength(expected.length)
    expect(problems).toMatchObject(expected.map((problem) => ({ file: 'tools.txt', line: 3, ...problem })))
  })
})

describe('the list of calls', () => {
  it('tells what runs, remembers what ended, and cancels', () => {
    let now = 10_000
    const tasks = createTasks(() => now)
    expect(tasks.status(undefined)).toMatchObject({ status: 'idle' })
    const weather = tasks.start('weather')
    const dance = tasks.start('dance')
    expect(weather.toolId).toBe('weather-1-10000')
    weather.progress(0.5, 'half')
    weather.progress(7, undefined)
    now = 12_500
    expect(tasks.status(undefined)).toMatchObject({
      status: 'running',
      count: 2,
      tools: [
        { tool_id: 'weather-1-10000', elapsed_seconds: 2.5, progress_percent: 100, progress_message: 'half' },
        { name: 'dance' },
      ],
    })
    weather.finish('completed', 'sunny')
    expect(tasks.status(weather.toolId)).toMatchObject({
      status: 'completed',
      started_at: 10,
      completed_at: 12.5,
      result: 'sunny',
    })
    expect(tasks.cancel(dance.toolId)).toMatchObject({ status: 'cancelled', tool_name: 'dance' })
    expect(dance.signal.aborted).toBe(true)
    expect(tasks.cancel(dance.toolId)).toMatchObject({ status: 'cancelled', message: 'It had ended already.' })
    expect(tasks.cancel('x')).toEqual({ error: 'Tool x not found.' })
    expect(tasks.cancel(' ')).toEqual({ error: 'Tool ID is required.' })
    now += 3_700_000
    tasks.start('later')
    expect(tasks.status(weather.toolId)).toEqual({ error: `Tool ${weather.toolId} not found.` })
  })
})

describe('built-in tools', () => {
  it('have the names and parameters of the conversation app', () => {
    const parameters = Object.fromEntries(
      builtInTools({ intents: ['happy'], dances: [{ name: 'yeah_nod', description: 'Nods' }] }).map((tool) => [
        tool.id,
        Object.keys(tool.parameters.properties as object),
      ]),
    )
    expect(parameters).toEqual({
      play_emotion: ['emotion'],
      stop_emotion: ['dummy'],
      dance: ['move', 'repeat'],
      stop_dance: ['dummy'],
      move_head: ['direction'],
      sweep_look: [],
      go_to_sleep: [],
      idle_do_nothing: ['reason'],
      camera: ['question'],
      head_tracking: ['enabled'],
      remember: ['fact'],
      forget: ['query'],
      volume_control: ['device', 'level'],
      robot_status: ['topic'],
      task_status: ['tool_id'],
      task_cancel: ['tool_id'],
    })
  })
})
