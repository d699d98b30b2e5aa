import type {
  Approval,
  ApprovalAnswer,
  FileProblem,
  JsonObject,
  JsonValue,
  Problem,
  ToolEntry,
  ToolList,
  ToolResult,
  ToolWeights,
  Unsubscribe,
} from '../contract/index.ts'

export interface ToolProgress {
  /** 0..1 where the tool tells a total. */
  readonly fraction?: number
  readonly message?: string
}

/** A tool as it is offered to a model. */
export interface ModelTool {
  /** `^[A-Za-z][A-Za-z0-9_]{0,63}$`, unique among those offered together. */
  readonly wireName: string
  readonly id: string
  readonly description: string
  /** Sanitised copy. */
  readonly parameters: JsonObject
  /** Name of the tool inside its file, for local tools. */
  readonly member?: string
  /** Motions run one after another, everything else at the same time. */
  readonly ordered: boolean
}

export interface CallRequest {
  /** ID or wire name. */
  readonly name: string
  readonly arguments: JsonValue
  readonly profile: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ToolProgress) => void
  /**
   * Asked when the call needs a person's yes; rejects or answers `deny` when nobody can say it. Absent: such a call is
   * refused with `tools/needs-approval`.
   */
  readonly approve?: (approval: Approval, signal: AbortSignal) => Promise<ApprovalAnswer>
  /** What was read before in this conversation, which decides whether a motion is asked for. */
  readonly taint?: Taint
  /**
   * IDs of tools that see or hear which a person allowed for this conversation: they are asked about once in it. Grows.
   * Absent: each call asks.
   */
  readonly granted?: Set<string>
}

/** What a stranger's tool answered. */
export interface StrangersAnswer {
  readonly toolId: string
  readonly origin: string
  /** As the model read it. */
  readonly text: string
  /** It tries to steer the model. */
  readonly suspicious: boolean
}

/** The stranger's answer that a turn has read, and the person's own words of the turn. */
export interface Taint {
  readonly afterToolId: string
  /** Its text tries to steer the model. */
  readonly suspicious: boolean
  readonly userText: string
  /** Every stranger's answer that counts, oldest first: arguments that carry a piece of one elsewhere are asked for. */
  readonly answers?: readonly StrangersAnswer[]
}

/** A result and the copy of its text that goes to a model (capped, without base64). */
export interface CalledTool {
  readonly entry: ToolEntry
  readonly result: ToolResult
  readonly textForModel: string
}

export interface Tools {
  list(profile: string): Promise<ToolList>
  onChange(listener: (version: number) => void): Unsubscribe
  /** Enabled and available tools of a profile with the system tools; rejected schemas are left out. */
  forModel(profile: string): Promise<ModelTool[]>
  /** Enabled and available tools that {@link forModel} leaves out all the same: unusable schemas, and what passes the limits. */
  leftOut(profile: string): Promise<Array<{ id: string; problem: Problem }>>
  /** The entry an ID or wire name means in a profile, enabled or not. */
  find(name: string, profile: string): Promise<ToolEntry | undefined>
  /**
   * Checks at this moment that the profile lists the tool, then the arguments, then runs it.
   * @throws CompanionError `tools/unknown`, `tools/not-enabled`, `tools/unavailable`, `tools/bad-arguments`,
   * `tools/timeout`, `tools/cancelled`, `tools/failed`, `space/*`, `robot/*`. A tool's own failure is a result with `isError`.
   */
  call(request: CallRequest): Promise<CalledTool>
  /** One call for a person who looks at a Space (`spaces.try`): recorded in the audit log, seen by neither model nor robot. */
  tryOnce(request: {
    operationId: string
    slug: string
    previewId?: string | undefined
    remoteName: string
    arguments: JsonObject
  }): Promise<{ result: ToolResult; received: string }>
  /** Resolves when every motion that tools have begun has ended, or was stopped. */
  motionsEnded(): Promise<void>
  /** Problems of the lines of a tools.txt against all sources, as one profile has them. */
  diagnose(toolsText: string, profile: string): Promise<FileProblem[]>
  /** Estimated tokens that each tool of the registry adds to a request. */
  weights(profile: string): Promise<ToolWeights>
  /** Estimated tokens of a text. */
  countTokens(text: string): Promise<number>
  /** Enabled tools of Spaces, servers and files that a prompt never mentions. */
  unmentioned(profile: string, ids: readonly string[], prompt: string): Promise<string[]>
  dispose(): void
}
