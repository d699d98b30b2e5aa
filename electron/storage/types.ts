import type { ProviderSettings, SecretName, SettingsPatch, SettingsSnapshot, Unsubscribe } from '../contract/index.ts'
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

export interface Storage {
  readonly dataDir: string
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
