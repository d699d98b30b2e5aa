import { spawn } from 'node:child_process'

import { createNoiseFilter } from './noise.mjs'

/** Exit status after a signal, as shells count it. */
const STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** A terminal, npm and its shell each deliver the same Ctrl+C; signals closer than this are one. */
const SAME_SIGNAL_MS = 500

/** A process that outlives the program may hold its standard error open; this long it may still say something. */
const LAST_WORDS_MS = 1_000

/** How often the shell between npm and this process is looked for. */
const PARENT_POLL_MS = 500

/**
 * npm passes its signals to the shell that it started this process with; SIGTERM ends that shell, which tells nobody.
 * (SIGINT it keeps for itself until this process has ended: sent to npm alone, it cannot be noticed from here.)
 * @returns {() => void} stops watching.
 */
function whenShellIsGone(then) {
  if (process.platform === 'win32' || process.env.npm_lifecycle_event === undefined) return () => undefined
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    then()
  }, PARENT_POLL_MS)
  return () => clearInterval(timer)
}

/** Ends a program and its own helpers, which are of its process group. */
function endAtOnce(child) {
  if (process.platform === 'win32') {
    child.kill('SIGKILL')
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/**
 * Passes the first signal on, once, and ends the program at once at the second.
 * @returns {{ first: () => string | undefined, stop: () => void }} the first signal that came.
 */
function relaySignals(child) {
  let first
  let since = 0
  const relay = (signal) => {
    if (first === undefined) {
      first = signal
      since = performance.now()
      // A console of Windows tells all its programs itself; from here it would be no request but the end.
      if (process.platform !== 'win32') child.kill(signal)
    } else if (performance.now() - since > SAME_SIGNAL_MS) endAtOnce(child)
  }
  for (const signal of Object.keys(STATUS)) process.on(signal, relay)
  const stopWatching = whenShellIsGone(() => {
    // With the signal to this process as well, the shell's end is no second one.
    if (first === undefined) relay('SIGTERM')
  })
  return {
    first: () => first,
    stop: () => {
      stopWatching()
      for (const signal of Object.keys(STATUS)) process.off(signal, relay)
    },
  }
}

/** Resolves when the program has ended and all it said is passed on. */
function ended(child) {
  return new Promise((resolve, reject) => {
    const filter = createNoiseFilter((bytes) => process.stderr.write(bytes))
    child.stderr.on('data', filter.push)
    const finish = (code, signal) => {
      child.stderr.off('data', filter.push)
      child.stderr.destroy()
      filter.end()
      resolve(code ?? STATUS[signal] ?? 1)
    }
    child.on('error', reject)
    child.on('close', finish)
    child.on('exit', (code, signal) => setTimeout(finish, LAST_WORDS_MS, code, signal).unref())
  })
}

/**
 * Runs a program with a window to its end, without Chromium's noise on standard error. The program is in a process group
 * of its own: Electron takes a first signal for a request to quit and ends at once at a second, so it must get exactly
 * one, whether a terminal sent it to the whole group, npm passed it on, or somebody sent it to this process alone.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit status, or that of the signal that ended it: 130 for Ctrl+C.
 */
export async function attend(command, args, { cwd, env }) {
  const detached = process.platform !== 'win32'
  const child = spawn(command, args, { cwd, env, detached, stdio: ['inherit', 'inherit', 'pipe'] })
  // The terminal may be gone before the program is; its last lines then have no reader.
  const ignore = () => undefined
  process.stderr.on('error', ignore)
  const signals = relaySignals(child)
  try {
    const status = await ended(child)
    return STATUS[signals.first()] ?? status
  } finally {
    signals.stop()
    process.stderr.off('error', ignore)
  }
}
