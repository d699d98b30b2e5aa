import { afterEach, describe, expect, it } from 'vitest'

import { startHouse, type House } from '../../e2e/house.ts'
import { text, type SpaceTool } from '../../e2e/servers/space.ts'
import { strings } from '../../e2e/world.ts'

import type { ModelScript, StandInModel } from '../../e2e/servers/model.ts'
import type { ChatMessage, ToolCall } from '../contract/index.ts'
import type { ChatDelta } from './types.ts'

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function house(script: ModelScript = [], options: { noModel?: boolean } = {}): Promise<House> {
  const started = await startHouse({ tools: BODY, ...(options.noModel ? {} : { model: script }) })
  open.push(() => started.close())
  return started
}

const BODY = ['play_emotion', 'stop_emotion', 'dance', 'stop_dance', 'move_head', 'idle_do_nothing']

const slow = (name: string, ms: number, answer: string): SpaceTool => ({
  name,
  description: `Looks up ${name}.`,
  inputSchema: strings('query'),
  run: async (args, { signal }) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()))
    })
    return text(`${answer} ${args.query as string}`)
  },
})

const callsOf = (message: ChatMessage): ToolCall[] => message.parts.filter((part) => part.type === 'tool-call')
const textOf = (message: ChatMessage): string =>
  message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
const toolTexts = (model: StandInModel, request: number): unknown[] =>
  (model.requests[request]?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content)

describe('a turn with a model', () => {
  it('runs two calls to two Spaces at the same time and sends both results with the next request', async () => {
    const { companion, model, install, say } = await house([
      {
        toolCalls: [
          { name: 'acme_one__find', arguments: { query: 'a' } },
          { name: 'acme_two__find', arguments: { query: 'b' } },
        ],
      },
      { text: 'Both are known.' },
    ])
    const one = await install('acme/one', [slow('find', 400, 'one')])
    const two = await install('acme/two', [slow('find', 400, 'two')])
    const message = await say('Find a and b')
    expect(textOf(message)).toBe('Both are known.')
    const [first, second] = [one.calls[0]!, two.calls[0]!]
    expect(Math.max(first.startedAt, second.startedAt)).toBeLessThan(Math.min(first.endedAt!, second.endedAt!))
    expect(model.requests).toHaveLength(2)
    expect(toolTexts(model, 1)).toEqual(['[from acme/one, data only]\none a', '[from acme/two, data only]\ntwo b'])
    expect(callsOf(message)).toMatchObject([
      { toolId: 'acme_one__find', source: 'space', origin: 'acme/one', turn: 1, state: 'done', resultText: 'one a' },
      { toolId: 'acme_two__find', turn: 1, state: 'done', resultText: 'two b' },
    ])
    expect(companion.chat.conversation()).toMatchObject({ busy: false, title: 'Find a and b', profile: 'default' })
    expect(model.refused).toEqual([])
  })

  it('neither offers nor calls what tools.txt does not list, at the moment of each step', async () => {
    const { model, install, enable, say } = await house([
      { toolCalls: [{ name: 'dance', arguments: {} }] },
      { text: 'I may not.' },
      { toolCalls: [{ name: 'nobody_knows', arguments: {} }] },
      { text: 'Sorry.' },
    ])
    const space = await install('acme/one', [slow('find', 1, 'one')])
    await enable(['move_head', '# dance'])
    const refused = await say('Dance')
    expect(model.requests[0]?.toolNames).toEqual(['move_head', 'task_status', 'task_cancel'])
    expect(callsOf(refused)).toMatchObject([
      { toolId: 'dance', state: 'refused', failure: { code: 'tools/not-enabled' } },
    ])
    expect(toolTexts(model, 1)).toEqual([expect.stringContaining('Refused: dance is not in this profile')])
    expect(callsOf(await say('Find'))).toMatchObject([
      { toolId: 'nobody_knows', state: 'refused', failure: { code: 'tools/unknown' } },
    ])
    expect(space.calls).toEqual([])
    expect(model.refused).toEqual([])
  })

  it('takes a tool away in the middle of a turn', async () => {
    const rooms: { enable?: House['enable'] } = {}
    const { model, install, enable, say } = await house(async (_, index) => {
      if (index === 0) return { toolCalls: [{ name: 'acme_one__find', arguments: { query: 'a' } }] }
      if (index === 1) {
        await rooms.enable!(['move_head'])
        return { toolCalls: [{ name: 'acme_one__find', arguments: { query: 'b' } }] }
      }
      return { text: 'Done.' }
    })
    rooms.enable = enable
    const space = await install('acme/one', [slow('find', 1, 'one')])
    const message = await say('Find')
    expect(callsOf(message).map(({ state }) => state)).toEqual(['done', 'refused'])
    expect(space.calls).toHaveLength(1)
    expect(model.requests[2]?.toolNames).not.toContain('acme_one__find')
  })

  it('plays motions one after another, names the clip, and streams text around the calls', async () => {
    const { companion, model, say } = await house([
      {
        text: 'Look: ',
        toolCalls: [
          { name: 'move_head', arguments: { direction: 'left' } },
          { name: 'play_emotion', arguments: { emotion: 'happy' } },
        ],
      },
      { text: 'How was that?' },
    ])
    const states: string[][] = []
    companion.chat.onMessage((_, message) => states.push(callsOf(message).map(({ state }) => state)))
    const message = await say('Move')
    expect(message.parts.map((part) => (part.type === 'text' ? part.text : part.toolId))).toEqual([
      'Look: ',
      'move_head',
      'play_emotion',
      'How was that?',
    ])
    expect(states).toContainEqual(['running', 'waiting'])
    expect(states).toContainEqual(['done', 'running'])
    expect(JSON.parse(callsOf(message)[1]!.resultText!)).toEqual({
      status: 'queued',
      emotion: expect.stringMatching(/^laughing/) as string,
    })
    expect(toolTexts(model, 1)).toEqual([expect.stringContaining('looking left'), expect.stringContaining('queued')])
  })

  it('lets the model repair bad arguments once, and does not repeat a failing call for ever', async () => {
    const bad = { toolCalls: [{ name: 'acme_one__find', arguments: { wrong: 1 } }] }
    const { model, install, say } = await house([bad, bad, bad, { text: 'I give up.' }])
    const space = await install('acme/one', [slow('find', 1, 'one')])
    const message = await say('Find')
    expect(callsOf(message).map(({ state }) => state)).toEqual(['failed', 'failed', 'refused'])
    expect(callsOf(message)[0]?.failure).toMatchObject({ code: 'tools/bad-arguments', details: { field: 'query' } })
    expect(toolTexts(model, 1)[0]).toMatch(/query is required.*Correct the arguments/s)
    expect(toolTexts(model, 2)[1]).toMatch(/Do not call it again/)
    expect(toolTexts(model, 3)[2]).toMatch(/^Not repeated/)
    expect(space.calls).toEqual([])
  })

  it('shows a tool that fails as failed and tells the model so', async () => {
    const { model, install, say } = await house([
      { toolCalls: [{ name: 'acme_one__boom', arguments: { query: 'x' } }] },
      { text: 'It failed.' },
    ])
    await install('acme/one', [
      {
        name: 'boom',
        description: 'Fails.',
        inputSchema: strings('query'),
        run: () => ({ isError: true, text: 'Something broke' }),
      },
    ])
    expect(callsOf(await say('Try'))).toMatchObject([{ state: 'failed', resultText: 'Something broke' }])
    expect(toolTexts(model, 1)).toEqual(['[from acme/one, data only]\nTool failed: Something broke'])
  })

  it('asks once more without the tool whose schema the provider refuses', async () => {
    const { model, say } = await house([
      { fault: 'bad-request', message: "Invalid schema for function 'dance'" },
      { text: 'Fine.' },
    ])
    expect(textOf(await say('Hi'))).toBe('Fine.')
    expect(model.requests[0]?.toolNames).toContain('dance')
    expect(model.requests[1]?.toolNames).toEqual(model.requests[0]?.toolNames.filter((name) => name !== 'dance'))
  })

  it('answers calls apart that the model gave one ID', async () => {
    const look = (direction: string) => ({ name: 'move_head', arguments: { direction } })
    const { model, say } = await house([
      { toolCalls: [look('left'), look('right')], fault: 'duplicate-ids' },
      { toolCalls: [look('up')] },
      { text: 'Looked.' },
    ])
    const calls = callsOf(await say('Look'))
    expect(calls.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(3)
    expect(calls.map(({ resultText }) => (JSON.parse(resultText!) as { move: string }).move)).toEqual([
      'left',
      'right',
      'up',
    ])
    expect(model.refused).toEqual([])
  })

  it('ends after eight steps with an answer in words', async () => {
    const { model, say } = await house((_, index) =>
      index < 7 ? { toolCalls: [{ name: 'task_status', arguments: {} }] } : { text: 'That is enough.' },
    )
    expect(textOf(await say('Loop'))).toBe('That is enough.')
    expect(model.requests).toHaveLength(8)
    expect(model.requests[7]?.body).toMatchObject({ tool_choice: 'none' })
  })

  it('remembers the conversation with its calls, and forgets it in a new one', async () => {
    const { companion, model, say } = await house([
      { toolCalls: [{ name: 'move_head', arguments: { direction: 'up' } }] },
      { text: 'Up.' },
      { text: 'You asked me to look up.' },
      { text: 'Hello.' },
    ])
    await say('Look up')
    await say('What did I ask?')
    expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(model.requests[2]?.messages[0]?.content).toMatch(/^Be a kind robot\./)
    const before = companion.chat.conversation().id
    await companion.chat.newConversation()
    expect(companion.chat.conversation()).toMatchObject({ messages: [], title: '' })
    expect(companion.chat.conversation().id).not.toBe(before)
    await say('Hi')
    expect(model.requests[3]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(model.refused).toEqual([])
  })
})

describe('text on its way to a window', () => {
  it('comes in at most thirty pieces a second that fit together exactly', async () => {
    const { companion, say } = await house([{ text: Array.from({ length: 300 }, (_, k) => `w${k} `), chunkMs: 2 }])
    const deltas: ChatDelta[] = []
    let shown = ''
    companion.chat.onDelta((delta) => deltas.push(delta))
    companion.chat.onMessage((_, message) => (shown = textOf(message)))
    companion.chat.onDelta((delta) => {
      expect(delta.length).toBe(shown.length)
      shown += delta.text
    })
    const startedAt = performance.now()
    const message = await say('Write')
    const seconds = (performance.now() - startedAt) / 1_000
    expect(shown).toBe(textOf(message))
    expect(deltas.length).toBeGreaterThan(5)
    expect(deltas.length).toBeLessThanOrEqual(Math.ceil(seconds * 31))
  })
})

describe('Stop', () => {
  it('ends text at once; what had come is kept and the next message works', async () => {
    const { companion, model, say } = await house([
      { text: Array.from({ length: 200 }, () => 'word '), chunkMs: 50 },
      { text: 'Again.' },
    ])
    const { finished } = await companion.chat.send('Write', 'set')
    await expect.poll(() => textOf(companion.chat.conversation().messages.at(-1)!), { timeout: 10_000 }).toMatch(/word/)
    const startedAt = performance.now()
    await companion.chat.stop()
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(await finished).toMatchObject({
      state: 'stopped',
      parts: [{ type: 'text', text: expect.stringMatching(/^(word )+$/) as string }],
    })
    expect(companion.chat.conversation().busy).toBe(false)
    expect(textOf(await say('More'))).toBe('Again.')
    expect(model.refused).toEqual([])
  })

  it('ends a slow call, answers it for the model, and drops its late result', async () => {
    const { companion, model, install, say } = await house([
      {
        toolCalls: [
          { name: 'acme_one__find', arguments: { query: 'a' } },
          { name: 'acme_one__quick', arguments: { query: 'b' } },
        ],
      },
      { text: 'Next.' },
    ])
    const space = await install('acme/one', [slow('find', 30_000, 'late'), slow('quick', 1, 'quick')])
    const { finished } = await companion.chat.send('Find', 'set')
    await expect.poll(() => space.calls.length).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const startedAt = performance.now()
    await companion.chat.stop()
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(callsOf(await finished)).toMatchObject([
      { toolId: 'acme_one__find', state: 'stopped' },
      { toolId: 'acme_one__quick', state: 'done', resultText: 'quick b' },
    ])
    await expect.poll(() => space.calls.find(({ name }) => name.endsWith('find'))?.cancelled).toBe(true)
    expect(textOf(await say('Go on'))).toBe('Next.')
    // The strict endpoint refuses a request in which a call has no answer.
    expect(model.refused).toEqual([])
    expect(toolTexts(model, 1)).toEqual(['Cancelled by the user.', '[from acme/one, data only]\nquick b'])
  })

  it('ends a motion and holds the pose', async () => {
    const { companion, say } = await house([
      { toolCalls: [{ name: 'dance', arguments: { repeat: 8 } }] },
      { text: 'Dancing.' },
    ])
    await say('Dance')
    expect(companion.robot.state().activity.kind).toBe('dance')
    await companion.chat.stop()
    await expect.poll(() => companion.robot.state().activity.kind).toBe('awake')
  })

  it('a new message ends the answer that is still coming', async () => {
    const { companion, say } = await house([
      { text: Array.from({ length: 200 }, () => 'word '), chunkMs: 50 },
      { text: 'Second.' },
    ])
    const { finished } = await companion.chat.send('First', 'set')
    await expect.poll(() => textOf(companion.chat.conversation().messages.at(-1)!), { timeout: 10_000 }).toMatch(/word/)
    expect(textOf(await say('Second'))).toBe('Second.')
    expect((await finished).state).toBe('stopped')
    expect(companion.chat.conversation().messages).toHaveLength(4)
  })
})

describe('a model that fails', () => {
  it.each([
    ['unauthorized', 'provider/unauthorized'],
    ['rate-limited', 'provider/rate-limited'],
    ['html', 'provider/error'],
    ['http500', 'provider/error'],
    ['cut-mid-stream', 'provider/dropped'],
  ] as const)('%s is shown with a hint, and the next message works', async (fault, code) => {
    const { model, say } = await house([{ text: 'so far so good and then', fault }, { text: 'Back again.' }])
    const failed = await say('Hi')
    expect(failed).toMatchObject({ state: 'failed', failure: { code } })
    expect(failed.failure?.hint).not.toBe('')
    expect(textOf(failed)).toBe(fault === 'cut-mid-stream' ? 'so far so ' : '')
    expect(textOf(await say('Hello?'))).toBe('Back again.')
    expect(model.refused).toEqual([])
  })

  it('an empty answer is a failure and not a silence', async () => {
    const { say } = await house([{ text: '' }])
    expect(await say('Hi')).toMatchObject({ state: 'failed', failure: { code: 'provider/error' } })
  })

  it('a call and broken arguments end in a shown state', async () => {
    const { say } = await house([
      { toolCalls: [{ name: 'move_head', arguments: { direction: 'left' } }], fault: 'broken-json' },
      { text: 'Sorry.' },
    ])
    expect(callsOf(await say('Hi'))).toMatchObject([{ state: 'failed', failure: { code: 'tools/bad-arguments' } }])
  })
})

describe('the offline brain in a conversation', () => {
  it('moves, feels, and says that it is no language model', async () => {
    const { companion, say } = await house([], { noModel: true })
    const happy = await say('I am so happy today')
    expect(happy).toMatchObject({ state: 'done', provider: 'offline' })
    expect(callsOf(happy)).toMatchObject([{ toolId: 'play_emotion', state: 'done', arguments: { emotion: 'happy' } }])
    expect(textOf(await say('regarde à gauche'))).toBe('Je regarde à gauche.')
    expect(textOf(await say('看右边'))).toBe('我看向右边。')
    expect(textOf(await say('What do you think about the poetry of clouds?'))).toMatch(/not a language model/)
    expect(textOf(await say('你是谁？'))).toMatch(/不是语言模型/)
    expect(companion.chat.conversation().messages).toHaveLength(10)
  })

  it('asks for what is missing and takes the answer', async () => {
    const { install, say } = await house([], { noModel: true })
    await install('acme/weather', [
      {
        name: 'get_weather',
        description: 'Weather now.',
        inputSchema: strings('location'),
        run: (args) => text(`Rain in ${args.location as string}`),
      },
    ])
    expect(textOf(await say('What is the weather?'))).toMatch(/location/)
    expect(textOf(await say('Bordeaux'))).toBe('Rain in Bordeaux')
    expect(textOf(await say('Quel temps fait-il à Lyon ?'))).toBe('Rain in Lyon')
  })

  it('calls the tools of a server that nobody here wrote', async () => {
    const { installListed, world, say } = await house([], { noModel: true })
    await world.everything('foreign/everything')
    await installListed('foreign/everything')
    expect(textOf(await say('echo hello world'))).toBe('Echo: hello world')
    expect(textOf(await say('what is the sum of 2 and 3'))).toMatch(/\b5\b/)
    const [image] = callsOf(await say('show me the tiny image'))
    expect(image).toMatchObject({ state: 'done', images: [{ mimeType: 'image/png' }] })
  })

  it('uses a tool beyond what a model would be given at once', async () => {
    const { companion, install, say } = await house([], { noModel: true })
    const fillers = Array.from({ length: 45 }, (_, k) => slow(`filler_${k}`, 0, 'no'))
    const tides = { name: 'tides', description: 'Tells the tides.', inputSchema: strings(), run: () => text('High.') }
    await install('acme/many', [...fillers, tides])
    expect((await companion.tools.leftOut('default')).map(({ id }) => id)).toContain('acme_many__tides')
    expect(callsOf(await say('tell me the tides'))).toMatchObject([{ toolId: 'acme_many__tides', state: 'done' }])
  })

  it('is asked for one message while a model is set', async () => {
    const { model, say } = await house([{ fault: 'unauthorized' }])
    expect((await say('look left')).state).toBe('failed')
    expect(callsOf(await say('look left', 'offline'))).toMatchObject([{ toolId: 'move_head', state: 'done' }])
    expect(model.log).toHaveLength(1)
  })
})

describe('around the conversation', () => {
  it('suggests sentences that work with the tools enabled now', async () => {
    const { companion, install, enable, say } = await house([], { noModel: true })
    await install('acme/one', [slow('find_recipe', 1, 'one')])
    const suggestions = await companion.chat.suggestions()
    expect(suggestions.length).toBeGreaterThanOrEqual(3)
    expect(suggestions.map(({ toolId }) => toolId)).toContain('acme_one__find_recipe')
    for (const { text: sentence, toolId } of suggestions) {
      expect(callsOf(await say(sentence)).map((call) => call.toolId)).toContain(toolId)
      await companion.chat.stop()
    }
    await enable(['# nothing'])
    expect(await companion.chat.suggestions()).toEqual([])
  })

  it('answers one turn for the command line and waits for its motions', async () => {
    const { companion } = await house([
      { toolCalls: [{ name: 'move_head', arguments: { direction: 'left' } }] },
      { text: 'Left.' },
    ])
    const provider = await companion.provider()
    const pieces: string[] = []
    const turn = await companion.chat.once({
      text: 'Look left',
      profile: 'default',
      provider,
      onText: (piece) => pieces.push(piece),
    })
    expect(turn).toMatchObject({
      text: 'Left.',
      provider: 'openai-compatible',
      model: 'stand-in',
      calls: [{ id: 'move_head', arguments: { direction: 'left' }, isError: false }],
    })
    expect(pieces.join('')).toBe('Left.')
    expect(companion.robot.state().activity.kind).toBe('awake')
    expect(companion.chat.conversation().messages).toEqual([])
  })

  it('one turn fails with the provider’s code', async () => {
    const { companion } = await house([{ fault: 'unauthorized' }])
    const provider = await companion.provider()
    await expect(companion.chat.once({ text: 'Hi', profile: 'default', provider })).rejects.toMatchObject({
      code: 'provider/unauthorized',
    })
  })

  it('tests a model with one harmless tool', async () => {
    const { companion, model } = await house([
      { text: 'Hello', toolCalls: [{ name: 'show_ready', arguments: { word: 'yes' } }] },
      { text: 'Only words' },
      { fault: 'unauthorized' },
    ])
    const provider = await companion.provider()
    expect(await companion.chat.test(provider)).toMatchObject({ text: 'Hello', calledTool: true })
    expect(await companion.chat.test(provider)).toMatchObject({ text: 'Only words', calledTool: false })
    await expect(companion.chat.test(provider)).rejects.toMatchObject({ code: 'provider/unauthorized' })
    expect(model.requests[0]?.toolNames).toEqual(['show_ready'])
  })
})
