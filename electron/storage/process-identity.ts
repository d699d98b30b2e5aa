/** Telling whether the process that wrote a lock still runs, although process numbers are used again. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

import { errnoOf } from './atomic-file.ts'

/** Own number and start: `boot:ticks` on Linux, else milliseconds since 1970. */
export interface ProcessIdentity {
  readonly pid: number
  readonly start: string
}

/** Node's own time origin is later than the system's start time by what the runtime takes to load. */
const START_TOLERANCE_MS = 60_000
const QUERY_TIMEOUT_MS = 3_000

export async function ownIdentity(): Promise<ProcessIdentity> {
  const linux = process.platform === 'linux' ? await linuxStart(process.pid) : undefined
  return { pid: process.pid, start: linux ?? String(Math.round(performance.timeOrigin)) }
}

/** `false` only when it is certain that the process has ended. */
export async function isRunning({ pid, start }: ProcessIdentity): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  if (!answersSignals(pid)) return false
  if (start.includes(':')) {
    const now = process.platform === 'linux' ? await linuxStart(pid) : undefined
    return now === undefined || now === start
  }
  const startedAt = process.platform === 'linux' ? null : await startedAtMs(pid)
  return startedAt === null || Math.abs(startedAt - Number(start)) < START_TOLERANCE_MS
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, under another user.
    return errnoOf(error) !== 'ESRCH'
  }
}

/** `null`: no such process, or only its entry is left. `undefined`: /proc does not tell. */
async function linuxStart(pid: number): Promise<string | null | undefined> {
  let boot: string
  try {
    boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  } catch (error) {
    if (errnoOf(error) === '') throw error
    return undefined
  }
  try {
    const ticks = parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
    return ticks === null ? null : `${boot}:${ticks}`
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes(errnoOf(error)) ? null : undefined
  }
}

/**
 * Start time of a process in clock ticks since boot, field 22 of `/proc/PID/stat` (`proc_pid_stat(5)`); `null` for a
 * dead process whose entry is left (state Z or X). The name in brackets may itself hold brackets and blanks.
 */
export function parseProcStat(text: string): string | null {
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/)
  const state = fields[0]
  const ticks = fields[19]
  if (state === undefined || ticks === undefined || state === 'Z' || state === 'X') return null
  return ticks
}

/** Milliseconds since 1970, `null` when the system does not tell. */
async function startedAtMs(pid: number): Promise<number | null> {
  const text =
    process.platform === 'win32'
      ? await run('powershell.exe', [
          '-NoProfile',
          '-NonInteractive',
          '-Command',
          `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('yyyy-MM-ddTHH:mm:ssZ')`,
        ])
      : await run('ps', ['-o', 'lstart=', '-p', String(pid)])
  return parseStartTime(text)
}

/** What `ps -o lstart=` (local time) or PowerShell (ISO 8601) prints; `null` when it is no time. */
export function parseStartTime(text: string): number | null {
  const time = Date.parse(text.trim().replace(/\s+/g, ' '))
  return Number.isNaN(time) ? null : time
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: QUERY_TIMEOUT_MS, windowsHide: true, env: { ...process.env, LC_ALL: 'C' } }
    // A failing query leaves the question open, and an open question means "still running".
    execFile(command, [...args], options, (error, stdout) => resolve(error === null ? stdout : ''))
  })
}
