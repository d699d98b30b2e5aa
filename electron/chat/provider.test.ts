import { createServer } from 'node:http'

import { afterEach, describe, expect, it } from 'vitest'

import { startModel } from '../../e2e/servers/model.ts'
import { CompanionError } from '../contract/index.ts'

import { baseAddress } from './address.ts'
import { causeOf, openModel } from './provider.ts'

import type { ModelFault, ModelStep, StandInModel } from '../../e2e/servers/model.ts'
import type { Log } from '../contract/index.ts'
import type { StepAnswer } from './provider.ts'
import type { ProviderConfig } from './types.ts'
import type { AddressInfo } from 'node:net'

const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const TOOLS = [
  { wireName: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
  { wireName: 'add', description: 'Adds.', parameters: { type: 'object', properties: { a: { type: 'number' } } } },
]

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

async function model(
  steps: readonly ModelStep[],
  options: Parameters<typeof startModel>[1] = {},
): Promise<StandInModel> {
  const server = await startModel(steps, options)
  open.push(() => server.close())
  return server
}

const configFor = (baseUrl: string, key: string | null = null): ProviderConfig => ({
  kind: 'openai-compatible',
  baseUrl,
  model: 'm',
  key,
})

async function ask(
  baseUrl: string,
  more: { key?: string; signal?: AbortSignal; idleLimit?: number; tools?: typeof TOOLS } = {},
) {
  const texts: string[] = []
  const step = openModel(configFor(baseUrl, more.key ?? null), {
    fetch,
    log,
    ...(more.idleLimit ? { idleLimit: more.idleLimit } : {}),
  })
  const answer = await step({
    system: 'S',
    messages: [{ role: 'user', content: 'U' }],
    tools: more.tools ?? TOOLS,
    signal: more.signal ?? new AbortController().signal,
    onText: (text) => texts.push(text),
  })
  return { ...answer, streamed: texts.join('') }
}

describe('the address of a model', () => {
  it.each([
    ['https://api.example.com/v1/', 'https://api.example.com/v1'],
    [' http://localhost:11434/v1 ', 'http://localhost:11434/v1'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:1234/v1', 'http://[::1]:1234/v1'],
  ])('%s', (given, expected) => {
    expect(baseAddress(given)).toBe(expected)
  })

  it.each([
    ['', 'provider/none'],
    ['api.example.com', 'provider/bad-address'],
    ['http://192.168.1.5/v1', 'provider/bad-address'],
    ['http://localhost.example.com/v1', 'provider/bad-address'],
    ['file:///etc/passwd', 'provider/bad-address'],
    ['https://user:pass@example.com/v1', 'provider/bad-address'],
    ['https://example.com/v1?key=x', 'provider/bad-address'],
  ])('%s is refused', (given, code) => {
    expect(() => baseAddress(given)).toThrow(expect.objectContaining({ code }) as Error)
  })
})

describe('a request', () => {
  it('carries the key, the system prompt and the tools', async () => {
    const server = await model([{ text: 'Hello there.' }], { key: 'sk-1', strict: true })
    const answer = await ask(server.url, { key: 'sk-1' })
    expect(answer).toMatchObject({ text: 'Hello there.', streamed: 'Hello there.', calls: [] })
    expect(answer.failure).toBeUndefined()
    expect(server.requests[0]?.toolNames).toEqual(['look', 'add'])
    expect(server.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(server.requests[0]?.stream).toBe(true)
  })

  it('leaves the tools out when there are none', async () => {
    const server = await model([{ text: 'Hi' }])
    await ask(server.url, { tools: [] })
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
    expect(server.requests[0]?.body).not.toHaveProperty('tool_choice')
  })
})

const call = (at: string) => ({ name: 'look', arguments: { at } })
const lookAt = (answer: StepAnswer): unknown[] => answer.calls.map(({ name, input }) => [name, input])

describe('faults of a stream', () => {
  it.each<ModelFault | 'none'>([
    'none',
    'no-index',
    'no-id',
    'first-index-1',
    'no-type',
    'no-role',
    'finish-stop',
    'no-done',
    'arguments-object',
    'duplicate-ids',
  ])('%s: both calls arrive whole', async (fault) => {
    const step: ModelStep = { text: 'Well. ', toolCalls: [call('left'), { name: 'add', arguments: { a: 2 } }] }
    const server = await model([fault === 'none' ? step : { ...step, fault }])
    const answer = await ask(server.url)
    expect(answer.failure).toBeUndefined()
    expect(answer.text).toBe('Well. ')
    expect(lookAt(answer)).toEqual([
      ['look', { at: 'left' }],
      ['add', { a: 2 }],
    ])
  })

  it.each<ModelFault>(['arguments-empty', 'arguments-null'])('%s means no arguments', async (fault) => {
    const server = await model([{ toolCalls: [call('left')], fault }])
    expect(lookAt(await ask(server.url))).toEqual([['look', {}]])
  })

  it('broken JSON arrives as the text it is, and an unknown tool as a call', async () => {
    const server = await model([
      { toolCalls: [call('left')], fault: 'broken-json' },
      { toolCalls: [{ name: 'nobody', arguments: {} }] },
    ])
    expect((await ask(server.url)).calls).toMatchObject([{ name: 'look', input: '{"at":"left",,' }])
    expect((await ask(server.url)).calls).toMatchObject([{ name: 'nobody', input: {} }])
  })

  it('a cut stream keeps its text and runs no half call', async () => {
    const server = await model([
      { text: 'one two three four', toolCalls: [call('left')], fault: 'cut-mid-stream' },
      { toolCalls: [call('a long place name')], fault: 'cut-mid-stream' },
    ])
    const first = await ask(server.url)
    expect(first).toMatchObject({ text: 'one two ', calls: [], failure: { code: 'provider/dropped' } })
    expect(await ask(server.url)).toMatchObject({ calls: [], failure: { code: 'provider/dropped' } })
  })

  it('an error inside a stream keeps the text', async () => {
    const server = await model([{ text: 'so far', fault: 'error-event' }])
    expect(await ask(server.url)).toMatchObject({
      text: 'so far',
      failure: { code: 'provider/error', details: { status: 500, reason: 'provider exploded' } },
    })
  })

  it('a stream that ends politely in the middle was cut as well', async () => {
    const http = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: {"choices":[{"index":0,"delta":{"content":"half"},"finish_reason":null}]}\n\n')
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    open.push(() => new Promise((resolve) => http.close(() => resolve())))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
    expect(await ask(url)).toMatchObject({ text: 'half', failure: { code: 'provider/dropped' } })
  })
})

describe('an endpoint that does not answer well', () => {
  it.each<[ModelFault, string, object]>([
    ['unauthorized', 'provider/unauthorized', { status: 401 }],
    ['rate-limited', 'provider/rate-limited', { seconds: 30 }],
    ['http500', 'provider/error', { status: 500 }],
    ['bad-request', 'provider/error', { status: 400 }],
    ['html', 'provider/error', { status: 'HTML', reason: 'no-reason' }],
    ['reset', 'provider/unreachable', {}],
  ])('%s', async (fault, code, details) => {
    const server = await model([{ fault }])
    const { failure } = await ask(server.url)
    expect(failure).toMatchObject({ code, details })
  })

  it('tells what the server said', async () => {
    const server = await model([{ fault: 'bad-request', message: "Invalid schema for function 'look'" }])
    const { failure } = await ask(server.url)
    expect(causeOf(failure!)).toContain("function 'look'")
    expect(failure!.details).toEqual({ status: 400, reason: "Invalid schema for function 'look'" })
  })

  it('never repeats the key that was sent', async () => {
    const server = await model([{ fault: 'bad-request', message: 'no model for key plain-secret-1' }])
    const { failure } = await ask(server.url, { key: 'plain-secret-1' })
    expect(failure!.details.reason).toBe('no model for key …')
  })

  it('nobody listens', async () => {
    const server = await model([])
    await server.close()
    open.length = 0
    expect((await ask(server.url)).failure).toMatchObject({ code: 'provider/unreachable' })
  })

  it('a wrong path', async () => {
    const server = await model([])
    expect((await ask(server.url.replace('/v1', '/v2'))).failure).toMatchObject({
      code: 'provider/error',
      details: { status: 404 },
    })
  })

  it('silence is a failure', async () => {
    const server = await model([{ fault: 'stall' }, { text: ['a', { text: 'b', delayMs: 5_000 }] }])
    expect((await ask(server.url, { idleLimit: 150 })).failure).toMatchObject({ code: 'provider/unreachable' })
    expect(await ask(server.url, { idleLimit: 150 })).toMatchObject({
      text: 'a',
      failure: { code: 'provider/dropped' },
    })
  })

  it('a redirect is not followed, so that the key stays where it belongs', async () => {
    const target = await model([{ text: 'stolen' }])
    const http = createServer((_, response) =>
      response.writeHead(307, { location: `${target.url}/chat/completions` }).end(),
    )
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    open.push(() => new Promise((resolve) => http.close(() => resolve())))
    const answer = await ask(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { key: 'secret' })
    expect(answer.failure).toMatchObject({ code: 'provider/error', details: { status: 307 } })
    expect(target.log).toEqual([])
  })

  it('an abort ends it at once without a failure', async () => {
    const server = await model([{ text: Array.from({ length: 100 }, () => 'word '), chunkMs: 50 }])
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 200)
    const startedAt = performance.now()
    const answer = await ask(server.url, { signal: controller.signal })
    expect(performance.now() - startedAt).toBeLessThan(1_500)
    expect(answer.failure).toBeUndefined()
    expect(answer.text).toMatch(/^(word )+$/)
  })

  it('a model without a name is no model', () => {
    expect(() =>
      openModel({ kind: 'openai-compatible', baseUrl: 'https://example.com', model: ' ', key: null }, { fetch, log }),
    ).toThrow(CompanionError)
  })
})
