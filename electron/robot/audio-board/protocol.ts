/**
 * The control protocol of the robot's audio board (XMOS XVF3800): vendor requests to the device on endpoint 0. Pure.
 * Numbers: `audio_control_utils.py` of pollen-robotics/reachy_mini.
 */

/** "Reachy Mini Audio". */
export const AUDIO_BOARD = { vendorId: 0x38fb, productId: 0x1001 } as const

/** A value of the board: where it is, and how many of what it is made of. */
export interface Parameter {
  readonly resource: number
  readonly command: number
  readonly count: number
  readonly type: 'u8' | 'float'
}

export const VERSION: Parameter = { resource: 48, command: 0, count: 3, type: 'u8' }
/** Angle, and 1 while somebody speaks. */
export const DIRECTION: Parameter = { resource: 20, command: 19, count: 2, type: 'float' }

/** Direction of arrival is there from this firmware on: major, minor. */
export const DIRECTION_SINCE = [2, 1] as const

/** A control transfer to the host, as in the USB 2.0 specification, §9.3. */
export interface ControlRead {
  readonly requestType: number
  readonly request: number
  readonly value: number
  readonly index: number
  /** Bytes. */
  readonly length: number
}

/** To the host, vendor, device. */
const READ = 0xc0
/** Set in the number of a command that is to be answered. */
const ANSWER = 0x80

const sizeOf = ({ type }: Parameter): number => (type === 'u8' ? 1 : 4)

export function readOf(parameter: Parameter): ControlRead {
  return {
    requestType: READ,
    request: 0,
    value: ANSWER | parameter.command,
    index: parameter.resource,
    length: parameter.count * sizeOf(parameter) + 1,
  }
}

/** First byte of an answer. */
const DONE = 0
const NOT_YET = 64

export type Answer =
  | { readonly state: 'values'; readonly values: readonly number[] }
  /** The board is busy; the same is asked again. */
  | { readonly state: 'not-yet' }
  | { readonly state: 'bad'; readonly reason: string }

/** What an answer says. Values are little endian, behind one byte of status. */
export function decodeAnswer(parameter: Parameter, bytes: Uint8Array): Answer {
  const [status] = bytes
  if (status === NOT_YET) return { state: 'not-yet' }
  if (status !== DONE) return { state: 'bad', reason: status === undefined ? 'empty' : `status ${status}` }
  const { length } = readOf(parameter)
  if (bytes.length < length) return { state: 'bad', reason: `${bytes.length} of ${length} bytes` }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values = Array.from({ length: parameter.count }, (_, i) =>
    parameter.type === 'u8' ? view.getUint8(1 + i) : view.getFloat32(1 + 4 * i, true),
  )
  return values.every(Number.isFinite) ? { state: 'values', values } : { state: 'bad', reason: 'no number' }
}

/** The board counts from the robot's left (0) over its front (π/2) to its right (π); heads turn left for positive yaw. */
export function yawOf(angle: number): number {
  return Math.PI / 2 - angle
}
