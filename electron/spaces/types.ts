import type {
  InstallProgress,
  InstallResult,
  JsonObject,
  JsonValue,
  RefreshResult,
  RemoveResult,
  SpaceDetail,
  SpaceFilter,
  SpacePreview,
  SpaceReview,
  SpaceSearch,
  SpaceSort,
  SpacesSnapshot,
  ToolImage,
  Unsubscribe,
  UpstreamManifest,
} from '../contract/index.ts'
import type { HttpEndpoint, McpProgress, McpResult } from '../mcp/index.ts'
import type { Transaction } from '../storage/index.ts'

/** What `spaces` needs of profiles; `companion.ts` hands it in. */
export interface ProfileLines {
  enableIn(tx: Transaction, profile: string, ids: readonly string[]): Promise<{ added: string[]; path: string }>
  disableEverywhere(tx: Transaction, matches: (id: string) => boolean): Promise<Record<string, string[]>>
  /** @param names new ID by old one. @returns the old IDs by profile. */
  renameEverywhere(tx: Transaction, names: ReadonlyMap<string, string>): Promise<Record<string, string[]>>
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
  /** A person said yes to the tool as it is now; else its first call asks. */
  readonly consented: boolean
  /** The server calls it destructive (`destructiveHint`). */
  readonly destructive?: boolean
}

/** One call of an installed tool. */
export interface SpaceCall {
  readonly slug: string
  readonly remoteName: string
  readonly arguments: JsonObject
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: McpProgress) => void
}

export interface Spaces {
  /** No network. */
  snapshot(): Promise<SpacesSnapshot>
  onChange(listener: (snapshot: SpacesSnapshot) => void): Unsubscribe
  /** Every installation under way, whole, at each change. */
  onProgress(listener: (progress: InstallProgress) => void): Unsubscribe
  search(
    request: {
      query: string
      filters: readonly SpaceFilter[]
      sort: SpaceSort
      limit: number
      operationId?: string | undefined
    },
    signal?: AbortSignal,
  ): Promise<SpaceSearch>
  /** @throws CompanionError `app/cancelled` when the list of `next` is forgotten. */
  more(next: string, limit: number): Promise<SpaceSearch>
  detail(slug: string): Promise<SpaceDetail>
  /** A picture that the README last read by {@link detail} names. @throws CompanionError `space/bad-origin` for any other. */
  picture(slug: string, url: string): Promise<ToolImage>
  /** One call for a person who looks at a Space, installed or connected to by the preview `previewId`. */
  tryTool(request: {
    operationId: string
    slug: string
    previewId?: string | undefined
    remoteName: string
    arguments: JsonObject
  }): Promise<{ answer: McpResult; received: JsonValue; durationMs: number }>
  /** Validate, Wake, Connect, Discover. Kept under `operationId` until installed, cancelled or replaced. */
  preview(operationId: string, ref: string, options?: { replaces?: string }): Promise<SpacePreview>
  /**
   * Enable. `toolIds`: the tools that the person said yes to, switched on in each of `profiles`; all usable tools enter the
   * manifest.
   */
  install(
    operationId: string,
    toolIds: readonly string[],
    profiles: readonly string[],
    /** Without it, tools that changed since their approval stay withheld. The screen has shown them and passes true. */
    options?: { acceptChanges?: boolean },
  ): Promise<InstallResult>
  cancel(operationId: string): void
  /** Slug of an installed Space, whatever form it is named in. No network. @throws `space/bad-name`, `space/not-installed`. */
  resolve(ref: string): Promise<string>
  remove(ref: string): Promise<RemoveResult>
  undo(undoId: string): Promise<SpacesSnapshot>
  /** One, or all when `slug` is null; at most four at a time. A failure of one is its result, not the others'. */
  refresh(operationId: string, slug: string | null): Promise<RefreshResult>
  review(slug: string): Promise<SpaceReview>
  decide(
    slug: string,
    decision: { approve: readonly string[]; keepOff: readonly string[] },
  ): Promise<{ snapshot: SpacesSnapshot; undoId: string }>
  /** A person allowed the tool for good; kept with its hash. */
  consent(id: string): Promise<void>
  discard(problemId: string): Promise<{ snapshot: SpacesSnapshot; undoId: string }>
  restore(from: 'backup' | 'start'): Promise<SpacesSnapshot>
  /** Manifests of the robot's own app in its usual places, or in a folder or file that a person named. */
  upstream(path?: string): Promise<UpstreamManifest[]>
  importUpstream(
    path: string,
    slugs: readonly string[],
  ): Promise<{ snapshot: SpacesSnapshot; imported: string[]; undoId: string }>
  /** @param path of a manifest or its folder; `null`: our own */
  useInstance(path: string | null): Promise<SpacesSnapshot>
  /** For the registry: usable tools in the order of the manifest. No network. */
  tools(): Promise<SpaceTool[]>
  /** @throws CompanionError `space/not-installed`, `space/bad-origin`. */
  endpoint(slug: string): Promise<HttpEndpoint>
  /**
   * Calls an installed tool: checks on each new connection that the server still offers what was approved, wakes a Space
   * that fell asleep (told through `onProgress`), and gives the result unread.
   * @throws CompanionError `space/changed`, `space/not-installed`, `space/bad-origin`, other `space/*`, `tools/timeout`,
   * `tools/cancelled`.
   */
  call(call: SpaceCall): Promise<McpResult>
  /** A file that a result names. Only from the Space's own origin, without redirects, at most 25 MB. @throws `space/bad-origin`, `space/too-large`, … */
  file(slug: string, url: string, signal?: AbortSignal): Promise<{ bytes: Uint8Array; mimeType: string; name: string }>
  dispose(): void
}
