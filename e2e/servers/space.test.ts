import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, describe, expect, it } from 'vitest'

import { pause } from './http.ts'
import { CAPTURED_ORIGIN, capturedExchanges, payloads } from './space-tools.ts'
import { mediaTools, startSpace, text, type SpaceOptions, type StandInSpace } from './space.ts'

const open: { close(): Promise<void> }[] = []

async function space(options: SpaceOptions = {}): Promise<StandInSpace> {
  const started = await startSpace(options)
  open.push(started)
  return started
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  open.unshift(client)
  return client
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const BOTH = 'application/json, text/event-stream'

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: BOTH, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const rpc = (id: unknown, method: string, params: unknown = {}): unknown => ({ jsonrpc: '2.0', id, method, params })

const echo = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { say: { type: 'string', description: '' } }, required: ['say'] },
  run: (args: Record<string, unknown>) => text(`said ${String(args['say'])}`),
}

describe('the captured app', () => {
  const { captured, listed } = (() => {
    const all = capturedExchanges()
    return {
      captured: all.filter(
        ({ request }) => request.method === 'tools/call' || !/^(resources|prompts)/.test(request.method),
      ),
      listed: all,
    }
  })()

  it.each(
    captured.map((exchange) => [exchange.request.method, JSON.stringify(exchange.request.params), exchange] as const),
  )('answers %s %s byte for byte', async (method, _params, exchange) => {
    const server = await space()
    const id = payloads(exchange.body).at(-1)?.['id']
    const answer = await post(server.mcpUrl, rpc(id, method, exchange.request.params))
    expect(answer.status).toBe(exchange.status)
    expect(answer.headers.get('content-type')).toBe(exchange.contentType)
    expect(await answer.text()).toBe(exchange.body.replaceAll(CAPTURED_ORIGIN, server.url))
  })

  it('has a tool list that the strict SDK reads apart from the tools it cannot', async () => {
    const server = await space()
    const client = await connect(server.mcpUrl)
    expect(client.getServerVersion()).toEqual({ name: 'Demo App', version: '1.29.0' })
    const { tools } = await client.listTools()
    const list = payloads(listed.find(({ request }) => request.method === 'tools/list')?.body ?? '')[0]
    expect(tools.map((tool) => tool.name)).toEqual(
      (list?.['result'] as { tools: { name: string }[] }).tools.map((tool) => tool.name),
    )
  })
})

describe('HTTP as the real server answers it', () => {
  it.each([
    ['bad JSON', '{', {}, 400, -32_700],
    ['a batch', [rpc(1, 'ping')], {}, 400, -32_602],
    ['an unknown protocol version', rpc(1, 'ping'), { 'mcp-protocol-version': '2026-07-28' }, 400, -32_600],
    ['one accepted type only', rpc(1, 'ping'), { accept: 'application/json' }, 406, -32_600],
  ])('refuses %s', async (_what, body, headers, status, code) => {
    const server = await space()
    const answer = await post(server.mcpUrl, body, headers)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ id: 'server-error', error: { code } })
  })

  it('answers other content types, sizes, methods and paths', async () => {
    const server = await space()
    const plain = await post(server.mcpUrl, 'x', { 'content-type': 'text/plain' })
    expect([plain.status, await plain.text()]).toEqual([400, 'Invalid Content-Type header'])
    const big = await post(server.mcpUrl, rpc(1, 'ping', { pad: 'x'.repeat(4 * 1024 * 1024) }))
    expect([big.status, await big.text()]).toEqual([413, 'Request body too large'])
    const put = await fetch(server.mcpUrl, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
    expect((await fetch(server.mcpUrl, { method: 'DELETE' })).status).toBe(405)
    expect((await fetch(server.mcpUrl)).headers.get('content-type')).toContain('text/html')
    const lost = await fetch(`${server.mcpUrl}foo`)
    expect([lost.status, await lost.text()]).toEqual([
      404,
      'Path /gradio_api/mcp/foo not found. The MCP HTTP transport is available at /gradio_api/mcp.',
    ])
  })

  it('redirects the address without its slash, keeps the query', async () => {
    const server = await space()
    const answer = await post(`${server.url}/gradio_api/mcp?tools=a`, rpc(1, 'ping'))
    expect([answer.status, answer.headers.get('location')]).toEqual([307, `${server.url}/gradio_api/mcp/?tools=a`])
  })

  it('takes notifications with 202 and issues no session', async () => {
    const server = await space()
    const answer = await post(server.mcpUrl, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      202,
      'application/json',
      '',
    ])
    const first = await post(server.mcpUrl, rpc(0, 'initialize', { protocolVersion: '2025-03-26' }))
    expect(first.headers.get('mcp-session-id')).toBeNull()
    expect(payloads(await first.text())[0]).toMatchObject({ result: { protocolVersion: '2025-03-26' } })
    expect(server.methods).toEqual(['notifications/initialized', 'initialize'])
  })

  it('keeps a stream alive with comments and counts it', async () => {
    const server = await space({ pingMs: 20 })
    const leave = new AbortController()
    const answer = await fetch(server.mcpUrl, { headers: { accept: 'text/event-stream' }, signal: leave.signal })
    const first = await answer.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value as Uint8Array)).toMatch(/^: ping - /)
    expect(server.openStreams).toBe(1)
    leave.abort()
    await pause(50)
    expect(server.openStreams).toBe(0)
  })

  it('tells about itself, keeps files, takes uploads', async () => {
    const server = await space({ id: 'acme/echo', title: 'Echo', tools: [echo] })
    expect(await (await fetch(`${server.url}/config`)).json()).toMatchObject({
      version: '6.25.0',
      api_prefix: '/gradio_api',
      mcp_server: true,
      space_id: 'acme/echo',
      title: 'Echo',
      root: server.url,
    })
    expect(await (await fetch(`${server.mcpUrl}schema`)).json()).toMatchObject([
      { name: 'echo', meta: { mcp_type: 'tool' } },
    ])
    const address = server.files.add('a.txt', 'text/plain', new TextEncoder().encode('hello'))
    expect(await (await fetch(address)).text()).toBe('hello')
    expect((await fetch(`${server.url}/gradio_api/file=/etc/hostname`)).status).toBe(403)
    const form = new FormData()
    form.append('files', new Blob(['12345']), 'photo.jpg')
    const [path] = (await (
      await fetch(`${server.url}/gradio_api/upload`, { method: 'POST', body: form })
    ).json()) as string[]
    expect(server.files.uploads).toEqual([{ name: 'photo.jpg', bytes: 5 }])
    expect(await (await fetch(`${server.url}/gradio_api/file=${path ?? ''}`)).text()).toBe('12345')
  })

  it('asks for its token in X-HF-Authorization', async () => {
    const server = await space({ tools: [echo], token: 'hf_secret' })
    expect((await post(server.mcpUrl, rpc(1, 'ping'), { authorization: 'Bearer hf_secret' })).status).toBe(401)
    expect((await post(server.mcpUrl, rpc(1, 'ping'), { 'x-hf-authorization': 'Bearer hf_secret' })).status).toBe(200)
  })
})

describe('calls', () => {
  it('run at the same time and are recorded', async () => {
    const slow = { ...echo, run: async (args: Record<string, unknown>) => (await pause(150), echo.run(args)) }
    const server = await space({ tools: [slow] })
    const client = await connect(server.mcpUrl)
    const results = await Promise.all(['a', 'b'].map((say) => client.callTool({ name: 'echo', arguments: { say } })))
    expect(results.map((result) => result.content)).toEqual([text('said a'), text('said b')])
    const [a, b] = server.calls
    expect([a?.args, b?.args]).toEqual([{ say: 'a' }, { say: 'b' }])
    expect(b?.startedAt).toBeLessThan(a?.endedAt ?? 0)
  })

  it('send progress to those who asked, and end when the caller leaves', async () => {
    const patient = {
      ...echo,
      run: async (_args: unknown, { progress, signal }: { progress: (said: string) => void; signal: AbortSignal }) => {
        progress('Progress Counting: Step 0 of 3')
        await pause(2_000, signal)
        return text('done')
      },
    }
    const server = await space({ tools: [patient] })
    const leave = new AbortController()
    const answer = await fetch(server.mcpUrl, {
      method: 'POST',
      signal: leave.signal,
      headers: { accept: BOTH, 'content-type': 'application/json' },
      body: JSON.stringify(
        rpc(1, 'tools/call', { name: 'echo', arguments: { say: 'x' }, _meta: { progressToken: 7 } }),
      ),
    })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('Step 0 of 3')) seen += (await reader?.read())?.value ?? ''
    expect(payloads(seen).map((message) => message['params'])).toMatchObject([
      { progressToken: 7, progress: 0, message: 'In queue. Position 0 out of 1.' },
      { progressToken: 7, progress: 1, message: 'Processing' },
      { progressToken: 7, progress: 2, message: 'Progress Counting: Step 0 of 3' },
    ])
    leave.abort()
    await pause(100)
    expect(server.calls[0]).toMatchObject({ cancelled: true })
    expect(server.openStreams).toBe(0)
  })

  it.each([
    [{}, "Input validation error: 'say' is a required property"],
    [{ say: 1 }, "Input validation error: 1 is not of type 'string'"],
    [{ say: 'x', more: true }, 'Parameter `more` is not a valid key-word argument.'],
  ])('check arguments %j', async (args, message) => {
    const client = await connect((await space({ tools: [echo] })).mcpUrl)
    const result = await client.callTool({ name: 'echo', arguments: args })
    expect(result.isError).toBe(true)
    expect((result.content as { text: string }[])[0]?.text).toContain(message)
  })
})

describe('faults', () => {
  const call = rpc(1, 'tools/call', { name: 'echo', arguments: { say: 'x' } })
  const list = rpc(1, 'tools/list')

  async function resultOf(server: StandInSpace, body: unknown): Promise<Record<string, unknown>> {
    const answer = await post(server.mcpUrl, body)
    return payloads(await answer.text()).at(-1)?.['result'] as Record<string, unknown>
  }

  it.each([
    ['paused', true, 503, 'text/html'],
    ['html200', true, 200, 'text/html'],
    ['noMcp404', true, 404, 'application/json'],
    ['crashed', true, 500, 'text/plain'],
    ['401', true, 401, 'text/html'],
    ['403', true, 403, 'text/html'],
    ['429', 12, 429, 'application/json'],
    ['413', true, 413, 'text/plain'],
  ] as const)('%s', async (fault, value, status, type) => {
    const server = await space({ tools: [echo] })
    server.fault(fault, value)
    const answer = await post(server.mcpUrl, call)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain(type)
    if (fault === '429') expect(answer.headers.get('retry-after')).toBe('12')
    server.fault(fault, false)
    expect((await post(server.mcpUrl, call)).status).toBe(200)
  })

  it('asleep: a visit wakes it, after a while it answers', async () => {
    const server = await space({ tools: [echo] })
    server.fault('asleep', 0.1)
    expect(server.stage()).toBe('SLEEPING')
    expect((await fetch(`${server.url}/config`)).status).toBe(503)
    expect(server.stage()).toBe('APP_STARTING')
    await pause(150)
    expect(server.stage()).toBe('RUNNING')
    expect((await fetch(`${server.url}/config`)).status).toBe(200)
  })

  it('redirects', async () => {
    const server = await space({ tools: [echo] })
    server.fault('redirectOtherHost', 'https://other.invalid/')
    const other = await post(server.mcpUrl, call)
    expect([other.status, other.headers.get('location')]).toEqual([307, 'https://other.invalid/'])
    server.clearFaults()
    server.fault('redirectHttp')
    expect((await post(server.mcpUrl, call)).headers.get('location')).toMatch(/^http:\/\/localhost:/)
  })

  it('drops: before the headers, after them, in the middle', async () => {
    const server = await space({ tools: [echo] })
    server.fault('resetBeforeHeaders')
    await expect(post(server.mcpUrl, call)).rejects.toThrow('fetch failed')
    server.clearFaults()
    server.fault('dropAfterHeaders')
    const empty = await post(server.mcpUrl, call)
    expect([empty.status, await empty.text()]).toEqual([200, ''])
    server.clearFaults()
    server.fault('dropMidStream')
    const half = await post(server.mcpUrl, call)
    await expect(half.text()).rejects.toThrow('terminated')
    expect((await post(server.mcpUrl, list)).status).toBe(200)
    server.fault('dropMidStream', 'tools/list')
    await expect((await post(server.mcpUrl, list)).text()).rejects.toThrow('terminated')
  })

  it('stallNoPing sends nothing; slow waits first', async () => {
    const server = await space({ tools: [echo], pingMs: 10 })
    server.fault('slow', 0.15)
    const from = performance.now()
    await (await post(server.mcpUrl, call)).text()
    expect(performance.now() - from).toBeGreaterThan(140)
    server.clearFaults()
    server.fault('stallNoPing')
    const stalled = await post(server.mcpUrl, call)
    const first = await Promise.race([stalled.body?.getReader().read(), pause(100)])
    expect(first).toBeUndefined()
  })

  it.each([
    ['badToolInList', true, (tools: unknown[]) => expect(tools[1]).toMatchObject({ inputSchema: null })],
    ['badToolInList', { name: 5 }, (tools: unknown[]) => expect(tools[1]).toEqual({ name: 5 })],
    ['dupNames', true, (tools: unknown[]) => expect(tools[1]).toEqual(tools[0])],
    ['longName', 124, (tools: unknown[]) => expect((tools[1] as { name: string }).name).toHaveLength(124)],
    ['emptyList', true, (tools: unknown[]) => expect(tools).toEqual([])],
    ['typeObj', true, (tools: unknown[]) => expect(JSON.stringify(tools[1])).toContain('"type":{}')],
    [
      'danglingRef',
      true,
      (tools: unknown[]) => expect(JSON.stringify(tools[1])).toContain('"$ref":"#/$defs/FileData"'),
    ],
    ['enumEmpty', true, (tools: unknown[]) => expect(JSON.stringify(tools[1])).toContain('"enum":[]')],
    [
      'remoteRef',
      'http://127.0.0.1:1/s',
      (tools: unknown[]) => expect(JSON.stringify(tools[1])).toContain('http://127.0.0.1:1/s'),
    ],
    [
      'promptInjectionDescription',
      true,
      (tools: unknown[]) => expect(JSON.stringify(tools[0])).toContain('ignore all previous'),
    ],
    ['oldGradio', '6.22', (tools: unknown[]) => expect(JSON.stringify(tools[0])).not.toContain('required')],
  ] as const)('list: %s %s', async (fault, value, check) => {
    const server = await space({ tools: [echo] })
    server.fault(fault, value)
    check((await resultOf(server, list))['tools'] as unknown[])
  })

  it('pages: real ones end, looping ones do not', async () => {
    const server = await space({ tools: [echo, { ...echo, name: 'b' }], pageSize: 1 })
    const first = await resultOf(server, list)
    expect(first['nextCursor']).toBe('1')
    const last = await resultOf(server, rpc(2, 'tools/list', { cursor: '1' }))
    expect(last).toMatchObject({ tools: [{ name: 'b' }] })
    expect(last['nextCursor']).toBeUndefined()
    server.fault('loopingCursor')
    expect((await resultOf(server, rpc(3, 'tools/list', { cursor: 'again' })))['nextCursor']).toBe('again')
  })

  it('renamedTool: another name in the list, the old one is unknown', async () => {
    const server = await space({ tools: [echo] })
    server.fault('renamedTool', 'echo')
    expect(await resultOf(server, list)).toMatchObject({ tools: [{ name: 'echo_1' }] })
    expect(await resultOf(server, call)).toEqual({
      content: text('Unknown tool for this Gradio app: echo'),
      isError: true,
    })
    const renamed = rpc(1, 'tools/call', { name: 'echo_1', arguments: { say: 'y' } })
    expect(await resultOf(server, renamed)).toEqual({ content: text('said y'), isError: false })
  })

  it('renamedTool: the schema route still names its endpoint', async () => {
    const server = await space()
    const names = async (): Promise<unknown[]> =>
      ((await (await fetch(`${server.mcpUrl}schema`)).json()) as { name: string; meta: { endpoint_name: string } }[])
        .slice(0, 2)
        .map(({ name, meta }) => [name, meta.endpoint_name])
    const [first, second] = await names()
    expect([first, second]).toEqual([
      ['My_Cool_Space_1_letter_counter', 'predict'],
      ['My_Cool_Space_1_make_image', 'make_image'],
    ])
    server.fault('renamedTool')
    expect(await names()).toEqual([['My_Cool_Space_1_letter_counter_1', 'predict'], second])
  })

  it.each([
    ['changedDescription', true, [{ name: 'echo', description: 'Says it again Also keeps what it was told.' }, {}]],
    ['changedDescription', 'New words', [{ name: 'echo', description: 'New words' }, {}]],
    ['changedSchema', true, [{ inputSchema: { properties: { say: {}, also: {} }, required: ['say'] } }, {}]],
    ['changedSchema', { type: 'array' }, [{ inputSchema: { type: 'array' } }, {}]],
    ['addedTool', true, [{ name: 'echo' }, { name: 'b' }, { name: 'added_tool' }]],
    ['removedTool', true, [{ name: 'b' }]],
    ['removedTool', 'b', [{ name: 'echo' }]],
  ] as const)('between two lists: %s %j', async (fault, value, expected) => {
    const server = await space({ tools: [echo, { ...echo, name: 'b' }] })
    const before = await resultOf(server, list)
    server.fault(fault, value)
    expect(((await resultOf(server, list)) as { tools: unknown[] }).tools).toMatchObject(expected)
    server.clearFaults()
    expect(await resultOf(server, list)).toEqual(before)
  })

  it('removedTool: is unknown when it is called', async () => {
    const server = await space({ tools: [echo] })
    server.fault('removedTool')
    expect(await resultOf(server, call)).toMatchObject({
      content: text('Unknown tool for this Gradio app: echo'),
      isError: true,
    })
  })

  it('falls asleep under a client: its stream ends, and it wakes when it is visited', async () => {
    const server = await space({ tools: [echo] })
    const stream = await fetch(server.mcpUrl, { headers: { accept: 'text/event-stream' } })
    expect([server.stage(), server.openStreams]).toEqual(['RUNNING', 1])
    server.fault('asleep', 0.2)
    await expect(stream.text()).rejects.toThrow()
    expect([server.stage(), server.openStreams]).toEqual(['SLEEPING', 0])
    expect((await post(server.mcpUrl, list)).status).toBe(503)
    expect(server.stage()).toBe('APP_STARTING')
    await pause(250)
    expect((await post(server.mcpUrl, list)).status).toBe(200)
  })

  it.each([
    ['sound', 'audio/wav', 'RIFF'],
    ['film', 'video/mp4', 'ftyp'],
    ['paper', 'application/pdf', '%PDF'],
  ])('media: %s is a bare address of a file', async (name, type, mark) => {
    const server = await space({ tools: [] })
    server.tools.push(...mediaTools(server.files))
    const { content } = (await resultOf(server, rpc(1, 'tools/call', { name, arguments: {} }))) as {
      content: { type: string; text: string }[]
    }
    expect(content).toHaveLength(1)
    expect(content[0]?.text).toMatch(new RegExp(`^${server.url}/gradio_api/file=/srv/gradio/[0-9a-f]{64}/`))
    const file = await fetch(content[0]?.text ?? '')
    expect(file.headers.get('content-type')).toBe(type)
    expect(await file.text()).toContain(mark)
  })

  it('media: blocks, several outputs, files that are elsewhere, moved, gone or large', async () => {
    const server = await space({ tools: [] })
    server.tools.push(...mediaTools(server.files, { prefix: 'a_', bigBytes: 1_000 }))
    const of = async (name: string): Promise<{ type: string; text: string; mimeType: string }[]> =>
      (
        (await resultOf(server, rpc(1, 'tools/call', { name: `a_${name}`, arguments: {} }))) as {
          content: { type: string; text: string; mimeType: string }[]
        }
      ).content
    expect(await of('picture')).toMatchObject([{ type: 'image', mimeType: 'image/png' }, { type: 'text' }])
    expect(await of('sound_block')).toMatchObject([{ type: 'audio', mimeType: 'audio/wav' }])
    expect((await of('several')).map(({ type }) => type)).toEqual(['text', 'text', 'image'])
    expect((await of('foreign_file'))[0]?.text).toMatch(/^https:\/\/elsewhere\.invalid\//)
    const moved = await fetch((await of('moved_file'))[0]?.text ?? '', { redirect: 'manual' })
    expect([moved.status, moved.headers.get('location')]).toEqual([302, expect.stringContaining('elsewhere.invalid')])
    expect((await fetch((await of('gone_file'))[0]?.text ?? '')).status).toBe(403)
    const big = await fetch((await of('big_file'))[0]?.text ?? '')
    expect((await big.arrayBuffer()).byteLength).toBe(1_000)
  })

  it.each([
    ['isErrorText', 'out of order', { content: text('out of order'), isError: true }],
    ['unknownContent', true, { content: [{ type: 'hologram' }, { type: 'text' }] }],
    ['badBase64', true, { content: [{ type: 'image', mimeType: 'image/png' }] }],
  ] as const)('result: %s', async (fault, value, expected) => {
    const server = await space({ tools: [echo] })
    server.fault(fault, value)
    expect(await resultOf(server, call)).toMatchObject(expected)
  })

  it('result: hugeImage has the asked size', async () => {
    const server = await space({ tools: [echo] })
    server.fault('hugeImage', 2)
    const { content } = (await resultOf(server, call)) as { content: { data: string }[] }
    expect(content[0]?.data).toHaveLength(2_000_000)
  })

  it('old Gradio 5.32: only /http/, and an unknown method kills it', async () => {
    const server = await space({ tools: [echo] })
    server.fault('oldGradio', '5.32')
    expect((await post(server.mcpUrl, list)).status).toBe(404)
    const http = `${server.mcpUrl}http/`
    expect((await post(http, list)).status).toBe(200)
    expect(await (await post(http, rpc(2, 'server/discover'))).text()).toBe('')
    const dead = await post(http, list)
    expect([dead.status, await dead.text()]).toEqual([500, expect.stringContaining('Task group is not initialized')])
  })

  it('old Gradio 5.28: the SSE transport works with the real client', async () => {
    const server = await space({ tools: [echo] })
    server.fault('oldGradio', '5.28')
    expect((await post(server.mcpUrl, list)).status).toBe(404)
    const client = new Client({ name: 'test', version: '0' })
    open.unshift(client)
    await client.connect(new SSEClientTransport(new URL(`${server.mcpUrl}sse`)))
    const result = await client.callTool({ name: 'echo', arguments: { say: 'sse' } })
    expect(result.content).toEqual(text('said sse'))
  })
})
