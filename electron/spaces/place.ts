import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import path from 'node:path'

import type { Storage } from '../storage/index.ts'
import type { SpacesState, StateFiles } from './state.ts'

/** Which manifest is in force; kept in the settings, or fixed by the host for one run. */
export interface InstanceChoice {
  /** Absolute path of a robot app's manifest; `null`: our own. */
  chosen(): Promise<string | null>
  choose(manifest: string | null): Promise<void>
  /** For one run only, beside our own list: lines of tools that the own list still has are not taken out of profiles. */
  readonly forOneRun?: boolean
}

export interface Place {
  /** The files in force now. Its properties are read at each use. */
  readonly files: StateFiles
  /** Those of our own, whatever is in force. */
  readonly own: StateFiles
  /** Folder of the robot app whose manifest is in force; `null`: our own is. */
  instance(): string | null
  /** To be awaited before the first look at `files`. */
  ready(): Promise<void>
  /** Only while nobody else reads or writes: inside a transaction. */
  use(manifest: string | null): void
  /** A robot app's folder that has gone is no empty list: nothing is read from it, and nothing is written. */
  judge(state: SpacesState): Promise<SpacesState>
}

const MANIFEST = 'installed_tool_spaces.json'
const PINS = 'tool_space_pins.json'
const QUARANTINE = 'tool_spaces_quarantine.json'

/**
 * Knows the files of the manifest in force. What is ours about a robot app's manifest stays in our data directory, in a
 * folder of its own for each, so that approvals of two robots never mix.
 */
export function createPlace(deps: { storage: Pick<Storage, 'path'>; choice: InstanceChoice }): Place {
  const { storage, choice } = deps
  const own: StateFiles = {
    manifest: storage.path(MANIFEST),
    pins: storage.path(PINS),
    quarantine: storage.path(QUARANTINE),
  }
  let current: StateFiles = own
  let loading: Promise<void> | undefined

  const filesOf = (manifest: string): StateFiles => {
    const folder = createHash('sha256').update(manifest).digest('hex').slice(0, 16)
    return {
      manifest,
      pins: storage.path('instances', folder, PINS),
      quarantine: storage.path('instances', folder, QUARANTINE),
    }
  }
  const use = (manifest: string | null): void => {
    current = manifest === null || manifest === own.manifest ? own : filesOf(manifest)
  }

  return {
    own,
    files: {
      get manifest() {
        return current.manifest
      },
      get pins() {
        return current.pins
      },
      get quarantine() {
        return current.quarantine
      },
    },
    instance: () => (current === own ? null : path.dirname(current.manifest)),
    ready: () => (loading ??= choice.chosen().then(use)),
    use,
    async judge(state) {
      if (current === own || !state.seeded) return state
      const folder = path.dirname(current.manifest)
      if (await isFolder(folder)) return state
      const readOnly = { code: 'manifest/instance-gone', details: { path: folder } } as const
      return { ...state, seeded: false, readOnly, entries: [] }
    },
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch (error) {
    // Whatever the system's reason, nothing can be read there now.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
