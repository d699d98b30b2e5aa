import { createParser } from '../dynamixel/parser.ts'
import { MAX_SPEED } from '../motion/limiter.ts'
import { MOTORS, ticksToRadians } from '../motors.ts'
import { createSimulatedRobot } from '../simulator/device.ts'
import { openMemoryPort } from '../simulator/memory-port.ts'

import type { BytePort } from '../dynamixel/byte-port.ts'
import type { SimulatedRobot } from '../simulator/device.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A port to a simulated robot that looks at every goal on its way to the motors. */
export interface WatchedWire {
  readonly robot: SimulatedRobot
  open(): Promise<BytePort>
  /** What no byte may say: a goal outside of a motor's limits, or faster than a joint may go. */
  readonly faults: string[]
  /** Moments of goals, ms. */
  readonly goalsAt: number[]
  /** Moments of torque being switched, ms. */
  readonly torqueAt: number[]
  /** Where the motors are, radians, in joint order. */
  positions(): number[]
}

const SYNC_WRITE = 0x83
const [TORQUE, GOAL, PRESENT] = [64, 116, 132]
const PERIOD_MS = 20
/** Rounding of two goals to whole ticks, and what the limiter's own arithmetic rounds. */
const ROUNDING_TICKS = 2.01
/** A goal this near to where its motor is holds it there: that is no motion, however the goal before was. */
const HOLD_TICKS = 3

const number = (bytes: Uint8Array): number => new DataView(Uint8Array.from(bytes).buffer).getInt32(0, true)

export function createWatchedWire(clock: VirtualClock): WatchedWire {
  const robot = createSimulatedRobot()
  const parser = createParser()
  const faults: string[] = []
  const goalsAt: number[] = []
  const torqueAt: number[] = []
  let before: readonly number[] | null = null

  const present = (id: number): number => {
    const data = robot.motor(id)?.read(PRESENT, 4)
    return data instanceof Uint8Array ? number(data) : NaN
  }

  const judge = (values: ReadonlyMap<number, number>): void => {
    const now = clock.now()
    const goals = MOTORS.map(({ id }) => values.get(id) ?? NaN)
    const periods = Math.max(1, Math.round((now - (goalsAt.at(-1) ?? now)) / PERIOD_MS))
    MOTORS.forEach(({ id, name, min, max }, i) => {
      const goal = goals[i] ?? NaN
      if (!(goal >= min && goal <= max)) faults.push(`${name} at ${now} ms: goal ${goal} outside ${min} … ${max}`)
      const speed = i === 0 ? MAX_SPEED.body : i < 7 ? MAX_SPEED.stewart : MAX_SPEED.antenna
      const most = (speed * Math.min(periods, 2) * (PERIOD_MS / 1000)) / ticksToRadians(2049) + ROUNDING_TICKS
      const step = Math.abs(goal - (before?.[i] ?? goal))
      if (step > most && Math.abs(goal - present(id)) > HOLD_TICKS) {
        faults.push(`${name} at ${now} ms: ${step} ticks in ${periods} periods`)
      }
    })
    before = goals
    goalsAt.push(now)
  }

  const look = (bytes: Uint8Array): void => {
    for (const { instruction, params } of parser.push(bytes)) {
      if (instruction !== SYNC_WRITE) continue
      const address = (params[0] ?? 0) | ((params[1] ?? 0) << 8)
      if (address === TORQUE) torqueAt.push(clock.now())
      if (address !== GOAL) continue
      const values = new Map<number, number>()
      for (let i = 4; i + 4 < params.length; i += 5) values.set(params[i] ?? 0, number(params.subarray(i + 1, i + 5)))
      judge(values)
    }
  }

  return {
    robot,
    faults,
    goalsAt,
    torqueAt,
    positions: () => MOTORS.map(({ id }) => ticksToRadians(present(id))),
    async open() {
      const port = openMemoryPort(robot, clock)
      return {
        ...port,
        write(bytes) {
          look(bytes)
          return port.write(bytes)
        },
      }
    },
  }
}
