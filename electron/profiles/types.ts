import type {
  FileProblem,
  Language,
  ProfileDetails,
  ProfileDocument,
  ProfileFile,
  ProfileModel,
  ProfilePermission,
  ProfilesSnapshot,
  ProfileTexts,
  RepairKind,
  UnsavedProfile,
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

/** A piece of the instructions that a model gets. */
export interface InstructionsPart {
  /** `default` also where the profile has no instructions of its own. */
  readonly origin: 'profile' | 'default' | 'placeholder'
  readonly name?: string
  readonly text: string
}

export interface EffectiveProfile {
  readonly name: string
  /** Text that the model gets, placeholders replaced. */
  readonly instructions: string
  /** The same in pieces: joined with `\n` and trimmed they are `instructions`. */
  readonly parts: readonly InstructionsPart[]
  /** First occurrences, in order, of the profile's own list or the inherited one. */
  readonly toolIds: readonly string[]
  readonly greeting?: string
  readonly voice?: string
  readonly model?: ProfileModel
  /** By tool ID. */
  readonly permissions: Readonly<Record<string, ProfilePermission>>
}

/** Details as a request changes them: absent keys are left alone, `null` takes one away. */
export interface DetailsChange {
  readonly title?: string | null | undefined
  readonly purpose?: string | null | undefined
  readonly avatar?: ProfileDetails['avatar'] | null | undefined
  readonly hidden?: boolean | undefined
  readonly model?: ProfileModel | null | undefined
  readonly permissions?: Readonly<Record<string, ProfilePermission | null>> | undefined
}

/** What the list view does to a tools.txt, in this order. */
export interface ToolsChange {
  readonly enable: readonly string[]
  readonly disable: readonly string[]
  readonly order?: readonly string[] | undefined
  readonly move?: { readonly id: string; readonly before: string | null } | undefined
}

/** A folder of a profile that can hold tools of its own. */
export interface ProfileFolder {
  readonly name: string
  readonly dir: string
  readonly source: ProfileDocument['source']
}

/** Files of a profile to be made, by path inside it with `/`. */
export interface NewProfile {
  readonly name: string
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly details?: ProfileDetails
}

export interface Profiles {
  snapshot(): Promise<ProfilesSnapshot>
  onChange(listener: (snapshot: ProfilesSnapshot) => void): Unsubscribe
  /** The name in force, after fallbacks. */
  active(): Promise<string>
  /**
   * @param name also written `user_personalities/NAME`, as the robot's app does.
   * @throws CompanionError `profile/not-found`, `profile/bad-name`, or the problem of a profile that cannot be used.
   */
  use(name: string): Promise<ProfilesSnapshot>
  read(name: string): Promise<ProfileDocument>
  /**
   * What is in force. Never fails for `default`, which falls back to the shipped one, then to a built-in text.
   * @param texts unsaved ones to be taken instead of those on disk.
   * @throws CompanionError `profile/not-found`, `profile/bad-name`, `profile/not-utf8`, `profile/unreadable`: the caller
   * falls back to {@link active}.
   */
  effective(name: string, texts?: ProfileTexts): Promise<EffectiveProfile>
  /**
   * A copy of all files of `from`, for the user.
   * @throws CompanionError `profile/bad-name`, `profile/exists`, `profile/not-found`, `profile/unreadable`.
   */
  create(name: string, from: string, details?: ProfileDetails): Promise<ProfileDocument>
  /**
   * Several new profiles, all or none, inside a transaction of somebody else.
   * @throws CompanionError `profile/bad-name`, `profile/exists`.
   */
  createIn(tx: Transaction, profiles: readonly NewProfile[]): Promise<void>
  /** @throws CompanionError `profile/shipped`, `profile/bad-name`, `profile/exists`, `profile/not-found`. */
  rename(name: string, to: string): Promise<{ document: ProfileDocument; undoId: string }>
  /**
   * Takes a profile's folder away whole, other files in it too. For an edited shipped one the shipped one is back.
   * @throws CompanionError `profile/shipped`, `profile/in-use` for the active one unless a shipped one takes its place,
   * `profile/not-found`.
   */
  remove(name: string): Promise<{ snapshot: ProfilesSnapshot; undoId: string }>
  /** Takes a rename, removal or import back. @throws CompanionError `storage/conflict`, `app/cancelled` when it is too late. */
  undo(undoId: string): Promise<ProfilesSnapshot>
  /** Registers a change of somebody else that {@link undo} takes back. */
  undoable(undo: () => Promise<void>): string
  setDetails(name: string, change: DetailsChange): Promise<ProfilesSnapshot>
  /**
   * Writes the texts that differ from `base`. A shipped profile is copied first. Where the disk no longer says what `base`
   * says, changes that touch different lines are both kept (`merged`).
   * @throws CompanionError `profile/changed-outside` (details: `name`, `file`) when they touch the same lines; nothing is
   * written then. `profile/not-utf8`, `profile/unreadable` for a file that is no text, `profile/not-utf8` for a text that holds a
   * NUL or half a character too.
   */
  save(change: {
    name: string
    base: ProfileTexts
    texts: ProfileTexts
  }): Promise<{ document: ProfileDocument; merged: ProfileFile[] }>
  /** The same without writing; `conflicts` keep the person's text. */
  rebase(change: { name: string; base: ProfileTexts; texts: ProfileTexts }): Promise<{
    document: ProfileDocument
    texts: ProfileTexts
    merged: ProfileFile[]
    conflicts: ProfileFile[]
  }>
  /** @throws CompanionError `profile/bad-repair` when the file is another one by now or that repair is not possible. */
  repair(name: string, file: ProfileFile, repair: RepairKind): Promise<ProfileDocument>
  /** Placeholders of a text written out. */
  writeOut(name: string, text: string): Promise<string>
  /** Unsaved texts, kept for the case of a crash. */
  keepUnsaved(name: string, unsaved: { base: ProfileTexts; texts: ProfileTexts } | null): Promise<void>
  unsaved(): Promise<UnsavedProfile[]>
  /** Folders of all profiles that can be used. */
  folders(): Promise<ProfileFolder[]>
  /** A folder of the robot's own app whose profiles are edited in place; `null`: no more. @throws CompanionError `profile/no-profiles`. */
  editFolder(path: string | null): Promise<ProfilesSnapshot>
  /** Language of purposes of shipped profiles in snapshots from now on. */
  speak(language: Language): void
  /** Problems of the four files by themselves; which IDs exist is not known here. */
  check(name: string): Promise<FileProblem[]>
  /** The same for texts that may not be saved yet. */
  checkTexts(name: string, texts: ProfileTexts): Promise<FileProblem[]>

  /**
   * Pure: tools.txt with IDs switched off (lines removed), then on (appended); every other byte as it was.
   * @param base the text that is on disk. With it a line that was switched off comes back at its place and as it was, and
   * any switches and the same ones backwards give the same bytes again. Without it a line that comes back comes last, and
   * a last line that had no line ending keeps the one that it was given.
   * @throws CompanionError `tools/bad-tool-name` for an ID that cannot stand on a line.
   */
  editTools(text: string, enable: readonly string[], disable: readonly string[], base?: string): string
  /**
   * Pure: an unsaved tools.txt with a change of the list view made to it, in the knowledge of what is on disk.
   * @param held the unsaved text; `null`: the inherited list, of whose IDs a list of its own is made when it changes.
   * @returns the text in force, and the file's: `null` while it still is the inherited list.
   * @throws CompanionError `tools/bad-tool-name`.
   */
  editDraft(
    document: Pick<ProfileDocument, 'texts' | 'inheritedToolsText'>,
    held: string | null,
    change: ToolsChange,
  ): { text: string; toolsText: string | null }
  /**
   * Pure: the lines of `order` in this order, in the places that lines of these IDs had; each moves whole, with its line
   * ending and the comments directly above it. Every other byte as it was.
   */
  orderTools(text: string, order: readonly string[]): string
  /** Pure: one line with the comments above it before that of another ID; `null`: behind the last one. */
  moveTool(text: string, id: string, before: string | null): string
  /** Pure: the lines of a tools.txt. */
  parseTools(text: string): ToolsLine[]

  /**
   * Inside a transaction of somebody else: switches IDs on in one profile. A shipped profile is copied first, an
   * inheriting one gets the inherited list first. Nothing is written when nothing changes.
   * @returns the IDs whose lines were really added, and the file.
   * @throws CompanionError `profile/not-found`, `profile/bad-name`, `profile/read-only`, `tools/bad-tool-name`; `profile/not-utf8`,
   * `profile/unreadable` for a list that is no text.
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
