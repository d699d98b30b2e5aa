import type {
  ErrorCode,
  JsonObject,
  JsonValue,
  Log,
  ToolFileInfo,
  ToolLanguage,
  ToolLog,
  Unsubscribe,
} from '../../contract/index.ts'
import type { ProfileFolder } from '../../profiles/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { ToolProgress } from '../types.ts'

/** A process that runs a script of the app with a tool's file; it never gets the app's own environment. */
export interface ToolProcess {
  /** Of the process; absent until it runs. */
  readonly pid: number | undefined
  post(message: JsonValue): void
  onMessage(listener: (message: unknown) => void): void
  /** Text that the tool wrote, as it comes. */
  onOutput(listener: (from: 'out' | 'error', text: string) => void): void
  /** `null`: ended by a signal, or it could not be started. */
  onExit(listener: (code: number | null) => void): void
  /** At once. */
  kill(): void
}

/**
 * Starts a JavaScript module in a process of its own. Handed in by the host: a utility process on the desktop, `fork` in Node.
 */
export type StartModule = (options: {
  readonly module: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Megabytes of JavaScript heap. */
  readonly heap: number
}) => ToolProcess

export interface LocalToolsDeps {
  /** `external_tools` in the data directory, or the folder that the environment names. */
  readonly externalDir: string
  /** Folder of the app's host programs: `host.mjs`, `python/`. */
  readonly hostsDir: string
  readonly profiles: { folders(): Promise<ProfileFolder[]>; onChange(listener: () => void): Unsubscribe }
  readonly storage: Pick<Storage, 'path' | 'transact' | 'readJson' | 'watch' | 'audit' | 'setAside'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly startModule: StartModule | undefined
  readonly log: Log
  readonly limits?: Partial<LocalLimits>
}

export interface LocalLimits {
  /** Milliseconds from the start of a process to its first word. */
  readonly startMs: number
  /** Milliseconds of a call; progress extends it up to `longestMs`. */
  readonly callMs: number
  readonly longestMs: number
  /** Milliseconds between a cancel and the end of the process that does not obey. */
  readonly graceMs: number
  /** Milliseconds without a call after which a process is ended. */
  readonly idleMs: number
  /** Bytes of one answer. */
  readonly answerBytes: number
  /** Bytes of a tool's file. */
  readonly fileBytes: number
  /** Megabytes of JavaScript heap. */
  readonly heap: number
}

/** The user's own tools: files in `external_tools` and in profiles' folders. Nothing of a file is run before a person allowed it. */
export interface LocalTools {
  /** All files with their state, sorted by path; files that are no tools are left out. Nothing is run. */
  list(): Promise<readonly LocalTool[]>
  onChange(listener: () => void): Unsubscribe
  onLog(listener: (path: string) => void): Unsubscribe
  /** @throws CompanionError `tools/unknown` for a path that is not in the list. */
  readFile(path: string): Promise<{ text: string; sha256: string }>
  /**
   * @throws CompanionError `tools/file-changed` when the bytes are others than those that were shown, `tools/bad-file`,
   * `tools/not-started`, `tools/no-python`, `tools/timeout`.
   */
  allow(path: string, sha256: string): Promise<LocalTool>
  forbid(path: string): Promise<void>
  /**
   * Runs one tool of a file, starting its process if need be.
   * @param member name of the tool inside the file.
   * @throws CompanionError `tools/not-allowed`, `tools/file-changed`, `tools/crashed`, `tools/timeout`, `tools/cancelled`,
   * `tools/not-started`, `tools/too-large`, `tools/bad-answer`. A tool's own failure is a value with `error`.
   */
  call(request: {
    path: string
    member: string
    arguments: JsonObject
    signal: AbortSignal
    onProgress?: (progress: ToolProgress) => void
  }): Promise<JsonValue>
  logOf(path: string): Promise<ToolLog>
  /** @throws CompanionError `tools/bad-tool-name`, `tools/duplicate-name` when a file of that stem exists. */
  createFile(request: { language: ToolLanguage; name: string; profile: string | null }): Promise<LocalTool>
  dispose(): Promise<void>
}

export interface LocalTool extends ToolFileInfo {
  /** The file's stem: its line in `tools.txt`. */
  readonly id: string
  /** Why it cannot be used now; absent when it is ready. */
  readonly problem?: {
    readonly code: ErrorCode
    readonly details?: Record<string, string | number>
  }
}
