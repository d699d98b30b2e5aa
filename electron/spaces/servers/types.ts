import type {
  JsonObject,
  ServerDraft,
  ServerImport,
  ServerPreview,
  ServerResult,
  ServersSnapshot,
  Unsubscribe,
} from '../../contract/index.ts'
import type { McpProgress, McpResult } from '../../mcp/index.ts'

/** A usable tool of a server, as the registry needs it. */
export interface ServerTool {
  readonly id: string
  readonly server: string
  readonly remoteName: string
  readonly description: string
  readonly parameters: JsonObject
  readonly consented: boolean
  /** Its server is a program on this computer. */
  readonly runsHere: boolean
  /** `destructiveHint` of the server: may only raise what is asked. */
  readonly destructive: boolean
}

/** MCP servers that are no Spaces: an address, or a program over stdio. Kept in `mcp_servers.json`. */
export interface Servers {
  /** No network, no process. */
  snapshot(): Promise<ServersSnapshot>
  onChange(listener: (snapshot: ServersSnapshot) => void): Unsubscribe
  preview(operationId: string, draft: ServerDraft, token?: string): Promise<ServerPreview>
  install(operationId: string, toolIds: readonly string[], profiles: readonly string[]): Promise<ServerResult>
  cancel(operationId: string): void
  refresh(operationId: string, name: string): Promise<ServersSnapshot>
  decide(name: string, decision: { approve: readonly string[]; keepOff: readonly string[] }): Promise<ServersSnapshot>
  consent(id: string): Promise<void>
  remove(name: string): Promise<{ removed: string; disabled: Record<string, string[]>; undoId: string }>
  undo(undoId: string): Promise<ServersSnapshot>
  readImport(text: string): ServerImport
  tools(): Promise<ServerTool[]>
  call(call: {
    server: string
    remoteName: string
    arguments: JsonObject
    signal?: AbortSignal
    onProgress?: (progress: McpProgress) => void
  }): Promise<McpResult>
  dispose(): void
}
