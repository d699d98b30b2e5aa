import path from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { decodePacket } from './dynamixel/packet.ts'
import { createParser } from './dynamixel/parser.ts'
import { createForward } from './kinematics/forward.ts'
import { identity, pitchOf, yawOf } from './kinematics/matrix.ts'
import { MAX_SPEED } from './motion/limiter.ts'
import { MOTOR_IDS, MOTORS, ticksToRadians } from './motors.ts'
import { createRobot } from './robot.ts'
import { createSimulatedRobot } from './simulator/device.ts'
import { openMemoryPort } from './simulator/memory-port.ts'
import { createTestLog } from './testing/quiet-log.ts'
import { createVirtualClock } from './testing/virtual-clock.ts'

import type { RobotState } from '../contract/index.ts'
import type { BytePort } from './dynamixel/byte-port.ts'
import type { RobotDeps } from './robot.ts'
import type { VirtualClock } from './testing/virtual-clock.ts'
import type { Motion, Robot } from './types.ts'

const movesDir = path.join(import.meta.dirname, '../../resources/moves')
const degrees = (value: number): number => (value * Math.PI) / 180

interface Wire {
  /** Every instruction that reached the motors, with its moment. */
  readonly log: { at: number; instruction: number; address: number; values: Map<number, number> }[]
  /** While true, no write ever leaves. Ends when the port is opened anew. */
  stuck: boolean
  /** While true, writes leave and nobody hears them. */
  deaf: boolean
  opened: number
  unplug(): void
}

/** A port to a simulated robot that writes down what passes. */
function tappedPorts(clock: VirtualClock): { open: () => Promise<BytePort>; wire: Wire } {
  const robot = createSimulatedRobot()
  const closers = new Set<() => void>()
  const wire: Wire = {
    log: [],
    stuck: false,
    deaf: false,
    opened: 0,
    unplug: () => closers.forEach((close) => close()),
  }
  const parser = createParser()
  const note = (bytes: Uint8Array): void => {
    for (const { instruction, params } of parser.push(bytes)) {
      const address = (params[0] ?? 0) | ((params[1] ?? 0) << 8)
      const size = (params[2] ?? 0) | ((params[3] ?? 0) << 8)
      const values = new Map<number, number>()
      for (let i = 4; instruction === 0x83 && i < params.length; i += 1 + size) {
        const data = params.subarray(i + 1, i + 1 + size)
        values.set(
          params[i] ?? 0,
          data.reduceRight((sum, byte) => sum * 256 + byte, 0),
        )
      }
      wire.log.push({ at: clock.now(), instruction, address, values })
    }
  }
  const open = async (): Promise<BytePort> => {
    wire.opened++
    if (wire.opened > 1) wire.stuck = false
    const port = openMemoryPort(robot, clock)
    return {
      ...port,
      write(bytes) {
        if (wire.stuck) return new Promise(() => undefined)
        if (wire.deaf) return Promise.resolve()
        note(bytes)
        return port.write(bytes)
      },
      onClose(listener) {
        closers.add(listener)
        return () => closers.delete(listener)
      },
    }
  }
  return { open, wire }
}

interface Bench {
  robot: Robot
  clock: VirtualClock
  wire: Wire
  log: ReturnType<typeof createTestLog>
  states: RobotState[]
}

const benches: Bench[] = []

async function bench(options: Partial<RobotDeps> = {}): Promise<Bench> {
  const clock = createVirtualClock()
  const log = createTestLog()
  const { open, wire } = tappedPorts(clock)
  const robot = createRobot({ log, movesDir, clock, openPort: open, random: () => 0.3, ...options })
  const states: RobotState[] = []
  robot.onChange((state) => states.push(state))
  const made = { robot, clock, wire, log, states }
  benches.push(made)
  await robot.start()
  return made
}

afterEach(async () => {
  for (const { robot, clock, wire } of benches.splice(0)) {
    wire.stuck = false
    await settled(clock, robot.dispose(), 10_000)
  }
})

/** Advances time until `work` settles. */
async function settled<T>(clock: VirtualClock, work: Promise<T>, limitMs = 60_000): Promise<T> {
  let over = false
  const done = (): void => {
    over = true
  }
  work.then(done, done)
  await clock.advance(0)
  for (let ms = 0; !over && ms < limitMs; ms += 20) await clock.advance(20)
  if (!over) throw new Error(`not settled after ${limitMs} ms`)
  return work
}

const goalWrites = (wire: Wire): Wire['log'] =>
  wire.log.filter(({ instruction, address }) => instruction === 0x83 && address === 116)
const torqueWrites = (wire: Wire): Wire['log'] =>
  wire.log.filter(({ instruction, address }) => instruction === 0x83 && address === 64)

/** Largest joint speed over the goals written, rad/s, in units of each joint's own limit. */
function worstSpeed(wire: Wire, limitOf: (index: number) => number): number {
  let worst = 0
  const writes = goalWrites(wire)
  for (let k = 1; k < writes.length; k++) {
    const [a, b] = [writes[k - 1], writes[k]]
    if (a === undefined || b === undefined) continue
    const periods = Math.max(1, Math.round((b.at - a.at) / 20))
    MOTOR_IDS.forEach((id, i) => {
      const turn = Math.abs(ticksToRadians(b.values.get(id) ?? 0) - ticksToRadians(a.values.get(id) ?? 0))
      // A tick of rounding at either end is no speed.
      worst = Math.max(worst, (turn - ticksToRadians(2050)) / (periods * 0.02) / limitOf(i))
    })
  }
  return worst
}

const ownLimit = (i: number): number => (i === 0 ? MAX_SPEED.body : i < 7 ? MAX_SPEED.stewart : MAX_SPEED.antenna)

describe('waking up', () => {
  it('starts asleep with torque off, then wakes by itself', async () => {
    const { robot, clock, states, wire, log } = await bench()
    expect(robot.state()).toMatchObject({
      connection: 'ready',
      rateHz: 50,
      torque: false,
      stopped: false,
      id: 'simulator',
    })
    expect(robot.state().activity).toEqual({ kind: 'waking' })
    expect(robot.state().head.z).toBeLessThan(-0.04)
    expect(
      robot
        .state()
        .motors.every(({ voltage, temperature, error }) => voltage === 7.2 && temperature !== null && !error),
    ).toBe(true)
    await clock.advance(1000)
    expect(robot.state()).toMatchObject({ torque: true, activity: { kind: 'waking' } })
    await clock.advance(2000)
    expect(robot.state().activity).toEqual({ kind: 'awake' })
    expect(Math.abs(robot.state().head.z)).toBeLessThan(0.001)
    expect(robot.state().antennas[0]).toBeCloseTo(-0.1745, 1)
    expect(states.length).toBeGreaterThan(10)
    expect(log.lines).toEqual([])

    const first = goalWrites(wire)[0]
    expect([...(first?.values.values() ?? [])]).toEqual([2048, 1936, 2593, 1967, 2105, 1518, 2164, 59, 4036])
    expect(first?.at).toBeLessThanOrEqual(torqueWrites(wire)[0]?.at ?? 0)
    expect(worstSpeed(wire, () => MAX_SPEED.gentle)).toBeLessThanOrEqual(1)
  })

  it('from the sleep pose the farthest motion is never faster than the limits', async () => {
    const { robot, clock, wire } = await bench({ wakeAtStart: false })
    await settled(clock, robot.enable())
    await clock.advance(500)
    expect(robot.state()).toMatchObject({ torque: true, activity: { kind: 'awake' } })
    expect(robot.state().stewart[1]).toBeCloseTo(ticksToRadians(2593), 6)
    await settled(clock, robot.sweepLook().ended)
    expect(worstSpeed(wire, () => MAX_SPEED.gentle)).toBeLessThanOrEqual(1)
  })

  it('a motion asked for in sleep switches the motors on first', async () => {
    const { robot, clock } = await bench({ wakeAtStart: false })
    const motion = robot.play('yes1')
    expect(await settled(clock, motion.ended)).toMatchObject({ ended: 'done', clamped: false })
    expect(robot.state().torque).toBe(true)
  })
})

describe('moves', () => {
  it.each(['laughing2', 'sleep1', 'go_away1', 'headbanger_combo', 'jackson_square'])(
    '%s plays as its trajectory says',
    async (name) => {
      const { robot, clock, wire } = await bench()
      await clock.advance(3000)
      const trajectory = robot.trajectory(name)
      const motion = robot.play(name)
      await settled(clock, motion.started)
      wire.log.length = 0
      const end = await settled(clock, motion.ended)
      expect(end).toMatchObject({ ended: 'done', clamped: false })
      expect(end.duration).toBeGreaterThanOrEqual(trajectory.duration)
      expect(end.duration).toBeLessThan(trajectory.duration + 0.2)
      expect(worstSpeed(wire, ownLimit)).toBeLessThan(1)
      for (const { values } of goalWrites(wire)) {
        for (const { id, min, max } of MOTORS) {
          expect((values.get(id) ?? -1) >= min && (values.get(id) ?? -1) <= max).toBe(true)
        }
      }
      await clock.advance(400)
      expect(Math.abs(robot.state().head.pitch)).toBeLessThan(degrees(1))
    },
  )

  it('the state follows the trajectory, and is what forward kinematics says of the motors', async () => {
    const { robot, clock } = await bench()
    await clock.advance(3000)
    const { frames, dt } = robot.trajectory('thoughtful1')
    const motion = robot.play('thoughtful1')
    await settled(clock, motion.started)
    const forward = createForward()
    let compared = 0
    for (let k = 0; k < 200; k++) {
      await clock.advance(20)
      const { head, stewart, bodyYaw, activity } = robot.state()
      const pose = identity()
      expect(forward.solve([bodyYaw, ...stewart], pose)).toBe(true)
      expect(Math.abs(pitchOf(pose) - head.pitch) + Math.abs(yawOf(pose) - head.yaw)).toBeLessThan(1e-6)
      // The motors lag by two periods.
      const frame = Math.round((activity.elapsed ?? 0) / dt) - 2
      if (frame < 1) continue
      expect(Math.abs(head.yaw - (frames[frame * 9 + 5] ?? NaN))).toBeLessThan(degrees(2))
      compared++
    }
    expect(compared).toBeGreaterThan(150)
  })

  it('queue up and play in order', async () => {
    const { robot, clock } = await bench()
    const order: string[] = []
    const motions = [robot.play('no1'), robot.lookTo('left'), robot.play('simple_nod')]
    motions.forEach((motion, i) => void motion.started.then(() => order.push(`start ${i}`)))
    motions.forEach((motion, i) => void motion.ended.then(() => order.push(`end ${i}`)))
    await settled(clock, Promise.all(motions.map(({ ended }) => ended)))
    expect(order).toEqual(['start 0', 'end 0', 'start 1', 'end 1', 'start 2', 'end 2'])
  })

  it.each([
    ['left', 'yaw', 40],
    ['right', 'yaw', -40],
    ['up', 'pitch', -30],
    ['down', 'pitch', 30],
    ['front', 'yaw', 0],
  ] as const)('look %s', async (direction, axis, angle) => {
    const { robot, clock } = await bench()
    await clock.advance(3000)
    const end = await settled(clock, robot.lookTo(direction).ended)
    expect(end).toMatchObject({ ended: 'done', clamped: false })
    expect(end.duration).toBeLessThan(1.1)
    await clock.advance(300)
    expect(robot.state().head[axis]).toBeCloseTo(degrees(angle), 1)
  })

  it('are announced at most twenty times a second, and not at all at rest', async () => {
    const { robot, clock, states } = await bench()
    await clock.advance(4000)
    states.length = 0
    const motion = robot.play('dance2')
    await clock.advance(5000)
    expect(states.length).toBeGreaterThan(60)
    expect(states.length).toBeLessThanOrEqual(101)
    expect(states.every(({ version }, i) => i === 0 || version > (states[i - 1]?.version ?? 0))).toBe(true)
    await settled(clock, motion.ended)
    await clock.advance(120_000)
    states.length = 0
    await clock.advance(10_000)
    expect(states.length).toBeLessThanOrEqual(1)
  })
})

describe('stop', () => {
  it.each(['dance3', 'interwoven_spirals'])('in the middle of %s holds the pose within one period', async (name) => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    const running = robot.play(name)
    const waiting = robot.play('yes1')
    await clock.advance(1500)
    const before = robot.state()
    const first = Promise.race([waiting.started.then(() => 'started'), waiting.ended.then(({ ended }) => ended)])
    robot.stopMotion()
    expect((await running.ended).ended).toBe('stopped')
    expect(await first).toBe('stopped')
    expect(robot.state().activity).toEqual({ kind: 'awake' })
    wire.log.length = 0
    await clock.advance(20)
    expect(goalWrites(wire)).toHaveLength(1)
    await clock.advance(2000)
    expect(goalWrites(wire)).toHaveLength(1)
    const after = robot.state()
    expect(after.torque).toBe(true)
    after.stewart.forEach((angle, i) => expect(Math.abs(angle - (before.stewart[i] ?? NaN))).toBeLessThan(0.1))
    expect(await settled(clock, robot.play('yes1').ended)).toMatchObject({ ended: 'done' })
  })

  it('of dances leaves the emotions, and one motion can be stopped alone', async () => {
    const { robot, clock } = await bench()
    await clock.advance(3000)
    const [emotion, dance, later] = [robot.play('yes1'), robot.play('simple_nod'), robot.play('no1')]
    await clock.advance(500)
    robot.stopMotion('dance')
    expect((await dance.ended).ended).toBe('stopped')
    expect(robot.state().activity).toMatchObject({ kind: 'emotion', name: 'yes1' })
    later.stop()
    expect((await later.ended).ended).toBe('stopped')
    expect((await settled(clock, emotion.ended)).ended).toBe('done')
  })
})

describe('emergency stop', () => {
  it('switches torque off at once during a move, and keeps it off until enabled', async () => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    const motion = robot.play('dance3')
    await clock.advance(1490)
    const asked = clock.now()
    wire.log.length = 0
    expect(await settled(clock, robot.emergencyStop())).toEqual({ confirmed: true })
    expect(torqueWrites(wire)[0]?.at).toBe(asked)
    expect(wire.log[0]?.address).toBe(64)
    expect((await motion.ended).ended).toBe('stopped')
    expect(robot.state()).toMatchObject({ stopped: true, torque: false, activity: { kind: 'stopped' } })
    for (const refused of [robot.play('yes1'), robot.wake(), robot.sleep(), robot.lookTo('left'), robot.sweepLook()]) {
      await expect(refused.ended).rejects.toMatchObject({ code: 'robot/stopped' })
      await expect(refused.started).rejects.toMatchObject({ code: 'robot/stopped' })
    }
    await clock.advance(3000)
    expect(goalWrites(wire)).toEqual([])
    expect(robot.state().head.z).toBeLessThan(-0.03)

    await settled(clock, robot.enable())
    expect(robot.state()).toMatchObject({ stopped: false, torque: true, activity: { kind: 'awake' } })
    await settled(clock, robot.wake().ended)
    expect(worstSpeed(wire, () => MAX_SPEED.gentle)).toBeLessThanOrEqual(1)
  })

  it('opens the port anew when a write is stuck', async () => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    const motion = robot.play('dance2')
    await clock.advance(1000)
    wire.stuck = true
    await clock.advance(100)
    wire.log.length = 0
    const asked = clock.now()
    expect(await settled(clock, robot.emergencyStop())).toEqual({ confirmed: true })
    expect(wire.opened).toBe(2)
    expect((torqueWrites(wire)[0]?.at ?? Infinity) - asked).toBeLessThanOrEqual(20)
    expect((await motion.ended).ended).toBe('stopped')
    await settled(clock, robot.enable())
    expect(await settled(clock, robot.play('yes1').ended)).toMatchObject({ ended: 'done' })
  })

  it('says so when the motors do not confirm', async () => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    wire.deaf = true
    expect(await settled(clock, robot.emergencyStop())).toEqual({ confirmed: false })
    expect(robot.state().stopped).toBe(true)
    expect(wire.opened).toBe(1)
  })

  it('wins against an enable under way', async () => {
    const { robot, clock, wire } = await bench({ wakeAtStart: false })
    const enabling = robot.enable()
    const refused = expect(enabling).rejects.toMatchObject({ code: 'robot/stopped' })
    expect(await settled(clock, robot.emergencyStop())).toEqual({ confirmed: true })
    await refused
    await clock.advance(2000)
    expect(torqueWrites(wire).at(-1)?.values.get(10)).toBe(0)
    expect(robot.state().torque).toBe(false)
  })
})

describe('losing the robot', () => {
  it('an unplugged port ends the motions and says so', async () => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    const motion = robot.play('dance2')
    await clock.advance(500)
    wire.unplug()
    await expect(motion.ended).rejects.toMatchObject({ code: 'robot/disconnected' })
    expect(robot.state()).toMatchObject({ connection: 'absent', rateHz: 0 })
    await expect(robot.play('yes1').ended).rejects.toMatchObject({ code: 'robot/disconnected' })
  })

  it('silence is noticed within a second or so', async () => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    const motion = robot.play('dance2')
    const failed = expect(motion.ended).rejects.toMatchObject({ code: 'robot/disconnected' })
    await clock.advance(500)
    wire.stuck = true
    await clock.advance(1200)
    await failed
    expect(robot.state().connection).toBe('absent')
  })
})

describe('the end', () => {
  it('sleeps first, then torque goes off, within seven seconds', async () => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    void robot.play('dance2')
    await clock.advance(2000)
    const before = clock.now()
    await settled(clock, robot.dispose(), 7000)
    expect(clock.now() - before).toBeLessThan(7000)
    expect(torqueWrites(wire).at(-1)?.values.get(10)).toBe(0)
    const last = goalWrites(wire).at(-1)?.values
    expect(Math.abs((last?.get(12) ?? 0) - 2593)).toBeLessThan(5)
    await expect(robot.play('yes1').ended).rejects.toMatchObject({ code: 'robot/disconnected' })
  })

  it('goes to sleep on request and stays off', async () => {
    const { robot, clock } = await bench()
    await clock.advance(3000)
    expect(await settled(clock, robot.sleep().ended)).toMatchObject({ ended: 'done' })
    expect(robot.state()).toMatchObject({ torque: false, stopped: false, activity: { kind: 'asleep' } })
    expect(await settled(clock, robot.sleep().ended)).toMatchObject({ ended: 'done' })
    expect(robot.state().torque).toBe(false)
    const before = clock.now()
    await settled(clock, robot.dispose())
    expect(clock.now() - before).toBeLessThan(100)
  })
})

describe('one owner of the body', () => {
  /** A small generator, so that a failure can be repeated. */
  const randomFrom = (seed: number) => (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }

  it('whatever is called in whatever order', async () => {
    const { robot, clock, wire } = await bench()
    await clock.advance(3000)
    const random = randomFrom(7)
    const names = robot.moves().map(({ name }) => name)
    let owners = 0
    let most = 0
    const watch = (motion: Motion): void => {
      let [began, over] = [false, false]
      const end = (): void => {
        over = true
        if (began) owners--
      }
      motion.ended.then(end, end)
      const begin = async (): Promise<void> => {
        await motion.started
        // What is stopped while it waits ends first, and never has the body.
        if (over) return
        began = true
        owners++
        most = Math.max(most, owners)
      }
      begin().catch((error: unknown) => expect(error).toMatchObject({ code: 'robot/stopped' }))
    }
    const calls: (() => unknown)[] = [
      () => watch(robot.play(names[Math.floor(random() * names.length)] ?? 'yes1')),
      () => watch(robot.play('simple_nod')),
      () => watch(robot.lookTo('left')),
      () => watch(robot.sleep()),
      () => watch(robot.wake()),
      () => robot.stopMotion(),
      () => robot.stopMotion('emotion'),
      () => robot.emergencyStop(),
      () => robot.enable().catch((error: unknown) => expect(error).toMatchObject({ code: 'robot/stopped' })),
    ]
    for (let sequence = 0; sequence < 200; sequence++) {
      const length = 2 + Math.floor(random() * 5)
      for (let k = 0; k < length; k++) {
        calls[Math.floor(random() * calls.length)]?.()
        await clock.advance(Math.floor(random() * 150))
      }
    }
    await settled(clock, robot.enable())
    robot.stopMotion()
    await clock.advance(1000)
    expect(most).toBe(1)
    expect(owners).toBe(0)
    expect(robot.state().activity.kind).toBe('awake')
    const last = robot.play('yes1')
    expect((await settled(clock, last.ended)).ended).toBe('done')
    const writes = goalWrites(wire)
    const twice = writes.filter(
      ({ at }, i) => at === writes[i - 1]?.at && !torqueWrites(wire).some((torque) => torque.at === at),
    )
    expect(twice).toEqual([])
    expect(writes.length).toBeGreaterThan(1000)
  })
})

describe('on the real clock', () => {
  it('runs at 50 Hz and plays a move', async () => {
    const at: number[] = []
    const simulated = createSimulatedRobot()
    const clock = { now: () => performance.now(), after: realAfter }
    const robot = createRobot({
      log: createTestLog(),
      movesDir,
      wakeAtStart: false,
      openPort: async () => {
        const port = openMemoryPort(simulated, clock)
        return {
          ...port,
          write(bytes) {
            if (decodePacket(bytes)?.params[0] === 116) at.push(performance.now())
            return port.write(bytes)
          },
        }
      },
    })
    await robot.start()
    const end = await robot.lookTo('up').ended
    expect(end).toMatchObject({ ended: 'done' })
    // Torque on writes the first; then 50 a second, fewer on a machine that has no time.
    const moving = at.slice(1)
    const seconds = ((moving.at(-1) ?? 0) - (moving[0] ?? 0)) / 1000
    expect((moving.length - 1) / seconds).toBeGreaterThan(15)
    expect((moving.length - 1) / seconds).toBeLessThan(55)
    expect(robot.state().head.pitch).toBeLessThan(degrees(-25))
    expect((await robot.emergencyStop()).confirmed).toBe(true)
    await robot.dispose()
  })
})

function realAfter(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.max(0, ms))
  return () => clearTimeout(timer)
}
