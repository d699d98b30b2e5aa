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
  /**
   * Connects, or starts the program, and lists. Kept under `operationId` until installed, cancelled or replaced; changes
   * nothing on disk. A draft of an installed server's name and address looks at it again.
   *
   * @param token stored with the server when it is installed
   * @throws CompanionError `server/bad-name`, `server/bad-address`, `server/insecure`, `server/exists`, `server/bad-token`,
   * `server/no-token`, `server/unauthorized`, `server/no-mcp`, `server/not-started`, `server/exited`, other `space/*`.
   */
  preview(
    operationId: string,
    draft: ServerDraft,
    token?: string,
    /** `importedToken`: the one that {@link readImport} found for this name and address. */
    options?: { importedToken?: boolean },
  ): Promise<ServerPreview>
  /**
   * Server and lines of the profiles together or not at all. `toolIds`: those that the person said yes to, switched on in
   * each of `profiles`.
   */
  install(
    operationId: string,
    toolIds: readonly string[],
    profiles: readonly string[],
    /** `false`: tools that changed since their approval stay withheld. The screen has shown them. */
    options?: { acceptChanges?: boolean },
  ): Promise<ServerResult>
  cancel(operationId: string): void
  /** Looks again what a server offers. That it cannot be asked is its `check` in the snapshot. @throws `server/not-installed`, `server/changed-outside`, … */
  refresh(operationId: string, name: string): Promise<ServersSnapshot>
  /** `approve` and `keepOff` are IDs of the review; what is in neither stays undecided. */
  decide(name: string, decision: { approve: readonly string[]; keepOff: readonly string[] }): Promise<ServersSnapshot>
  /** A person allowed the tool for good; kept with its hash. */
  consent(id: string): Promise<void>
  /** With its lines in every profile and its token. {@link undo} gives the token back while the app runs. */
  remove(name: string): Promise<{ removed: string; disabled: Record<string, string[]>; undoId: string }>
  undo(undoId: string): Promise<ServersSnapshot>
  /** Pure, but for the bearer tokens, which are kept until the next text. */
  readImport(text: string): ServerImport
  /** For the registry: usable tools in the order of the file. No network, no process. */
  tools(): Promise<ServerTool[]>
  /**
   * Calls an installed tool; checks on each new connection that the server still offers what was approved.
   * @throws CompanionError `server/not-installed`, `server/changed`, `server/changed-outside`, `tools/no-longer-offered`,
   * `tools/timeout`, `tools/cancelled`, others as {@link preview}.
   */
  call(call: {
    server: string
    remoteName: string
    arguments: JsonObject
    signal?: AbortSignal
    onProgress?: (progress: McpProgress) => void
  }): Promise<McpResult>
  dispose(): void
}
