import type {
  FileProblem,
  ProfileDocument,
  ProfilesSnapshot,
  Unsubscribe,
} from '../contract/index.ts'
import type { Transaction } from '../storage/index.ts'

/** An active line of tools.txt. */
export interface ToolsLine {
  /** From 1. */
  readonly line: number
  readonly id: string
  /** What our parser took and upstream's would not. */
  readonly note?: 'inline-comment' | 'bom'
  readonly duplicate: boolean
}

export interface EffectiveProfile {
  readonly name: string
  /** Text that the model gets, placeholders replaced. */
  readonly instructions: string
  /** First occurrences, in order, of the profile's own list or the inherited one. */
  readonly toolIds: readonly string[]
  readonly greeting?: string
  readonly voice?: string
}

export interface Profiles {
  snapshot(): Promise<ProfilesSnapshot>
  onChange(listener: (snapshot: ProfilesSnapshot) => void): Unsubscribe
  /** The name in force, after fallbacks. */
  active(): Promise<string>
  /** @throws CompanionError `profile/not-found`, `profile/bad-name`, or the problem of a profile that cannot be used. */
  use(name: string): Promise<ProfilesSnapshot>
  read(name: string): Promise<ProfileDocument>
  /**
   * What is in force. Never fails for `default`, which falls back to the shipped one, then to a built-in text.
   * @throws CompanionError `profile/not-found`, `profile/bad-name`, `profile/not-utf8`, `profile/unreadable`: the caller
   * falls back to {@link active}.
   */
  effective(name: string): Promise<EffectiveProfile>
  /**
   * A copy of all files of `from`, for the user.
   * @throws CompanionError `profile/bad-name`, `profile/exists`, `profile/not-found`, `profile/unreadable`.
   */
  create(name: string, from: string): Promise<ProfileDocument>
  /**
   * Writes the texts that differ from what is on disk. A shipped profile is copied first.
   * @throws CompanionError `profile/changed-outside` when `revision` is not the one on disk, `profile/read-only` for a
   * file that is no text, `profile/not-utf8` for a text that holds a NUL or half a character.
   */
  save(change: { name: string; revision: string; toolsText?: string; instructionsText?: string }): Promise<ProfileDocument>
  /** Problems of the four files by themselves; which IDs exist is not known here. */
  check(name: string): Promise<FileProblem[]>
  /** Pure: the same for a tools.txt that may not be saved yet. */
  checkTools(text: string): FileProblem[]

  /**
   * Pure: tools.txt with IDs switched off (lines removed), then on (appended); every other byte as it was.
   * @throws CompanionError `tools/bad-tool-name` for an ID that cannot stand on a line.
   */
  editTools(text: string, enable: readonly string[], disable: readonly string[]): string
  /** Pure: the lines of a tools.txt. */
  parseTools(text: string): ToolsLine[]

  /**
   * Inside a transaction of somebody else: switches IDs on in one profile. A shipped profile is copied first, an
   * inheriting one gets the inherited list first. Nothing is written when nothing changes.
   * @returns the IDs whose lines were really added, and the file.
   * @throws CompanionError `profile/not-found`, `profile/bad-name`, `profile/read-only`, `tools/bad-tool-name`.
   */
  enableIn(tx: Transaction, profile: string, ids: readonly string[]): Promise<{ added: string[]; path: string }>
  /** Same, off. */
  disableIn(tx: Transaction, profile: string, ids: readonly string[]): Promise<{ removed: string[]; path: string }>
  /** Off in every profile that can be written, shipped ones by copying; others are logged. @returns IDs by profile. */
  disableEverywhere(tx: Transaction, matches: (id: string) => boolean): Promise<Record<string, string[]>>
  /** Other IDs on the same lines, likewise. @param names new ID by old one. @returns the old IDs by profile. */
  renameEverywhere(tx: Transaction, names: ReadonlyMap<string, string>): Promise<Record<string, string[]>>
  /** Profiles whose own tools.txt names at least one matching ID, with those IDs. */
  usesOf(matches: (id: string) => boolean): Promise<Record<string, string[]>>
  /** Says that files, or the choice of the active profile, may have been changed by somebody else: listeners are told if so. */
  touched(): void
  dispose(): void
}
