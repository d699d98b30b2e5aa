import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEverything, type EverythingServer } from './everything.ts'
import { startProxy, type StandInProxy } from './proxy.ts'

let everything: EverythingServer
let proxy: StandInProxy
let client: Client
let transport: StreamableHTTPClientTransport

beforeAll(async () => {
  everything = await startEverything()
  proxy = await startProxy(everything.url, { id: 'stand-in/everything', title: 'Everything' })
  client = new Client({ name: 'test', version: '0' })
  transport = new StreamableHTTPClientTransport(new URL(`${proxy.url}/gradio_api/mcp/`))
  await client.connect(transport)
})

afterAll(async () => {
  await client.close()
  await proxy.close()
  await everything.close()
})

describe('server-everything behind the proxy', () => {
  it('looks like a Space with MCP', async () => {
    expect(await (await fetch(`${proxy.url}/config`)).json()).toMatchObject({
      mcp_server: true,
      api_prefix: '/gradio_api',
      space_id: 'stand-in/everything',
    })
    expect((await fetch(`${proxy.url}/gradio_api/mcp/foo`)).status).toBe(404)
  })

  it('keeps the session id and the tools', async () => {
    expect(transport.sessionId).toMatch(/\S{8,}/)
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']))
  })

  it('passes calls, pictures and progress through', async () => {
    const echo = await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
    expect(echo.content).toEqual([{ type: 'text', text: 'Echo: hi' }])
    const image = await client.callTool({ name: 'get-tiny-image', arguments: {} })
    expect(image.content).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'image', mimeType: 'image/png' })]),
    )
    const seen: number[] = []
    await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 2 } },
      undefined,
      {
        onprogress: ({ progress }) => seen.push(progress),
      },
    )
    expect(seen).toEqual([1, 2])
  })

  it('has an empty environment and listens on loopback only', async () => {
    const environment = await client.callTool({ name: 'get-env', arguments: {} })
    expect(JSON.parse((environment.content as { text: string }[])[0]?.text ?? '')).toEqual({ PORT: '0' })
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address?.family === 'IPv4' && !address.internal)
    for (const other of others) {
      await expect(fetch(everything.url.replace('127.0.0.1', other?.address ?? ''))).rejects.toThrow('fetch failed')
    }
    if (process.platform === 'linux') {
      const port = new URL(everything.url).port
      const hex = Number(port).toString(16).toUpperCase().padStart(4, '0')
      const listening = ['tcp', 'tcp6'].map((file) => readFileSync(`/proc/net/${file}`, 'utf8')).join('\n')
      expect(listening).toContain(`0100007F:${hex} 00000000:0000 0A`)
      expect(listening).not.toMatch(new RegExp(` 0{8,32}:${hex} `))
    }
  })

  it('answers 502 when the server is gone', async () => {
    const lost = await startProxy('http://127.0.0.1:1/mcp')
    expect((await fetch(`${lost.url}/gradio_api/mcp/`, { method: 'POST', body: '{}' })).status).toBe(502)
    await lost.close()
  })
})
