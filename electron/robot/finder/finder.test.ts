import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { CompanionError } from '../../contract/index.ts'
import { createSimulatedRobot } from '../simulator/device.ts'
import { openMemoryPort } from '../simulator/memory-port.ts'
import { createTestLog } from '../testing/quiet-log.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'

import { createFinder, idOfPlace } from './finder.ts'
import { listSysfs } from './list-ports.ts'
import { adaptersAmong } from './ports.ts'
import { probePort } from './probe.ts'

import type { ErrorCode, RobotSummary } from '../../contract/index.ts'
import type { Faults } from '../simulator/faults.ts'
import type { SystemPort } from './ports.ts'

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
      'macOS with both drivers, each port twice, and no numbers at all',
      [
        { path: '/dev/cu.wchusbserial5A46', ...robot },
        { path: '/dev/tty.wchusbserial5A46', ...robot },
        { path: '/dev/tty.usbmodem5A46', ...robot },
        { path: '/dev/cu.usbmodem5A46', ...robot },
        { path: '/dev/cu.usbmodem7B11', ...robot },
        { path: '/dev/tty.usbmodem7B11', ...robot },
        { path: '/dev/cu.Bluetooth-Incoming-Port' },
      ],
      [
        ['/dev/cu.usbmodem5A46', '/dev/tty.usbmodem5A46', '/dev/cu.wchusbserial5A46', '/dev/tty.wchusbserial5A46'],
        ['/dev/cu.usbmodem7B11', '/dev/tty.usbmodem7B11'],
      ],
    ],
    [
      'two robots whose adapters have one serial number',
      [
        { path: 'COM3', ...robot, serialNumber: '0001', locationId: 'Port_#0001.Hub_#0003' },
        { path: 'COM12', ...robot, serialNumber: '0001', locationId: 'Port_#0002.Hub_#0003' },
      ],
      [['COM3'], ['COM12']],
    ],
    [
      'two robots whose adapters tell an empty one',
      [
        { path: '/dev/ttyACM0', ...robot, serialNumber: '', locationId: '1-1' },
        { path: '/dev/ttyACM1', ...robot, serialNumber: '', locationId: '1-2' },
      ],
      [['/dev/ttyACM0'], ['/dev/ttyACM1']],
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

describe('robots found', () => {
  const MAC = [
    { path: '/dev/tty.usbmodem5A46', ...robot, serialNumber: '5A46' },
    { path: '/dev/tty.wchusbserial5A46', ...robot, serialNumber: '5A46' },
  ]

  /** Ports of this computer, what leads where, and whoever answers as a daemon. */
  function place(setup: {
    ports: SystemPort[]
    behind: Readonly<Record<string, Partial<Faults> | ErrorCode>>
    saved?: string[]
    daemon?: { state?: string; simulation_enabled?: boolean; wait?: boolean }
  }) {
    const clock = createVirtualClock()
    const written = new Map<string, Set<number>>()
    const opened: string[] = []
    const asked: string[] = []
    const now = { ports: setup.ports, behind: setup.behind }
    const finder = createFinder({
      clock,
      log: createTestLog(),
      saved: () => Promise.resolve(setup.saved ?? []),
      listPorts: () => Promise.resolve(now.ports),
      listen: () => Promise.resolve([]),
      trueName: (name) => Promise.resolve(name === '/dev/serial/by-id/usb-robot' ? '/dev/ttyACM0' : name),
      fetch: (input) => {
        asked.push(String(input instanceof Request ? input.url : input))
        if (setup.daemon === undefined) return Promise.reject(new TypeError('refused'))
        const body = asked.at(-1)?.endsWith('lock-status')
          ? { state: 'free' }
          : { robot_name: 'reachy_mini', state: 'running', ...setup.daemon }
        return Promise.resolve(new Response(JSON.stringify(body)))
      },
      openPort: (path) => {
        opened.push(path)
        const what = now.behind[path] ?? 'robot/not-found'
        if (typeof what === 'string') return Promise.reject(new CompanionError(what, { path }))
        const simulated = createSimulatedRobot()
        simulated.setFaults(what)
        const port = openMemoryPort(simulated, clock)
        const instructions = written.get(path) ?? new Set()
        written.set(path, instructions)
        return Promise.resolve({
          ...port,
          write: (bytes: Uint8Array) => {
            instructions.add(bytes[7] ?? 0)
            return port.write(bytes)
          },
        })
      },
    })
    const done = async <T>(work: Promise<T>): Promise<T> => {
      let over = false
      const end = (): void => void (over = true)
      work.then(end, end)
      for (let ms = 0; !over && ms < 5_000; ms += 10) await clock.advance(10)
      return work
    }
    const look = async (inUse: string | null = null): Promise<RobotSummary[]> => done(finder.look(inUse, false))
    return { finder, look, done, now, written, opened, asked, clock }
  }
  const brief = (robots: readonly RobotSummary[]): string[] =>
    robots.map(({ id, state, missing, heldBy }) =>
      [id, state, ...(missing ?? []), ...(heldBy === undefined ? [] : [`held by ${heldBy}`])].join(' '),
    )

  it('once on macOS, by the port that works', async () => {
    const { look, finder, done, opened } = place({
      ports: MAC,
      behind: { '/dev/tty.usbmodem5A46': 'robot/disconnected', '/dev/tty.wchusbserial5A46': {} },
    })
    expect(brief(await look())).toEqual(['serial:/dev/tty.usbmodem5A46 ready'])
    await done(finder.open('serial:/dev/tty.usbmodem5A46'))
    expect(opened.at(-1)).toBe('/dev/tty.wchusbserial5A46')
  })

  it('under any name that the person typed', async () => {
    for (const typed of ['/dev/cu.usbmodem5A46', '/dev/tty.wchusbserial5A46']) {
      const { look, finder, done } = place({ ports: MAC, behind: { '/dev/tty.usbmodem5A46': {} }, saved: [typed] })
      expect(brief(await look())).toEqual(['serial:/dev/tty.usbmodem5A46 ready'])
      await (await done(finder.open(`serial:${typed}`))).close()
      // In use under the typed name it is the same robot still, and not asked again.
      expect((await look(`serial:${typed}`)).map(({ id, connected }) => [id, connected])).toEqual([
        [`serial:${typed}`, true],
      ])
    }
    const linux = place({
      ports: [{ path: '/dev/ttyACM0', ...robot, serialNumber: 'A' }],
      behind: { '/dev/ttyACM0': {} },
      saved: ['/dev/serial/by-id/usb-robot'],
    })
    expect(brief(await linux.look())).toEqual(['serial:/dev/ttyACM0 ready'])
  })

  it('two at once, another device among them, each for itself', async () => {
    const { look, written } = place({
      ports: [
        { path: 'COM3', vendorId: '1A86', productId: '55D3', serialNumber: 'A' },
        { path: 'COM4', vendorId: '1A86', productId: '55D3', serialNumber: 'B' },
        { path: 'COM5', vendorId: '1A86', productId: '55D3', serialNumber: 'C' },
        { path: 'COM6', vendorId: '1A86', productId: '55D3', serialNumber: 'D' },
        { path: 'COM7', vendorId: '1A86', productId: '55D3', serialNumber: 'E' },
        { path: 'COM8', vendorId: '1A86', productId: '7523', serialNumber: 'F' },
      ],
      behind: {
        COM3: {},
        COM4: { missing: [12] },
        COM5: { foreign: true },
        COM6: { power: false },
        COM7: 'robot/no-permission',
        COM8: {},
      },
    })
    expect(brief(await look())).toEqual([
      'serial:COM3 ready',
      'serial:COM4 missing-motors stewart_2',
      'serial:COM5 unknown-device',
      'serial:COM6 no-power',
      'serial:COM7 no-permission',
    ])
    for (const instructions of written.values()) expect([...instructions]).toEqual([1])
  })

  it('on ports that were typed, without any USB numbers', async () => {
    const { look } = place({
      ports: [],
      behind: { '/dev/pts/7': {}, COM9: 'robot/busy' },
      saved: ['COM9', '/dev/pts/9', '/dev/pts/7'],
    })
    expect((await look()).map(({ id, state, added }) => [id, state, added])).toEqual([
      ['serial:COM9', 'busy', true],
      ['serial:/dev/pts/9', 'absent', true],
      ['serial:/dev/pts/7', 'ready', true],
    ])
  })

  it('held by the daemon of this computer: offered through it, not even pinged, and nothing of it ended', async () => {
    const { look, opened, asked } = place({
      ports: [{ path: '/dev/ttyACM0', ...robot, serialNumber: 'A' }],
      behind: { '/dev/ttyACM0': {} },
      daemon: {},
    })
    expect(brief(await look())).toEqual([
      'serial:/dev/ttyACM0 busy held by daemon:http://127.0.0.1:8000',
      'daemon:http://127.0.0.1:8000 ready',
    ])
    expect(opened).toEqual([])
    expect(asked.every((route) => /status$/.test(route))).toBe(true)
  })

  it('one held by the daemon and one free: the port tells which', async () => {
    const { look } = place({
      ports: [
        { path: '/dev/ttyACM0', ...robot, serialNumber: 'A' },
        { path: '/dev/ttyACM1', ...robot, serialNumber: 'B' },
      ],
      behind: { '/dev/ttyACM0': 'robot/busy', '/dev/ttyACM1': {} },
      daemon: {},
    })
    expect(brief(await look()).slice(0, 2)).toEqual([
      'serial:/dev/ttyACM0 busy held by daemon:http://127.0.0.1:8000',
      'serial:/dev/ttyACM1 ready',
    ])
  })

  it('a daemon that only simulates holds no port', async () => {
    const { look } = place({
      ports: [{ path: '/dev/ttyACM0', ...robot, serialNumber: 'A' }],
      behind: { '/dev/ttyACM0': {} },
      daemon: { simulation_enabled: true },
    })
    expect(brief(await look())[0]).toBe('serial:/dev/ttyACM0 ready')
  })

  it('that changed ports is still itself', async () => {
    const [a, b] = [
      { ...robot, serialNumber: 'A' },
      { ...robot, serialNumber: 'B' },
    ]
    const { look, finder, now, done, opened } = place({
      ports: [
        { path: '/dev/ttyACM0', ...a },
        { path: '/dev/ttyACM1', ...b },
      ],
      behind: { '/dev/ttyACM0': {}, '/dev/ttyACM1': {} },
    })
    await (await done(finder.open('serial:/dev/ttyACM0'))).close()
    now.ports = [
      { path: '/dev/ttyACM0', ...b },
      { path: '/dev/ttyACM1', ...a },
    ]
    opened.length = 0
    const found = await look('serial:/dev/ttyACM0')
    expect(found.map(({ place: where, connected, serialNumber }) => [where, connected, serialNumber])).toEqual([
      ['/dev/ttyACM0', false, 'B'],
      ['/dev/ttyACM1', true, 'A'],
    ])
    expect(new Set(found.map(({ id }) => id)).size).toBe(2)
    expect(opened).toEqual(['/dev/ttyACM0'])
    await done(finder.open('serial:/dev/ttyACM0'))
    expect(opened.at(-1)).toBe('/dev/ttyACM1')
    await done(finder.open(found[0]?.id ?? ''))
    expect(opened.at(-1)).toBe('/dev/ttyACM0')
  })

  it('is opened only after the question who it is was answered', async () => {
    const { finder, done, opened } = place({
      ports: [{ path: '/dev/ttyACM0', ...robot, serialNumber: 'A' }],
      behind: { '/dev/ttyACM0': { power: false } },
    })
    const looking = finder.look(null, false)
    const opening = finder.open('serial:/dev/ttyACM0')
    await done(Promise.all([looking, opening]))
    expect(opened).toHaveLength(2)
    expect((await looking)[0]?.state).toBe('no-power')
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

  it('whose answers are late for a moment is a whole robot', async () => {
    const clock = createVirtualClock()
    const simulated = createSimulatedRobot()
    simulated.setFaults({ missing: [14, 16] })
    const probing = probePort(() => Promise.resolve(openMemoryPort(simulated, clock)), clock)
    await clock.advance(100)
    simulated.setFaults({ missing: [] })
    await clock.advance(1_000)
    expect(await probing).toEqual({ state: 'ready' })
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
