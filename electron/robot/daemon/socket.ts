import { z } from 'zod'

import { CompanionError } from '../../contract/index.ts'
import { JOINT_COUNT } from '../motors.ts'

import type { Log } from '../../contract/index.ts'

/** Milliseconds until the socket is open. */
const OPEN_MS = 3_000
/** Bytes waiting to leave from which on a target is left out: the next one is newer. */
const MAX_WAITING = 16 * 1024
/** Bytes of one message; joints are a few hundred. */
const MAX_MESSAGE = 256 * 1024

const jointsSchema = z.object({
  type: z.literal('joint_positions'),
  head_joint_positions: z.array(z.number()).length(7),
  antennas_joint_positions: z.array(z.number()).length(2),
})

/** A message of the daemon's socket; there are no answers to them. */
export type DaemonCommand =
  | { type: 'set_full_target'; head: number[]; antennas: [number, number]; body_yaw: number }
  | { type: 'set_automatic_body_yaw'; enabled: boolean }
  | { type: 'set_torque'; on: boolean }
  | { type: 'stop_move' }

export interface DaemonSocket {
  /** Whether it left; false when an older one still waits, or the socket is closed. */
  send(command: DaemonCommand): boolean
  /** Copies the joints told last into `out`, radians; the answer is their age, ms, `Infinity` before the first. */
  joints(out: Float64Array): number
  onClose(listener: () => void): void
  close(): void
}

/** What a daemon answers to the handshake when it has no such socket: those before 1.5. */
const NO_SUCH_SOCKET = /unexpected server response: 40[34]/i

/** @throws CompanionError `robot/disconnected`, `robot/old-daemon` for one without this socket. */
export async function openDaemonSocket(address: string, log: Log, now: () => number): Promise<DaemonSocket> {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(address, { handshakeTimeout: OPEN_MS, maxPayload: MAX_MESSAGE, followRedirects: false })
  const latest = new Float64Array(JOINT_COUNT)
  const closeListeners = new Set<() => void>()
  let heardAt = -Infinity
  let closed = false
  let strange = 0

  socket.on('message', (data: Buffer) => {
    const joints = readJoints(data)
    if (joints === 'other') return
    if (joints === null) {
      strange += 1
      if (strange === 1) log.warn('the daemon says joints that cannot be read')
      return
    }
    latest.set(joints)
    heardAt = now()
  })
  let old = false
  socket.on('error', (error) => {
    old ||= NO_SUCH_SOCKET.test(error.message)
    log.debug('the socket to the daemon met an error', { error: String(error) })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('close', () => reject(new CompanionError(old ? 'robot/old-daemon' : 'robot/disconnected')))
  })
  socket.on('close', () => {
    if (closed) return
    closed = true
    for (const listener of closeListeners) listener()
  })

  return {
    send(command) {
      if (closed || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > MAX_WAITING) return false
      socket.send(JSON.stringify(command))
      return true
    },
    joints(out) {
      out.set(latest)
      return now() - heardAt
    },
    onClose(listener) {
      closeListeners.add(listener)
    },
    close() {
      closed = true
      socket.terminate()
    },
  }
}

function readJoints(data: Buffer): number[] | null | 'other' {
  let message: unknown
  try {
    message = JSON.parse(data.toString('utf8'))
  } catch {
    return null
  }
  if (typeof message !== 'object' || message === null || !('type' in message)) return null
  if (message.type !== 'joint_positions') return 'other'
  const parsed = jointsSchema.safeParse(message)
  if (!parsed.success) return null
  return [...parsed.data.head_joint_positions, ...parsed.data.antennas_joint_positions]
}
