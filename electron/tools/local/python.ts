import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'

import { withOnlyStreams } from '../../mcp/index.ts'

import type { JsonValue } from '../../contract/index.ts'
import type { ToolProcess } from './types.ts'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'

const run = promisify(execFile)

/** Oldest Python that the robot's tools are written for. */
const OLDEST = [3, 10] as const
const ASK_MS = 5_000
/** Characters of one message; a longer line is no message. */
const LONGEST_LINE = 8_000_000

export interface Python {
  readonly command: string
  readonly args: readonly string[]
}

/** Names of the program, best first. The launcher of Windows finds versions that are on no path. */
function candidates(platform: NodeJS.Platform): Python[] {
  const named = ['python3', 'python'].map((command) => ({ command, args: [] }))
  return platform === 'win32' ? [{ command: 'py', args: ['-3'] }, ...named.reverse()] : named
}

/** Whether the text of `--version` names a Python that is new enough. Pure. */
export function isNewEnough(text: string): boolean {
  const [, major, minor] = /^Python (\d+)\.(\d+)/.exec(text.trim()) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1])
}

/** The first Python on this computer that is new enough; `null`: there is none. */
export async function findPython(
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Promise<Python | null> {
  for (const candidate of candidates(platform)) {
    try {
      const { stdout, stderr } = await run(candidate.command, [...candidate.args, '--version'], {
        env,
        timeout: ASK_MS,
        windowsHide: true,
      })
      if (isNewEnough(stdout || stderr)) return candidate
    } catch {
      // Not there, or one that only opens the Store: the next name may be.
    }
  }
  return null
}

/**
 * Starts the host program for Python. Messages are lines of JSON over its standard streams; what the tool itself prints
 * comes by the error stream. It leads a process group of its own, where there are such, so that what it started ends too.
 */
export function startPython(
  python: Python,
  options: { host: string; file: string; env: Readonly<Record<string, string>>; cwd: string },
): ToolProcess {
  const child = withOnlyStreams((stdio) =>
    spawn(python.command, [...python.args, '-u', options.host, options.file], {
      cwd: options.cwd,
      env: options.env,
      stdio,
      detached: process.platform !== 'win32',
      windowsHide: true,
    }),
  ) as ChildProcessWithoutNullStreams
  const messages = new Set<(message: unknown) => void>()
  const outputs = new Set<(from: 'out' | 'error', text: string) => void>()
  const exits = new Set<(code: number | null) => void>()
  let over = false
  let buffered = ''

  const kill = (): void => {
    if (child.pid === undefined || over) return
    try {
      if (process.platform === 'win32') child.kill('SIGKILL')
      else process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      // Gone already.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  const atOurEnd = (): void => kill()
  process.once('exit', atOurEnd)

  const end = (code: number | null): void => {
    if (over) return
    // What it started may have outlived it.
    kill()
    over = true
    process.removeListener('exit', atOurEnd)
    for (const listener of exits) listener(code)
  }

  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (buffered + text).split('\n')
    buffered = lines.pop() ?? ''
    if (buffered.length > LONGEST_LINE) {
      for (const listener of outputs) listener('error', 'an answer longer than 8 MB was left\n')
      kill()
      return
    }
    for (const line of lines) {
      const message = parse(line)
      for (const listener of messages) listener(message)
    }
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    for (const listener of outputs) listener('error', text)
  })
  // A pipe that broke tells itself by the end of the process.
  child.stdin.on('error', () => undefined)
  child.on('error', () => end(null))
  // Not before its output is read: the last words say why.
  child.on('close', (code) => end(code))
  child.on('exit', (code) => setTimeout(() => end(code), 300).unref())

  return {
    get pid() {
      return child.pid
    },
    post(message: JsonValue) {
      if (!over && child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`)
    },
    onMessage: (listener) => void messages.add(listener),
    onOutput: (listener) => void outputs.add(listener),
    onExit: (listener) => void exits.add(listener),
    kill,
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Whoever reads it says that this is no message.
    return null
  }
}
