import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createRobot } from './robot.ts'
import { openSerialPort } from './serial/serial-port.ts'
import { openPtyRobot } from './testing/pty-robot.ts'
import { createTestLog } from './testing/quiet-log.ts'
import { soakRobot } from './testing/soak.ts'

import type { RobotState } from '../contract/index.ts'
import type { Faults } from './simulator/faults.ts'
import type { PtyRobot } from './testing/pty-robot.ts'
import type { Robot } from './types.ts'

const movesDir = path.join(import.meta.dirname, '../../resources/moves')

function robotOnPty(): PtyRobot {
  const robot = openPtyRobot()
  onTestFinished(() => robot.close())
  return robot
}

/** The whole driver on a real port, in real time. `path` is asked at each opening: a port comes back under another name. */
function driverOn(place: () => string): Robot {
  const robot = createRobot({
    log: createTestLog(),
    movesDir,
    wanted: 'serial:/dev/ttyACM0',
    wakeAtStart: false,
    fetch: () => Promise.reject(new Error('no daemon')),
    finder: { listPorts: () => Promise.resolve([]), openPort: () => openSerialPort(place()) },
  })
  onTestFinished(() => robot.dispose())
  return robot
}

const byte = ({ robot }: PtyRobot, id: number, address: number): number =>
  (robot.motor(id)?.read(address, 1) as Uint8Array)[0] ?? NaN

/** Limits are the driver's own with a machine that is busy with other tests on top. */
const until = (robot: Robot, holds: (state: RobotState) => boolean, timeout: number): Promise<void> =>
  expect.poll(() => holds(robot.state()), { timeout, interval: 20 }).toBe(true)

// Real time on a machine that may be busy: a wire that was not served for some 100 ms is a wire that is lost.
describe('the driver on a pseudo-terminal', { retry: 2 }, () => {
  it('starts, enables without a jump, streams, tells, stops', { timeout: 30_000 }, async () => {
    const pty = robotOnPty()
    const robot = driverOn(() => pty.path)
    await robot.start()
    expect(robot.state()).toMatchObject({ connection: 'ready', torque: false })
    await robot.enable()
    expect(robot.state().stewart[1]).toBeCloseTo(0.836, 2)
    const end = await robot.lookTo('left').ended
    expect(end).toMatchObject({ ended: 'done', clamped: false })
    expect(robot.state().head.yaw).toBeGreaterThan(0.5)
    expect(robot.state().motors.every(({ temperature, voltage }) => temperature !== null && voltage === 7.2)).toBe(true)
    expect(await robot.emergencyStop()).toEqual({ confirmed: true })
    expect([10, 14, 18].map((id) => byte(pty, id, 64))).toEqual([0, 0, 0])
  })

  it.each<[string, Partial<Faults>, Partial<Faults>, RobotState['connection'], string]>([
    ['the supply goes off', { power: false }, { power: true }, 'no-power', 'robot/no-power'],
    ['a motor goes silent', { missing: [14] }, { missing: [] }, 'missing-motors', 'robot/missing-motors'],
    ['every reply is damaged', { corrupted: 1 }, { corrupted: 0 }, 'absent', 'robot/unreadable'],
  ])('%s: said, and mended', { timeout: 40_000 }, async (_, fault, none, connection, code) => {
    const pty = robotOnPty()
    const robot = driverOn(() => pty.path)
    await robot.start()
    const failed = robot.sweepLook().ended.catch((error: unknown) => error)
    await until(robot, ({ torque }) => torque, 5_000)
    pty.setFaults(fault)
    await until(robot, (state) => state.connection === connection && state.problem?.code === code, 10_000)
    expect(await failed).toMatchObject({ code: expect.stringMatching(/^robot\//) as string })
    pty.setFaults(none)
    await until(robot, (state) => state.connection === 'ready', 15_000)
    expect(robot.state().torque).toBe(false)
  })

  it('is unplugged and plugged in again, and leaves no file open', { timeout: 60_000 }, async () => {
    let pty = robotOnPty()
    const robot = driverOn(() => pty.path)
    const files = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)
    await robot.start()
    let first = 0
    for (let cycle = 0; cycle < 12; cycle += 1) {
      if (cycle % 2 === 0) robot.lookTo('left').ended.catch(() => undefined)
      pty.close()
      await until(robot, ({ connection }) => connection !== 'ready', 5_000)
      pty = robotOnPty()
      await until(robot, ({ connection }) => connection === 'ready', 10_000)
      expect(robot.state().torque).toBe(false)
      if (cycle === 1) first = files()
    }
    expect(files()).toBeLessThanOrEqual(first + 1)
  })

  it('a program that is killed in a motion stops the motors within their watchdog', { timeout: 60_000 }, async () => {
    const pty = robotOnPty()
    const program = spawn(process.execPath, [path.join(import.meta.dirname, 'testing/mover.mjs'), pty.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void program.kill('SIGKILL'))
    await new Promise<void>((resolve, reject) => {
      program.stdout.once('data', () => resolve())
      program.once('exit', (code) => reject(new Error(`ended with ${code}`)))
    })
    expect(byte(pty, 10, 98)).toBe(25)
    program.removeAllListeners('exit')
    const gone = new Promise((resolve) => program.once('exit', resolve))
    program.kill('SIGKILL')
    await gone
    await new Promise((resolve) => setTimeout(resolve, 300))
    pty.robot.receive(new Uint8Array(), performance.now())
    expect(byte(pty, 10, 98)).toBe(25)
    await new Promise((resolve) => setTimeout(resolve, 300))
    pty.robot.receive(new Uint8Array(), performance.now())
    for (const id of [10, 12, 18]) expect(byte(pty, id, 98)).toBe(255)
    const here = pty.robot.motor(10)?.read(132, 4)
    await new Promise((resolve) => setTimeout(resolve, 300))
    pty.robot.receive(new Uint8Array(), performance.now())
    expect(pty.robot.motor(10)?.read(132, 4)).toEqual(here)

    // Whoever takes the robot next finds it limp.
    const robot = driverOn(() => pty.path)
    await robot.start()
    expect(robot.state()).toMatchObject({ connection: 'ready', torque: false })
    expect([10, 14, 18].map((id) => byte(pty, id, 64))).toEqual([0, 0, 0])
  })

  it('streams for a while without holes or growth', { timeout: 60_000 }, async () => {
    const pty = robotOnPty()
    const figures = await soakRobot({ port: pty.path, seconds: 6, movesDir })
    expect(figures.periods).toBeGreaterThan(280)
    expect(figures.periods).toBeLessThan(320)
    // Robot, driver and other tests share this machine: no limit of time, only of what must not happen.
    expect(figures.missed).toBeLessThan(figures.periods / 4)
    expect(figures.medianMs).toBeLessThan(30)
    expect(figures.resourcesLast).toBeLessThanOrEqual(figures.resourcesFirst + 2)
    expect(figures.heapLast - figures.heapFirst).toBeLessThan(20 * 1024 * 1024)
  })
})
