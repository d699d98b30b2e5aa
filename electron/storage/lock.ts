/** The lock between the processes that work on one data directory. */
import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { z } from 'zod'

import { CompanionError } from '../contract/index.ts'

import { errnoOf, isAbsent, unlinkIfPresent } from './atomic-file.ts'
import { isRunning, ownIdentity } from './process-identity.ts'

import type { Log } from '../contract/index.ts'

export const LOCK_NAME = '.lock'
const POLL_MS = 25
/** A lock without readable content is one just being written, for this long; afterwards its writer died over it. */
const HALF_WRITTEN_MS = 2_000

const ownerSchema = z.object({ pid: z.number(), start: z.string(), token: z.string() })
type Owner = z.infer<typeof ownerSchema>

export interface DirectoryLock {
  /** @returns the function that gives the lock back. @throws CompanionError `storage/locked`. */
  acquire(): Promise<() => Promise<void>>
}

/**
 * A lock file holds the number, the start time and a token of its owner. It appears with its content at once (`link` of
 * a finished file). A dead owner's lock is taken over by creating `.lock.after-TOKEN`, which only one process can do,
 * and renaming that over the lock; should the heir die in between, its own token leads on in the same way. So no two
 * processes ever remove each other's lock, whatever they saw before.
 */
export function createDirectoryLock(deps: { dir: string; waitMs: number; log: Log }): DirectoryLock {
  const { dir, waitMs, log } = deps
  const lockFile = path.join(dir, LOCK_NAME)
  let swept = false

  async function tryAcquire(mine: Owner): Promise<'mine' | 'taken' | 'again'> {
    const seen: Array<{ file: string; owner: Owner }> = []
    let file = lockFile
    for (;;) {
      if (await createExclusively(file, mine, dir)) break
      const owner = await readOwner(file)
      if (owner === 'absent') return 'again'
      if (owner === 'half-written' || (await isRunning(owner))) return 'taken'
      seen.push({ file, owner })
      file = path.join(dir, `${LOCK_NAME}.after-${owner.token}`)
    }
    if (seen.length === 0) return 'mine'
    // Another heir may have been through all this since the chain was read; then the lock has a new owner.
    for (const { file: link, owner } of seen) {
      const now = await readOwner(link)
      if (typeof now === 'string' || now.token !== owner.token) {
        await unlinkIfPresent(file)
        return 'again'
      }
    }
    await rename(file, lockFile)
    for (const { file: link } of seen.slice(1)) await unlinkIfPresent(link)
    log.warn('took over the lock of a process that has ended', { pid: seen[0]?.owner.pid })
    swept = false
    return 'mine'
  }

  /** Removes what processes left that were killed while they asked for the lock. Only its owner may. */
  async function sweep(): Promise<void> {
    for (const name of await readdir(dir)) {
      if (!name.startsWith(`${LOCK_NAME}.`)) continue
      const file = path.join(dir, name)
      const owner = await readOwner(file)
      if (owner === 'absent' || owner === 'half-written' || (await isRunning(owner))) continue
      await unlinkIfPresent(file)
    }
    swept = true
  }

  return {
    async acquire() {
      const mine: Owner = { ...(await ownIdentity()), token: randomUUID() }
      const giveUpAt = performance.now() + waitMs
      for (;;) {
        const state = await tryAcquire(mine)
        if (state === 'mine') break
        if (performance.now() >= giveUpAt) throw new CompanionError('storage/locked', { path: lockFile })
        if (state === 'taken') await new Promise((resolve) => setTimeout(resolve, POLL_MS * (0.5 + Math.random())))
      }
      if (!swept) await sweep()
      return async () => {
        const owner = await readOwner(lockFile)
        if (typeof owner !== 'string' && owner.token === mine.token) await unlinkIfPresent(lockFile)
        else log.error('the lock was not ours any more', { path: lockFile })
      }
    },
  }
}

async function createExclusively(file: string, owner: Owner, dir: string): Promise<boolean> {
  const content = JSON.stringify(owner)
  const temp = path.join(dir, `${LOCK_NAME}.${owner.token}.tmp`)
  await writeFile(temp, content, { mode: 0o600 })
  try {
    await link(temp, file)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    if (isAbsent(error)) throw error
    return await createWithoutLinks(file, content)
  } finally {
    await unlinkIfPresent(temp)
  }
}

/** FAT and some network shares know no hard links: there the lock can be seen half written for a moment. */
async function createWithoutLinks(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

async function readOwner(file: string): Promise<Owner | 'absent' | 'half-written'> {
  let text: string
  let writtenAt: number
  try {
    text = await readFile(file, 'utf8')
    writtenAt = (await stat(file)).mtimeMs
  } catch (error) {
    if (isAbsent(error)) return 'absent'
    throw error
  }
  const parsed = ownerSchema.safeParse(parseJson(text))
  if (parsed.success && /^[0-9A-Za-z-]{1,64}$/.test(parsed.data.token)) return parsed.data
  if (Date.now() - writtenAt < HALF_WRITTEN_MS) return 'half-written'
  return { pid: 0, start: '0', token: `broken-${Math.round(writtenAt)}` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
