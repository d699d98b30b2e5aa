import type {
  FileProblem,
  ProfileDocument,
  ProfilesSnapshot,
  Unsubscribe,
} from '../contract/index.ts'
import type { Transaction } from '../storage/index.ts'

/** tools.txt read by the rules of spec/profiles §4.2. */
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
  /** @throws CompanionError `profile/not-found`, `profile/unreadable`. */
  use(name: string): Promise<ProfilesSnapshot>
  read(name: string): Promise<ProfileDocument>
  /** What is in force. A broken profile is refused with its problem; the caller falls back. */
  effective(name: string): Promise<EffectiveProfile>
  create(name: string, from: string): Promise<ProfileDocument>
  /** @throws CompanionError `profile/changed-outside` when `revision` is not the one on disk. */
  save(change: { name: string; revision: string; toolsText?: string; instructionsText?: string }): Promise<ProfileDocument>
  check(name: string): Promise<FileProblem[]>

  /** Pure: tools.txt with IDs switched on (appended) and off (lines removed); every other byte as it was. */
  editTools(text: string, enable: readonly string[], disable: readonly string[]): string
  /** Pure: the lines of a tools.txt. */
  parseTools(text: string): ToolsLine[]

  /**
   * Inside a transaction of somebody else: switches IDs on in one profile. A shipped profile is copied first, an
   * inheriting one gets the inherited list first.
   * @returns the IDs whose lines were really added, and the file.
   */
  enableIn(tx: Transaction, profile: string, ids: readonly string[]): Promise<{ added: string[]; path: string }>
  /** Same, off. `all` matches by predicate over every profile that can be written. */
  disableIn(tx: Transaction, profile: string, ids: readonly string[]): Promise<{ removed: string[]; path: string }>
  disableEverywhere(tx: Transaction, matches: (id: string) => boolean): Promise<Record<string, string[]>>
  /** Profiles that name at least one matching ID. */
  usesOf(matches: (id: string) => boolean): Promise<Record<string, string[]>>
  /** Says that files were changed through a transaction of somebody else. */
  touched(): void
  dispose(): void
}
