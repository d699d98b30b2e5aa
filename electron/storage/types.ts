import type {
  ApprovalAnswer,
  ApprovalReason,
  ErrorCode,
  ProviderSettings,
  SecretName,
  SettingsPatch,
  SettingsSnapshot,
  ToolSource,
  Unsubscribe,
} from '../contract/index.ts'
import type { z } from 'zod'

/** Bytes of a file and a digest of them. */
export interface FileContent {
  readonly bytes: Uint8Array
  /** SHA-256, hex. */
  readonly revision: string
}

export interface WriteOptions {
  /** Keeps the previous content beside the file as `NAME.bak`, one generation. Never for secrets. */
  readonly keepBackup?: boolean
}

/** Reads and writes inside one transaction. Reads see the disk as it is under the lock, and earlier writes of the transaction. */
export interface Transaction {
  /** `null` when there is no such file. @throws CompanionError `storage/failed` when it cannot be read. */
  read(path: string): Promise<FileContent | null>
  /** Queues a write; `null` deletes. Nothing reaches the disk before the body returns. */
  write(path: string, content: string | Uint8Array | null, options?: WriteOptions): void
}

/** What a transaction changed, enough to take it back. */
export interface Receipt {
  readonly label: string
  readonly changes: ReadonlyArray<{ path: string; before: Uint8Array | null; after: Uint8Array | null }>
}

export type JsonRead<T> =
  | { state: 'absent' }
  | { state: 'ok'; value: T; revision: string }
  /** Not JSON, or not of the schema. The file was left as it is. */
  | { state: 'unreadable'; reason: string }

/** What a call was given: its size in bytes and the beginning of it, without what looks like a secret. */
export interface AuditArguments {
  readonly bytes: number
  readonly preview: string
}

/** What `audit.jsonl` records. */
export type AuditEntry =
  | {
      readonly kind: 'call'
      readonly toolId: string
      readonly source: ToolSource
      readonly origin: string
      readonly arguments: AuditArguments
      readonly outcome: 'done' | 'failed' | 'cancelled' | 'refused'
      readonly code?: ErrorCode
      readonly durationMs: number
    }
  /** A person looked at a Space and called one of its tools. */
  | {
      readonly kind: 'try'
      readonly slug: string
      readonly remoteName: string
      readonly arguments: AuditArguments
      readonly outcome: 'done' | 'failed' | 'cancelled' | 'refused'
      readonly code?: ErrorCode
      readonly durationMs: number
    }
  /** A person's answer to a question. */
  | {
      readonly kind: 'decision'
      readonly toolId: string
      readonly source: ToolSource
      readonly origin: string
      readonly reason: ApprovalReason
      readonly riskClass: number
      readonly arguments: AuditArguments
      readonly answer: ApprovalAnswer
    }
  /** What a person allowed for good, or took back. `origin`: slug of a Space or name of a server. */
  | {
      readonly kind: 'consent' | 'withdrawal'
      readonly origin: string
      readonly toolIds: readonly string[]
    }
  /** Pins of a source changed: installed, approved anew, found changed, removed. */
  | {
      readonly kind: 'pins'
      readonly origin: string
      readonly change: 'installed' | 'approved' | 'kept-off' | 'changed' | 'removed' | 'restored'
      readonly toolIds: readonly string[]
    }
  /** So many entries before this one could not be written. */
  | { readonly kind: 'gap'; readonly lost: number }

/** An entry as it stands in the file: numbered, dated, and chained to the one before it. */
export type AuditRecord = AuditEntry & {
  /** From 1. */
  readonly seq: number
  /** ISO 8601. */
  readonly at: string
  /** `hash` of the record before; 64 zeros for the first. */
  readonly prev: string
  /** SHA-256, hex, of this record without `hash`, as JSON with sorted keys. */
  readonly hash: string
}

export interface AuditCheck {
  /** Records that were read, up to the first that does not fit. */
  readonly records: number
  /** Line (from 1) of the first record that does not fit, and why; `null`: the chain is whole. */
  readonly broken: { readonly line: number; readonly reason: 'not-a-record' | 'altered' | 'out-of-order' } | null
}

/**
 * The record of what tools did and who allowed it: append-only, a chain over all processes of a data directory. Whoever
 * can write the file can still cut off its end or write all of it anew; the chain shows every other change.
 */
export interface Audit {
  /**
   * Queues an entry and returns at once: it holds no call up, and may be called inside a transaction. What cannot be
   * written is logged, and the next record that can says how many are missing.
   */
  append(entry: AuditEntry): void
  /** Resolves when everything queued so far is written or given up. */
  flush(): Promise<void>
  /** The newest records, oldest first. Lines that are no records are left out. */
  read(limit?: number): Promise<AuditRecord[]>
  verify(): Promise<AuditCheck>
}

export interface Storage {
  readonly dataDir: string
  /** `audit.jsonl`. */
  readonly audit: Audit
  /** Absolute path of a file in the data directory. @throws Error when it would leave it. */
  path(...segments: string[]): string
  /** `null` when there is no such file. @throws CompanionError `storage/failed` when it cannot be read. */
  read(path: string): Promise<FileContent | null>
  readJson<S extends z.ZodType>(path: string, schema: S): Promise<JsonRead<z.output<S>>>
  /**
   * Runs `body` under the lock of the data directory, then writes all its files or none: a journal (before and after)
   * is on disk before the first rename, and {@link recover} finishes an interrupted one. Files that would get the bytes
   * they have are not touched. Transactions do not nest.
   * @throws CompanionError `storage/locked` after 5 s of waiting, `storage/failed` when a write fails (all is restored),
   * `storage/conflict` when a file that the body read was changed by another program before it could be written.
   */
  transact<T>(label: string, body: (tx: Transaction) => Promise<T>): Promise<{ value: T; receipt: Receipt }>
  /** Takes a transaction back. @throws CompanionError `storage/conflict` when a file changed since. */
  undo(receipt: Receipt): Promise<void>
  /** Finishes what a killed process left. Called once by the factory and before every transaction. */
  recover(): Promise<void>
  /** Renames a broken file to `NAME.bad-<time>` and returns the new path. Allowed inside a transaction too. */
  setAside(path: string): Promise<string>
  /** Calls back after a file under `path` changed, by whomever; debounced. Directories are followed two levels down. */
  watch(path: string, listener: () => void): Unsubscribe
  dispose(): Promise<void>
}

/** `settings.json` with what the environment and the system's store of secrets add to it. */
export interface SettingsStore {
  snapshot(): Promise<SettingsSnapshot>
  /** Writes the keys of `patch` and leaves every other one, unknown ones too, as it is in the file. */
  update(patch: SettingsPatch): Promise<SettingsSnapshot>
  /** `null`: nothing chosen in the app, the environment decides. */
  chooseProfile(name: string | null): Promise<void>
  chosenProfile(): Promise<string | null>
  /** @param manifest absolute path of a robot app's list of Spaces to work on; `null`: our own */
  chooseInstance(manifest: string | null): Promise<void>
  chosenInstance(): Promise<string | null>
  /** @param path of a folder of the robot's app whose profiles are edited in place; `null`: none */
  chooseProfilesFolder(path: string | null): Promise<void>
  chosenProfilesFolder(): Promise<string | null>
  /** @param id of a robot; `null`: the simulator */
  chooseRobot(id: string | null): Promise<void>
  chosenRobot(): Promise<string | null>
  /** Ports and addresses that the person added. */
  saveRobots(places: readonly string[]): Promise<void>
  savedRobots(): Promise<string[]>
  /** @throws CompanionError `secrets/unavailable` where the host keeps no secrets. */
  setSecret(name: SecretName, value: string): Promise<SettingsSnapshot>
  clearSecret(name: SecretName): Promise<SettingsSnapshot>
  /** The app's own provider, else the environment's, else the offline brain. */
  providerInForce(): Promise<ProviderSettings & { from: 'app' | 'environment' | 'default' }>
  /** The key that belongs to {@link providerInForce}: the environment's key never goes to an address set in the app. */
  keyInForce(): Promise<string | null>
  /** The stored Hub token, else `HF_TOKEN`. */
  hubToken(): Promise<string | null>
  onChange(listener: (snapshot: SettingsSnapshot) => void): Unsubscribe
  dispose(): void
}
