import { afterEach, describe, expect, it } from 'vitest'

import { startHouse, type House } from '../../e2e/house.ts'
import { mediaTools } from '../../e2e/servers/space-media.ts'
import { text, type SpaceTool } from '../../e2e/servers/space.ts'
import { strings } from '../../e2e/world.ts'

import type { JsonObject, JsonValue } from '../contract/index.ts'
import type { CalledTool, ToolProgress } from './types.ts'

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const BODY = [
  'play_emotion',
  'stop_emotion',
  'dance',
  'stop_dance',
  'move_head',
  'sweep_look',
  'go_to_sleep',
  'idle_do_nothing',
]

async function house(
  tools: readonly string[] = BODY,
): Promise<House & { call: (name: string, args?: JsonValue, signal?: AbortSignal) => Promise<CalledTool> }> {
  const started = await startHouse({ tools })
  open.push(() => started.close())
  const call = (name: string, args: JsonValue = {}, signal?: AbortSignal) =>
    started.companion.tools.call({ name, arguments: args, profile: 'default', ...(signal ? { signal } : {}) })
  return { ...started, call }
}

const answerOf = ({ result }: CalledTool): JsonObject => result.structured as JsonObject

const waiting: SpaceTool = {
  name: 'wait',
  description: 'Waits.',
  inputSchema: strings('reason'),
  run: (_, { signal, progress }) =>
    new Promise((resolve) => {
      progress('Progress Waiting: Step 1 of 4')
      signal.addEventListener('abort', () => resolve(text('aborted')))
    }),
}
const echo: SpaceTool = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: strings('message'),
  run: (args) => text(args.message as string),
}

describe('tools of the body', () => {
  it('answer when the motion has begun, with the name of the move', async () => {
    const { companion, call } = await house()
    const called = await call('play_emotion', { emotion: 'happy' })
    const { emotion } = answerOf(called) as { emotion: string }
    expect(answerOf(called)).toEqual({ status: 'queued', emotion: expect.stringMatching(/^laughing/) as string })
    expect(JSON.parse(called.textForModel)).toEqual(answerOf(called))
    expect(companion.robot.state().activity).toMatchObject({ kind: 'emotion', name: emotion })
    expect(companion.robot.moves().map(({ name }) => name)).toContain(emotion)
    expect(answerOf(await call('stop_emotion'))).toEqual({ status: 'stopped emotion and cleared queue' })
    await companion.tools.motionsEnded()
    expect(companion.robot.state().activity.kind).toBe('awake')
  })

  it('understand feelings in other words, and any one when none is given', async () => {
    const { call } = await house()
    for (const emotion of ['triste', '开心', 'no_sad1', 'contento', undefined]) {
      expect(answerOf(await call('play_emotion', emotion === undefined ? {} : { emotion }))).toMatchObject({
        status: 'queued',
      })
      await call('stop_emotion')
    }
    await expect(call('play_emotion', { emotion: 3 })).rejects.toMatchObject({ code: 'tools/bad-arguments' })
  })

  it('turn the head, and refuse a direction that is none', async () => {
    const { companion, call } = await house()
    expect(answerOf(await call('move_head', { direction: 'left' }))).toEqual({ status: 'looking left', move: 'left' })
    await companion.tools.motionsEnded()
    // 40° to the left, as in the conversation app.
    expect((companion.robot.state().head.yaw * 180) / Math.PI).toBeCloseTo(40, -1)
    await expect(call('move_head', { direction: 'sideways' })).rejects.toMatchObject({
      code: 'tools/bad-arguments',
      details: { field: 'direction' },
    })
    await expect(call('move_head')).rejects.toMatchObject({ code: 'tools/bad-arguments' })
  })

  it('dance as often as is sensible and say when that was less', async () => {
    const { companion, call } = await house()
    expect(answerOf(await call('dance', { move: 'yeah_nod', repeat: 30 }))).toEqual({
      status: 'queued',
      move: 'yeah_nod',
      repeat: 8,
      note: 'repeat was cut from 30 to 8',
    })
    expect(companion.robot.state().activity).toMatchObject({ kind: 'dance', name: 'yeah_nod' })
    expect(answerOf(await call('stop_dance', { dummy: true }))).toEqual({ status: 'stopped dance and cleared queue' })
    await companion.tools.motionsEnded()
    expect(answerOf(await call('dance'))).toMatchObject({ status: 'queued', repeat: 1 })
    await expect(call('dance', { move: 'moonwalk' })).rejects.toMatchObject({ code: 'tools/bad-arguments' })
  })

  it('wait for their turn, and a call that is stopped while it waits moves nothing', async () => {
    const { companion, call } = await house()
    await call('dance', { move: 'yeah_nod', repeat: 8 })
    const controller = new AbortController()
    const second = call('move_head', { direction: 'up' }, controller.signal)
    setTimeout(() => controller.abort(), 100)
    await expect(second).rejects.toMatchObject({ code: 'tools/cancelled', details: { id: 'move_head' } })
    expect(companion.robot.state().activity.kind).toBe('dance')
  })

  it('do nothing, and sleep', async () => {
    const { companion, call } = await house()
    expect(answerOf(await call('idle_do_nothing'))).toEqual({ status: 'idle', reason: 'idle turn' })
    expect(answerOf(await call('go_to_sleep'))).toMatchObject({ status: 'sleeping' })
    expect(answerOf(await call('go_to_sleep'))).toMatchObject({ status: 'already_requested' })
    await companion.tools.motionsEnded()
    expect(companion.robot.state().activity.kind).toBe('asleep')
  })

  it('say that the motors are off after an emergency stop', async () => {
    const { companion, call } = await house()
    await companion.robot.emergencyStop()
    await expect(call('play_emotion', { emotion: 'happy' })).rejects.toMatchObject({ code: 'robot/stopped' })
  })
})

describe('what may be called', () => {
  it('follows tools.txt at the moment of the call', async () => {
    const { companion, call, enable } = await house(['move_head'])
    await expect(call('dance')).rejects.toMatchObject({
      code: 'tools/not-enabled',
      details: { id: 'dance', profile: 'default' },
    })
    await enable(['dance', 'camera'])
    expect(answerOf(await call('dance'))).toMatchObject({ status: 'queued' })
    await expect(call('move_head', { direction: 'up' })).rejects.toMatchObject({ code: 'tools/not-enabled' })
    await expect(call('camera', { question: '?' })).rejects.toMatchObject({
      code: 'tools/unavailable',
      details: { reason: 'no-camera' },
    })
    await expect(call('nobody')).rejects.toMatchObject({ code: 'tools/unknown', details: { id: 'nobody' } })
    expect(answerOf(await call('task_status'))).toMatchObject({ status: 'idle' })
    expect((await companion.tools.forModel('default')).map(({ id }) => id)).toEqual([
      'dance',
      'task_status',
      'task_cancel',
    ])
  })

  it('is told by the list, with lines that name nothing and what was probably meant', async () => {
    const { companion } = await house(['danse', '# a comment', 'move_head', 'gone_space__x'])
    const list = await companion.tools.list('default')
    expect(list.unknown).toEqual([
      { line: 1, text: 'danse', suggestion: 'dance' },
      { line: 4, text: 'gone_space__x' },
    ])
    const enabled = list.tools.filter((tool) => tool.enabled).map(({ id }) => id)
    expect(enabled).toEqual(['move_head', 'task_status', 'task_cancel'])
    expect(list.tools.find(({ id }) => id === 'camera')).toMatchObject({
      available: false,
      problem: { code: 'tools/unavailable', details: { reason: 'no-camera' } },
    })
    expect(await companion.tools.diagnose('\uFEFFdance # x\ndance\n', 'default')).toMatchObject([
      { line: 1 },
      { line: 2, code: 'tools/duplicate-line' },
    ])
  })
})

describe('tools of a Space', () => {
  it('appear after the installation and are called by ID', async () => {
    const { companion, install, call } = await house()
    const before = (await companion.tools.list('default')).version
    const versions: number[] = []
    companion.tools.onChange((version) => versions.push(version))
    const space = await install('acme/one', [echo])
    expect((await companion.tools.list('default')).version).toBeGreaterThan(before)
    expect(versions.length).toBeGreaterThan(0)
    const called = await call('acme_one__echo', { message: 'hello', extra: 1 })
    expect(called).toMatchObject({
      entry: { id: 'acme_one__echo', origin: 'acme/one', source: 'space' },
      result: { text: 'hello', isError: false },
      textForModel: '[from acme/one, data only]\nhello',
    })
    expect(space.calls[0]?.args).toEqual({ message: 'hello' })
    await expect(call('acme_one__echo', { text: 'x' })).rejects.toMatchObject({
      code: 'tools/bad-arguments',
      details: { reason: 'message is required' },
    })
    expect(space.calls).toHaveLength(1)
    await companion.spaces.remove('acme/one')
    await expect(call('acme_one__echo', { message: 'x' })).rejects.toMatchObject({ code: 'tools/unknown' })
  })

  it('with long names are offered under a short one, by which they can be called', async () => {
    const { companion, install, call } = await house()
    const name = `say_${'very_'.repeat(12)}loudly`
    await install('acme/one', [{ ...echo, name }])
    const offered = (await companion.tools.forModel('default')).find(({ id }) => id === `acme_one__${name}`)
    expect(offered?.wireName).toMatch(/^acme_one__say_[A-Za-z0-9_]{1,50}$/)
    expect(offered!.wireName.length).toBeLessThanOrEqual(64)
    expect((await call(offered!.wireName, { message: 'hi' })).result.text).toBe('hi')
    expect(await companion.tools.find(offered!.wireName, 'default')).toMatchObject({
      id: `acme_one__${name}`,
      enabled: true,
    })
  })

  it('tell their progress, show in the list of calls, and can be cancelled there', async () => {
    const { companion, install, call } = await house()
    const space = await install('acme/one', [waiting])
    const told: ToolProgress[] = []
    const running = companion.tools.call({
      name: 'acme_one__wait',
      arguments: { reason: 'x' },
      profile: 'default',
      onProgress: (progress) => told.push(progress),
    })
    const outcome = running.then(
      () => 'answered',
      (error: unknown) => error,
    )
    await expect.poll(() => told.some(({ fraction }) => fraction === 0.25)).toBe(true)
    const status = answerOf(await call('task_status')) as {
      status: string
      tools: Array<{ tool_id: string; progress_percent: number }>
    }
    expect(status).toMatchObject({ status: 'running', tools: [{ name: 'acme_one__wait', progress_percent: 25 }] })
    expect(answerOf(await call('task_cancel', { tool_id: status.tools[0]!.tool_id }))).toMatchObject({
      status: 'cancelled',
    })
    expect(await outcome).toMatchObject({ code: 'tools/cancelled' })
    await expect.poll(() => space.calls[0]?.cancelled).toBe(true)
  })

  it('that fail keep the words of their server; a server that is gone has its own code', async () => {
    const { install, call } = await house()
    const space = await install('acme/one', [
      { ...echo, name: 'boom', run: () => ({ isError: true, text: 'Something broke' }) },
    ])
    expect(await call('acme_one__boom', { message: 'x' })).toMatchObject({
      result: { isError: true, text: 'Something broke' },
      textForModel: '[from acme/one, data only]\nTool failed: Something broke',
    })
    await space.close()
    await expect(call('acme_one__boom', { message: 'x' })).rejects.toMatchObject({
      code: expect.stringMatching(/^space\//) as string,
      details: { id: 'acme_one__boom' },
    })
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'named %s, with an argument of that name, get what was given',
    async (name) => {
      const { install, call, companion } = await house()
      const space = await install('acme/one', [{ ...echo, name, inputSchema: strings(name) }])
      const { id } = (await companion.tools.list('default')).tools.find(({ origin }) => origin === 'acme/one')!
      await call(id, `{"${name}":"hello"}`)
      expect(space.calls.map(({ args }) => JSON.stringify(args))).toEqual([`{"${name}":"hello"}`])
    },
  )

  it('that cannot be used say why, in the words of their own problem', async () => {
    const { companion, install, call, enable } = await house()
    const space = await install('acme/one', [echo, { ...echo, name: 'gone' }])
    space.tools.splice(0, 2, { ...echo, description: 'Something else.' })
    await companion.spaces.preview('again', 'acme/one')
    await companion.spaces.install('again', [], [])
    await enable(['acme_one__echo', 'acme_one__gone'])
    await expect(call('acme_one__echo', { message: 'x' })).rejects.toMatchObject({
      code: 'space/changed',
      details: { id: 'acme_one__echo', slug: 'acme/one' },
    })
    await expect(call('acme_one__gone', { message: 'x' })).rejects.toMatchObject({
      code: 'tools/no-longer-offered',
      details: { id: 'acme_one__gone' },
    })
    expect(space.calls).toEqual([])
  })

  it('that answer with files have them fetched from their own Space and from nowhere else', async () => {
    const { world, installListed, call } = await house()
    const space = await world.space('acme/media')
    const elsewhere = await world.space('acme/other')
    const foreign = elsewhere.files.add('x.wav', 'audio/wav', Buffer.from('RIFF'))
    space.tools.splice(0, space.tools.length, ...mediaTools(space.files, { elsewhere: foreign }))
    await installListed('acme/media')
    const filesOf = async (name: string): Promise<unknown> =>
      (await call(`acme_media__${name}`)).result.files?.map((file) => [
        file.name,
        file.mimeType,
        file.data !== undefined || file.problem?.code,
      ])
    expect(await filesOf('sound')).toEqual([['audio.wav', 'audio/wav', true]])
    expect(await filesOf('film')).toEqual([['film.mp4', 'video/mp4', true]])
    expect(await filesOf('paper')).toEqual([['report.pdf', 'application/pdf', true]])
    expect(await filesOf('sound_block')).toEqual([['sound-1.wav', 'audio/wav', true]])
    expect(await filesOf('several')).toEqual([['audio.wav', 'audio/wav', true]])
    expect(await filesOf('picture')).toBeUndefined()
    expect(await filesOf('foreign_file')).toBeUndefined()
    expect(await filesOf('moved_file')).toEqual([['moved.wav', 'application/octet-stream', 'space/bad-origin']])
    expect(await filesOf('gone_file')).toEqual([
      ['old.wav', 'application/octet-stream', expect.stringMatching(/^space\//) as string],
    ])
    expect(await filesOf('big_file')).toEqual([['big.bin', 'application/octet-stream', 'space/too-large']])
    // Nothing was asked of the other Space, whose address stood in two of the answers.
    expect(elsewhere.requests.filter(({ url }) => url.includes('file='))).toEqual([])
    const { textForModel } = await call('acme_media__sound')
    expect(textForModel).toMatch(/^\[from acme\/media, data only\]\n\[audio, 1\.0 s, shown to the user: http:/)
  })

  it('beyond what a model is given at once are marked in the list, as long as they are switched on', async () => {
    const { companion, install, enable } = await house(['move_head'])
    await install(
      'acme/many',
      Array.from({ length: 50 }, (_, k) => ({ ...echo, name: `t${k}` })),
    )
    const marked = async (): Promise<string[]> =>
      (await companion.tools.list('default')).tools
        .filter(({ available, problem }) => !available && problem?.details?.reason === 'too-many')
        .map(({ id }) => id)
    const ids = Array.from({ length: 50 }, (_, k) => `acme_many__t${k}`)
    // 40 in all: the one of the body, the two that are always on, and 37 of the Space.
    expect(await marked()).toEqual(ids.slice(37))
    expect((await companion.tools.leftOut('default')).map(({ id }) => id)).toEqual(ids.slice(37))
    await enable(['move_head', ids[49]!])
    expect(await marked()).toEqual([])
  })
})
