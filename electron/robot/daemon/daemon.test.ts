import { describe, expect, it, onTestFinished } from 'vitest'

import { startDaemon, turnedFrame } from '../../../e2e/servers/daemon.ts'
import { systemClock } from '../clock.ts'
import { createTestLog } from '../testing/quiet-log.ts'

import { daemonAddress, isNearby, socketAddress } from './address.ts'
import { meaningOf } from './client.ts'
import { createDaemonDriver } from './daemon-driver.ts'

import type { StandInDaemon } from '../../../e2e/servers/daemon.ts'
import type { BodyDriver } from '../driver/types.ts'

async function daemonAndDriver(): Promise<{ daemon: StandInDaemon; driver: BodyDriver }> {
  const daemon = await startDaemon()
  const driver = createDaemonDriver({ log: createTestLog(), clock: systemClock(), fetch, base: daemon.url })
  onTestFinished(async () => {
    await driver.close()
    await daemon.close()
  })
  return { daemon, driver }
}

describe('an address', () => {
  it.each([
    ['reachy-mini.local', 'http://reachy-mini.local:8000'],
    ['localhost', 'http://localhost:8000'],
    ['192.168.1.20:9000', 'http://192.168.1.20:9000'],
    [' http://10.42.0.1 ', 'http://10.42.0.1:8000'],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
    ['[::1]', 'http://[::1]:8000'],
    ['https://robot.example.org', 'https://robot.example.org'],
  ])('%s is %s', (text, base) => {
    expect(daemonAddress(text)).toBe(base)
  })

  it.each([
    '',
    'http://robot.example.org',
    '8.8.8.8',
    'http://172.32.0.1',
    'ftp://localhost',
    'http://a:b@localhost',
    'http://localhost/path',
    'http://localhost?x',
    'not a host',
    'file:///etc/passwd',
    'x'.repeat(254),
  ])('%j is refused', (text) => {
    expect(() => daemonAddress(text)).toThrow(expect.objectContaining({ code: 'robot/bad-place' }) as Error)
  })

  it.each([
    ['fe80::1', true],
    ['fd00::1', true],
    ['2001:db8::1', false],
    ['169.254.3.4', true],
    ['172.16.0.1', true],
    ['example.com', false],
  ])('%s is nearby: %s', (host, nearby) => {
    expect(isNearby(host)).toBe(nearby)
  })

  it('has a socket', () => {
    expect(socketAddress('https://robot.example.org')).toBe('wss://robot.example.org/ws/sdk')
  })
})

describe('the daemon’s own words', () => {
  it.each([
    ['No motors detected. Check if the power supply is connected and turned on!', 'robot/no-power', undefined],
    ["Missing motors: ['stewart_3', 'left_antenna']!", 'robot/missing-motors', { names: 'stewart_3, left_antenna' }],
    ['Could not open serial port: busy! Check permissions and if the port is already in use.', 'robot/busy', undefined],
    ['something new', 'robot/disconnected', undefined],
  ])('%s', (words, code, details) => {
    expect(meaningOf(words)).toEqual({ code, ...(details ? { details } : {}) })
  })
})

describe('the driver over a daemon', () => {
  it('opens, switches torque on, streams, switches off', async () => {
    const { daemon, driver } = await daemonAndDriver()
    await driver.open()
    const joints = new Float64Array(9)
    await driver.readPositions(joints)
    expect([...joints]).toEqual([...daemon.joints])
    expect((await driver.readHealth()).every((motor) => motor?.torque === false && motor.temperature === null)).toBe(
      true,
    )
    await driver.torqueOn()
    expect(daemon.torque).toBe(true)
    for (let tick = 0; tick < 30; tick += 1) {
      await driver.writeGoals(joints, turnedFrame(0.3))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await driver.readPositions(joints)
    expect(joints[0]).toBeCloseTo(0.3, 2)
    expect(daemon.received).toContainEqual({ type: 'set_automatic_body_yaw', enabled: false })
    await driver.torqueOff()
    expect(daemon.torque).toBe(false)
  })

  it.each<[string, (daemon: StandInDaemon) => void, string]>([
    ['somebody else has it', ({ faults }) => (faults.holder = 'my_app'), 'robot/busy'],
    [
      'its motors have no power',
      ({ faults }) => Object.assign(faults, { state: 'error', error: 'No motors detected. Check …' }),
      'robot/no-power',
    ],
    [
      'motors are missing',
      ({ faults }) => Object.assign(faults, { state: 'error', error: 'Missing motors: [stewart_1]!' }),
      'robot/missing-motors',
    ],
    ['it has no socket yet', ({ faults }) => Object.assign(faults, { noSocket: true, old: true }), 'robot/old-daemon'],
    ['it never ends an answer', ({ faults }) => (faults.stalls = true), 'robot/disconnected'],
    ['it answers pages', ({ faults }) => (faults.html = true), 'robot/disconnected'],
    ['it tells no joints', ({ faults }) => (faults.silent = true), 'robot/disconnected'],
    ['it answers too late', ({ faults }) => (faults.lateMs = 3_500), 'robot/disconnected'],
  ])(
    'does not open when %s, and leaves it as it is',
    async (_, break_, code) => {
      const { daemon, driver } = await daemonAndDriver()
      break_(daemon)
      await expect(driver.open()).rejects.toMatchObject({ code })
      expect(daemon.asked.some((route) => /stop|restart|set_mode/.test(route))).toBe(false)
      await expect(driver.readPositions(new Float64Array(9))).rejects.toMatchObject({ code: 'robot/disconnected' })
    },
    10_000,
  )

  it('starts the backend of one that was stopped, and knows older ones without a lock', async () => {
    const { daemon, driver } = await daemonAndDriver()
    Object.assign(daemon.faults, { state: 'stopped', old: true })
    await driver.open()
    expect(daemon.asked).toContain('POST /api/daemon/start?wake_up=false')
  })

  it('tells that the robot was lost', async () => {
    const { daemon, driver } = await daemonAndDriver()
    await driver.open()
    const lost = new Promise<void>((resolve) => driver.onLost(resolve))
    daemon.cut()
    await lost
    await expect(driver.writeGoals(new Float64Array(9), turnedFrame(0))).rejects.toMatchObject({
      code: 'robot/disconnected',
    })
  })

  it('joints that are no longer told are a lost robot too', async () => {
    const { daemon, driver } = await daemonAndDriver()
    await driver.open()
    daemon.faults.silent = true
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await expect(driver.readPositions(new Float64Array(9))).rejects.toMatchObject({ code: 'robot/disconnected' })
  })

  it('stops in an emergency, also without its socket, and says when it was not confirmed', async () => {
    const { daemon, driver } = await daemonAndDriver()
    await driver.open()
    await driver.torqueOn()
    expect(await driver.emergencyOff()).toBe(true)
    expect(daemon.torque).toBe(false)
    await driver.torqueOn()
    daemon.cut()
    expect(await driver.emergencyOff()).toBe(true)
    expect(daemon.torque).toBe(false)
    daemon.faults.state = 'running'
    await driver.torqueOn()
    daemon.faults.stuckTorque = true
    expect(await driver.emergencyOff()).toBe(false)
  })

  it('torque that comes on during an emergency stop goes off again', async () => {
    const { daemon, driver } = await daemonAndDriver()
    await driver.open()
    daemon.faults.lateMs = 50
    const on = driver.torqueOn()
    const off = driver.emergencyOff()
    await expect(on).rejects.toMatchObject({ code: 'robot/stopped' })
    await off
    expect(daemon.torque).toBe(false)
  })
})
