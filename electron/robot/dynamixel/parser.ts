import { BROADCAST_ID, decodePacket, hasValidCrc, HIGHEST_ID, PREFIX_LENGTH } from './packet.ts'

import type { Packet } from './packet.ts'

/** Instruction or status byte and CRC: no packet is shorter. */
const SHORTEST_LENGTH_FIELD = 3
/** Longer than anything nine motors exchange; keeps a false header in noise from swallowing what follows. */
const LONGEST_LENGTH_FIELD = 512

export interface Parser {
  /** Takes what arrived, in pieces of any size, and answers every packet that is complete now, in order. */
  push(bytes: Uint8Array): Packet[]
  /**
   * Gives up the header that waits for more bytes and looks behind it. For when no more bytes will come: a header made
   * of noise may announce a length that hides a real packet.
   */
  rescan(): Packet[]
  /** Forgets everything received so far. */
  reset(): void
  /** Bytes of memory that it holds. */
  readonly capacity: number
}

/**
 * An incremental parser of Dynamixel 2.0 packets that finds its way back after noise: a candidate that fails its
 * reserved byte, ID, length or CRC costs one byte, and the search goes on at the next.
 */
export function createParser(): Parser {
  let buffer = new Uint8Array(1024)
  let start = 0
  let end = 0

  const append = (bytes: Uint8Array): void => {
    if (end + bytes.length > buffer.length) {
      const kept = buffer.subarray(start, end)
      const next =
        kept.length + bytes.length > buffer.length ? new Uint8Array(2 * (kept.length + bytes.length)) : buffer
      next.set(kept, 0)
      buffer = next
      end -= start
      start = 0
    }
    buffer.set(bytes, end)
    end += bytes.length
  }

  /** Moves `start` to the next possible header; false when none is left. */
  const seekHeader = (): boolean => {
    for (; start < end; start++) {
      if (buffer[start] !== 0xff) continue
      if (start + 1 < end && buffer[start + 1] !== 0xff) continue
      if (start + 2 < end && buffer[start + 2] !== 0xfd) continue
      if (start + 3 < end && buffer[start + 3] !== 0x00) continue
      return true
    }
    return false
  }

  const drain = (): Packet[] => {
    const packets: Packet[] = []
    while (seekHeader()) {
      if (end - start < PREFIX_LENGTH) break
      const id = buffer[start + 4] ?? 0
      const length = (buffer[start + 5] ?? 0) | ((buffer[start + 6] ?? 0) << 8)
      const plausible =
        (id <= HIGHEST_ID || id === BROADCAST_ID) && length >= SHORTEST_LENGTH_FIELD && length <= LONGEST_LENGTH_FIELD
      if (plausible && end - start < PREFIX_LENGTH + length) break
      const bytes = buffer.subarray(start, start + PREFIX_LENGTH + length)
      const packet = plausible && hasValidCrc(bytes) ? decodePacket(bytes) : null
      if (packet === null) {
        start++
        continue
      }
      packets.push(packet)
      start += bytes.length
    }
    return packets
  }

  return {
    push(bytes) {
      append(bytes)
      return drain()
    },
    rescan() {
      const packets: Packet[] = []
      while (start < end) {
        start++
        packets.push(...drain())
      }
      return packets
    },
    reset() {
      start = 0
      end = 0
    },
    get capacity() {
      return buffer.length
    },
  }
}
