import { describe, expect, it } from 'vitest'

import { createBus, integerBytes, readInteger } from '../dynamixel/bus.ts'
import { REGISTER } from '../dynamixel/control-table.ts'
import { crc16 } from '../dynamixel/crc.ts'
import { BROADCAST_ID, encodeInstruction, INSTRUCTION, STATUS_ERROR } from '../dynamixel/packet.ts'
import { createParser } from '../dynamixel/parser.ts'
import { MOTOR_IDS } from '../motors.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'

import { createSimulatedRobot } from './device.ts'
import { advanceFirstOrder } from './dynamics.ts'
import { openMemoryPort } from './memory-port.ts'

import type { Bus } from '../dynamixel/bus.ts'
import type { Packet } from '../dynamixel/packet.ts'
import type { VirtualClock } from '../testing/virtual-clock.ts'
import type { SimulatedRobot } from './device.ts'
import type { Faults } from './faults.ts'

function bench(): { bus: Bus; clock: VirtualClock; robot: SimulatedRobot } {
  const clock = createVirtualClock()
  const robot = createSimulatedRobot()
  return { clock, robot, bus: createBus(openMemoryPort(robot, clock), clock) }
}

/** Moves the clock on until a request has its answer, or its time is over. */
async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  await clock.advance(300)
  return work
}

const torque = (bus: Bus, on: boolean): Promise<void> =>
  bus.syncWrite(
    64,
    1,
    MOTOR_IDS.map((id) => ({ id, data: [on ? 1 : 0] })),
  )
const goal = (bus: Bus, id: number, ticks: number): Promise<void> =>
  bus.syncWrite(116, 4, [{ id, data: integerBytes(ticks, 4) }])
const at = async (bus: Bus, id: number): Promise<number> => readInteger((await bus.read(id, 132, 4)).params, 0, 4)
const goalOf = async (bus: Bus, id: number): Promise<number> => readInteger((await bus.read(id, 116, 4)).params, 0, 4)

describe('simulated motors', () => {
  it('answer pings with their models, Alert being normal', async () => {
    const { bus } = bench()
    const models = []
    for (const id of MOTOR_IDS) models.push(await bus.ping(id))
    expect(models.map(({ model }) => model)).toEqual([1240, 1200, 1200, 1200, 1200, 1200, 1200, 1190, 1190])
    expect(models.every(({ alert, firmware }) => alert && firmware >= 46)).toBe(true)
  })

  it('lie asleep with torque off, and pin the goal when torque comes on', async () => {
    const { bus, clock } = bench()
    expect(await at(bus, 12)).toBe(2593)
    expect((await bus.read(12, 64, 1)).params[0]).toBe(0)
    await goal(bus, 12, 2000)
    await torque(bus, true)
    await clock.advance(500)
    expect(await at(bus, 12)).toBe(2593)
  })

  it('refuse a goal outside the limits, silently in a sync write', async () => {
    const { bus } = bench()
    await torque(bus, true)
    await goal(bus, 11, 1501)
    expect(await goalOf(bus, 11)).toBe(1936)
    await expect(bus.write(11, 116, integerBytes(1501, 4))).rejects.toMatchObject({ details: { motor: 11, error: 6 } })
    await goal(bus, 11, 1502)
    expect(await goalOf(bus, 11)).toBe(1502)
  })

  it('lock EEPROM while torque is on, and refuse read-only and missing registers', async () => {
    const { bus } = bench()
    await bus.write(11, REGISTER.returnDelay.address, [5])
    await torque(bus, true)
    await expect(bus.write(11, REGISTER.returnDelay.address, [0])).rejects.toMatchObject({ details: { error: 7 } })
    await expect(bus.write(11, REGISTER.presentPosition.address, [0, 0, 0, 0])).rejects.toMatchObject({
      details: { error: 7 },
    })
    await expect(bus.read(11, 226, 4)).rejects.toMatchObject({ details: { error: 4 } })
    expect((await bus.read(11, REGISTER.returnDelay.address, 1)).params[0]).toBe(5)
  })

  it('follow a goal with a lag and within their speed', async () => {
    const { bus, clock } = bench()
    await torque(bus, true)
    await goal(bus, 10, 3000)
    await clock.advance(20)
    const early = (await at(bus, 10)) - 2048
    expect(early).toBeGreaterThan(100)
    expect(early).toBeLessThan(170)
    await clock.advance(1000)
    expect(await at(bus, 10)).toBe(3000)
  })

  it('let the head sink when torque goes off', async () => {
    const { bus, clock } = bench()
    await torque(bus, true)
    await goal(bus, 12, 1639)
    await clock.advance(500)
    await torque(bus, false)
    await clock.advance(200)
    expect(await at(bus, 12)).toBeGreaterThan(1700)
    await clock.advance(2000)
    expect(Math.abs((await at(bus, 12)) - 2593)).toBeLessThan(3)
  })

  it('stop when the watchdog misses the host, until it is cleared', async () => {
    const { bus, clock } = bench()
    await torque(bus, true)
    await bus.write(10, REGISTER.busWatchdog.address, [2])
    await goal(bus, 10, 3500)
    await clock.advance(400)
    const stopped = await at(bus, 10)
    expect(stopped).toBeLessThan(2600)
    expect((await bus.read(10, 98, 1)).params[0]).toBe(255)
    await expect(bus.write(10, 116, integerBytes(3500, 4))).rejects.toMatchObject({ details: { error: 4 } })
    await bus.write(10, 98, [0])
    await goal(bus, 10, 3500)
    await clock.advance(600)
    expect(await at(bus, 10)).toBeGreaterThan(3400)
  })

  it('say nothing to another ID, and the bus gives up in time', async () => {
    const { bus, clock } = bench()
    const lost = expect(bus.ping(42)).rejects.toMatchObject({ code: 'robot/disconnected' })
    await clock.advance(12)
    await lost
    expect((await bus.ping(10)).model).toBe(1240)
    const some = bus.syncRead(132, 4, [10, 11, 42, 12])
    await clock.advance(12)
    expect([...(await some).keys()]).toEqual([10, 11])
  })

  it('approach a goal at top speed, then exponentially', () => {
    expect(advanceFirstOrder(0, 10, 100, 0.1, 1000)).toBeCloseTo(10, 9)
    expect(advanceFirstOrder(0, 100, 1, 0.1, 10)).toBeCloseTo(10, 9)
  })
})

describe('faults', () => {
  const heardWith = async (faults: Partial<Faults>): Promise<number[]> => {
    const { bus, clock, robot } = bench()
    robot.setFaults(faults)
    const heard: number[] = []
    for (const id of MOTOR_IDS) {
      await settled(clock, bus.ping(id)).then(
        () => heard.push(id),
        () => undefined,
      )
    }
    return heard
  }

  it.each<[string, Partial<Faults>, readonly number[]]>([
    ['a supply that is off', { power: false }, []],
    ['a supply that has not risen yet', { voltage: 3.2 }, []],
    ['one motor missing', { missing: [14] }, MOTOR_IDS.filter((id) => id !== 14)],
    ['a chain cut behind the third motor', { cutAfter: 12 }, [10, 11, 12]],
    ['every reply lost', { dropped: 1 }, []],
    ['every reply with a wrong CRC', { corrupted: 1 }, []],
    ['every reply cut in half', { halved: 1 }, []],
    ['replies later than the limit', { lateMs: 50 }, []],
    ['a write that never ends', { stuck: true }, []],
    ['noise before every reply', { noise: 40 }, MOTOR_IDS],
    ['replies a little late', { lateMs: 5 }, MOTOR_IDS],
  ])('%s', async (_, faults, expected) => {
    expect(await heardWith(faults)).toEqual(expected)
  })

  it('drop a share of the replies, the same ones for the same seed', async () => {
    const lost = await heardWith({ dropped: 0.4 })
    expect(lost.length).toBeGreaterThan(0)
    expect(lost.length).toBeLessThan(9)
    expect(await heardWith({ dropped: 0.4 })).toEqual(lost)
  })

  it('a held shaft overloads its motor, which stays limp until it is rebooted', async () => {
    const { bus, clock, robot } = bench()
    await torque(bus, true)
    robot.setFaults({ blocked: [12] })
    await goal(bus, 12, 1200)
    await clock.advance(900)
    expect((await bus.read(12, 64, 1)).params[0]).toBe(1)
    await clock.advance(300)
    await bus.ping(12)
    expect((await bus.read(12, 70, 1)).params[0]).toBe(0x21)
    expect((await bus.read(12, 64, 1)).params[0]).toBe(0)
    expect((await bus.read(11, 64, 1)).params[0]).toBe(1)
    await expect(bus.write(12, 64, [1])).rejects.toMatchObject({ details: { motor: 12, error: 7 } })
    robot.setFaults({ blocked: [] })
    await bus.reboot(12)
    await expect(settled(clock, bus.ping(12))).rejects.toMatchObject({ code: 'robot/disconnected' })
    await bus.write(12, 64, [1])
    expect((await bus.read(12, 64, 1)).params[0]).toBe(1)
  })

  it('a hot motor switches itself off', async () => {
    const { bus, clock, robot } = bench()
    await torque(bus, true)
    robot.setFaults({ hot: [17] })
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1000)
      await bus.ping(17)
    }
    expect((await bus.read(17, 146, 1)).params[0]).toBeGreaterThan(70)
    expect((await bus.read(17, 70, 1)).params[0]).toBe(0x05)
    expect((await bus.read(17, 64, 1)).params[0]).toBe(0)
  })

  it('a pulled cable ends the port, and a new one opens when it is back', async () => {
    const clock = createVirtualClock()
    const robot = createSimulatedRobot()
    const port = openMemoryPort(robot, clock)
    let closed = 0
    port.onClose(() => closed++)
    robot.setPlugged(false)
    expect(closed).toBe(1)
    await expect(port.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'robot/disconnected' })
    await expect(openMemoryPort(robot, clock).write(Uint8Array.of(1))).rejects.toMatchObject({
      code: 'robot/disconnected',
    })
    robot.setPlugged(true)
    expect((await createBus(openMemoryPort(robot, clock), clock).ping(10)).model).toBe(1240)
  })

  it('losing power forgets RAM and torque, and keeps EEPROM', async () => {
    const { bus, clock, robot } = bench()
    await bus.write(11, REGISTER.returnDelay.address, [7])
    await bus.write(11, REGISTER.positionPGain.address, integerBytes(300, 2))
    await torque(bus, true)
    robot.setFaults({ power: false })
    robot.setFaults({ power: true })
    await clock.advance(300)
    await settled(clock, bus.ping(10)).catch(() => undefined)
    expect((await bus.read(11, 64, 1)).params[0]).toBe(0)
    expect(readInteger((await bus.read(11, 84, 2)).params, 0, 2)).toBe(400)
    expect((await bus.read(11, 9, 1)).params[0]).toBe(7)
  })
})

describe('the other instructions', () => {
  /** Replies to one packet, taken apart. */
  const ask = (robot: SimulatedRobot, bytes: Uint8Array): Packet[] => {
    const parser = createParser()
    return robot.receive(bytes, 0).flatMap((reply) => parser.push(reply))
  }
  const of = (id: number, instruction: number, params: number[] = []): Uint8Array =>
    encodeInstruction(id, instruction, params)

  it('keep a write until the action', () => {
    const robot = createSimulatedRobot()
    expect(ask(robot, of(11, INSTRUCTION.regWrite, [9, 0, 33]))[0]?.status?.number).toBe(0)
    expect([...(robot.motor(11)?.read(9, 1) as Uint8Array)]).toEqual([0])
    expect(ask(robot, of(BROADCAST_ID, INSTRUCTION.action))).toEqual([])
    expect([...(robot.motor(11)?.read(9, 1) as Uint8Array)]).toEqual([33])
    expect(ask(robot, of(11, INSTRUCTION.action))[0]?.status?.number).toBe(STATUS_ERROR.resultFail)
  })

  it('read and write in bulk', () => {
    const robot = createSimulatedRobot()
    ask(robot, of(BROADCAST_ID, INSTRUCTION.bulkWrite, [11, 9, 0, 1, 0, 5, 12, 80, 0, 2, 0, 1, 2]))
    const replies = ask(robot, of(BROADCAST_ID, INSTRUCTION.bulkRead, [11, 9, 0, 1, 0, 12, 80, 0, 2, 0]))
    expect(replies.map(({ id, params }) => [id, ...params])).toEqual([
      [11, 5],
      [12, 1, 2],
    ])
  })

  it('answer a fast read with one packet whose every CRC fits', () => {
    const robot = createSimulatedRobot()
    const [reply] = robot.receive(of(BROADCAST_ID, INSTRUCTION.fastSyncRead, [132, 0, 4, 0, 11, 12, 13]), 0)
    const bytes = reply ?? new Uint8Array()
    expect(bytes.length).toBe(8 + 3 * 8)
    expect([bytes[4], bytes[5], bytes[7]]).toEqual([BROADCAST_ID, 25, INSTRUCTION.status])
    for (const [block, id] of [11, 12, 13].entries()) {
      const at = 8 + 8 * block
      expect(bytes[at + 1]).toBe(id)
      expect((bytes[at + 6] ?? 0) | ((bytes[at + 7] ?? 0) << 8)).toBe(crc16(bytes, 0, at + 6))
    }
    robot.setFaults({ missing: [12] })
    expect(robot.receive(of(BROADCAST_ID, INSTRUCTION.fastSyncRead, [132, 0, 4, 0, 11, 12]), 0)).toEqual([])
  })

  it('say as much as the return level allows', () => {
    const robot = createSimulatedRobot()
    expect(ask(robot, of(11, INSTRUCTION.write, [68, 0, 0]))).toEqual([])
    expect(ask(robot, of(11, INSTRUCTION.read, [132, 0, 4, 0]))).toEqual([])
    expect(ask(robot, of(11, INSTRUCTION.ping))).toHaveLength(1)
  })

  it('put gains back when the operating mode changes, and refuse it under torque', () => {
    const robot = createSimulatedRobot()
    ask(robot, of(11, INSTRUCTION.write, [84, 0, 44, 1]))
    ask(robot, of(11, INSTRUCTION.write, [64, 0, 1]))
    expect(ask(robot, of(11, INSTRUCTION.write, [11, 0, 0]))[0]?.status?.number).toBe(STATUS_ERROR.access)
    ask(robot, of(11, INSTRUCTION.write, [64, 0, 0]))
    ask(robot, of(11, INSTRUCTION.write, [11, 0, 0]))
    expect([...(robot.motor(11)?.read(84, 2) as Uint8Array)]).toEqual([400 & 0xff, 400 >> 8])
  })

  it('reset to what the factory set, and are not heard at another baud rate', () => {
    const robot = createSimulatedRobot()
    expect(ask(robot, of(11, INSTRUCTION.factoryReset, [2]))[0]?.status?.number).toBe(0)
    expect([...(robot.motor(11)?.read(20, 4) as Uint8Array)]).toEqual([0, 0, 0, 0])
    expect(ask(robot, of(11, INSTRUCTION.ping))).toHaveLength(1)
    expect(ask(robot, of(11, INSTRUCTION.factoryReset, [9]))[0]?.status?.number).toBe(STATUS_ERROR.dataRange)
    ask(robot, of(11, INSTRUCTION.factoryReset, [1]))
    expect(ask(robot, of(11, INSTRUCTION.ping))).toEqual([])
  })

  it.each([
    [INSTRUCTION.clear, [1, 0x44, 0x58, 0x4c, 0x22], STATUS_ERROR.none],
    [INSTRUCTION.clear, [9], STATUS_ERROR.dataRange],
    [0x7e, [], STATUS_ERROR.instruction],
    [INSTRUCTION.read, [0, 0], STATUS_ERROR.dataLength],
  ])('0x%s with %j answers %i', (instruction, params, number) => {
    expect(ask(createSimulatedRobot(), of(11, instruction, params))[0]?.status?.number).toBe(number)
  })

  it('a hand turns a limp shaft round, and not one under torque', () => {
    const robot = createSimulatedRobot()
    const motor = robot.motor(10)
    motor?.turnByHand(3000)
    expect(readInteger(motor?.read(132, 4) as Uint8Array, 0, 4)).toBe(952)
    ask(robot, of(10, INSTRUCTION.write, [64, 0, 1]))
    motor?.turnByHand(500)
    expect(readInteger(motor?.read(132, 4) as Uint8Array, 0, 4)).toBe(952)
  })
})
