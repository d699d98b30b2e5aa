import type {
  ExportFormat,
  ExportPlan,
  FileProblem,
  ImportPick,
  ImportPreview,
  ProfilesSnapshot,
} from '../../contract/index.ts'

/** A file of a repository, by its path with `/`. */
export interface RepositoryFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * Fetches the files of a Hub repository that a profile can be made of.
 * @param wanted says by path and size (bytes) which ones are worth fetching.
 * @throws CompanionError `hub/*`, `space/not-found`, `space/bad-name`.
 */
export type FetchRepository = (
  ref: string,
  wanted: (path: string, bytes: number) => boolean,
  signal: AbortSignal,
) => Promise<{ name: string; files: RepositoryFile[] }>

/** Brings profiles in and out. Nothing that comes in is trusted: names, links and sizes are checked before a byte is written. */
export interface Exchange {
  /** Looks at a folder: one profile, a folder of profiles, or a whole folder of the robot's app. */
  readFolder(path: string): Promise<ImportPreview>
  /** @throws CompanionError `profile/bad-archive`, `profile/too-large`, `profile/no-profiles`. */
  readZip(path: string): Promise<ImportPreview>
  readHub(operationId: string, ref: string): Promise<ImportPreview>
  /** A folder, a zip, a `profile.md`, or a Hub repository written `hf:owner/name`. For the command line. */
  readAny(ref: string): Promise<ImportPreview>
  cancel(operationId: string): void
  /** @throws CompanionError `profile/bad-name`, `profile/exists`, `app/cancelled` when the preview is forgotten. */
  import(
    importId: string,
    picks: readonly ImportPick[],
  ): Promise<{ snapshot: ProfilesSnapshot; imported: string[]; problems: FileProblem[]; undoId: string }>
  plan(name: string, format: ExportFormat): Promise<ExportPlan>
  /**
   * Writes an export, all or nothing; nothing that exists is overwritten but by a newer zip that the person chose.
   * @param out folder to make, or file for a zip.
   * @throws CompanionError `profile/exists`, `storage/failed`.
   */
  export(
    name: string,
    format: ExportFormat,
    out: string,
    options?: { replace?: boolean },
  ): Promise<{ path: string; problems: FileProblem[] }>
  dispose(): void
}
