import type { Log } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'
import type { z } from 'zod'

/** A file that may be lost without harm: read when it can be, written one change after another. */
export interface CacheFile<T> {
  read(): Promise<T>
  /** Changes it in the background. What fails is logged: the app works without. */
  change(next: (before: T) => T): void
  /** Nothing is written from now on. */
  dispose(): void
}

export function createCacheFile<S extends z.ZodType>(deps: {
  readonly storage: Storage
  readonly log: Log
  readonly file: string
  readonly schema: S
  readonly empty: z.output<S>
}): CacheFile<z.output<S>> {
  const { storage, log, schema, empty } = deps
  const path = storage.path('cache', deps.file)
  let writing: Promise<void> = Promise.resolve()
  let over = false

  const read = async (): Promise<z.output<S>> => {
    const found = await storage.readJson(path, schema)
    if (found.state === 'unreadable') log.warn('spaces: a cache cannot be read', { file: path, reason: found.reason })
    return found.state === 'ok' ? found.value : empty
  }
  return {
    read,
    change(next) {
      writing = writing.then(async () => {
        try {
          const before = await read()
          if (over) return
          const text = JSON.stringify(next(before))
          await storage.transact(`cache ${deps.file}`, async (tx) => tx.write(path, text))
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          log.warn('spaces: a cache was not written', { file: path, reason })
        }
      })
    },
    dispose() {
      over = true
    },
  }
}
