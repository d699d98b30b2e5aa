import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { createRobot } from '../robot.ts'
import { openSerialPort } from '../serial/serial-port.ts'

import { createTestLog } from './quiet-log.ts'

import type { BytePort } from '../dynamixel/byte-port.ts'

export interface SoakOptions {
  /** Serial port of a robot, simulated or not. */
  readonly port: string
  readonly seconds: number
  /** Folder of starter moves. */
  readonly movesDir: string
  /** Called every `everyS` seconds with figures so far. */
  readonly tell?: (line: string) => void
  readonly everyS?: number
  readonly signal?: AbortSignal
}

export interface SoakFigures {
  readonly periods: number
  /** Periods in which no goal went out. */
  readonly missed: number
  /** Between two goals, ms. */
  readonly medianMs: number
  readonly p99Ms: number
  readonly worstMs: number
  /** Heap after collection, bytes: after the warm-up, and at the end; and what an hour would add. */
  readonly heapFirst: number
  readonly heapLast: number
  readonly heapPerHour: number
  readonly rssLast: number
  /** Timers, handles and requests that are open. */
  readonly resourcesFirst: number
  readonly resourcesLast: number
  /** Warnings of the driver. */
  readonly warnings: readonly string[]
}

const PERIOD_MS = 20
const GOAL_ADDRESS = 116
/** Seconds between two looks at the heap: each stops the process for some milliseconds. */
const SAMPLE_S = 10
/** Share of the run before memory counts: the first seconds load and compile. */
const WARM_UP = 0.2
const WISH_MS = 100

/** Streams a slow wave at 50 Hz through the whole driver and measures what goes out. @throws when the robot is lost. */
export async function soakRobot(options: SoakOptions): Promise<SoakFigures> {
  const { port, seconds, movesDir, tell, everyS = 60, signal } = options
  const collect = collector()
  const gaps = new Float64Array(Math.ceil((seconds + 5) * (1000 / PERIOD_MS)) + 1_000)
  let count = 0
  let lastAt = 0
  let streaming = false
  const tapped = (opened: BytePort): BytePort => ({
    ...opened,
    write(bytes) {
      if (streaming && bytes[7] === 0x83 && bytes[8] === GOAL_ADDRESS) {
        const now = performance.now()
        if (lastAt > 0 && count < gaps.length) gaps[count++] = now - lastAt
        lastAt = now
      }
      return opened.write(bytes)
    },
  })
  const log = createTestLog()
  const robot = createRobot({
    log: { ...log, debug: () => undefined },
    movesDir,
    wanted: `serial:${port}`,
    wakeAtStart: false,
    finder: { openPort: async (name) => tapped(await openSerialPort(name)), listPorts: () => Promise.resolve([]) },
  })
  const samples: Array<{ at: number; heap: number; resources: number }> = []
  const failures: Error[] = []
  const note = (error: unknown): void => {
    failures.push(error instanceof Error ? error : new Error(String(error)))
  }
  let watched: unknown = null
  try {
    await robot.start()
    await robot.enable()
    await robot.wake().ended
    const began = performance.now()
    const elapsed = (): number => (performance.now() - began) / 1000
    let toldAt = 0
    let sampledAt = -Infinity
    while (elapsed() < seconds && failures.length === 0 && signal?.aborted !== true) {
      const t = elapsed()
      const motion = robot.jog({
        head: { yaw: 0.4 * Math.sin(t), pitch: 0.15 * Math.sin(0.7 * t), z: 0.005 * Math.sin(1.3 * t) },
        bodyYaw: 0.5 * Math.sin(0.3 * t),
        antennas: [0.6 * Math.sin(t), -0.6 * Math.sin(1.1 * t)],
      })
      // One motion takes all wishes while they come; it is looked at once.
      if (motion !== watched) motion.ended.catch(note)
      watched = motion
      streaming = true
      if (t - sampledAt >= Math.min(SAMPLE_S, seconds / 4)) {
        sampledAt = t
        samples.push({ at: t, heap: collect(), resources: process.getActiveResourcesInfo().length })
      }
      if (t - toldAt >= everyS) {
        toldAt = t
        tell?.(`${Math.round(t)} s: ${JSON.stringify(summary(gaps.subarray(0, count), samples, seconds))}`)
      }
      await new Promise((resolve) => setTimeout(resolve, WISH_MS))
    }
    streaming = false
  } finally {
    await robot.dispose()
  }
  const [failure] = failures
  if (failure !== undefined) throw failure
  const warnings = log.lines.filter((line) => /^(warn|error)/.test(line))
  return { ...summary(gaps.subarray(0, count), samples, seconds), warnings }
}

function summary(
  gaps: Float64Array,
  samples: ReadonlyArray<{ at: number; heap: number; resources: number }>,
  seconds: number,
): Omit<SoakFigures, 'warnings'> {
  const sorted = Float64Array.from(gaps).sort()
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)
  // One that is late and followed by an early one is not missed.
  const periods = Math.round(gaps.reduce((sum, gap) => sum + gap, 0) / PERIOD_MS)
  const missed = Math.max(0, periods - gaps.length)
  const settled = samples.filter(({ at: when }) => when >= seconds * WARM_UP)
  const used = settled.length > 1 ? settled : samples
  return {
    periods,
    missed,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    worstMs: at(1),
    heapFirst: used[0]?.heap ?? 0,
    heapLast: used.at(-1)?.heap ?? 0,
    heapPerHour: Math.round(slope(used.map(({ at: x, heap }) => [x, heap] as const)) * 3600),
    rssLast: process.memoryUsage().rss,
    resourcesFirst: used[0]?.resources ?? 0,
    resourcesLast: used.at(-1)?.resources ?? 0,
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Of the line through points, by least squares; 0 for fewer than two. */
function slope(points: ReadonlyArray<readonly [number, number]>): number {
  const n = points.length
  if (n < 2) return 0
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return under === 0 ? 0 : over / under
}

/** Collects garbage and answers the heap that is left, bytes. */
function collector(): () => number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  return () => {
    gc()
    return process.memoryUsage().heapUsed
  }
}
