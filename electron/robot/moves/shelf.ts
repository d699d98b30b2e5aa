import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../../contract/index.ts'
import { replaceFile } from '../../storage/index.ts'

import { createLibraries } from './libraries.ts'
import { createMoveLibrary } from './library.ts'
import { createOwnMoves } from './own.ts'
import { framesOf, writeEpisode, writeRecording } from './recording.ts'

import type { Log } from '../../contract/index.ts'
import type { Hub } from '../../hub/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { MoveShelf } from '../types.ts'
import type { Libraries } from './libraries.ts'
import type { MoveLibrary } from './library.ts'
import type { NewMove, OwnMoves } from './own.ts'

export interface ShelfDeps {
  /** Folder of starter moves. */
  readonly movesDir: string
  readonly log: Log
  /** Where the person's own moves and the libraries are kept; without it there are only starter moves. */
  readonly storage?: Pick<Storage, 'path' | 'transact' | 'setAside'> | undefined
  /** Where libraries come from; without it there are none. */
  readonly hub?: Pick<Hub, 'dataset' | 'datasetFile'> | undefined
}

export interface Shelf {
  readonly face: MoveShelf
  /** All moves there are. */
  readonly library: MoveLibrary
  /** @throws CompanionError `move/*`, `storage/*`. */
  keep(move: NewMove): Promise<{ name: string; undoId: string }>
  tell(): void
  dispose(): Promise<void>
}

/** Starter moves, libraries and own moves as one. */
export function createShelf({ movesDir, log, storage, hub }: ShelfDeps): Shelf {
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const own: OwnMoves | null = storage === undefined ? null : createOwnMoves({ storage, log, onChange: tell })
  const libraries: Libraries | null =
    storage === undefined || hub === undefined
      ? null
      : createLibraries({ dir: storage.path('cache', 'moves'), hub, log, onChange: tell })
  const library = createMoveLibrary(
    movesDir,
    log,
    [own, libraries].filter((source) => source !== null),
  )

  const fetching = (id: string): Libraries => {
    if (libraries === null) throw new CompanionError('library/unknown', { id })
    return libraries
  }
  const mine = (name: string): OwnMoves => {
    if (own === null) throw new CompanionError('move/not-yours', { name })
    return own
  }

  const exported: MoveShelf['export'] = (name, format) => {
    const { title, name: full, description } = library.get(name)
    const trajectory = library.trajectory(full)
    const stem = title ?? full
    return format === 'lerobot'
      ? { fileName: `${stem}.lerobot.json`, text: writeEpisode(description, { ...trajectory, name: stem }) }
      : { fileName: `${stem}.json`, text: writeRecording(description, framesOf(trajectory), trajectory.dt) }
  }

  return {
    library,
    tell,
    keep: (move) => mine(move.title).add(move),
    dispose: async () => {
      listeners.clear()
      await libraries?.dispose()
    },
    face: {
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      libraries: () => libraries?.list() ?? [],
      download: async (id, options) => fetching(id).download(id, options),
      cancelDownload: (id) => fetching(id).cancel(id),
      removeLibrary: async (id) => fetching(id).remove(id),
      import: async (place, kind) => mine(place).import(place, kind),
      rename: async (name, to) => mine(name).rename(name, to),
      remove: async (name) => mine(name).remove(name),
      undo: async (undoId) => {
        if (own === null) throw new CompanionError('app/cancelled')
        await own.undo(undoId)
      },
      export: exported,
      async exportTo(name, format, file) {
        const { text } = exported(name, format)
        try {
          await replaceFile(file, text, 0o666)
        } catch (error) {
          throw new CompanionError('storage/failed', { path: file }, { cause: error })
        }
      },
      async sound(name) {
        const { sound } = library.get(name)
        if (sound === undefined) return null
        try {
          return { type: sound.type, bytes: new Uint8Array(await readFile(sound.file)) }
        } catch (error) {
          log.warn('the sound of a move cannot be read', { file: path.basename(sound.file), error: String(error) })
          return null
        }
      },
    },
  }
}
