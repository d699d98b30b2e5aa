import { describe, expect, it, onTestFinished } from 'vitest'

import { createBench, PORT } from './testing/bench.ts'
import { brokenLimits, goalsOf, torqueOf } from './testing/wire.ts'

import type { RobotState } from '../contract/index.ts'
import type { Faults } from './simulator/faults.ts'
import type { Bench } from './testing/bench.ts'

/** A robot on a serial port, not yet opened; let go at the end of the test, whatever state it is in. */
function bench(): Bench {
  const made = createBench()
  onTestFinished(async () => {
    await made.settled(made.robot.dispose(), 20_000)
    await made.clock.advance(2_000)
    expect(made.wire.open).toBe(0)
  })
  return made
}

async function ready(): Promise<Bench> {
  const made = bench()
  await made.settled(made.robot.start())
  return made
}

const isReady = ({ connection }: RobotState): boolean => connection === 'ready'

/** Limp, with nothing asked for, and usable: torque comes on without a jump, and it moves. */
async function expectUsable({ robot, settled, wire, clock }: Bench): Promise<void> {
  expect(robot.state()).toMatchObject({ reconnecting: false, torque: false, activity: { kind: 'asleep' } })
  expect(robot.state().problem).toBeUndefined()
  const quiet = wire.sent.length
  await clock.advance(3_000)
  expect(goalsOf(wire.sent.slice(quiet))).toEqual([])
  const from = wire.sent.length
  await settled(robot.enable())
  expect((await settled(robot.lookTo('left').ended)).ended).toBe('done')
  expect(brokenLimits(goalsOf(wire.sent.slice(from)), { gentle: true })).toEqual([])
  await settled(robot.sleep().ended)
}

interface Case {
  readonly name: string
  readonly faults: Partial<Faults>
  /** At the start: what is shown, and from when on, ms. */
  readonly atStart: readonly [RobotState['connection'], string, number]
  /** In the middle of a move. */
  readonly inMotion: readonly [RobotState['connection'], string, number]
  readonly names?: string
}

const CASES: readonly Case[] = [
  {
    name: 'the supply off',
    faults: { power: false },
    atStart: ['no-power', 'robot/no-power', 1_000],
    inMotion: ['no-power', 'robot/no-power', 3_000],
  },
  {
    name: 'a supply that stays low',
    faults: { voltage: 4 },
    atStart: ['no-power', 'robot/no-power', 31_000],
    inMotion: ['ready', '', 0],
  },
  {
    name: 'every reply lost',
    faults: { dropped: 1 },
    atStart: ['no-power', 'robot/no-power', 1_000],
    inMotion: ['no-power', 'robot/no-power', 3_000],
  },
  {
    name: 'every reply damaged',
    faults: { corrupted: 1 },
    atStart: ['absent', 'robot/unreadable', 1_000],
    inMotion: ['absent', 'robot/unreadable', 3_000],
  },
  {
    name: 'every reply cut in half',
    faults: { halved: 1 },
    atStart: ['absent', 'robot/unreadable', 1_000],
    inMotion: ['absent', 'robot/unreadable', 3_000],
  },
  {
    name: 'replies that come too late',
    faults: { lateMs: 55 },
    atStart: ['absent', 'robot/unreadable', 1_000],
    inMotion: ['absent', 'robot/unreadable', 3_000],
  },
  {
    name: 'one motor missing',
    faults: { missing: [14] },
    atStart: ['missing-motors', 'robot/missing-motors', 1_000],
    inMotion: ['missing-motors', 'robot/missing-motors', 3_000],
    names: 'stewart_4',
  },
  {
    name: 'the first motor missing',
    faults: { missing: [10] },
    atStart: ['missing-motors', 'robot/missing-motors', 1_000],
    inMotion: ['missing-motors', 'robot/missing-motors', 3_000],
    names: 'body_rotation',
  },
  {
    name: 'a chain cut behind the sixth',
    faults: { cutAfter: 16 },
    atStart: ['missing-motors', 'robot/missing-motors', 1_000],
    inMotion: ['missing-motors', 'robot/missing-motors', 3_000],
    names: 'right_antenna, left_antenna',
  },
]

const NO_FAULT: Partial<Faults> = {
  power: true,
  voltage: 7.2,
  dropped: 0,
  corrupted: 0,
  halved: 0,
  lateMs: 0,
  missing: [],
  cutAfter: null,
}

const shows =
  ([connection, code]: readonly [string, string, number], names?: string) =>
  (state: RobotState): boolean =>
    state.connection === connection &&
    (state.problem?.code ?? '') === code &&
    (names === undefined || state.problem?.details?.names === names)

describe('a fault at the start', () => {
  it.each(CASES)('$name is told in time, and mended by itself when it ends', async ({ faults, atStart, names }) => {
    const made = bench()
    const { robot, motors, until, wire } = made
    motors.setFaults(faults)
    const started = robot.start().catch((error: unknown) => error)
    await until(shows(atStart, names), atStart[2])
    expect(await started).toMatchObject({ code: atStart[1] })
    expect(robot.state().reconnecting).toBe(true)
    if (faults.voltage === undefined) expect(wire.sent.every(({ instruction }) => instruction === 0x01)).toBe(true)
    motors.setFaults(NO_FAULT)
    await until(isReady, 6_000)
    await expectUsable(made)
  })
})

describe('a fault in the middle of a move', () => {
  it.each(CASES.filter(({ inMotion }) => inMotion[2] > 0))(
    '$name ends the move, is told in time, and mended',
    async ({ faults, inMotion, names }) => {
      const made = await ready()
      const { robot, motors, clock, until } = made
      const motion = robot.play('dance2')
      const failed = motion.ended.catch((error: unknown) => error)
      await until(({ activity }) => (activity.elapsed ?? 0) > 1, 10_000)
      motors.setFaults(faults)
      await until(shows(inMotion, names), inMotion[2])
      expect(await failed).toMatchObject({
        code: expect.stringMatching(/^robot\/(disconnected|missing-motors)$/) as string,
      })
      await clock.advance(10_000)
      expect(robot.state()).toMatchObject({ connection: inMotion[0], reconnecting: true, torque: false })
      motors.setFaults(NO_FAULT)
      await until(isReady, 6_000)
      await expectUsable(made)
    },
  )
})

describe('a bad wire that still works', () => {
  it.each<[string, Partial<Faults>]>([
    ['noise before every reply', { noise: 40 }],
    ['one reply of ten lost', { dropped: 0.1 }],
    ['one reply of ten damaged or cut', { corrupted: 0.05, halved: 0.05 }],
    ['replies a little late', { lateMs: 6 }],
    ['all of it', { noise: 20, dropped: 0.03, corrupted: 0.03, halved: 0.03, lateMs: 3 }],
  ])('%s: opens, enables, moves, stops', async (_, faults) => {
    const made = bench()
    const { robot, motors, settled, wire, clock } = made
    motors.setFaults(faults)
    await settled(robot.start())
    await settled(robot.enable())
    expect((await settled(robot.play('yes1').ended)).ended).toBe('done')
    expect((await settled(robot.sweepLook().ended)).ended).toBe('done')
    expect(robot.state().connection).toBe('ready')
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: true })
    await clock.advance(1_500)
    expect(robot.state()).toMatchObject({ connection: 'ready', torque: false, stopped: true })
    expect(brokenLimits(goalsOf(wire.sent))).toEqual([])
  })
})

describe('a port that cannot be used', () => {
  it.each([
    ['robot/busy', 'busy', true, 'robot/busy'],
    ['robot/no-permission', 'no-permission', true, 'robot/no-permission'],
    ['robot/not-found', 'absent', true, 'robot/not-found'],
    // What never answered was not lost.
    ['robot/disconnected', 'absent', true, 'robot/unreachable'],
  ] as const)('%s shows as %s until it can', async (refused, connection, reconnecting, code) => {
    const made = bench()
    const { robot, wire, settled, until } = made
    wire.refuse = refused
    await expect(settled(robot.start())).rejects.toMatchObject({ code })
    expect(robot.state()).toMatchObject({ connection, reconnecting, problem: { code } })
    expect(wire.sent).toEqual([])
    wire.refuse = null
    await until(isReady, 6_000)
    await expectUsable(made)
  })

  it('another device with the same adapter is asked and never written to', async () => {
    const { robot, motors, wire, settled, clock } = bench()
    motors.setFaults({ foreign: true })
    await expect(settled(robot.start())).rejects.toMatchObject({ code: 'robot/unknown-device' })
    expect(robot.state()).toMatchObject({ connection: 'unknown-device', reconnecting: false })
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: false })
    await expect(settled(robot.enable())).rejects.toMatchObject({ code: 'robot/disconnected' })
    await clock.advance(30_000)
    expect(new Set(wire.sent.map(({ instruction }) => instruction))).toEqual(new Set([0x01]))
    expect(wire.open).toBe(0)
  })
})

describe('the cable', () => {
  it('pulled in the middle of a write ends the move at once, and the robot is limp when it is back', async () => {
    const made = await ready()
    const { robot, motors, wire, until, clock } = made
    const motion = robot.play('dance2')
    const failed = motion.ended.catch((error: unknown) => error)
    await until(({ activity }) => (activity.elapsed ?? 0) > 1, 10_000)
    wire.stick()
    await clock.advance(15)
    motors.setPlugged(false)
    expect(await failed).toMatchObject({ code: 'robot/disconnected' })
    expect(robot.state()).toMatchObject({ connection: 'absent', reconnecting: true, torque: false, rateHz: 0 })
    await clock.advance(20_000)
    motors.setPlugged(true)
    await until(isReady, 6_000)
    // The motors kept their own supply, and held.
    expect(torqueOf(wire.sent).at(-1)?.values.get(12)).toBe(0)
    await expectUsable(made)
  })

  it('a hundred times: nothing is left behind, and the last time is as the first', async () => {
    const made = await ready()
    const { robot, motors, wire, until, clock, settled } = made
    const timers = (): number => clock.pending
    let first = 0
    for (let cycle = 0; cycle < 100; cycle += 1) {
      if (cycle % 3 === 0) await settled(robot.enable())
      if (cycle % 3 === 1) {
        void robot.play('dance2').ended.catch(() => undefined)
        await clock.advance(700)
      }
      motors.setPlugged(false)
      await until(({ connection }) => connection === 'absent', 100)
      await clock.advance(cycle % 7 === 0 ? 3_000 : 100)
      motors.setPlugged(true)
      await until(isReady, 6_000)
      expect(robot.state().torque).toBe(false)
      expect(wire.open).toBe(1)
      await clock.advance(2_000)
      if (cycle === 0) first = timers()
    }
    expect(timers()).toBeLessThanOrEqual(first)
    expect(motors.listeners).toBeLessThanOrEqual(2)
    await expectUsable(made)
  })
})

describe('a motor', () => {
  it('that overloads stops the motion, is explained, and works again after a restart', async () => {
    const made = await ready()
    const { robot, motors, settled, until, log } = made
    const motion = robot.sweepLook()
    const failed = motion.ended.catch((error: unknown) => error)
    await until(({ torque }) => torque, 2_000)
    motors.setFaults({ blocked: [10] })
    await until(({ motors: all }) => all[0]?.latched === true, 8_000)
    expect(await failed).toMatchObject({ code: 'robot/overload', details: { names: 'body_rotation' } })
    expect(robot.state()).toMatchObject({ connection: 'ready', torque: false })
    expect(robot.state().motors[0]).toMatchObject({ latched: true, error: 'overload', torque: false })
    expect(log.lines.filter((line) => line.includes('switched themselves off'))).toHaveLength(1)

    // Asked again it refuses, and leaves no motor holding.
    await expect(settled(robot.enable())).rejects.toMatchObject({ code: 'robot/overload' })
    await until(({ motors: all }) => all.every(({ torque }) => torque === false), 2_000)
    motors.setFaults({ blocked: [] })
    await settled(robot.rebootMotor(10))
    await until(({ motors: all }) => all.every(({ latched }) => !latched), 2_000)
    await settled(robot.enable())
    expect((await settled(robot.lookTo('right').ended)).ended).toBe('done')
  })

  it('that overloaded does not keep the others holding when the app ends', async () => {
    const { robot, motors, settled, until } = await ready()
    void robot.sweepLook().ended.catch(() => undefined)
    await until(({ torque }) => torque, 2_000)
    motors.setFaults({ blocked: [10] })
    await until(({ motors: all }) => all[0]?.latched === true, 8_000)
    await settled(robot.dispose())
    for (const id of [11, 14, 18]) expect([...(motors.motor(id)?.read(64, 1) as Uint8Array)]).toEqual([0])
  })

  it('that restarted by itself gets its gains again with its torque', async () => {
    const { robot, motors, settled, until } = await ready()
    await settled(robot.enable())
    motors.motor(12)?.reboot()
    await until(({ torque }) => !torque, 2_000)
    await settled(robot.enable())
    expect([...(motors.motor(12)?.read(84, 2) as Uint8Array)]).toEqual([300 & 0xff, 300 >> 8])
  })

  it('that is turned far beyond its range gets no torque', async () => {
    const { robot, motors, settled, clock, wire } = await ready()
    motors.motor(10)?.turnByHand(2000)
    await clock.advance(1_000)
    wire.sent.length = 0
    await expect(settled(robot.enable())).rejects.toMatchObject({
      code: 'robot/out-of-range',
      details: { names: 'body_rotation' },
    })
    expect(torqueOf(wire.sent).every(({ values }) => values.get(10) === 0)).toBe(true)
    motors.motor(10)?.turnByHand(-2000)
    await settled(robot.enable())
    expect(robot.state().torque).toBe(true)
  })
})

describe('a robot that another program left', () => {
  it('in the middle of a motion is made limp, one that stands still is taken as it is', async () => {
    const first = await ready()
    await first.settled(first.robot.enable())
    void first.robot.sweepLook().ended.catch(() => undefined)
    await first.clock.advance(1_500)
    // As after SIGKILL: the port is free, nobody said anything to the motors.
    first.motors.setPlugged(false)
    await first.settled(first.robot.disconnect())
    await first.clock.advance(2_000)
    first.motors.setPlugged(true)
    await first.settled(first.robot.connect(`serial:${PORT}`))
    expect(first.robot.state()).toMatchObject({ connection: 'ready', torque: false })

    await first.settled(first.robot.enable())
    await first.clock.advance(2_000)
    first.motors.setPlugged(false)
    await first.settled(first.robot.disconnect())
    first.motors.setPlugged(true)
    await first.settled(first.robot.connect(`serial:${PORT}`))
    expect(first.robot.state()).toMatchObject({ connection: 'ready', torque: true, activity: { kind: 'awake' } })
  })
})
