import { CompanionError } from '../contract/index.ts'

import { systemClock } from './clock.ts'
import { createBusDriver } from './driver/bus-driver.ts'
import { HARDWARE_ERROR } from './dynamixel/control-table.ts'
import { resolveEmotion } from './feelings/resolve.ts'
import { F } from './kinematics/frame.ts'
import { createInverse } from './kinematics/inverse.ts'
import { headOf, sleepFrame } from './kinematics/poses.ts'
import { createEngine } from './motion/engine.ts'
import { lookPlan, movePlan, sleepPlan, sweepPlan, wakePlan } from './motion/plans.ts'
import { MOTORS } from './motors.ts'
import { createMoveLibrary } from './moves/library.ts'
import { trajectorySeconds } from './moves/trajectory.ts'
import { createSimulatedRobot } from './simulator/device.ts'
import { openMemoryPort } from './simulator/memory-port.ts'

import type { HeadPose, Log, MotorState, MoveInfo, RobotActivity, RobotState } from '../contract/index.ts'
import type { Clock } from './clock.ts'
import type { MotorHealth } from './driver/types.ts'
import type { BytePort } from './dynamixel/byte-port.ts'
import type { Frame } from './kinematics/frame.ts'
import type { Engine } from './motion/engine.ts'
import type { HeadDirection, Motion, Robot } from './types.ts'

export interface RobotDeps {
  readonly log: Log
  /** Absolute path of the folder of starter moves. */
  readonly movesDir: string
  /** Monotonic milliseconds. */
  readonly now?: () => number
  /** Replaces clock and timers both; wins over `now`. */
  readonly clock?: Clock
  /** Leads to the motors; the simulator's memory when absent. Called again to replace a port that is stuck. */
  readonly openPort?: () => Promise<BytePort>
  /** A number from 0 up to, not including, 1. */
  readonly random?: () => number
  /** Whether {@link Robot.start} wakes the robot; true when absent. */
  readonly wakeAtStart?: boolean
}

/** State is announced at most this often while only the joints change, ms. */
const ANNOUNCE_MS = 50
/** After the start, one move at a time is measured, ms: the list of all of them must not hold up the control loop. */
const MEASURE_AFTER_MS = 1000
const MEASURE_EVERY_MS = 60
/** Half a tick of a motor, radians: anything less is the same position. */
const UNMOVED = Math.PI / 4096

const SIMULATOR = { id: 'simulator', kind: 'simulator', name: 'Simulator' } as const

/** The robot: its motors, its motions and its moves. Nothing is opened or moved before {@link Robot.start}. */
export function createRobot(deps: RobotDeps): Robot {
  const { log, movesDir, random = Math.random, wakeAtStart = true } = deps
  const clock = deps.clock ?? systemClock(deps.now)
  const library = createMoveLibrary(movesDir, log)
  const listeners = new Set<(state: RobotState) => void>()
  const announced = new Float64Array(MOTORS.length)
  let version = 1
  let announcedAt = -Infinity

  const announce = (): void => {
    version++
    announcedAt = clock.now()
    announced.set(engine.body.joints)
    if (listeners.size === 0) return
    const state = snapshot()
    for (const listener of listeners) listener(state)
  }

  const engine = createEngine({
    clock,
    log,
    driver: createBusDriver({ log, clock, openPort: deps.openPort ?? simulatorPorts(clock) }),
    initial: sleepJoints(),
    onTick(changed) {
      const moved = engine.body.joints.some((angle, i) => Math.abs(angle - (announced[i] as number)) > UNMOVED)
      if (changed || (moved && clock.now() - announcedAt >= ANNOUNCE_MS)) announce()
    },
  })

  const snapshot = (): RobotState => ({
    version,
    ...SIMULATOR,
    connection: engine.connection,
    rateHz: engine.connection === 'ready' ? 50 : 0,
    torque: engine.torque,
    stopped: engine.stopped,
    head: headPose(engine.body.frame),
    bodyYaw: engine.body.frame[F.body] as number,
    antennas: [engine.body.frame[F.right] as number, engine.body.frame[F.left] as number],
    stewart: Array.from(engine.body.joints.subarray(1, 7)),
    activity: activityOf(engine),
    motors: MOTORS.map(({ id, name }, i) =>
      motorState(id, name, engine.body.joints[i] as number, engine.health[i] ?? null),
    ),
  })

  let cancelMeasuring: () => void = () => undefined
  const measure = (moves: MoveInfo[], next: number): void => {
    if (moves[next]?.amplitude === undefined) return
    cancelMeasuring = clock.after(MEASURE_EVERY_MS, () => measure(moves, next + 1))
  }

  const wake = (): Motion => engine.request({ activity: 'waking', plan: wakePlan })

  return {
    list: async () => [{ ...SIMULATOR, state: 'ready' }],
    state: snapshot,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start() {
      await engine.start()
      cancelMeasuring = clock.after(MEASURE_AFTER_MS, () => measure(library.infos(), 0))
      if (!wakeAtStart) return
      wake().ended.catch((error: unknown) => log.warn('the robot did not wake up', { error: String(error) }))
    },
    emergencyStop: () => engine.emergencyStop(),
    enable: () => engine.enable(),
    wake,
    sleep: () => engine.request({ activity: 'going-to-sleep', plan: sleepPlan, endsLimp: true }),
    play(name) {
      const move = library.get(name)
      const duration = trajectorySeconds(move.duration)
      return engine.request({ activity: move.kind, name, duration, plan: movePlan(move) })
    },
    lookTo: (direction: HeadDirection) =>
      engine.request({ activity: 'moving', name: direction, plan: lookPlan(direction) }),
    sweepLook: () => engine.request({ activity: 'moving', name: 'sweep', plan: sweepPlan }),
    stopMotion: (kind) => engine.stop(({ activity }) => kind === undefined || activity === kind),
    moves: () => library.infos(),
    trajectory: (name) => library.trajectory(name),
    resolveEmotion(intent) {
      const names = library.emotionNames()
      if (names.length === 0) throw new CompanionError('robot/unknown-move', { name: intent })
      return resolveEmotion(intent, names, random)
    },
    async dispose() {
      cancelMeasuring()
      await engine.dispose()
      listeners.clear()
    },
  }
}

/** One simulated robot, however often its port is opened. */
function simulatorPorts(clock: Clock): () => Promise<BytePort> {
  const robot = createSimulatedRobot()
  return () => Promise.resolve(openMemoryPort(robot, clock))
}

function sleepJoints(): Float64Array {
  const frame = sleepFrame()
  const joints = new Float64Array(MOTORS.length)
  createInverse().solve(headOf(frame), 0, joints)
  joints.set(frame.subarray(F.right), F.right)
  return joints
}

function headPose(frame: Frame): HeadPose {
  const at = (i: number): number => frame[i] as number
  return { x: at(F.x), y: at(F.y), z: at(F.z), roll: at(F.roll), pitch: at(F.pitch), yaw: at(F.yaw) }
}

function activityOf({ owner, next, torque, stopped }: Engine): RobotActivity {
  if (stopped) return { kind: 'stopped' }
  const motion = owner ?? next
  if (motion === null) return { kind: torque ? 'awake' : 'asleep' }
  const { activity, name, duration } = motion.request
  return {
    kind: activity,
    ...(name === undefined ? {} : { name }),
    ...(duration === undefined ? {} : { elapsed: Math.min(motion.moveTime, duration), duration }),
  }
}

const ERROR_NAMES: readonly (readonly [number, string])[] = [
  [HARDWARE_ERROR.voltage, 'input voltage'],
  [HARDWARE_ERROR.overheating, 'overheating'],
  [HARDWARE_ERROR.encoder, 'encoder'],
  [HARDWARE_ERROR.shock, 'electrical shock'],
  [HARDWARE_ERROR.overload, 'overload'],
]

function motorState(id: number, name: string, angle: number, health: MotorHealth | null): MotorState {
  const error = ERROR_NAMES.filter(([bit]) => ((health?.hardwareError ?? 0) & bit) !== 0).map(([, word]) => word)
  return {
    id,
    name,
    angle,
    temperature: health?.temperature ?? null,
    voltage: health?.voltage ?? null,
    ...(error.length > 0 ? { error: error.join(', ') } : {}),
  }
}
