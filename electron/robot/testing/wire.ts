import { CompanionError } from '../../contract/index.ts'
import { createParser } from '../dynamixel/parser.ts'
import { MAX_GAIN, MAX_SPEED } from '../motion/limiter.ts'
import { MOTORS, ticksToRadians } from '../motors.ts'
import { openMemoryPort } from '../simulator/memory-port.ts'

import type { ErrorCode } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'
import type { SimulatedRobot } from '../simulator/device.ts'

/** One instruction that went out to the motors. */
export interface Sent {
  /** Milliseconds. */
  readonly at: number
  readonly id: number
  readonly instruction: number
  readonly address: number
  /** Of a sync write: unsigned value by motor. */
  readonly values: ReadonlyMap<number, number>
  /** Of goals: every joint is told to stay where it is, which is no way at all. */
  readonly pins: boolean
}

/** A port to a simulated robot that writes down what passes, and counts what was opened and not closed. */
export interface Wire {
  readonly sent: Sent[]
  /** Writes from now on never leave, until the port is opened anew `stuckFor` times. */
  stick(reopenings?: number): void
  /** What opening answers instead of a port. */
  refuse: ErrorCode | null
  /** Milliseconds that an opening takes. */
  openingMs: number
  readonly opened: number
  readonly open: number
  openPort(path: string): Promise<BytePort>
}

const SYNC_WRITE = 0x83
const GOAL = 116
const STANDING_TICKS = 3

function placeOf(robot: SimulatedRobot, id: number): number {
  const bytes = robot.motor(id)?.read(132, 4)
  return bytes instanceof Uint8Array ? (bytes[0] ?? 0) + 256 * (bytes[1] ?? 0) : NaN
}

export function createWire(robot: SimulatedRobot, clock: Clock): Wire {
  const sent: Sent[] = []
  let stuck = 0
  let opened = 0
  let open = 0

  const note = (bytes: Uint8Array): void => {
    const parser = createParser()
    for (const { id, instruction, params } of parser.push(bytes)) {
      const u16 = (at: number): number => (params[at] ?? 0) | ((params[at + 1] ?? 0) << 8)
      const values = new Map<number, number>()
      const size = u16(2)
      for (let i = 4; instruction === SYNC_WRITE && i < params.length; i += 1 + size) {
        const data = params.subarray(i + 1, i + 1 + size)
        values.set(
          params[i] ?? 0,
          data.reduceRight((sum, byte) => sum * 256 + byte, 0),
        )
      }
      const address = u16(0)
      const pins =
        address === GOAL &&
        [...values].every(([motor, ticks]) => Math.abs(ticks - placeOf(robot, motor)) <= STANDING_TICKS)
      sent.push({ at: clock.now(), id, instruction, address, values, pins })
    }
  }

  const wire: Wire = {
    sent,
    refuse: null,
    openingMs: 0,
    get opened() {
      return opened
    },
    get open() {
      return open
    },
    stick(reopenings = 1) {
      stuck = reopenings
    },
    async openPort(path) {
      if (wire.openingMs > 0) {
        await new Promise<void>((resolve) => {
          clock.after(wire.openingMs, resolve)
        })
      }
      if (wire.refuse !== null) throw new CompanionError(wire.refuse, { path })
      if (!robot.plugged) throw new CompanionError('robot/not-found', { path })
      if (open > 0) throw new CompanionError('robot/busy', { path })
      opened += 1
      open += 1
      if (opened > 1 && stuck > 0) stuck -= 1
      const port = openMemoryPort(robot, clock)
      let mine = true
      const gone = (): void => {
        if (mine) open -= 1
        mine = false
      }
      port.onClose(gone)
      return {
        ...port,
        write(bytes) {
          if (stuck > 0) return new Promise(() => undefined)
          note(bytes)
          return port.write(bytes)
        },
        close() {
          gone()
          return port.close()
        },
      }
    },
  }
  return wire
}

export const goalsOf = (sent: readonly Sent[]): Sent[] =>
  sent.filter(({ instruction, address }) => instruction === SYNC_WRITE && address === GOAL)
export const torqueOf = (sent: readonly Sent[]): Sent[] =>
  sent.filter(({ instruction, address }) => instruction === SYNC_WRITE && address === 64)

/** A tick of rounding at either end is no speed. */
const ROUNDING = (2 * 2 * Math.PI) / 4096
const PERIOD = 0.02
/** Radians a second. */
const SLOW = 1

const speedLimit = (i: number): number => (i === 0 ? MAX_SPEED.body : i < 7 ? MAX_SPEED.stewart : MAX_SPEED.antenna)
const gainLimit = (i: number): number => (i === 0 ? MAX_GAIN.body : i < 7 ? MAX_GAIN.stewart : MAX_GAIN.antenna)

/**
 * Every way in which goals on the wire break a limit: position, speed, gain of speed. A goal that pins the body to where it
 * is begins anew: a stop takes back what the joints have not reached yet.
 * @param gentle whether all joints are held to the speed of the first moments after torque-on.
 */
export function brokenLimits(writes: readonly Sent[], { gentle = false }: { gentle?: boolean } = {}): string[] {
  const broken: string[] = []
  const before = new Float64Array(MOTORS.length)
  const speeds = new Float64Array(MOTORS.length)
  let last: Sent | null = null
  for (const write of writes) {
    const periods = last === null ? 1 : Math.max(1, Math.round((write.at - last.at) / (PERIOD * 1000)))
    const begins = last === null || write.pins
    MOTORS.forEach(({ id, name, min, max }, i) => {
      const ticks = write.values.get(id) ?? NaN
      const tell = (what: string): number => broken.push(`${name} at ${write.at} ms: ${what}`)
      if (!begins && !(ticks >= min && ticks <= max)) tell(`goal ${ticks} outside ${min} … ${max}`)
      const angle = ticksToRadians(ticks)
      const way = (last === null ? 0 : angle - (before[i] as number)) / (periods * PERIOD)
      // One that stands still nearly may be on its way all the same.
      const speed = begins && Math.abs(way) > SLOW ? 0 : way
      const slack = ROUNDING / PERIOD
      const top = gentle ? MAX_SPEED.gentle : speedLimit(i)
      if (!begins && Math.abs(speed) > top + slack) tell(`${speed.toFixed(2)} rad/s`)
      const same = Math.sign(speed) === Math.sign(speeds[i] as number)
      const gained = Math.abs(speed) - (same ? Math.abs(speeds[i] as number) : 0)
      if (!begins && gained / (periods * PERIOD) > gainLimit(i) + (2 * slack) / PERIOD) {
        tell(`gains ${(gained / (periods * PERIOD)).toFixed(0)} rad/s²`)
      }
      before[i] = angle
      speeds[i] = speed
    })
    last = write
  }
  return broken
}
