import { devNull } from 'node:os'

import { describe, expect, it, onTestFinished } from 'vitest'

import { systemClock } from '../clock.ts'
import { createBusDriver } from '../driver/bus-driver.ts'
import { createBus } from '../dynamixel/bus.ts'
import { newFrame } from '../kinematics/frame.ts'
import { MOTOR_IDS } from '../motors.ts'
import { openPtyRobot } from '../testing/pty-robot.ts'
import { createTestLog } from '../testing/quiet-log.ts'

import { openingFailure, openSerialPort } from './serial-port.ts'

import type { PtyRobot } from '../testing/pty-robot.ts'

function robotOnPty(): PtyRobot {
  const robot = openPtyRobot()
  onTestFinished(() => robot.close())
  return robot
}

describe('a serial port', () => {
  it('carries requests and answers at 1,000,000 baud', async () => {
    const { path } = robotOnPty()
    const port = await openSerialPort(path)
    // Robot and driver share a process here, and a machine with other tests: no time limit is looked at.
    const bus = createBus(port, systemClock(), 5_000)
    for (const id of MOTOR_IDS) expect((await bus.ping(id)).firmware).toBe(52)
    expect((await bus.syncRead(132, 4, MOTOR_IDS)).size).toBe(9)
    bus.dispose()
    await port.close()
    await expect(port.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'robot/disconnected' })
  })

  it('belongs to one owner, and to the next after it was closed', async () => {
    const { path } = robotOnPty()
    const port = await openSerialPort(path)
    await expect(openSerialPort(path)).rejects.toMatchObject({ code: 'robot/busy', details: { path } })
    await port.close()
    await (await openSerialPort(path)).close()
  })

  it('that does not exist, or is none, is said so', async () => {
    await expect(openSerialPort('/dev/ttyACM_none')).rejects.toMatchObject({
      code: 'robot/not-found',
      details: { id: '/dev/ttyACM_none' },
    })
    await expect(openSerialPort(devNull)).rejects.toMatchObject({ code: 'robot/unknown-device' })
  })

  it('that goes away tells it once, and ends what waits', async () => {
    const robot = robotOnPty()
    const port = await openSerialPort(robot.path)
    let closed = 0
    port.onClose(() => closed++)
    robot.close()
    await expect
      .poll(async () => {
        await port.write(Uint8Array.of(1, 2, 3)).catch(() => undefined)
        return closed
      })
      .toBe(1)
    await expect(port.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'robot/disconnected' })
    await port.close()
    expect(closed).toBe(1)
  })

  it.each([
    ['Error: No such file or directory, cannot open /dev/ttyACM9', 'robot/not-found'],
    ['Opening COM9: File not found', 'robot/not-found'],
    ['Error Resource temporarily unavailable Cannot lock port', 'robot/busy'],
    ['Error: Resource busy, cannot open /dev/tty.usbmodem1', 'robot/busy'],
    ['Opening COM5: Access denied', 'robot/busy'],
    ['Error: Permission denied, cannot open /dev/ttyACM0', 'robot/no-permission'],
    ['Error: Inappropriate ioctl for device setting custom baud rate of 1000000', 'robot/unknown-device'],
    ['Error: Is a directory, cannot open /tmp', 'robot/unknown-device'],
    ['Error: Input/output error', 'robot/disconnected'],
  ])('%s is %s', (message, code) => {
    expect(openingFailure(message)).toBe(code)
  })
})

describe('the driver on a serial port', () => {
  const driverOf = (path: string) =>
    createBusDriver({
      log: createTestLog(),
      clock: systemClock(),
      openPort: () => openSerialPort(path),
      // Driver and robot share a process here, and the machine with other tests.
      marginMs: 150,
    })

  it('opens, pins, switches torque on, streams and switches off', async () => {
    const { path, robot } = robotOnPty()
    const driver = driverOf(path)
    await driver.open()
    const joints = new Float64Array(9)
    await driver.readPositions(joints)
    await driver.torqueOn()
    for (let tick = 0; tick < 25; tick += 1) {
      joints[0] = 0.01 * tick
      await driver.writeGoals(joints, newFrame())
      await driver.readPositions(new Float64Array(9))
    }
    expect((await driver.readHealth()).every((motor) => motor?.torque === true)).toBe(true)
    expect(await driver.emergencyOff()).toBe(true)
    expect([...(robot.motor(10)?.read(64, 1) as Uint8Array)]).toEqual([0])
    await driver.close()
  })

  it.each([
    ['the supply is off', { power: false }, 'robot/no-power'],
    ['a motor is missing', { missing: [14] }, 'robot/missing-motors'],
    ['the chain is cut', { cutAfter: 15 }, 'robot/missing-motors'],
    ['it is another device', { foreign: true }, 'robot/unknown-device'],
    ['three replies of ten are lost, and noise lies between', { dropped: 0.3, noise: 20 }, null],
    ['replies are slow', { lateMs: 4 }, null],
  ])('when %s', { timeout: 15_000 }, async (_, faults, code) => {
    const robot = robotOnPty()
    robot.setFaults(faults)
    const driver = driverOf(robot.path)
    const began = performance.now()
    if (code === null) await driver.open()
    else await expect(driver.open()).rejects.toMatchObject({ code })
    expect(performance.now() - began).toBeLessThan(10_000)
    await driver.close()
  })

  it('tells that the robot was lost', async () => {
    const robot = robotOnPty()
    const driver = driverOf(robot.path)
    await driver.open()
    let lost = 0
    driver.onLost(() => lost++)
    robot.close()
    await expect
      .poll(async () => {
        await driver.readPositions(new Float64Array(9)).catch(() => undefined)
        return lost
      })
      .toBe(1)
    await driver.close()
  })
})
