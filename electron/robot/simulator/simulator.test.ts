import { describe, expect, it } from 'vitest'

import { createBus, integerBytes, readInteger } from '../dynamixel/bus.ts'
import { REGISTER } from '../dynamixel/control-table.ts'
import { MOTOR_IDS } from '../motors.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'

import { createSimulatedRobot } from './device.ts'
import { advanceFirstOrder } from './dynamics.ts'
import { openMemoryPort } from './memory-port.ts'

import type { Bus } from '../dynamixel/bus.ts'
import type { VirtualClock } from '../testing/virtual-clock.ts'

function bench(): { bus: Bus; clock: VirtualClock } {
  const clock = createVirtualClock()
  return { clock, bus: createBus(openMemoryPort(createSimulatedRobot(), clock), clock) }
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
