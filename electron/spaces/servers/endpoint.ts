import { CompanionError } from '../../contract/index.ts'

import { parseAddress } from './address.ts'
import { programEnvironment } from './environment.ts'

import type { ServerTarget } from '../../contract/index.ts'
import type { McpEndpoint } from '../../mcp/index.ts'
import type { ServerEntry } from './file.ts'
import type { ServerTokens } from './token.ts'

export interface EndpointDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly tokens: ServerTokens
}

export interface Timeouts {
  readonly requestTimeoutS: number
  readonly toolTimeoutS: number
}

/**
 * Gradio tells its SSE address in places where it serves streamable HTTP as well, and answers a POST there with a stream
 * that says nothing (https://github.com/gradio-app/gradio/issues/11458).
 */
const GRADIO_SSE = /(\/gradio_api\/mcp\/)sse\/?$/

/**
 * How a server is reached. An address is asked over streamable HTTP, and where that is answered 4xx over SSE at the same
 * address, as the MCP specification tells clients that want to speak to older servers
 * (https://modelcontextprotocol.io/specification/2025-06-18/basic/transports, backwards compatibility).
 *
 * @param given a token that was typed and is not stored yet
 * @throws CompanionError `server/bad-address`, `server/insecure`, `server/no-token` (from `headers`).
 */
export function endpointOf(
  server: { readonly name: string; readonly target: ServerTarget } & Timeouts,
  deps: EndpointDeps,
  given?: string,
): McpEndpoint {
  const { name, target } = server
  const limits = { requestMs: server.requestTimeoutS * 1000, callMs: server.toolTimeoutS * 1000 }
  if (target.kind === 'stdio') {
    const { command, args, cwd } = target
    const env = programEnvironment(deps.env, target)
    return { key: name, limits, stdio: { command, args, env, ...(cwd === undefined ? {} : { cwd }) } }
  }
  const { url, plainHttp } = parseAddress(target.url)
  return {
    key: name,
    limits,
    url: url.replace(GRADIO_SSE, '$1'),
    sseUrl: url,
    async headers() {
      const token = given ?? (await deps.tokens.get(name, url)) ?? fromVariable(name, target.tokenEnv, deps.env)
      if (token === null) return {}
      if (plainHttp && target.allowInsecureHttp !== true) throw new CompanionError('server/insecure', { name })
      return { Authorization: `Bearer ${token}` }
    },
  }
}

function fromVariable(name: string, variable: string | undefined, env: EndpointDeps['env']): string | null {
  if (variable === undefined) return null
  const value = env[variable]?.trim()
  if (!value) throw new CompanionError('server/no-token', { name, variable })
  return value
}

export const timeoutsOf = ({ requestTimeoutS, toolTimeoutS }: ServerEntry): Timeouts => ({
  requestTimeoutS,
  toolTimeoutS,
})
