import { watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

import { errnoOf, isAbsent } from './atomic-file.ts'

import type { Log, Unsubscribe } from '../contract/index.ts'
import type { FSWatcher } from 'node:fs'

/** Several events of one save arrive within some milliseconds. */
const DEBOUNCE_MS = 100
/** A folder of folders of files, as the profiles are. */
const DEPTH = 2
/** Our own locks, journals and temporary files. */
const OWN_FILE = /^\.(?:lock|journal|rollback)(?:\.|$)|^\..+\.tmp$/

/**
 * Calls `listener` after a file at or below `target` changed. `target` may be a file or a folder, and may not exist yet.
 * Node's recursive mode is not used: on Linux it watches every single file, and it misses files replaced by renaming.
 * Watching never keeps the process alive.
 */
export function watchPath(target: string, listener: () => void, log: Log): Unsubscribe {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let announce = false
  let stopped = false
  let scanning: Promise<void> = Promise.resolve()

  function schedule(): void {
    if (stopped || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      scanning = scanning.then(rescan).then(() => {
        if (stopped || !announce) return
        announce = false
        listener()
      }, report)
    }, DEBOUNCE_MS)
    timer.unref()
  }

  function report(error: unknown): void {
    log.warn('a folder cannot be watched', { path: target, reason: String(error) })
  }

  function onEvent(dir: string, name: string | null): void {
    if (name !== null && OWN_FILE.test(name)) return
    // Above the target only the way to it matters.
    const wayDown = path.relative(dir, target).split(path.sep)[0] ?? ''
    const inside = dir === target || !path.relative(target, dir).startsWith('..')
    if (!inside && name !== null && name !== wayDown) return
    announce = true
    schedule()
  }

  function open(dir: string): void {
    try {
      const watcher = watch(dir, { persistent: false }, (_event, name) => onEvent(dir, name))
      watcher.on('error', (error) => {
        log.debug('a watched folder has gone', { path: dir, reason: errnoOf(error) })
        watchers.delete(dir)
        watcher.close()
        announce = true
        schedule()
      })
      watchers.set(dir, watcher)
    } catch (error) {
      if (!isAbsent(error)) report(error)
    }
  }

  async function rescan(): Promise<void> {
    const wanted = new Set(await foldersFor(target))
    if (stopped) return
    for (const [dir, watcher] of watchers) {
      if (wanted.has(dir)) continue
      watcher.close()
      watchers.delete(dir)
    }
    for (const dir of wanted) if (!watchers.has(dir)) open(dir)
  }

  scanning = rescan().catch(report)

  return () => {
    stopped = true
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
    watchers.clear()
  }
}

/** The nearest folder above that exists, then the target and its folders where it is a folder. */
async function foldersFor(target: string): Promise<string[]> {
  let above = path.dirname(target)
  while (!(await isDirectory(above)) && path.dirname(above) !== above) above = path.dirname(above)
  return [above, ...(await foldersBelow(target, DEPTH))]
}

async function foldersBelow(dir: string, depth: number): Promise<string[]> {
  if (!(await isDirectory(dir))) return []
  if (depth === 0) return [dir]
  const entries = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsent(error) || errnoOf(error) === 'EACCES') return []
    throw error
  })
  const names = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map((entry) => entry.name)
  const below = await Promise.all(names.map((name) => foldersBelow(path.join(dir, name), depth - 1)))
  return [dir, ...below.flat()]
}

async function isDirectory(dir: string): Promise<boolean> {
  try {
    return (await stat(dir)).isDirectory()
  } catch (error) {
    if (errnoOf(error) === '') throw error
    return false
  }
}
