import type { SpaceSort } from '../contract/index.ts'

/** What the Hub says of a Space. Texts are capped and without control characters; still untrusted. */
export interface SpaceInfo {
  /** Canonical `owner/name`. */
  readonly slug: string
  readonly title: string
  readonly author: string
  readonly emoji?: string
  readonly likes: number
  readonly sdk: string
  readonly private: boolean
  readonly disabled: boolean
  readonly gated: boolean
  readonly tags: readonly string[]
  /** The Hub's word, an open set; absent when it told none. */
  readonly stage?: string
  readonly hardware?: string
  readonly description: string
  readonly subdomain?: string
  readonly host?: string
}

export interface SearchRequest {
  readonly query: string
  /** Tags that all must be present. */
  readonly tags: readonly string[]
  readonly author?: string
  readonly sort: SpaceSort
  readonly limit: number
  /** Ask even when the same search was answered within the last minute. */
  readonly fresh?: boolean
}

/** A file of a dataset, and how one knows that it arrived whole. */
export interface DatasetFile {
  readonly path: string
  readonly bytes: number
  /** SHA-256 of the content, or git's own SHA-1 of it, hex. */
  readonly digest: string
}

/** Files of one commit of a dataset. */
export interface DatasetTree {
  /** Commit. */
  readonly revision: string
  readonly files: readonly DatasetFile[]
}

export interface Hub {
  /** Base URL without trailing slash. @throws CompanionError `hub/bad-endpoint` when `HF_ENDPOINT` is none. */
  endpoint(): string
  /** The Hub itself is on loopback (tests and development only). */
  isLoopback(): boolean
  search(request: SearchRequest, signal?: AbortSignal): Promise<SpaceInfo[]>
  /** The same as a list that is read on: each call of `next` answers the following entries, an empty list at the end. */
  pages(request: SearchRequest): { next(limit: number, signal?: AbortSignal): Promise<SpaceInfo[]> }
  /** README.md of a Space as the Hub serves it, at most 256 KB of it; `null` when it has none. @throws as {@link space}. */
  readme(slug: string, signal?: AbortSignal): Promise<string | null>
  /** Follows renames: compare `slug` with what was asked. @throws CompanionError `space/not-found`, `space/gated`, `hub/*`. */
  space(slug: string, signal?: AbortSignal): Promise<SpaceInfo>
  spaceBySubdomain(label: string, signal?: AbortSignal): Promise<SpaceInfo>
  /**
   * Files of a repository of any kind (Space, model, dataset) on its main branch.
   * @param ref `owner/name`, `datasets/owner/name`, or a link to it on this Hub.
   * @param wanted says by path and size (bytes) which ones are fetched.
   * @throws CompanionError `space/bad-name`, `space/not-found`, `space/gated`, `hub/*`.
   */
  repository(
    ref: string,
    wanted: (path: string, bytes: number) => boolean,
    signal: AbortSignal,
  ): Promise<{ name: string; files: Array<{ path: string; bytes: Uint8Array }> }>
  /**
   * What is in a dataset at a branch, tag or commit.
   * @throws CompanionError `library/not-found`, `library/too-large` (more entries than any library of moves), `hub/*`.
   */
  dataset(id: string, revision: string, signal: AbortSignal): Promise<DatasetTree>
  /**
   * One file of it, checked against its digest.
   * @param onBytes told how many bytes arrived since the last call
   * @throws CompanionError `library/damaged`, `library/not-found`, `hub/*`.
   */
  datasetFile(
    id: string,
    revision: string,
    file: DatasetFile,
    signal: AbortSignal,
    onBytes?: (count: number) => void,
  ): Promise<Uint8Array>
  /** Stage now; `undefined` when the Hub tells none. */
  stage(slug: string, signal?: AbortSignal): Promise<string | undefined>
  /** Background checks wait: the Hub's window is closed, or less than a tenth of it is left. */
  quiet(): boolean
  /** Name of the account of the token in use, or `null` without one. */
  account(signal?: AbortSignal): Promise<string | null>
  dispose(): void
}
