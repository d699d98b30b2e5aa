import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'

import { createLastWords } from './last-words.ts'
import { launchOf } from './launch.ts'
import { withOnlyStreams } from './only-streams.ts'
import { NotStarted, ProgramEnded } from './wire-failures.ts'

import type { StdioEndpoint } from './types.ts'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'

export interface StdioOptions {
  readonly stdio: StdioEndpoint['stdio']
  /** Of one line of the program's output. */
  readonly lineBytes: number
  /** The SDK's own judgement of a message; `null` for what is none. */
  parse(value: unknown): JSONRPCMessage | null
}

export interface StdioTransport extends Transport {
  /** How the program ended when nobody had asked it to; `null` while it runs. */
  ending(): ProgramEnded | null
  /** The program, and what it started, is gone (or was never there). */
  readonly gone: Promise<void>
  /** At once, without waiting. */
  readonly kill: () => void
}

/** Between closing its input, asking it to end, and ending it: milliseconds. */
const INPUT_GRACE_MS = 500
const TERM_GRACE_MS = 1_000
/** After its end, for output that is still on its way, and for programs that it started. */
const DRAIN_MS = 300

/**
 * A program spoken to over its standard streams, one JSON-RPC message a line
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio). The SDK's own transport for this adds
 * variables of ours to the program's environment and leaves behind what the program started; this one does neither.
 *
 * Lines that are no JSON-RPC are passed over. It ends as the protocol wants (#shutdown of basic/lifecycle): input closed,
 * then SIGTERM, then SIGKILL, both to the whole process group where there are such.
 */
export function createStdioTransport(options: StdioOptions): StdioTransport {
  const { stdio } = options
  const lastWords = createLastWords(stdio.env)
  const pending = new Set<string>()
  let child: ChildProcessWithoutNullStreams | null = null
  let launching = false
  let ending: ProgramEnded | null = null
  let closing: Promise<void> | null = null
  let told = false
  let settle = (): void => undefined
  const gone = new Promise<void>((resolve) => (settle = resolve))

  const tellClosed = (): void => {
    if (told) return
    told = true
    transport.onclose?.()
  }
  const answerMalformed = (id: string | number): void => {
    const error = { code: -32000, message: 'malformed answer', data: { why: 'malformed' } }
    transport.onmessage?.({ jsonrpc: '2.0', id, error })
  }
  const takeLine = (line: string): void => {
    const value = parseJson(line)
    const id = idOf(value)
    const message = options.parse(value)
    if (message !== null) {
      if (id !== null && !('method' in message)) pending.delete(String(id))
      transport.onmessage?.(message)
    } else if (id !== null && pending.delete(String(id))) answerMalformed(id)
  }
  const finish = async (
    started: ChildProcessWithoutNullStreams,
    code: number | null,
    signal: string | null,
  ): Promise<void> => {
    await Promise.race([new Promise((resolve) => started.once('close', resolve)), pause(DRAIN_MS)])
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy()
    if (closing === null) ending = new ProgramEnded(code ?? signal ?? 'unknown', lastWords.text())
    tellClosed()
    if (signalGroup(started, 'SIGTERM')) {
      await pause(DRAIN_MS)
      signalGroup(started, 'SIGKILL')
    }
    settle()
  }
  const end = async (started: ChildProcessWithoutNullStreams): Promise<void> => {
    started.stdin.end()
    if (await within(gone, INPUT_GRACE_MS)) return
    terminate(started, 'SIGTERM')
    if (await within(gone, TERM_GRACE_MS)) return
    terminate(started, 'SIGKILL')
    await within(gone, TERM_GRACE_MS)
  }

  const attend = (started: ChildProcessWithoutNullStreams): void => {
    started.once('exit', (code, signal) => void finish(started, code, signal))
    started.stderr.on('data', (chunk: Buffer) => lastWords.feed(chunk))
    for (const stream of [started, started.stdin, started.stdout, started.stderr])
      stream.on('error', (error: Error) => transport.onerror?.(error))
    const lines = createLines(options.lineBytes, takeLine, () => {
      transport.onerror?.(new Error('line too long'))
      void transport.close()
    })
    started.stdout.on('data', lines)
    // Output that ended while the program goes on: no answer can come any more.
    started.stdout.once('end', () => void pause(DRAIN_MS).then(() => transport.close()))
  }

  const transport: StdioTransport = {
    async start() {
      launching = true
      const started = await launch(stdio).catch((error: unknown) => {
        settle()
        throw error
      })
      child = started
      attend(started)
      if (!told) return
      await (closing ??= end(started))
      throw new Error('closed while it was started')
    },
    async send(message) {
      const stdin = child?.stdin
      if (stdin === undefined || told) throw new Error('not connected')
      if ('method' in message && 'id' in message) pending.add(String(message.id))
      const failed = await new Promise<Error | null | undefined>((resolve) => {
        stdin.write(`${JSON.stringify(message)}\n`, resolve)
      })
      if (!failed) return
      // The reason is rather that it ended, which is told in a moment.
      await within(gone, DRAIN_MS * 2)
      throw ending ?? failed
    },
    async close() {
      if (child !== null) closing ??= ending === null ? end(child) : gone
      else if (!launching) settle()
      tellClosed()
      await closing
    },
    ending: () => ending,
    gone,
    kill() {
      if (child !== null) terminate(child, 'SIGKILL')
    },
  }
  return transport
}

/** @throws NotStarted */
async function launch(stdio: StdioEndpoint['stdio']): Promise<ChildProcessWithoutNullStreams> {
  const { platform } = process
  const { file, args, verbatim } = launchOf(stdio, { platform, isFile })
  const failed = (error: unknown): NotStarted => new NotStarted(stdio.command, reasonOf(error, stdio.cwd), error)
  return new Promise((resolve, reject) => {
    try {
      const started = withOnlyStreams((streams) =>
        spawn(file, args, {
          env: { ...stdio.env },
          ...(stdio.cwd === undefined ? {} : { cwd: stdio.cwd }),
          stdio: streams,
          shell: false,
          // A group of its own, so that what it starts ends with it.
          detached: platform !== 'win32',
          windowsHide: true,
          windowsVerbatimArguments: verbatim,
        }),
      ) as ChildProcessWithoutNullStreams
      started.once('spawn', () => resolve(started))
      started.once('error', (error) => reject(failed(error)))
    } catch (error) {
      // `spawn` throws by itself for a command with a zero byte, and for EACCES of the folder.
      reject(failed(error))
    }
  })
}

function reasonOf(error: unknown, cwd: string | undefined): string {
  const code = (error as { code?: unknown }).code
  const word = typeof code === 'string' ? code : 'unknown'
  return cwd !== undefined && !isFolder(cwd) ? `${word}, no folder ${cwd}` : word
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true
const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true

function terminate(child: ChildProcessWithoutNullStreams, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform !== 'win32') return void signalGroup(child, signal)
  const killer = spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  killer.once('error', () => child.kill())
}

/** @returns whether anyone was there to hear it. */
function signalGroup(child: ChildProcessWithoutNullStreams, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (child.pid === undefined || process.platform === 'win32') return false
  try {
    process.kill(-child.pid, signal)
    return true
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Splits a stream of bytes at line feeds. */
function createLines(maxBytes: number, take: (line: string) => void, tooLong: () => void): (chunk: Buffer) => void {
  let open: Buffer[] = []
  let length = 0
  return (chunk) => {
    let rest = chunk
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      const line = Buffer.concat([...open, rest.subarray(0, at)]).toString('utf8')
      open = []
      length = 0
      rest = rest.subarray(at + 1)
      if (line.trim() !== '') take(line)
    }
    open.push(rest)
    length += rest.length
    if (length <= maxBytes) return
    open = []
    length = 0
    tooLong()
  }
}

/** `undefined` for a line that is no JSON: programs print greetings. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
