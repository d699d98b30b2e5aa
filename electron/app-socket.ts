/**
 * The running app answers on a socket in its data directory, for this user only: a command can stop the robot that the app
 * holds, and ask which one that is. Both ends of it, and its name.
 */
import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { z } from 'zod'

import type { Server, Socket } from 'node:net'

const requestSchema = z.object({ do: z.enum(['stop', 'who']) })
export type AppRequest = z.output<typeof requestSchema>

const answerSchema = z.object({
  /** ID of the robot that the app drives. */
  robot: z.string(),
  connection: z.string(),
  /** Of `stop`: the motors said that their torque is off. */
  confirmed: z.boolean().optional(),
})
export type AppAnswer = z.output<typeof answerSchema>

/** Bytes of a request or an answer. */
const MOST_BYTES = 4_096
/** Milliseconds until the app has taken a request, and until the motors have answered an emergency stop. */
const CONNECT_MS = 1_000
const ANSWER_MS = 8_000
/** Longest path of a socket on macOS and Linux, bytes (`sun_path`, unix(7)), less one for its end. */
const LONGEST_PATH = 103

/** Where the socket of a data directory is: in it, or where a path would be too long, in the folder of temporary files. */
export function appSocketPath(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  const digest = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16)
  if (platform === 'win32') return `\\\\.\\pipe\\reachy-mini-companion-${digest}`
  const inside = path.join(path.resolve(dataDir), 'app.sock')
  return Buffer.byteLength(inside) <= LONGEST_PATH
    ? inside
    : path.join(tmpdir(), `reachy-mini-companion-${digest}.sock`)
}

/** Reads one line of JSON of at most {@link MOST_BYTES}; `null` for anything else. */
function lineOf(socket: Socket, limitMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    let text = ''
    socket.setEncoding('utf8').setTimeout(limitMs)
    const end = (value: unknown): void => resolve(value)
    socket.on('data', (piece: string) => {
      text += piece
      const cut = text.indexOf('\n')
      if (cut >= 0) end(parse(text.slice(0, cut)))
      else if (text.length > MOST_BYTES) end(null)
    })
    socket.on('timeout', () => end(null))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The other end sees that nothing comes back.
    return null
  }
}

/**
 * Answers requests until it is closed. The caller is the only app of the data directory: what an ended one left is
 * removed. @throws the system's error.
 */
export async function serveApp(
  dataDir: string,
  answer: (request: AppRequest) => Promise<AppAnswer>,
): Promise<{ close(): void }> {
  const file = appSocketPath(dataDir)
  const isFile = process.platform !== 'win32'
  if (isFile) rmSync(file, { force: true })
  const server: Server = createServer((socket) => {
    const serve = async (): Promise<void> => {
      const request = requestSchema.safeParse(await lineOf(socket, CONNECT_MS))
      if (request.success) socket.end(`${JSON.stringify(await answer(request.data))}\n`)
      else socket.destroy()
    }
    serve().catch(() => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(file, resolve)
  })
  if (isFile) chmodSync(file, 0o600)
  server.unref()
  return {
    close() {
      server.close()
      if (isFile) rmSync(file, { force: true })
    },
  }
}

/** Asks the running app of a data directory; `null`: none answers. */
export function askApp(dataDir: string, request: AppRequest): Promise<AppAnswer | null> {
  return new Promise((resolve) => {
    const socket = createConnection(appSocketPath(dataDir))
    const patience = setTimeout(() => socket.destroy(), CONNECT_MS)
    socket.once('error', () => {
      clearTimeout(patience)
      resolve(null)
    })
    socket.once('connect', () => {
      clearTimeout(patience)
      socket.write(`${JSON.stringify(request)}\n`)
      void lineOf(socket, ANSWER_MS).then((value) => {
        socket.destroy()
        const answer = answerSchema.safeParse(value)
        resolve(answer.success ? answer.data : null)
      })
    })
    socket.once('close', () => resolve(null))
  })
}
