import { describe, expect, it, onTestFinished } from 'vitest'

import { createBench, PORT } from './testing/bench.ts'
import { goalsOf, torqueOf } from './testing/wire.ts'

import type { Bench } from './testing/bench.ts'

const ID = `serial:${PORT}`

function bench(): Bench {
  const made = createBench()
  onTestFinished(async () => {
    await made.settled(made.robot.dispose(), 20_000)
    await made.clock.advance(2_000)
    expect(made.wire.open).toBe(0)
  })
  return made
}

async function awake(): Promise<Bench> {
  const made = bench()
  await made.settled(made.robot.start())
  await made.settled(made.robot.wake().ended)
  return made
}

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  )

describe('taking and letting go', () => {
  it('fast in a row ends with what was asked for last', async () => {
    const { robot, settled, wire, clock } = bench()
    await settled(robot.start())
    const all = Promise.all([
      outcome(robot.connect(ID)),
      outcome(robot.disconnect()),
      outcome(robot.connect('simulator')),
      outcome(robot.connect(ID)),
      outcome(robot.disconnect()),
      outcome(robot.connect(ID)),
    ])
    expect(await settled(all)).toEqual(['app/cancelled', 'done', 'app/cancelled', 'app/cancelled', 'done', 'done'])
    expect(robot.state()).toMatchObject({ id: ID, connection: 'ready', reconnecting: false })
    await clock.advance(5_000)
    expect(wire.open).toBe(1)
  })

  it.each([0, 5, 40, 200, 700, 1_500, 3_000, 6_000])(
    'a disconnect %i ms after a connect leaves nothing open, and stays disconnected',
    async (ms) => {
      const { robot, settled, wire, clock, motors } = await awake()
      wire.openingMs = 100
      const again = outcome(robot.connect(ID))
      await clock.advance(ms)
      await settled(robot.disconnect())
      expect(['done', 'app/cancelled']).toContain(await settled(again))
      await clock.advance(20_000)
      expect(robot.state()).toMatchObject({ connection: 'absent', reconnecting: false, torque: false })
      expect(wire.open).toBe(0)
      expect([...(motors.motor(12)?.read(64, 1) as Uint8Array)]).toEqual([0])
    },
  )

  it('lies down before it is let go, and torque is off after it', async () => {
    const { robot, settled, wire, motors } = await awake()
    await settled(robot.disconnect())
    expect(torqueOf(wire.sent).at(-1)?.values.get(12)).toBe(0)
    expect(Math.abs((goalsOf(wire.sent).at(-1)?.values.get(12) ?? 0) - 2593)).toBeLessThan(5)
    expect([...(motors.motor(12)?.read(64, 1) as Uint8Array)]).toEqual([0])
    await expect(robot.play('yes1').ended).rejects.toMatchObject({ code: 'robot/disconnected' })
  })

  it('a cable pulled while the robot lies down does not bring it back', async () => {
    const { robot, settled, motors, clock } = await awake()
    const going = robot.disconnect()
    await clock.advance(700)
    motors.setPlugged(false)
    await clock.advance(300)
    motors.setPlugged(true)
    await settled(going)
    await clock.advance(20_000)
    expect(robot.state()).toMatchObject({ connection: 'absent', reconnecting: false })
  })

  it('a robot that is looked for can be given up', async () => {
    const { robot, settled, motors, clock, wire } = await awake()
    motors.setPlugged(false)
    await clock.advance(3_000)
    expect(robot.state().reconnecting).toBe(true)
    await settled(robot.disconnect())
    motors.setPlugged(true)
    const opened = wire.opened
    await clock.advance(30_000)
    expect(wire.opened).toBe(opened)
    expect(robot.state()).toMatchObject({ connection: 'absent', reconnecting: false })
    expect(robot.state().problem).toBeUndefined()
  })

  it('a robot lost while it is enabled fails the enabling', async () => {
    const { robot, settled, motors, clock, until } = bench()
    await settled(robot.start())
    motors.setFaults({ lateMs: 3 })
    const enabling = outcome(robot.enable())
    await clock.advance(10)
    motors.setPlugged(false)
    expect(await settled(enabling)).toBe('robot/disconnected')
    motors.setPlugged(true)
    await until(({ connection }) => connection === 'ready', 6_000)
    expect(robot.state().torque).toBe(false)
  })

  it.each([0, 30, 90, 110, 400])('the end %i ms into connecting leaves nothing open', async (ms) => {
    const { robot, settled, wire, clock } = bench()
    wire.openingMs = 100
    const starting = outcome(robot.start())
    await clock.advance(ms)
    await settled(robot.dispose(), 10_000)
    expect(['app/cancelled', 'done']).toContain(await settled(starting))
    await clock.advance(10_000)
    expect(wire.open).toBe(0)
  })

  it('the end while it waits for the motors’ supply does not wait for it', async () => {
    const { robot, settled, motors, clock } = bench()
    motors.setFaults({ voltage: 4 })
    const starting = outcome(robot.start())
    await clock.advance(2_000)
    expect(robot.state().connection).toBe('connecting')
    const before = clock.now()
    await settled(robot.dispose(), 10_000)
    expect(clock.now() - before).toBeLessThan(1_500)
    expect(await settled(starting)).toBe('app/cancelled')
  })
})

describe('a computer that sleeps', () => {
  it('lays the robot down first, and takes it again without torque', async () => {
    const { robot, settled, wire, clock, until } = await awake()
    void robot.play('dance2').ended.catch(() => undefined)
    await clock.advance(1_000)
    const before = clock.now()
    await settled(robot.suspend())
    expect(clock.now() - before).toBeLessThan(7_000)
    expect(wire.open).toBe(0)
    expect(torqueOf(wire.sent).at(-1)?.values.get(12)).toBe(0)
    await clock.advance(60_000)
    expect(wire.open).toBe(0)
    robot.resume()
    await until(({ connection }) => connection === 'ready', 3_000)
    expect(robot.state()).toMatchObject({ torque: false, reconnecting: false })
  })

  it('in the middle of connecting, of looking, again and again', async () => {
    const { robot, settled, wire, clock, motors, until } = bench()
    wire.openingMs = 50
    const starting = outcome(robot.start())
    await clock.advance(30)
    await settled(robot.suspend())
    expect(await settled(starting)).toBe('app/cancelled')
    await clock.advance(10_000)
    expect(wire.open).toBe(0)
    robot.resume()
    await until(({ connection }) => connection === 'ready', 3_000)
    motors.setPlugged(false)
    await clock.advance(560)
    await settled(robot.suspend())
    motors.setPlugged(true)
    await clock.advance(10_000)
    expect(wire.open).toBe(0)
    for (let k = 0; k < 5; k += 1) {
      robot.resume()
      await clock.advance(20 * k)
      await settled(robot.suspend())
      expect(wire.open).toBe(0)
    }
    robot.resume()
    robot.resume()
    await until(({ connection }) => connection === 'ready', 3_000)
  })

  it('does not connect a robot that the person let go', async () => {
    const { robot, settled, wire, clock } = await awake()
    await settled(robot.disconnect())
    await settled(robot.suspend())
    robot.resume()
    await clock.advance(20_000)
    expect(wire.open).toBe(0)
    expect(robot.state().reconnecting).toBe(false)
  })
})

describe('an emergency stop', () => {
  const isOff = (made: Bench): boolean =>
    [10, 12, 18].every((id) => (made.motors.motor(id)?.read(64, 1) as Uint8Array)[0] === 0)

  it('is on the wire at once while streaming, and twice in a row is no harm', async () => {
    const made = await awake()
    const { robot, settled, wire, clock } = made
    void robot.play('dance2').ended.catch(() => undefined)
    await clock.advance(1_003)
    wire.sent.length = 0
    const asked = clock.now()
    const [one, two] = [robot.emergencyStop(), robot.emergencyStop()]
    expect(torqueOf(wire.sent)[0]?.at).toBe(asked)
    expect(await settled(Promise.all([one, two]))).toEqual([{ confirmed: true }, { confirmed: true }])
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: true })
    expect(isOff(made)).toBe(true)
    expect(goalsOf(wire.sent)).toEqual([])
  })

  it.each([1, 2, 3])('opens a port that is stuck anew, %i times when it must', async (reopenings) => {
    const made = await awake()
    const { robot, settled, wire, clock } = made
    void robot.play('dance2').ended.catch(() => undefined)
    await clock.advance(1_000)
    wire.stick(reopenings)
    await clock.advance(50)
    const asked = clock.now()
    wire.sent.length = 0
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: true })
    expect((torqueOf(wire.sent)[0]?.at ?? Infinity) - asked).toBeLessThanOrEqual(20 * (2 * reopenings - 1))
    expect(isOff(made)).toBe(true)
    expect(robot.state().connection).toBe('ready')
  })

  it('says within a second that a port that stays stuck did not confirm, and stops when it can', async () => {
    const made = await awake()
    const { robot, settled, wire, clock } = made
    wire.stick(1_000)
    const asked = clock.now()
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: false })
    expect(clock.now() - asked).toBeLessThan(1_000)
    expect(robot.state().stopped).toBe(true)
    wire.stick(0)
    await clock.advance(5_000)
    expect(isOff(made)).toBe(true)
    expect(robot.state()).toMatchObject({ stopped: true, torque: false, connection: 'ready' })
  })

  it.each([0, 60, 101, 105, 130, 180, 240, 300])(
    '%i ms into connecting is in force when it is connected',
    async (ms) => {
      const made = bench()
      const { robot, settled, wire, clock, motors } = made
      for (const id of [10, 12, 18]) motors.motor(id)?.write(64, Uint8Array.of(1))
      // Each answer takes its time, or all of it would be over in no time.
      motors.setFaults({ lateMs: 2 })
      wire.openingMs = 100
      const starting = outcome(robot.start())
      await clock.advance(ms)
      const asked = clock.now()
      expect(robot.state().id).toBe(ID)
      const told = await settled(robot.emergencyStop())
      expect(told).toEqual({ confirmed: true })
      const opened = Math.max(asked, 100)
      expect((torqueOf(wire.sent)[0]?.at ?? Infinity) - opened).toBeLessThanOrEqual(60)
      expect(await settled(starting)).toBe('done')
      expect(robot.state()).toMatchObject({ connection: 'ready', stopped: true, torque: false })
      expect(isOff(made)).toBe(true)
      await expect(robot.play('yes1').ended).rejects.toMatchObject({ code: 'robot/stopped' })
      await settled(robot.enable())
      expect(robot.state()).toMatchObject({ stopped: false, torque: true })
    },
  )

  it.each([0, 490, 500, 520, 1_400, 1_505])('%i ms into looking for a lost robot stays in force', async (ms) => {
    const made = await awake()
    const { robot, settled, clock, motors, until, wire } = made
    motors.setPlugged(false)
    await clock.advance(ms)
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: false })
    expect(robot.state().stopped).toBe(true)
    motors.setPlugged(true)
    await until(({ connection }) => connection === 'ready', 6_000)
    expect(robot.state()).toMatchObject({ stopped: true, torque: false, reconnecting: false })
    expect(isOff(made)).toBe(true)
    await clock.advance(10_000)
    expect(wire.open).toBe(1)
    await settled(robot.enable())
    expect(robot.state().torque).toBe(true)
  })

  it('finds a robot that is back before it was looked for', async () => {
    const made = await awake()
    const { robot, settled, clock, motors } = made
    motors.setPlugged(false)
    await clock.advance(2_000)
    motors.setPlugged(true)
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: true })
    expect(isOff(made)).toBe(true)
    await clock.advance(6_000)
    expect(robot.state()).toMatchObject({ connection: 'ready', reconnecting: false, stopped: true })
    expect(robot.state().problem).toBeUndefined()
  })

  it('while another robot is taken is in force there too', async () => {
    const { robot, settled, clock } = await awake()
    const taking = outcome(robot.connect('simulator'))
    await clock.advance(500)
    await settled(robot.emergencyStop())
    expect(await settled(taking)).toBe('done')
    expect(robot.state()).toMatchObject({ id: 'simulator', stopped: true, torque: false })
    await expect(robot.play('yes1').ended).rejects.toMatchObject({ code: 'robot/stopped' })
  })

  it('after the robot was let go reaches it still, and leaves the port free', async () => {
    const made = await awake()
    const { robot, settled, motors, wire } = made
    await settled(robot.disconnect())
    motors.motor(12)?.write(64, Uint8Array.of(1))
    expect(await settled(robot.emergencyStop())).toEqual({ confirmed: true })
    expect(isOff(made)).toBe(true)
    expect(wire.open).toBe(0)
    await settled(robot.connect(ID))
    expect(robot.state().connection).toBe('ready')
  })

  it('is confirmed on a bad wire, motor by motor', async () => {
    const made = await awake()
    made.motors.setFaults({ dropped: 0.3, noise: 20 })
    expect(await made.settled(made.robot.emergencyStop())).toEqual({ confirmed: true })
    expect(isOff(made)).toBe(true)
  })
})
