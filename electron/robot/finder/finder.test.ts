import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { CompanionError } from '../../contract/index.ts'
import { createSimulatedRobot } from '../simulator/device.ts'
import { openMemoryPort } from '../simulator/memory-port.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'

import { idOfPlace } from './finder.ts'
import { listSysfs } from './list-ports.ts'
import { adaptersAmong } from './ports.ts'
import { probePort } from './probe.ts'

import type { Faults } from '../simulator/faults.ts'

const robot = { vendorId: '1a86', productId: '55d3' }

describe('serial ports that may be a robot', () => {
  it.each([
    [
      'Linux, among others',
      [
        { path: '/dev/ttyACM0', ...robot, serialNumber: 'A1' },
        { path: '/dev/ttyUSB0', vendorId: '1a86', productId: '7523' },
        { path: '/dev/ttyS0' },
      ],
      [['/dev/ttyACM0']],
    ],
    ['Windows, in capitals', [{ path: 'COM7', vendorId: '1A86', productId: '55D3' }], [['COM7']]],
    [
      'macOS with both drivers',
      [
        { path: '/dev/tty.wchusbserial5A46', ...robot, serialNumber: '5A46' },
        { path: '/dev/tty.usbmodem5A46', ...robot, serialNumber: '5A46' },
      ],
      [['/dev/tty.usbmodem5A46', '/dev/tty.wchusbserial5A46']],
    ],
    [
      'macOS without serial numbers',
      [
        { path: '/dev/tty.wchusbserial1', ...robot, locationId: '14100000' },
        { path: '/dev/tty.usbmodem1', ...robot, locationId: '14100000' },
      ],
      [['/dev/tty.usbmodem1', '/dev/tty.wchusbserial1']],
    ],
    [
      'two robots',
      [
        { path: '/dev/ttyACM1', ...robot, serialNumber: 'B' },
        { path: '/dev/ttyACM0', ...robot, serialNumber: 'A' },
      ],
      [['/dev/ttyACM1'], ['/dev/ttyACM0']],
    ],
    ['none', [], []],
  ])('%s', (_, ports, expected) => {
    expect(adaptersAmong(ports).map(({ paths }) => paths)).toEqual(expected)
  })

  it('are read from sysfs where no library can', async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'sysfs-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const device = path.join(root, 'devices/usb1/1-2')
    mkdirSync(path.join(device, '1-2:1.0'), { recursive: true })
    for (const [name, value] of [
      ['idVendor', '1a86'],
      ['idProduct', '55d3'],
      ['serial', '5A46'],
    ] as const) {
      writeFileSync(path.join(device, name), `${value}\n`)
    }
    const tty = path.join(root, 'class/tty')
    mkdirSync(path.join(tty, 'ttyACM0'), { recursive: true })
    mkdirSync(path.join(tty, 'ttyS0'), { recursive: true })
    mkdirSync(path.join(tty, 'ttyUSB3'), { recursive: true })
    symlinkSync(path.join(device, '1-2:1.0'), path.join(tty, 'ttyACM0/device'))
    const ports = await listSysfs(tty)
    expect(adaptersAmong(ports)).toEqual([{ paths: ['/dev/ttyACM0'], key: '5A46', serialNumber: '5A46' }])
    expect(ports).toContainEqual({ path: '/dev/ttyUSB3' })
    expect(await listSysfs(path.join(root, 'nowhere'))).toEqual([])
  })
})

describe('probing a port', () => {
  const probe = async (faults: Partial<Faults>): Promise<{ result: unknown; written: Set<number> }> => {
    const clock = createVirtualClock()
    const simulated = createSimulatedRobot()
    simulated.setFaults(faults)
    const written = new Set<number>()
    const probing = probePort(async () => {
      const port = openMemoryPort(simulated, clock)
      return {
        ...port,
        write(bytes) {
          written.add(bytes[7] ?? 0)
          return port.write(bytes)
        },
      }
    }, clock)
    await clock.advance(1_000)
    return { result: await probing, written }
  }

  it.each<[string, Partial<Faults>, unknown]>([
    ['a robot', {}, { state: 'ready' }],
    ['a robot without power', { power: false }, { state: 'no-power' }],
    [
      'a robot with a loose cable',
      { cutAfter: 16 },
      { state: 'missing-motors', missing: ['right_antenna', 'left_antenna'] },
    ],
    ['another arm', { foreign: true }, { state: 'unknown-device' }],
    ['a robot on a noisy wire', { noise: 30 }, { state: 'ready' }],
  ])('%s, with nothing but pings', async (_, faults, expected) => {
    const { result, written } = await probe(faults)
    expect(result).toEqual(expected)
    expect([...written]).toEqual([1])
  })

  it.each([
    ['robot/busy', 'busy'],
    ['robot/no-permission', 'no-permission'],
    ['robot/disconnected', 'unknown-device'],
  ] as const)('a port that says %s is %s', async (code, state) => {
    const clock = createVirtualClock()
    expect(await probePort(() => Promise.reject(new CompanionError(code)), clock)).toEqual({ state })
  })
})

describe('a place that a person typed', () => {
  it.each([
    ['/dev/ttyACM0', 'serial:/dev/ttyACM0'],
    ['  COM7 ', 'serial:COM7'],
    ['serial:/dev/pts/3', 'serial:/dev/pts/3'],
    ['reachy-mini.local', 'daemon:http://reachy-mini.local:8000'],
    ['daemon:127.0.0.1:9', 'daemon:http://127.0.0.1:9'],
  ])('%j is %s', (text, id) => {
    expect(idOfPlace(text)).toBe(id)
  })

  it.each(['', 'serial:', '../../x', `/dev/${'x'.repeat(200)}`, '/dev/tty\nACM0', '/dev/\u202etty', 'x'.repeat(299)])(
    '%j is none',
    (text) => {
      expect(() => idOfPlace(text)).toThrow(expect.objectContaining({ code: 'robot/bad-place' }) as Error)
    },
  )
})
