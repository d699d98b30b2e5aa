/** What a host (the desktop, the command line, a test) hands to the rooms as plain values. */

export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** The secrets that the app itself has a use for. */
export type AppSecretName = 'model-key' | 'hub-token'

/** Names of the secrets that the app keeps; `server:NAME` is the token of an MCP server. Values never leave the main process. */
export type SecretName = AppSecretName | `server:${string}`

/**
 * `ok`: stored, encrypted by the system; `session`: kept in memory until the app quits, because the system offers no
 * real store; `environment`: comes from a variable; `undecryptable`: a value is stored that this system cannot open.
 */
export type SecretState = 'absent' | 'ok' | 'session' | 'environment' | 'undecryptable'

export interface Secrets {
  /** `null` when there is none or it cannot be opened. */
  get(name: SecretName): Promise<string | null>
  state(name: SecretName): Promise<SecretState>
  /** @throws CompanionError `secrets/unavailable` where the host keeps no secrets (the command line). */
  set(name: SecretName, value: string): Promise<SecretState>
  clear(name: SecretName): Promise<void>
  /** Whether the system's store really protects: `weak` means a fixed key (Linux `basic_text`). */
  readonly protection: 'system' | 'weak' | 'none'
}

export type Unsubscribe = () => void

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }
