import { CompanionError } from '../../contract/index.ts'

import * as packet from './packet.ts'
import { createParser } from './parser.ts'

import type { Clock } from '../clock.ts'
import type { BytePort } from './byte-port.ts'
import type { Packet, SyncEntry } from './packet.ts'

/** What goes first when several requests wait. */
export const PRIORITY = { goals: 0, positions: 1, telemetry: 2, configuration: 3 } as const
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY]

export interface Reply {
  readonly alert: boolean
  readonly params: Uint8Array
}

/**
 * One owner of the wire, one request in flight. Every request has a time limit, the time on the wire plus a margin.
 *
 * All methods reject with CompanionError `robot/disconnected` when no answer came in time or a motor could not read the
 * request, `robot/stopped` when {@link interrupt} took the wire away, and `app/internal` when a motor refused (its error
 * number in `details`).
 */
export interface Bus {
  ping(id: number): Promise<{ model: number; firmware: number; alert: boolean }>
  read(id: number, address: number, length: number, priority?: Priority): Promise<Reply>
  write(id: number, address: number, data: ArrayLike<number>): Promise<void>
  /** Clears what a motor latched; it goes limp and is silent for a moment. */
  reboot(id: number): Promise<void>
  /** Replies by ID; fewer than asked for when some motors were silent, a rejection when all were. */
  syncRead(address: number, length: number, ids: readonly number[], priority?: Priority): Promise<Map<number, Reply>>
  syncWrite(address: number, length: number, entries: readonly SyncEntry[], priority?: Priority): Promise<void>
  /** Writes at once; what was in flight or waiting is rejected. The answer is the port's own promise. */
  interrupt(bytes: Uint8Array): Promise<void>
  /** Whether any byte arrived since the bus was made: a wire that is not silent, though nothing on it may make sense. */
  readonly heard: boolean
  dispose(): void
}

/** 1 start bit, 8 data bits, 1 stop bit at 1,000,000 baud. */
const MS_PER_BYTE = 0.01
/** USB full-speed frames of 1 ms and the scheduling of the host: below 4 ms Windows loses answers, 10 ms is safe. */
const MARGIN_MS = 10
const STATUS_OVERHEAD = 11

interface Request {
  readonly bytes: Uint8Array
  /** IDs whose status packets are awaited; none for a request that nobody answers. */
  readonly awaited: readonly number[]
  /** Bytes of parameters of each: a reply of another length answers an older request, and came too late for it. */
  readonly dataLength: number
  readonly replies: Map<number, Reply>
  readonly priority: Priority
  readonly limitMs: number
  resolve(replies: Map<number, Reply>): void
  reject(error: CompanionError): void
}

/**
 * Opens a bus on a port. The port stays the caller's: {@link Bus.dispose} lets go of it and does not close it.
 * @param marginMs milliseconds that an answer may take beside its time on the wire.
 */
export function createBus(port: BytePort, clock: Clock, marginMs = MARGIN_MS): Bus {
  const parser = createParser()
  const waiting: Request[] = []
  let inFlight: Request | null = null
  let cancelTimer: () => void = () => undefined
  let disposed = false
  let heard = false

  const finish = (request: Request, error: CompanionError | null): void => {
    if (inFlight !== request) return
    inFlight = null
    cancelTimer()
    if (error === null) request.resolve(request.replies)
    else request.reject(error)
    pump()
  }

  const accept = (packets: readonly Packet[]): void => {
    for (const { id, status, params } of packets) {
      const request = inFlight
      if (request === null || status === null || !request.awaited.includes(id)) continue
      if (status.number !== packet.STATUS_ERROR.none) {
        // A request that was damaged on its way may be asked again; a refusal may not.
        const damaged = status.number === packet.STATUS_ERROR.crc
        const details = { motor: id, error: status.number }
        finish(request, new CompanionError(damaged ? 'robot/disconnected' : 'app/internal', details))
        continue
      }
      if (params.length !== request.dataLength) continue
      request.replies.set(id, { alert: status.alert, params })
      if (request.replies.size === request.awaited.length) finish(request, null)
    }
  }

  const expire = (request: Request): void => {
    accept(parser.rescan())
    if (inFlight !== request) return
    finish(request, request.replies.size > 0 ? null : new CompanionError('robot/disconnected'))
  }

  const pump = (): void => {
    if (inFlight !== null || disposed) return
    const request = takeFirst(waiting)
    if (request === null) return
    inFlight = request
    parser.reset()
    // The second, short wait lets bytes that arrived while the process was busy be read before the verdict.
    cancelTimer = clock.after(request.limitMs, () => {
      cancelTimer = clock.after(0, () => expire(request))
    })
    port.write(request.bytes).then(
      () => {
        if (request.awaited.length === 0) finish(request, null)
      },
      (cause: unknown) => finish(request, new CompanionError('robot/disconnected', {}, { cause })),
    )
  }

  const ask = (
    bytes: Uint8Array,
    awaited: readonly number[],
    dataLength: number,
    priority: Priority,
  ): Promise<Map<number, Reply>> =>
    new Promise((resolve, reject) => {
      if (disposed) {
        reject(new CompanionError('robot/disconnected'))
        return
      }
      const wire = bytes.length + awaited.length * (STATUS_OVERHEAD + dataLength)
      const limitMs = wire * MS_PER_BYTE + marginMs
      waiting.push({ bytes, awaited, dataLength, replies: new Map(), priority, limitMs, resolve, reject })
      pump()
    })

  const askOne = async (bytes: Uint8Array, id: number, dataLength: number, priority: Priority): Promise<Reply> => {
    const reply = (await ask(bytes, [id], dataLength, priority)).get(id)
    if (reply === undefined) throw new CompanionError('robot/disconnected')
    return reply
  }

  const fail = (code: 'robot/stopped' | 'robot/disconnected'): void => {
    const lost = [...(inFlight ? [inFlight] : []), ...waiting.splice(0)]
    inFlight = null
    cancelTimer()
    for (const request of lost) request.reject(new CompanionError(code))
  }

  const unsubscribe = port.onData((bytes) => {
    heard = true
    accept(parser.push(bytes))
  })

  return {
    async ping(id) {
      const { params, alert } = await askOne(packet.ping(id), id, 3, PRIORITY.configuration)
      return { model: (params[0] ?? 0) | ((params[1] ?? 0) << 8), firmware: params[2] ?? 0, alert }
    },
    read: (id, address, length, priority = PRIORITY.configuration) =>
      askOne(packet.read(id, address, length), id, length, priority),
    async write(id, address, data) {
      await askOne(packet.write(id, address, data), id, 0, PRIORITY.configuration)
    },
    async reboot(id) {
      await askOne(packet.reboot(id), id, 0, PRIORITY.configuration)
    },
    syncRead: (address, length, ids, priority = PRIORITY.telemetry) =>
      ask(packet.syncRead(address, length, ids), ids, length, priority),
    async syncWrite(address, length, entries, priority = PRIORITY.goals) {
      await ask(packet.syncWrite(address, length, entries), [], 0, priority)
    },
    interrupt(bytes) {
      fail('robot/stopped')
      parser.reset()
      return port.write(bytes)
    },
    get heard() {
      return heard
    },
    dispose() {
      disposed = true
      unsubscribe()
      fail('robot/disconnected')
    },
  }
}

function takeFirst(waiting: Request[]): Request | null {
  let best = 0
  for (let i = 1; i < waiting.length; i++) {
    if ((waiting[i]?.priority ?? 0) < (waiting[best]?.priority ?? 0)) best = i
  }
  return waiting.splice(best, 1)[0] ?? null
}

/** Little-endian value of up to four bytes, signed when four. */
export function readInteger(params: Uint8Array, offset: number, size: 1 | 2 | 4): number {
  let value = 0
  for (let i = size - 1; i >= 0; i--) value = (value << 8) | (params[offset + i] ?? 0)
  return value
}

/** Little-endian bytes of an integer. */
export function integerBytes(value: number, size: 1 | 2 | 4): number[] {
  return Array.from({ length: size }, (_, i) => (value >> (8 * i)) & 0xff)
}
