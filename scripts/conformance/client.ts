/**
 * The client that the official conformance suite puts to the test: the app's own connector. The suite names the scenario
 * in `MCP_CONFORMANCE_SCENARIO` and gives the server's address as the last argument.
 */
import { createMcp } from '../../electron/mcp/index.ts'

import type { JsonObject, Log } from '../../electron/contract/index.ts'
import type { Mcp, McpEndpoint, McpListing } from '../../electron/mcp/index.ts'

type Scenario = (mcp: Mcp, endpoint: McpEndpoint, listing: McpListing) => Promise<unknown>

/** What follows the list, by scenario. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  initialize: async () => undefined,
  tools_call: (mcp, endpoint) => mcp.call(endpoint, 'add_numbers', { a: 5, b: 3 }),
  'sse-retry': async (mcp, endpoint, { tools }) => {
    for (const { remoteName } of tools) await mcp.call(endpoint, remoteName, {})
  },
  'json-schema-2020-12-preservation': (mcp, endpoint, { tools }) => {
    const tool = tools.find(({ remoteName }) => remoteName === 'json_schema_2020_12_tool')
    return mcp.call(endpoint, 'json_schema_echo', { schema: tool?.inputSchema ?? ({} satisfies JsonObject) })
  },
  'json-schema-ref-no-deref': async () => undefined,
}

const say =
  (level: string) =>
  (message: string, fields?: unknown): void =>
    void process.stderr.write(`${level} ${message} ${JSON.stringify(fields ?? {})}\n`)
const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }

void (async () => {
  const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
  const scenario = SCENARIOS[name]
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  const mcp = createMcp({ fetch, version: '0.0.0', log })
  const endpoint = { key: 'conformance', url: process.argv.at(-1) ?? '' }
  try {
    await scenario(mcp, endpoint, await mcp.list(endpoint))
  } finally {
    await mcp.dispose()
  }
})()
