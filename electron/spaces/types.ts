import type {
  InstallProgress,
  InstallResult,
  JsonObject,
  RemoveResult,
  SpaceFilter,
  SpacePreview,
  SpaceSearch,
  SpaceSort,
  SpacesSnapshot,
  Unsubscribe,
} from '../contract/index.ts'
import type { McpEndpoint } from '../mcp/index.ts'
import type { Transaction } from '../storage/index.ts'

/** What `spaces` needs of profiles; `companion.ts` hands it in. */
export interface ProfileLines {
  enableIn(tx: Transaction, profile: string, ids: readonly string[]): Promise<{ added: string[]; path: string }>
  disableEverywhere(tx: Transaction, matches: (id: string) => boolean): Promise<Record<string, string[]>>
  usesOf(matches: (id: string) => boolean): Promise<Record<string, string[]>>
  touched(): void
}

/** A usable tool of an installed Space, as the registry needs it. */
export interface SpaceTool {
  readonly id: string
  readonly slug: string
  readonly remoteName: string
  readonly description: string
  readonly parameters: JsonObject
}

export interface Spaces {
  /** No network. */
  snapshot(): Promise<SpacesSnapshot>
  onChange(listener: (snapshot: SpacesSnapshot) => void): Unsubscribe
  /** Every installation under way, whole, at each change. */
  onProgress(listener: (progress: InstallProgress) => void): Unsubscribe
  search(
    request: { query: string; filters: readonly SpaceFilter[]; sort: SpaceSort; limit: number },
    signal?: AbortSignal,
  ): Promise<SpaceSearch>
  /** Validate, Wake, Connect, Discover. Kept under `operationId` until installed, cancelled or replaced. */
  preview(operationId: string, ref: string): Promise<SpacePreview>
  /** Enable. `toolIds`: the tools to switch on in `profile`; all usable tools enter the manifest. */
  install(
    operationId: string,
    toolIds: readonly string[],
    profile: string | null,
    /** Without it, tools that changed since their approval stay withheld. The screen has shown them and passes true. */
    options?: { acceptChanges?: boolean },
  ): Promise<InstallResult>
  cancel(operationId: string): void
  /** Slug of an installed Space, whatever form it is named in. No network. @throws `space/bad-name`, `space/not-installed`. */
  resolve(ref: string): Promise<string>
  remove(ref: string): Promise<RemoveResult>
  undo(undoId: string): Promise<SpacesSnapshot>
  /** For the registry: usable tools in the order of the manifest. No network. */
  tools(): Promise<SpaceTool[]>
  /** @throws CompanionError `space/not-installed`, `space/bad-origin`. */
  endpoint(slug: string): Promise<McpEndpoint>
  dispose(): void
}
