import { crc16 } from './crc.ts'

/** Instruction bytes of Dynamixel Protocol 2.0 (ROBOTIS e-manual, "Instruction Packet"). */
export const INSTRUCTION = {
  ping: 0x01,
  read: 0x02,
  write: 0x03,
  regWrite: 0x04,
  action: 0x05,
  factoryReset: 0x06,
  reboot: 0x08,
  clear: 0x10,
  controlTableBackup: 0x20,
  status: 0x55,
  syncRead: 0x82,
  syncWrite: 0x83,
  fastSyncRead: 0x8a,
  bulkRead: 0x92,
  bulkWrite: 0x93,
  fastBulkRead: 0x9a,
} as const

/** Error numbers of a status packet (ROBOTIS e-manual, "Status Packet: Error"). A number, not a set of flags. */
export const STATUS_ERROR = {
  none: 0,
  resultFail: 1,
  instruction: 2,
  crc: 3,
  dataRange: 4,
  dataLength: 5,
  dataLimit: 6,
  access: 7,
} as const

export const BROADCAST_ID = 0xfe
export const HIGHEST_ID = 252
/** Header, reserved byte, ID, length. */
export const PREFIX_LENGTH = 7
const CRC_LENGTH = 2

export interface StatusFlags {
  /**
   * The motor's hardware error register is not 0. The data is valid all the same, and on a healthy Reachy Mini this is
   * the normal state: its supply lies above the highest value that the motors' voltage limit can take.
   */
  readonly alert: boolean
  /** One of {@link STATUS_ERROR}. */
  readonly number: number
}

export interface Packet {
  readonly id: number
  readonly instruction: number
  /** Unstuffed; without the error byte of a status packet. */
  readonly params: Uint8Array
  /** `null` for instruction packets. */
  readonly status: StatusFlags | null
}

/** Splits the error byte: bit 7 is Alert, the rest is a number. */
export function readErrorByte(byte: number): StatusFlags {
  return { alert: (byte & 0x80) !== 0, number: byte & 0x7f }
}

/** Inserts 0xFD after every FF FF FD, so that a header can never appear inside a packet. */
export function stuff(body: Uint8Array): Uint8Array {
  const out: number[] = []
  for (const byte of body) {
    out.push(byte)
    const n = out.length
    if (byte === 0xfd && out[n - 2] === 0xff && out[n - 3] === 0xff) out.push(0xfd)
  }
  return out.length === body.length ? body : Uint8Array.from(out)
}

/** Removes the 0xFD that follows every FF FF FD. */
export function unstuff(body: Uint8Array): Uint8Array {
  const out: number[] = []
  for (let i = 0; i < body.length; i++) {
    out.push(body[i] ?? 0)
    if (body[i] === 0xfd && body[i - 1] === 0xff && body[i - 2] === 0xff && body[i + 1] === 0xfd) i++
  }
  return out.length === body.length ? body : Uint8Array.from(out)
}

function frame(id: number, body: Uint8Array): Uint8Array {
  const stuffed = stuff(body)
  const length = stuffed.length + CRC_LENGTH
  const bytes = new Uint8Array(PREFIX_LENGTH + length)
  bytes.set([0xff, 0xff, 0xfd, 0x00, id, length & 0xff, length >> 8])
  bytes.set(stuffed, PREFIX_LENGTH)
  const crc = crc16(bytes, 0, bytes.length - CRC_LENGTH)
  bytes[bytes.length - 2] = crc & 0xff
  bytes[bytes.length - 1] = crc >> 8
  return bytes
}

/** A complete instruction packet, stuffed and with its CRC. */
export function encodeInstruction(id: number, instruction: number, params: ArrayLike<number> = []): Uint8Array {
  const body = new Uint8Array(1 + params.length)
  body[0] = instruction
  body.set(params, 1)
  return frame(id, body)
}

/** A complete status packet, stuffed and with its CRC. */
export function encodeStatus(id: number, flags: StatusFlags, params: ArrayLike<number> = []): Uint8Array {
  const body = new Uint8Array(2 + params.length)
  body[0] = INSTRUCTION.status
  body[1] = (flags.alert ? 0x80 : 0) | (flags.number & 0x7f)
  body.set(params, 2)
  return frame(id, body)
}

/** Whether the last two bytes are the CRC of all before them. */
export function hasValidCrc(bytes: Uint8Array): boolean {
  const end = bytes.length - CRC_LENGTH
  return crc16(bytes, 0, end) === ((bytes[end] ?? 0) | ((bytes[end + 1] ?? 0) << 8))
}

/** Takes one complete packet apart; `null` when it is too short for its kind. The CRC is the caller's business. */
export function decodePacket(bytes: Uint8Array): Packet | null {
  const body = unstuff(bytes.subarray(PREFIX_LENGTH, bytes.length - CRC_LENGTH))
  const id = bytes[4] ?? 0
  const instruction = body[0]
  if (instruction === undefined) return null
  if (instruction !== INSTRUCTION.status) return { id, instruction, params: body.slice(1), status: null }
  const error = body[1]
  return error === undefined ? null : { id, instruction, params: body.slice(2), status: readErrorByte(error) }
}

const u16 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff]

export const ping = (id: number): Uint8Array => encodeInstruction(id, INSTRUCTION.ping)
export const reboot = (id: number): Uint8Array => encodeInstruction(id, INSTRUCTION.reboot)

export const read = (id: number, address: number, length: number): Uint8Array =>
  encodeInstruction(id, INSTRUCTION.read, [...u16(address), ...u16(length)])

export const write = (id: number, address: number, data: ArrayLike<number>): Uint8Array =>
  encodeInstruction(id, INSTRUCTION.write, [...u16(address), ...Array.from(data)])

export const syncRead = (address: number, length: number, ids: readonly number[]): Uint8Array =>
  encodeInstruction(BROADCAST_ID, INSTRUCTION.syncRead, [...u16(address), ...u16(length), ...ids])

export interface SyncEntry {
  readonly id: number
  /** Exactly as many bytes as the packet's length says. */
  readonly data: ArrayLike<number>
}

export const syncWrite = (address: number, length: number, entries: readonly SyncEntry[]): Uint8Array =>
  encodeInstruction(BROADCAST_ID, INSTRUCTION.syncWrite, [
    ...u16(address),
    ...u16(length),
    ...entries.flatMap(({ id, data }) => [id, ...Array.from(data)]),
  ])
