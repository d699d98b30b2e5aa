import path from 'node:path'

import { createRobot } from '../robot.ts'
import { createSimulatedRobot } from '../simulator/device.ts'

import { createTestLog } from './quiet-log.ts'
import { createVirtualClock } from './virtual-clock.ts'
import { createWire } from './wire.ts'

import type { RobotState } from '../../contract/index.ts'
import type { SystemPort } from '../finder/ports.ts'
import type { RobotDeps } from '../robot.ts'
import type { SimulatedRobot } from '../simulator/device.ts'
import type { Robot } from '../types.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Wire } from './wire.ts'

export const PORT = '/dev/ttyACM0'
const MOVES = path.join(import.meta.dirname, '../../../resources/moves')

/** The whole driver over a serial port that leads to simulated motors, in time that the test moves on. */
export interface Bench {
  readonly robot: Robot
  readonly motors: SimulatedRobot
  readonly clock: VirtualClock
  readonly wire: Wire
  readonly log: ReturnType<typeof createTestLog>
  readonly states: RobotState[]
  /** Ports that the system lists. */
  ports: SystemPort[]
  /** Moves time on until `work` settles. @throws after `limitMs`. */
  readonly settled: <T>(work: Promise<T>, limitMs?: number) => Promise<T>
  /** Moves time on until `holds`; the answer is how long it took, ms. @throws after `limitMs`. */
  readonly until: (holds: (state: RobotState) => boolean, limitMs: number) => Promise<number>
}

export function createBench(options: Partial<RobotDeps> = {}): Bench {
  const clock = createVirtualClock()
  const log = createTestLog()
  const motors = createSimulatedRobot()
  const wire = createWire(motors, clock)
  const states: RobotState[] = []
  const bench: Bench = {
    robot: createRobot({
      log,
      movesDir: MOVES,
      clock,
      random: () => 0.3,
      wanted: `serial:${PORT}`,
      fetch: () => Promise.reject(new Error('no daemon')),
      finder: {
        listPorts: () => Promise.resolve(motors.plugged ? bench.ports : []),
        openPort: (name) => wire.openPort(name),
        listen: () => Promise.resolve([]),
        trueName: (name) => Promise.resolve(name),
      },
      ...options,
    }),
    motors,
    clock,
    wire,
    log,
    states,
    ports: [{ path: PORT, vendorId: '1a86', productId: '55d3', serialNumber: 'A1' }],
    async settled(work, limitMs = 60_000) {
      let over = false
      const done = (): void => {
        over = true
      }
      work.then(done, done)
      await clock.advance(0)
      for (let ms = 0; !over && ms < limitMs; ms += 20) await clock.advance(20)
      if (!over) throw new Error(`not settled after ${limitMs} ms`)
      return work
    },
    async until(holds, limitMs) {
      const began = clock.now()
      while (!holds(bench.robot.state())) {
        if (clock.now() - began >= limitMs) {
          const { connection, problem, torque, activity } = bench.robot.state()
          throw new Error(`after ${limitMs} ms it is ${JSON.stringify({ connection, problem, torque, activity })}`)
        }
        await clock.advance(10)
      }
      return clock.now() - began
    },
  }
  bench.robot.onChange((state) => states.push(state))
  return bench
}
