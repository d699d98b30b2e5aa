/** What can be wrong with a robot, its wire or its adapter; all of it can be switched on and off while it runs. */
export interface Faults {
  /** The supply is on. Off: the adapter is there and every motor is silent, as with the USB cable alone. */
  readonly power: boolean
  /** Supply, volts. Below 3.5 V a motor does not answer. */
  readonly voltage: number
  /** IDs of motors that are not there. */
  readonly missing: readonly number[]
  /** The chain is cut behind this motor's ID; `null`: it is whole. */
  readonly cutAfter: number | null
  /** Shares of replies, 0 … 1: that never arrive, with a wrong CRC, cut in half. */
  readonly dropped: number
  readonly corrupted: number
  readonly halved: number
  /** At most so many random bytes before each reply. */
  readonly noise: number
  /** Milliseconds by which every reply is late. */
  readonly lateMs: number
  /** A write to the port never ends. */
  readonly stuck: boolean
  /** IDs of motors whose shaft is held: they overload after a second of full effort. */
  readonly blocked: readonly number[]
  /** IDs of motors that are too hot. */
  readonly hot: readonly number[]
  /** Another device answers: motors of another kind, under the same USB numbers. */
  readonly foreign: boolean
}

export const NO_FAULTS: Faults = {
  power: true,
  voltage: 7.2,
  missing: [],
  cutAfter: null,
  dropped: 0,
  corrupted: 0,
  halved: 0,
  noise: 0,
  lateMs: 0,
  stuck: false,
  blocked: [],
  hot: [],
  foreign: false,
}

/** Below it a motor's electronics do not run, volts (super-capacitors charge through it for up to half a minute). */
const LOWEST_VOLTAGE = 3.5

/** Whether the motor of this ID can be heard. @param order IDs in the order of the chain. */
export function answers(faults: Faults, id: number, order: readonly number[]): boolean {
  if (!faults.power || faults.voltage < LOWEST_VOLTAGE || faults.missing.includes(id)) return false
  return faults.cutAfter === null || order.indexOf(id) <= order.indexOf(faults.cutAfter)
}

/** A small repeatable source of chance: 0 up to, not including, 1. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** What arrives of one reply over a wire with these faults; `null`: nothing. */
export function overTheWire(reply: Uint8Array, faults: Faults, chance: () => number): Uint8Array | null {
  if (faults.dropped > 0 && chance() < faults.dropped) return null
  let bytes = reply
  if (faults.corrupted > 0 && chance() < faults.corrupted) {
    bytes = bytes.slice()
    const at = bytes.length - 1
    bytes[at] = (bytes[at] ?? 0) ^ 0x5a
  }
  if (faults.halved > 0 && chance() < faults.halved) bytes = bytes.subarray(0, Math.ceil(bytes.length / 2))
  if (faults.noise === 0) return bytes
  const noise = Uint8Array.from({ length: Math.floor(chance() * (faults.noise + 1)) }, () => Math.floor(chance() * 256))
  const joined = new Uint8Array(noise.length + bytes.length)
  joined.set(noise)
  joined.set(bytes, noise.length)
  return joined
}
