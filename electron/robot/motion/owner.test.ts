import path from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { CompanionError } from '../../contract/index.ts'
import { createForward } from '../kinematics/forward.ts'
import { createRobot } from '../robot.ts'
import { createTestLog } from '../testing/quiet-log.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { createWatchedWire } from '../testing/watched-wire.ts'

import { LONGEST_QUEUE } from './queue.ts'

import type { VirtualClock } from '../testing/virtual-clock.ts'
import type { WatchedWire } from '../testing/watched-wire.ts'
import type { Motion, Robot } from '../types.ts'

const movesDir = path.join(import.meta.dirname, '../../../resources/moves')
const radians = (degrees: number): number => (degrees * Math.PI) / 180

interface Bench {
  robot: Robot
  clock: VirtualClock
  wire: WatchedWire
}
const benches: Bench[] = []

/** An awake robot. */
async function bench(): Promise<Bench> {
  const clock = createVirtualClock()
  const wire = createWatchedWire(clock)
  const robot = createRobot({ log: createTestLog(), movesDir, clock, openPort: () => wire.open() })
  const made = { robot, clock, wire }
  benches.push(made)
  await robot.start()
  await clock.advance(3000)
  return made
}

afterEach(async () => {
  for (const { robot, clock } of benches.splice(0)) await settled(clock, robot.dispose())
})

async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let over = false
  const done = (): void => {
    over = true
  }
  work.then(done, done)
  await clock.advance(0)
  for (let ms = 0; !over && ms < 60_000; ms += 20) await clock.advance(20)
  if (!over) throw new Error('not settled')
  return work
}

/** Every kind of motion, and how far into it a stop is tried, ms. */
const KINDS: readonly (readonly [string, (robot: Robot) => Motion, number])[] = [
  ['an emotion', (robot) => robot.play('laughing1'), 1500],
  ['the way to an emotion', (robot) => robot.play('exhausted1'), 60],
  ['a dance', (robot) => robot.play('polyrhythm_combo'), 1300],
  ['a look', (robot) => robot.lookTo('left'), 500],
  ['a sweep', (robot) => robot.sweepLook(), 2000],
  ['going to sleep', (robot) => robot.sleep(), 900],
  ['a goto', (robot) => robot.goTo({ head: { yaw: radians(30), z: -0.02 }, bodyYaw: radians(40) }, 1.5), 700],
  ['a cartoon goto', (robot) => robot.goTo({ head: { pitch: radians(20) }, antennas: [1, -1] }, 1, 'cartoon'), 450],
  ['a nod', (robot) => robot.nod(), 400],
  ['a jog', (robot) => robot.jog({ head: { roll: radians(15) }, antennas: [1, 1] }), 200],
]

describe('stop', () => {
  it.each(KINDS)('in the middle of %s: one goal more, where the robot is', async (_, begin, after) => {
    const { robot, clock, wire } = await bench()
    const motion = begin(robot)
    await settled(clock, motion.started)
    await clock.advance(after)
    const goals = wire.goalsAt.length
    const asked = clock.now()
    robot.stopMotion()
    expect((await motion.ended).ended).toBe('stopped')
    await clock.advance(3000)
    expect(wire.goalsAt.length).toBe(goals + 1)
    expect((wire.goalsAt.at(-1) ?? Infinity) - asked).toBeLessThanOrEqual(20)
    expect(wire.faults).toEqual([])
    // A pose that the head can take, held with torque, and the way to the next motion is open.
    const { torque, activity, stewart, bodyYaw } = robot.state()
    expect({ torque, kind: activity.kind }).toEqual({ torque: true, kind: 'awake' })
    expect(createForward().solve([bodyYaw, ...stewart], new Float64Array(16))).toBe(true)
    expect(await settled(clock, robot.play('yes1').ended)).toMatchObject({ ended: 'done' })
    expect(wire.faults).toEqual([])
  })

  it('of waking up, before torque is on', async () => {
    const { robot, clock, wire } = await bench()
    await settled(clock, robot.sleep().ended)
    const motion = robot.wake()
    await settled(clock, motion.started)
    await clock.advance(700)
    robot.stopMotion()
    expect((await motion.ended).ended).toBe('stopped')
    await clock.advance(100)
    const goals = wire.goalsAt.length
    await clock.advance(2000)
    expect(wire.goalsAt.length).toBe(goals)
    expect(wire.faults).toEqual([])
  })

  it('ends breathing and a posture too, until the next motion', async () => {
    const { robot, clock, wire } = await bench()
    robot.ambient('breathing', 1)
    robot.posture('thinking')
    await clock.advance(4000)
    const before = wire.goalsAt.length
    expect(before).toBeGreaterThan(150)
    robot.stopMotion()
    await clock.advance(3000)
    expect(wire.goalsAt.length).toBe(before + 1)
    await settled(clock, robot.nod().ended)
    await clock.advance(2000)
    expect(wire.goalsAt.length).toBeGreaterThan(before + 100)
    expect(wire.faults).toEqual([])
  })
})

describe('small movements on the wire', () => {
  it('breathe around where the robot looks, not while it lies, and stay within the limits', async () => {
    const { robot, clock, wire } = await bench()
    robot.ambient('breathing', 1)
    robot.ambient('speech', 1)
    robot.ambient('tracking', 0.5)
    robot.aim({ yaw: radians(20), pitch: 0 })
    await settled(clock, robot.lookTo('left').ended)
    for (const posture of ['listening', 'thinking', 'speaking', null] as const) {
      robot.posture(posture)
      robot.hear(new Array<number>(20).fill(-15))
      await clock.advance(1000)
      expect(robot.state().head.yaw).toBeGreaterThan(radians(15))
      expect(robot.state().activity.kind).toBe('awake')
    }
    await settled(clock, robot.play('dance3').ended)
    robot.ambient('tracking', 0)
    await settled(clock, robot.sleep().ended)
    const goals = wire.goalsAt.length
    await clock.advance(2000)
    await settled(clock, robot.enable())
    await clock.advance(2000)
    expect(wire.goalsAt.length - goals).toBeLessThan(3)
    expect(wire.faults).toEqual([])
  })
})

describe('goto', () => {
  it.each(['linear', 'minjerk', 'ease_in_out', 'cartoon'] as const)('%s arrives exactly', async (technique) => {
    const { robot, clock, wire } = await bench()
    const goal = {
      head: { yaw: radians(25), pitch: radians(-10), z: 0.005 },
      antennas: [0.5, -0.5] as [number, number],
    }
    const end = await settled(clock, robot.goTo(goal, 1, technique).ended)
    expect(end).toMatchObject({ ended: 'done', clamped: false })
    await clock.advance(300)
    const { head, antennas } = robot.state()
    expect(head.yaw).toBeCloseTo(radians(25), 2)
    expect(head.pitch).toBeCloseTo(radians(-10), 2)
    expect(antennas[0]).toBeCloseTo(0.5, 2)
    expect(wire.faults).toEqual([])
  })

  it('takes its time however little it is given, and says when the goal is out of reach', async () => {
    const { robot, clock, wire } = await bench()
    const end = await settled(clock, robot.goTo({ head: { pitch: radians(80), z: 0.2 }, bodyYaw: 9 }, 0).ended)
    expect(end.clamped).toBe(true)
    expect(end.duration).toBeGreaterThan(0.5)
    expect(wire.faults).toEqual([])
  })
})

describe('one owner of the body', () => {
  /** A small generator, so that a failure can be repeated. */
  const randomFrom = (seed: number) => (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }

  it('through a thousand random sequences of calls', { timeout: 120_000 }, async () => {
    const { robot, clock, wire } = await bench()
    const random = randomFrom(11)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const moves = robot.moves()
    const emotions = moves.filter(({ kind }) => kind === 'emotion').map(({ name }) => name)
    const dances = moves.filter(({ kind }) => kind === 'dance').map(({ name }) => name)
    let [owners, most, open, longest] = [0, 0, 0, 0]
    const refused: string[] = []

    const watch = (motion: Motion): void => {
      open += 1
      longest = Math.max(longest, open)
      let [began, over] = [false, false]
      const end = (): void => {
        over = true
        open -= 1
        if (began) owners -= 1
      }
      motion.ended.then(end, end)
      motion.started.then(
        () => {
          // What is stopped while it waits ends first, and never has the body.
          if (over) return
          began = true
          owners += 1
          most = Math.max(most, owners)
        },
        (error: unknown) => refused.push(error instanceof CompanionError ? error.code : String(error)),
      )
    }
    const wild = (): number => (random() - 0.5) * 4
    const jogging: { motion: Motion | null } = { motion: null }
    const calls: (() => unknown)[] = [
      () => watch(robot.play(pick(dances))),
      () => watch(robot.play(pick(emotions))),
      () => watch(robot.play(pick(emotions))),
      () => watch(robot.lookTo(pick(['left', 'right', 'up', 'down', 'front'] as const))),
      () => watch(robot.sweepLook()),
      () => watch(robot.sleep()),
      () => watch(robot.wake()),
      () => watch(robot.nod()),
      () =>
        watch(
          robot.goTo({ head: { yaw: wild(), roll: wild(), z: wild() / 50 }, antennas: [wild(), wild()] }, random()),
        ),
      () => {
        // The same motion goes on while it is jogged.
        const motion = robot.jog({ head: { pitch: wild() }, bodyYaw: wild() })
        if (motion !== jogging.motion) watch(motion)
        jogging.motion = motion
      },
      () => robot.posture(pick(['listening', 'thinking', 'speaking', null] as const)),
      () => robot.ambient(pick(['breathing', 'speech', 'tracking'] as const), pick([0, 0.5, 1])),
      () => robot.hear(Array.from({ length: 10 }, () => -60 * random())),
      () => robot.aim(random() < 0.3 ? null : { yaw: wild() / 3, pitch: wild() / 6 }),
      () => robot.stopMotion(),
      () => robot.stopMotion(pick(['emotion', 'dance'] as const)),
      () => robot.emergencyStop(),
      () => robot.enable().catch((error: unknown) => expect(error).toMatchObject({ code: 'robot/stopped' })),
      () => robot.enable().catch((error: unknown) => expect(error).toMatchObject({ code: 'robot/stopped' })),
    ]
    for (let sequence = 0; sequence < 1000; sequence++) {
      const length = 2 + Math.floor(random() * 5)
      for (let k = 0; k < length; k++) {
        pick(calls)()
        await clock.advance(Math.floor(random() * 150))
      }
    }
    await settled(clock, robot.enable())
    robot.stopMotion()
    await clock.advance(1000)
    expect({ most, owners, open }).toEqual({ most: 1, owners: 0, open: 0 })
    // One has the body, the others wait.
    expect(longest).toBeLessThanOrEqual(LONGEST_QUEUE + 1)
    expect(new Set(refused)).toEqual(new Set(['robot/stopped']))
    expect(wire.faults).toEqual([])
    const torque = new Set(wire.torqueAt)
    expect(wire.goalsAt.filter((at, i) => at === wire.goalsAt[i - 1] && !torque.has(at))).toEqual([])
    expect(wire.goalsAt.length).toBeGreaterThan(5000)
    expect((await settled(clock, robot.play('yes1').ended)).ended).toBe('done')
  })

  it('however many motions are asked for', async () => {
    const { robot, clock } = await bench()
    const motions = Array.from({ length: 500 }, () => robot.play('simple_nod'))
    let open = motions.length
    for (const motion of motions) void motion.ended.then(() => (open -= 1))
    await clock.advance(100)
    expect(open).toBeGreaterThan(1)
    expect(open).toBeLessThanOrEqual(LONGEST_QUEUE + 1)
    robot.stopMotion()
    await Promise.all(motions.map((motion) => motion.ended))
  })
})
