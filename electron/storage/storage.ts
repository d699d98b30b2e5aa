import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'

import {
  contentOf,
  errnoOf,
  fileTime,
  isAbsent,
  isInside,
  makeDirectory,
  readIfPresent,
  renameOver,
  resolveTarget,
  sameBytes,
} from './atomic-file.ts'
import { createAudit } from './audit.ts'
import { createCommitter } from './commit.ts'
import { createDirectoryLock } from './lock.ts'
import { parseJsonFile } from './parse-json-file.ts'
import { watchPath } from './watch.ts'

import type { Log, Unsubscribe } from '../contract/index.ts'
import type { Faults } from './commit.ts'
import type { Change } from './journal.ts'
import type { FileContent, Receipt, Storage, Transaction, WriteOptions } from './types.ts'

/** Longest wait for another process's transaction, which takes milliseconds. */
const LOCK_WAIT_MS = 5_000
const AUDIT_NAME = 'audit.jsonl'

interface QueuedWrite {
  readonly path: string
  readonly content: Uint8Array | null
  readonly keepBackup: boolean
}

/**
 * Opens a data directory, makes it if need be, and finishes what a killed process left in it.
 * @param deps `faults` is called before each step on the disk; only tests give it.
 * @throws CompanionError `storage/failed`, `storage/locked`.
 */
export async function createStorage(deps: {
  dataDir: string
  log: Log
  lockWaitMs?: number
  faults?: Faults
}): Promise<Storage> {
  const dataDir = path.resolve(deps.dataDir)
  const realDir = await naming(dataDir, async () => {
    await makeDirectory(dataDir, 0o700)
    return realpath(dataDir)
  })
  const { log } = deps
  const lock = createDirectoryLock({ dir: dataDir, waitMs: deps.lockWaitMs ?? LOCK_WAIT_MS, log })
  const committer = createCommitter({ dataDir: realDir, log, faults: deps.faults ?? (() => undefined) })
  const inTransaction = new AsyncLocalStorage<{ running: boolean; forget: (file: string) => void }>()
  const watches = new Set<Unsubscribe>()
  let queue: Promise<unknown> = Promise.resolve()

  /** One at a time in this process, then one at a time among processes. */
  function exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (inTransaction.getStore()?.running === true) throw new Error('a transaction was begun inside a transaction')
    const turn = queue.then(async () => {
      const release = await naming(dataDir, () => lock.acquire())
      try {
        return await work()
      } finally {
        await release()
      }
    })
    queue = turn.catch(() => undefined)
    return turn
  }

  async function transact<T>(
    label: string,
    body: (tx: Transaction) => Promise<T>,
  ): Promise<{ value: T; receipt: Receipt }> {
    return exclusively(async () => {
      await naming(dataDir, () => committer.recover())
      const { tx, changes, forget } = openTransaction()
      const state = { running: true, forget }
      const value = await inTransaction.run(state, () => body(tx)).finally(() => (state.running = false))
      const list = await changes()
      if (list.length > 0) await committer.commit({ id: randomUUID(), label, changes: list })
      return {
        value,
        receipt: { label, changes: list.map(({ path: file, before, after }) => ({ path: file, before, after })) },
      }
    })
  }

  // Entries are written apart from whatever queued them, also from within a transaction, which they outlive.
  const audit = createAudit({
    file: path.join(dataDir, AUDIT_NAME),
    exclusively: (work) => inTransaction.exit(() => exclusively(work)),
    log,
  })

  const storage: Storage = {
    dataDir,
    audit,
    path(...segments) {
      const file = path.resolve(dataDir, ...segments)
      if (file !== dataDir && !isInside(dataDir, file)) throw new Error(`outside of the data directory: ${file}`)
      return file
    },
    read: readFileContent,
    async readJson(file, schema) {
      return parseJsonFile(await readFileContent(file), schema)
    },
    transact,
    async undo(receipt) {
      await transact(`undo ${receipt.label}`, async (tx) => {
        for (const change of receipt.changes) {
          const now = await tx.read(change.path)
          if (!sameBytes(now?.bytes ?? null, change.after)) {
            throw new CompanionError('storage/conflict', { path: change.path })
          }
          tx.write(change.path, change.before)
        }
      })
    },
    recover: () => exclusively(() => naming(dataDir, () => committer.recover())),
    setAside(file) {
      const rename = (): Promise<string> => naming(file, () => renameAside(file))
      const state = inTransaction.getStore()
      if (state?.running !== true) return exclusively(rename)
      state.forget(file)
      return rename()
    },
    watch(target, listener) {
      const stop = watchPath(path.resolve(target), listener, log)
      watches.add(stop)
      return () => {
        watches.delete(stop)
        stop()
      }
    },
    async dispose() {
      for (const stop of watches) stop()
      watches.clear()
      await audit.flush()
      await queue
    },
  }
  // Without leftovers nothing is locked, so that a directory that can only be read opens as well.
  if (await naming(dataDir, () => committer.hasLeftovers())) await storage.recover()
  return storage
}

async function readFileContent(file: string): Promise<FileContent | null> {
  return naming(file, async () => contentOf(await readIfPresent(file)))
}

interface OpenTransaction {
  readonly tx: Transaction
  readonly changes: () => Promise<Change[]>
  /** The body itself moved this file away, so that its absence is no conflict. */
  readonly forget: (file: string) => void
}

function openTransaction(): OpenTransaction {
  const seen = new Map<string, Uint8Array | null>()
  const writes = new Map<string, QueuedWrite>()
  const tx: Transaction = {
    async read(file) {
      const key = path.resolve(file)
      const queued = writes.get(key)
      if (queued !== undefined) return contentOf(queued.content)
      const content = await readFileContent(key)
      if (!seen.has(key)) seen.set(key, content?.bytes ?? null)
      return content
    },
    write(file, content, options: WriteOptions = {}) {
      const key = path.resolve(file)
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      writes.set(key, { path: key, content: bytes, keepBackup: options.keepBackup ?? false })
    },
  }
  return { tx, changes: () => planChanges(writes, seen), forget: (file) => seen.delete(path.resolve(file)) }
}

/** What really changes. A file that another program replaced after the body had read it is not overwritten. */
async function planChanges(
  writes: ReadonlyMap<string, QueuedWrite>,
  seen: ReadonlyMap<string, Uint8Array | null>,
): Promise<Change[]> {
  const changes = new Map<string, Change>()
  for (const { path: file, content, keepBackup } of writes.values()) {
    const { target, before } = await naming(file, async () => {
      const resolved = await resolveTarget(file)
      return { target: resolved, before: await readIfPresent(resolved) }
    })
    const read = seen.get(file)
    if (read !== undefined && !sameBytes(read, before)) throw new CompanionError('storage/conflict', { path: file })
    if (sameBytes(before, content)) changes.delete(target)
    else changes.set(target, { path: file, target, before, after: content, keepBackup })
  }
  return [...changes.values()]
}

async function renameAside(file: string): Promise<string> {
  const wanted = `${file}.bad-${fileTime(new Date())}`
  let free = wanted
  for (let count = 2; await isTaken(free); count += 1) free = `${wanted}-${count}`
  await renameOver(file, free)
  return free
}

async function isTaken(file: string): Promise<boolean> {
  try {
    return (await readIfPresent(file)) !== null
  } catch (error) {
    if (errnoOf(error) === '' || isAbsent(error)) throw error
    return true
  }
}

/** Turns the system's error into ours, with the file it is about. */
async function naming<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof CompanionError || errnoOf(error) === '') throw error
    throw new CompanionError('storage/failed', { path: file }, { cause: error })
  }
}
