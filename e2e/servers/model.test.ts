import { afterEach, describe, expect, it } from 'vitest'

import { startModel, type ModelOptions, type ModelScript, type StandInModel } from './model.ts'

const open: StandInModel[] = []

async function model(script: ModelScript, options: ModelOptions = {}): Promise<StandInModel> {
  const started = await startModel(script, options)
  open.push(started)
  return started
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

function ask(
  server: StandInModel,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'stand-in', stream: true, messages: [{ role: 'user', content: 'hi' }], ...body }),
  })
}

interface Chunk {
  choices: {
    delta: { content?: string; role?: string; tool_calls?: Record<string, unknown>[] }
    finish_reason: string | null
  }[]
  error?: { message: string }
}

async function chunks(answer: Response): Promise<{ parsed: Chunk[]; done: boolean; text: string }> {
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '))
  const parsed = lines.filter((line) => line !== 'data: [DONE]').map((line) => JSON.parse(line.slice(6)) as Chunk)
  const text = parsed.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join('')
  return { parsed, done: lines.at(-1) === 'data: [DONE]', text }
}

const calls = (parsed: Chunk[]): Record<string, unknown>[] =>
  parsed.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? [])
const finish = (parsed: Chunk[]): unknown =>
  parsed.map((chunk) => chunk.choices?.[0]?.finish_reason).find((reason) => typeof reason === 'string')

const tool = (name: string): unknown => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
})

describe('steps', () => {
  it('streams text in words and ends with [DONE]', async () => {
    const server = await model([{ text: 'Hello my friend.' }])
    const { parsed, done, text } = await chunks(await ask(server))
    expect([text, done, finish(parsed)]).toEqual(['Hello my friend.', true, 'stop'])
    expect(parsed.filter((chunk) => chunk.choices[0]?.delta.content !== undefined).length).toBe(4)
  })

  it('streams calls, long arguments in two pieces', async () => {
    const long = { query: 'x'.repeat(60) }
    const server = await model([
      {
        toolCalls: [
          { name: 'a', arguments: { n: 1 } },
          { name: 'b', arguments: long },
        ],
      },
    ])
    const { parsed } = await chunks(await ask(server))
    const [a, b, rest] = calls(parsed) as { index: number; id: string; function: { arguments: string } }[]
    expect(a).toEqual({ index: 0, id: 'call_1', type: 'function', function: { name: 'a', arguments: '{"n":1}' } })
    expect([b?.index, b?.id, rest?.index]).toEqual([1, 'call_2', 1])
    expect(JSON.parse(`${b?.function.arguments ?? ''}${rest?.function.arguments ?? ''}`)).toEqual(long)
    expect(finish(parsed)).toBe('tool_calls')
  })

  it('answers without streaming', async () => {
    const server = await model([{ text: 'one two', toolCalls: [{ name: 'a' }] }])
    expect(await (await ask(server, { stream: false })).json()).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'one two',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'a', arguments: '{}' } }],
          },
        },
      ],
    })
  })

  it('takes a function, records requests, waits where told, can be rewritten', async () => {
    const server = await model(({ messages }, index) => ({
      text: `${index}: ${JSON.stringify(messages.at(-1)?.content)}`,
      delayMs: 60,
    }))
    const from = performance.now()
    expect((await chunks(await ask(server, { tools: [tool('a')] }))).text).toBe('0: "hi"')
    expect(performance.now() - from).toBeGreaterThan(55)
    expect(server.requests[0]).toMatchObject({
      toolNames: ['a'],
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    })
    server.script([{ text: 'new' }])
    expect((await chunks(await ask(server))).text).toBe('new')
    const none = await ask(server)
    expect([none.status, await none.json()]).toMatchObject([400, { error: { code: 'script_exhausted' } }])
  })

  it('counts answers that the client left', async () => {
    const server = await model([{ text: 'a b c', chunkMs: 5_000 }])
    const leave = new AbortController()
    const answer = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      body: '{"stream":true}',
      signal: leave.signal,
    })
    await answer.body?.getReader().read()
    leave.abort()
    await expect.poll(() => server.aborted).toBe(1)
  })

  it('lists models and asks for its key', async () => {
    const server = await model([], { key: 'sk-right', models: ['m1', 'm2'] })
    expect((await fetch(`${server.url}/models`)).status).toBe(401)
    const list = await fetch(`${server.url}/models`, { headers: { authorization: 'Bearer sk-right' } })
    expect(((await list.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(['m1', 'm2'])
    expect((await ask(server, {}, { authorization: 'Bearer sk-wrong' })).status).toBe(401)
  })
})

describe('faults', () => {
  it.each([
    ['unauthorized', 401],
    ['rate-limited', 429],
    ['http500', 500],
    ['bad-request', 400],
  ] as const)('%s is %i', async (fault, status) => {
    const answer = await ask(await model([{ fault }]))
    expect([answer.status, await answer.json()]).toMatchObject([
      status,
      { error: { message: expect.any(String) as string } },
    ])
  })

  it('html, reset, error event, missing end, cut', async () => {
    const step = { text: 'one two three four', toolCalls: [{ name: 'a' }] }
    const server = await model([
      { fault: 'html' },
      { fault: 'reset' },
      { ...step, fault: 'error-event', message: 'kaput' },
      { ...step, fault: 'no-done' },
      { ...step, fault: 'cut-mid-stream' },
    ])
    expect((await ask(server)).headers.get('content-type')).toContain('text/html')
    await expect(ask(server)).rejects.toThrow('fetch failed')
    const failed = await chunks(await ask(server))
    expect([failed.text, failed.parsed.at(-1)?.error?.message, failed.done]).toEqual([
      'one two three four',
      'kaput',
      false,
    ])
    expect(await chunks(await ask(server))).toMatchObject({ text: 'one two three four', done: false })
    const cut = (await ask(server)).body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    const drain = async (): Promise<void> => {
      for (;;) {
        const part = await cut?.read()
        if (part === undefined || part.done) return
        seen += part.value
      }
    }
    await expect(drain()).rejects.toThrow('terminated')
    expect(seen).toContain('two')
    expect(seen).not.toContain('three')
  })

  it.each([
    ['no-index', [{ id: 'call_1', type: 'function' }, { id: 'call_2' }], 'index'],
    ['no-id', [{ index: 0 }, { index: 1 }], 'id'],
    ['first-index-1', [{ index: 1 }, { index: 2 }], null],
    ['no-type', [{ index: 0 }, { index: 1 }], 'type'],
    ['arguments-empty', [{ function: { name: 'a', arguments: '' } }, {}], null],
    ['arguments-null', [{ function: { name: 'a', arguments: null } }, {}], null],
    ['arguments-object', [{ function: { name: 'a', arguments: { n: 1 } } }, {}], null],
    ['duplicate-ids', [{ id: 'call_1' }, { id: 'call_1' }], null],
  ] as const)('%s', async (fault, expected, missing) => {
    const toolCalls = [{ name: 'a', arguments: { n: 1 } }, { name: 'b' }]
    const { parsed } = await chunks(await ask(await model([{ toolCalls, fault }])))
    expect(calls(parsed)).toMatchObject(expected)
    for (const call of calls(parsed)) if (missing !== null) expect(call).not.toHaveProperty(missing)
  })

  it('no-role, broken-json, finish-stop', async () => {
    const toolCalls = [{ name: 'a', arguments: { n: 1 } }]
    const server = await model([
      { text: 'x', fault: 'no-role' },
      { toolCalls, fault: 'broken-json' },
      { toolCalls, fault: 'finish-stop' },
    ])
    const roleless = await chunks(await ask(server))
    expect(roleless.parsed.some((chunk) => chunk.choices[0]?.delta.role !== undefined)).toBe(false)
    const broken = calls((await chunks(await ask(server))).parsed)[0] as { function: { arguments: string } }
    expect(() => JSON.parse(broken.function.arguments) as unknown).toThrow()
    expect(finish((await chunks(await ask(server))).parsed)).toBe('stop')
  })
})

describe('strict mode', () => {
  const called = (...ids: string[]): unknown => ({
    role: 'assistant',
    content: '',
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'a', arguments: '{}' } })),
  })
  const result = (id: string, content: unknown = 'ok'): unknown => ({ role: 'tool', tool_call_id: id, content })
  const user = { role: 'user', content: 'hi' }

  it.each([
    ['both answered', [user, called('1', '2'), result('2'), result('1'), user], [], 200],
    ['one missing', [user, called('1', '2'), result('1'), user], [], 400],
    ['missing at the end', [user, called('1')], [], 400],
    ['answer without call', [user, result('1')], [], 400],
    ['answered twice', [user, called('1'), result('1'), result('1')], [], 400],
    ['content that is no string', [user, called('1'), result('1', [{ type: 'text', text: 'x' }])], [], 400],
    ['equal ids', [user, called('1', '1'), result('1')], [], 400],
    ['good tools', [user], [tool('a'), tool('b')], 200],
    ['equal names', [user], [tool('a'), tool('a')], 400],
    ['a bad name', [user], [tool('a.b')], 400],
    ['no properties', [user], [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }], 400],
    ['129 tools', [user], Array.from({ length: 129 }, (_, index) => tool(`t${index}`)), 400],
  ] as const)('%s', async (_what, messages, tools, status) => {
    const server = await model([{ text: 'fine' }], { strict: true })
    expect((await ask(server, { messages, tools })).status).toBe(status)
    expect(server.refused).toHaveLength(status === 400 ? 1 : 0)
  })
})
