import { CompanionError, MAX_ADDED_ROBOTS } from '../contract/index.ts'

import { createAudioBoard } from './audio-board/audio-board.ts'
import { openAudioBoard } from './audio-board/usb-device.ts'
import { systemClock } from './clock.ts'
import { createDaemonDriver } from './daemon/daemon-driver.ts'
import { diagnosticsText } from './diagnostics.ts'
import { createBusDriver } from './driver/bus-driver.ts'
import { resolveEmotion } from './feelings/resolve.ts'
import { createFinder, idOfPlace } from './finder/finder.ts'
import { createJog } from './jog.ts'
import { F, newFrame } from './kinematics/frame.ts'
import { createInverse } from './kinematics/inverse.ts'
import { headOf, sleepFrame } from './kinematics/poses.ts'
import { createLink } from './link.ts'
import { createAmbient } from './motion/ambient.ts'
import { gotoPlan, lookPlan, movePlan, nodPlan, sleepPlan, sweepPlan, wakePlan } from './motion/plans.ts'
import { motorState } from './motor-state.ts'
import { MOTORS } from './motors.ts'
import { createRecorder } from './moves/recorder.ts'
import { createShelf } from './moves/shelf.ts'
import { computeTrajectory, trajectorySeconds } from './moves/trajectory.ts'
import { createSimulatedRobot } from './simulator/device.ts'
import { openMemoryPort } from './simulator/memory-port.ts'

import type { HeadPose, Log, MoveInfo, RobotActivity, RobotState, RobotSummary } from '../contract/index.ts'
import type { AudioBoardDeps } from './audio-board/audio-board.ts'
import type { Clock } from './clock.ts'
import type { BodyDriver } from './driver/types.ts'
import type { BytePort } from './dynamixel/byte-port.ts'
import type { FinderDeps } from './finder/finder.ts'
import type { JogMotion } from './jog.ts'
import type { Frame } from './kinematics/frame.ts'
import type { Link, RobotRef } from './link.ts'
import type { Engine } from './motion/engine.ts'
import type { Move } from './moves/move.ts'
import type { ShelfDeps } from './moves/shelf.ts'
import type { HeadDirection, Motion, Robot } from './types.ts'

/** What is remembered of robots between two starts. */
export interface RobotMemory {
  /** ID of the one that was connected last; `null`: the simulator. */
  chosen(): Promise<string | null>
  choose(id: string | null): Promise<void>
  saved(): Promise<string[]>
  save(places: readonly string[]): Promise<void>
}

export interface RobotDeps {
  readonly log: Log
  /** Absolute path of the folder of starter moves. */
  readonly movesDir: string
  /** For moves besides the starter ones. */
  readonly storage?: ShelfDeps['storage']
  readonly hub?: ShelfDeps['hub']
  /** Monotonic milliseconds. */
  readonly now?: () => number
  /** Replaces clock and timers both; wins over `now`. */
  readonly clock?: Clock
  /** For daemons. */
  readonly fetch?: typeof globalThis.fetch
  readonly memory?: RobotMemory
  /** The robot of this run, whatever was connected last: `simulator`, `serial:PORT`, `daemon:ADDRESS`. */
  readonly wanted?: string
  /** Adapters that come and go are noticed by themselves. */
  readonly watch?: boolean
  /** Other ways to look for robots, of tests. */
  readonly finder?: Partial<Pick<FinderDeps, 'listPorts' | 'openPort' | 'listen' | 'trueName' | 'here'>>
  /** Opens the audio board, of tests. */
  readonly openAudio?: AudioBoardDeps['open']
  /** Leads to the simulator's motors; its memory when absent. Called again to replace a port that is stuck. */
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

const SIMULATOR: RobotRef = { id: 'simulator', kind: 'simulator', name: 'Simulator' }

/** Nothing is remembered where nobody keeps it: in a test, in a command that moves the robot once. */
const NO_MEMORY: RobotMemory = {
  chosen: () => Promise.resolve(null),
  choose: () => Promise.resolve(),
  saved: () => Promise.resolve([]),
  save: () => Promise.resolve(),
}

/** The robot: its motors, its motions and its moves. Nothing is opened or moved before {@link Robot.start}. */
export function createRobot(deps: RobotDeps): Robot {
  const { log, movesDir, random = Math.random, wakeAtStart = true } = deps
  const clock = deps.clock ?? systemClock(deps.now)
  const shelf = createShelf({ movesDir, log, storage: deps.storage, hub: deps.hub })
  const { library } = shelf
  const soundListeners = new Set<(move: string | null) => void>()
  const listeners = new Set<(state: RobotState) => void>()
  const foundListeners = new Set<(robots: RobotSummary[]) => void>()
  const announced = new Float64Array(MOTORS.length)
  let version = 1
  let announcedAt = -Infinity

  const announce = (): void => {
    version++
    announcedAt = clock.now()
    if (toldInUse !== inUse()) tellRobots()
    announced.set(link.engine.body.joints)
    if (listeners.size === 0) return
    const state = snapshot()
    for (const listener of listeners) listener(state)
  }

  const memory = deps.memory ?? NO_MEMORY
  const fetch = deps.fetch ?? globalThis.fetch
  const ofThisRun = placeOrNone(deps.wanted)
  /** Also the robot of this run: it stays in the list when another is taken. */
  const places = async (): Promise<string[]> => {
    const saved = await memory.saved()
    return ofThisRun === null || saved.includes(ofThisRun) ? saved : [...saved, ofThisRun]
  }
  const finder = createFinder({ clock, log, fetch, saved: places, ...deps.finder })
  const simulatorPort = deps.openPort ?? simulatorPorts(clock)

  const driverFor = ({ id, kind }: RobotRef): BodyDriver => {
    if (kind === 'daemon') return createDaemonDriver({ log, clock, fetch, base: id.slice('daemon:'.length) })
    const openPort = kind === 'serial' ? () => finder.open(id) : simulatorPort
    return createBusDriver({ log, clock, openPort })
  }

  const ambient = createAmbient()
  const link = createLink(
    {
      clock,
      log,
      driverFor,
      ambient,
      initial: sleepJoints,
      onTick(changed) {
        const { joints } = link.engine.body
        const moved = joints.some((angle, i) => Math.abs(angle - (announced[i] as number)) > UNMOVED)
        if (changed || (moved && clock.now() - announcedAt >= ANNOUNCE_MS)) announce()
      },
    },
    SIMULATOR,
  )
  let robots: RobotSummary[] = [summaryOf(SIMULATOR, true)]
  let jog: { motion: JogMotion; handle: Motion; over: boolean } | null = null
  let stopWatching: () => void = () => undefined

  /** Of which robot the listeners know that it is in use. */
  let toldInUse: string | null = null
  const tellRobots = (): void => {
    toldInUse = inUse()
    for (const listener of foundListeners) listener(robots)
  }
  const inUse = (): string | null => (link.engine.connection === 'absent' && !link.reconnecting ? null : link.ref.id)

  const lookNow = async (fresh: boolean): Promise<RobotSummary[]> => {
    const found = await finder.look(inUse(), fresh)
    robots = [...found, summaryOf(SIMULATOR, inUse() === SIMULATOR.id)]
    tellRobots()
    return robots
  }

  /** One look at a time. One that is under way may have passed what is asked for now: another follows it. */
  let looking: Promise<RobotSummary[]> | null = null
  let following: { readonly fresh: boolean; readonly look: Promise<RobotSummary[]> } | null = null
  const look = (fresh: boolean): Promise<RobotSummary[]> => {
    if (looking === null) {
      looking = lookNow(fresh).finally(() => {
        looking = null
      })
      return looking
    }
    if (following !== null && (following.fresh || !fresh)) return following.look
    const before = following?.look ?? looking
    const next = {
      fresh,
      look: before
        .then(
          () => undefined,
          () => undefined,
        )
        .then(() => {
          if (following === next) following = null
          return look(fresh)
        }),
    }
    following = next
    return next.look
  }

  /** The list as it is known, with what was connected since, and how that one is. */
  const marked = (): RobotSummary[] => {
    const used = inUse()
    // A port that was typed on the command line is in no list of ports.
    const listed = used === null || robots.some(({ id }) => id === used)
    const all = listed ? robots : [{ ...summaryOf(link.ref, true), place: placeOf(link.ref.id) }, ...robots]
    const shown = connectionOf(link)
    return all.map((robot) => {
      const connected = robot.id === used
      const added = robot.added && robot.place !== ofThisRun
      return { ...robot, added, connected, ...(connected && shown !== 'connecting' ? { state: shown } : {}) }
    })
  }

  const refOf = (id: string): RobotRef => {
    if (id === SIMULATOR.id) return SIMULATOR
    const place = idOfPlace(id)
    const known = robots.find((robot) => robot.id === place)
    return { id: place, kind: place.startsWith('daemon:') ? 'daemon' : 'serial', name: known?.name ?? 'Reachy Mini' }
  }

  const snapshot = (): RobotState => {
    const { ref, engine, problem, reconnecting } = link
    const { frame, joints } = engine.body
    return {
      version,
      ...ref,
      connection: connectionOf(link),
      ...(problem ? { problem: { code: problem.code, details: problem.details } } : {}),
      reconnecting,
      rateHz: engine.connection === 'ready' ? 50 : 0,
      torque: engine.torque,
      stopped: engine.stopped,
      head: headPose(frame),
      bodyYaw: frame[F.body] as number,
      antennas: [frame[F.right] as number, frame[F.left] as number],
      stewart: Array.from(joints.subarray(1, 7)),
      activity: activityOf(engine),
      motors: MOTORS.map((motor, i) => motorState(motor, joints[i] as number, engine.health[i] ?? null)),
    }
  }

  let cancelMeasuring: () => void = () => undefined
  const measure = (moves: MoveInfo[], next: number): void => {
    if (moves[next]?.amplitude === undefined) return
    cancelMeasuring = clock.after(MEASURE_EVERY_MS, () => measure(moves, next + 1))
  }

  const tellSound = (move: string | null): void => {
    for (const listener of soundListeners) listener(move)
  }
  const soundOf = ({ name, sound }: Move): (() => () => void) | undefined => {
    if (sound === undefined) return undefined
    return () => {
      tellSound(name)
      return () => tellSound(null)
    }
  }
  const playMove = (move: Move): Motion => {
    // Reads the file of a recorded one: what is wrong with it is known before the body moves.
    move.sample(0, newFrame())
    const duration = trajectorySeconds(move.duration)
    return link.engine.request({ activity: move.kind, name: move.name, duration, plan: movePlan(move, soundOf(move)) })
  }
  const recorder = createRecorder({
    begin(request) {
      link.engine.stop(() => true)
      return link.engine.request(request)
    },
    onChange: () => shelf.tell(),
  })

  const wake = (): Motion => link.engine.request({ activity: 'waking', plan: wakePlan })

  /** Only the simulator wakes by itself: a real robot moves when somebody asks. */
  const wakeAfter = (): void => {
    if (!wakeAtStart || link.ref.kind !== 'simulator') return
    wake().ended.catch((error: unknown) => log.warn('the robot did not wake up', { error: String(error) }))
  }

  const connect = async (ref: RobotRef): Promise<void> => {
    await link.connect(ref)
    tellRobots()
    wakeAfter()
  }

  const begin = async (): Promise<void> => {
    const id = deps.wanted ?? (await memory.chosen()) ?? SIMULATOR.id
    const ref = id === SIMULATOR.id ? SIMULATOR : refOf(id)
    cancelMeasuring = clock.after(MEASURE_AFTER_MS, () => measure(library.infos(), 0))
    await connect(ref)
  }
  let started: Promise<void> | null = null

  const audio = createAudioBoard({ clock, open: deps.openAudio ?? openAudioBoard })
  /** For whoever helps: its firmware, else why it cannot be asked. */
  const audioText = (): Promise<string> =>
    audio.version().then(
      (version) => `firmware ${version}`,
      (error: unknown) => (error instanceof CompanionError ? error.code : String(error)),
    )

  return {
    async list({ fresh = false } = {}) {
      if (fresh || robots.length <= 1) await look(fresh)
      return marked()
    },
    onFound(listener) {
      const marking = (): void => listener(marked())
      foundListeners.add(marking)
      return () => foundListeners.delete(marking)
    },
    state: snapshot,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      if (deps.watch === true && started === null) {
        stopWatching = finder.watch(() => {
          link.retryNow()
          look(false).catch((error: unknown) => log.warn('robots could not be looked for', { error: String(error) }))
        })
      }
      started ??= begin()
      return started
    },
    async connect(id) {
      const ref = refOf(id)
      await memory.choose(ref.kind === 'simulator' ? null : ref.id)
      await connect(ref)
    },
    async disconnect() {
      await link.disconnect()
      tellRobots()
    },
    async add(text) {
      const id = idOfPlace(text)
      const place = placeOf(id)
      const saved = await memory.saved()
      if (!saved.includes(place)) await memory.save([...saved, place].slice(-MAX_ADDED_ROBOTS))
      const found = (await look(false)).find((robot) => robot.id === id)
      if (found === undefined) throw new CompanionError('robot/not-found', { id: text.slice(0, 200) })
      return { ...found, connected: found.id === inUse() }
    },
    async forget(id) {
      const place = placeOf(id)
      await memory.save((await memory.saved()).filter((saved) => saved !== place))
      await look(false)
    },
    emergencyStop: () => link.emergencyStop(),
    enable: () => link.engine.enable(),
    async setTorque(on) {
      if (on) await link.engine.enable()
      else {
        link.engine.stop(() => true)
        const limp = link.engine.request({ activity: 'moving', plan: limpPlan, endsLimp: true })
        await limp.ended
      }
    },
    jog(wish) {
      if (jog !== null && !jog.over) {
        jog.motion.follow(wish)
        return jog.handle
      }
      const { engine } = link
      engine.stop(() => true)
      const motion = createJog(wish)
      const current = { motion, handle: engine.request({ activity: 'by-hand', plan: motion.plan }), over: false }
      const end = (): void => {
        current.over = true
      }
      current.handle.ended.then(end, end)
      jog = current
      return current.handle
    },
    rebootMotor: (id) => link.engine.rebootMotor(id),
    async diagnostics() {
      return diagnosticsText(snapshot(), marked(), await audioText())
    },
    soundDirection: () => audio.direction(),
    suspend: () => link.suspend(),
    resume: () => link.resume(),
    wake,
    sleep: () => link.engine.request({ activity: 'going-to-sleep', plan: sleepPlan, endsLimp: true }),
    play: (name) => playMove(library.get(name)),
    lookTo: (direction: HeadDirection) =>
      link.engine.request({ activity: 'moving', name: direction, plan: lookPlan(direction) }),
    sweepLook: () => link.engine.request({ activity: 'moving', name: 'sweep', plan: sweepPlan }),
    goTo: (goal, seconds, technique = 'minjerk') =>
      link.engine.request({ activity: 'moving', name: 'goto', plan: gotoPlan(goal, seconds, technique) }),
    nod: () => link.engine.request({ activity: 'moving', name: 'nod', plan: nodPlan }),
    posture(name) {
      ambient.posture(name)
      link.engine.stir()
    },
    ambient(input, weight) {
      ambient.set(input, weight)
      link.engine.stir()
    },
    hear(decibels, at = clock.now()) {
      if (decibels === null) ambient.hush()
      else ambient.hear(decibels, at)
    },
    aim: (direction) => ambient.aim(direction),
    stopMotion: (kind) => link.engine.stop(({ activity }) => kind === undefined || activity === kind),
    shelf: shelf.face,
    recorder: {
      state: () => recorder.state(),
      start: () => recorder.start(),
      stop: () => recorder.stop(),
      discard: () => recorder.discard(),
      trajectory: () => computeTrajectory(recorder.draft()),
      play: () => playMove(recorder.draft()),
      async keep(name, { kind, description }) {
        const bytes = new TextEncoder().encode(recorder.text(description))
        const kept = await shelf.keep({ title: name, kind, source: 'recorded', bytes })
        recorder.discard()
        return kept
      },
    },
    onSound(listener) {
      soundListeners.add(listener)
      return () => soundListeners.delete(listener)
    },
    moves: () => library.infos(),
    trajectory: (name) => library.trajectory(name),
    resolveEmotion(intent) {
      const names = library.emotionNames()
      if (names.length === 0) throw new CompanionError('robot/unknown-move', { name: intent })
      return library.emotionCalled(resolveEmotion(intent, names, random))
    },
    async dispose() {
      audio.dispose()
      cancelMeasuring()
      stopWatching()
      // One command on a terminal leaves a daemon's robot as the command put it; the app takes it to bed.
      await Promise.all([link.dispose({ leave: !wakeAtStart }), shelf.dispose()])
      soundListeners.clear()
      listeners.clear()
      foundListeners.clear()
    },
  }
}

/** Ends at once: only what comes after it is wanted. */
function* limpPlan(): Generator<never, void, void> {
  // No stretch of motion.
}

/** Place of the robot that was asked for by a flag; `null` for the simulator, for none, and for what is no place. */
function placeOrNone(wanted: string | undefined): string | null {
  if (wanted === undefined || wanted === SIMULATOR.id) return null
  try {
    return placeOf(idOfPlace(wanted))
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error
    return null
  }
}

/** Port or address of an ID such as `serial:/dev/ttyACM0`. */
const placeOf = (id: string): string => id.slice(id.indexOf(':') + 1)

function summaryOf({ id, kind, name }: RobotRef, connected: boolean): RobotSummary {
  return { id, kind, name, state: 'ready', connected, added: false }
}

const SHOWN: ReadonlyMap<string, RobotState['connection']> = new Map([
  ['robot/busy', 'busy'],
  ['robot/no-permission', 'no-permission'],
  ['robot/no-power', 'no-power'],
  ['robot/missing-motors', 'missing-motors'],
  ['robot/unknown-device', 'unknown-device'],
])

function connectionOf({ engine, problem }: Pick<Link, 'engine' | 'problem'>): RobotState['connection'] {
  if (engine.connection === 'ready') return 'ready'
  return (problem && SHOWN.get(problem.code)) ?? engine.connection
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
