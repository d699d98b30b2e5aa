/** Tells listeners of changes, whoever made them. */
import type { Log, ProfilesSnapshot, Unsubscribe } from '../contract/index.ts'
import type { Storage } from '../storage/index.ts'

export interface Announcer {
  snapshot(): Promise<ProfilesSnapshot>
  onChange(listener: (snapshot: ProfilesSnapshot) => void): Unsubscribe
  /** Looks whether something changed; resolves when everybody was told. */
  announce(): Promise<void>
  dispose(): void
}

/**
 * @param deps `first` are the folders that are known from the start; `watched` says at each change which ones there are by
 * then.
 */
export function createAnnouncer(deps: {
  storage: Pick<Storage, 'watch'>
  first: readonly string[]
  watched: () => Promise<string[]>
  fingerprint: () => Promise<string>
  read: () => Promise<Omit<ProfilesSnapshot, 'version'>>
  log: Log
}): Announcer {
  const { storage, log } = deps
  const listeners = new Set<(snapshot: ProfilesSnapshot) => void>()
  const watches = new Map<string, Unsubscribe>()
  let version = 0
  let announced: string | undefined
  let announcing: Promise<void>
  let disposed = false

  const snapshot = async (): Promise<ProfilesSnapshot> => ({ version, ...(await deps.read()) })

  function watch(dirs: readonly string[]): void {
    if (disposed) return
    const wanted = new Set(dirs)
    for (const [dir, stop] of watches) {
      if (wanted.has(dir)) continue
      stop()
      watches.delete(dir)
    }
    for (const dir of wanted) if (!watches.has(dir)) watches.set(dir, storage.watch(dir, () => void announce()))
  }

  /**
   * Tells of a change once, whether the watcher or the room that made it comes first; one after the other, so that
   * listeners never get an older snapshot after a newer one.
   */
  function announce(): Promise<void> {
    announcing = announcing.then(async () => {
      try {
        watch(await deps.watched())
        const now = await deps.fingerprint()
        if (now === announced) return
        announced = now
        version += 1
        const current = await snapshot()
        for (const listener of listeners) listener(current)
      } catch (error) {
        log.error('profiles could not be read again', { error: String(error) })
      }
    })
    return announcing
  }

  watch(deps.first)
  announcing = deps.watched().then(watch, (error: unknown) => {
    log.error('profiles cannot be watched', { error: String(error) })
  })

  return {
    snapshot,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    announce,
    dispose() {
      disposed = true
      for (const stop of watches.values()) stop()
      watches.clear()
      listeners.clear()
    },
  }
}
