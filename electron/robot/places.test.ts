import { describe, expect, it, onTestFinished } from 'vitest'

import { CompanionError, MAX_ADDED_ROBOTS } from '../contract/index.ts'

import { createRobot } from './robot.ts'
import { createSimulatedRobot } from './simulator/device.ts'
import { openMemoryPort } from './simulator/memory-port.ts'
import { createTestLog } from './testing/quiet-log.ts'
import { createVirtualClock } from './testing/virtual-clock.ts'

import type { UsbDevice } from './audio-board/audio-board.ts'
import type { Robot } from './types.ts'

function house({
  wanted,
  saved = [],
  openAudio = () => Promise.reject(new CompanionError('robot/no-permission')),
}: { wanted?: string; saved?: string[]; openAudio?: () => Promise<UsbDevice> } = {}): {
  robot: Robot
  saved: () => string[]
} {
  let places = saved
  const robot = createRobot({
    log: createTestLog(),
    movesDir: '/nowhere',
    clock: createVirtualClock(),
    wakeAtStart: false,
    openAudio,
    ...(wanted === undefined ? {} : { wanted }),
    memory: {
      chosen: () => Promise.resolve(null),
      choose: () => Promise.resolve(),
      saved: () => Promise.resolve(places),
      save(next) {
        places = [...next]
        return Promise.resolve()
      },
    },
    finder: {
      listPorts: () => Promise.resolve([]),
      openPort: (path) => Promise.reject(new CompanionError('robot/not-found', { path })),
      listen: () => Promise.resolve([]),
      // Nobody listens there.
      here: 'http://127.0.0.1:9',
    },
  })
  onTestFinished(() => robot.dispose())
  return { robot, saved: () => places }
}

const ids = async (robot: Robot): Promise<string[]> => (await robot.list({ fresh: true })).map(({ id }) => id)

describe('robots that a person adds', () => {
  it('are remembered, each once, and forgotten', async () => {
    const { robot, saved } = house()
    await robot.add('/dev/ttyACM7')
    await robot.add(' /dev/ttyACM7 ')
    expect(await robot.add('127.0.0.1:9')).toMatchObject({
      kind: 'daemon',
      state: 'absent',
      added: true,
      connected: false,
    })
    expect(saved()).toEqual(['/dev/ttyACM7', 'http://127.0.0.1:9'])
    expect(await ids(robot)).toEqual(['serial:/dev/ttyACM7', 'daemon:http://127.0.0.1:9', 'simulator'])
    await robot.forget('serial:/dev/ttyACM7')
    expect(await ids(robot)).toEqual(['daemon:http://127.0.0.1:9', 'simulator'])
  })

  it.each(['', 'serial:', 'x'.repeat(299), '/dev/a\nb', 'http://robot.example.org'])(
    'are not remembered when %j is no place: the others stay',
    async (text) => {
      const { robot, saved } = house({ saved: ['/dev/ttyACM7'] })
      await expect(robot.add(text)).rejects.toMatchObject({ code: 'robot/bad-place' })
      expect(saved()).toEqual(['/dev/ttyACM7'])
      expect(await ids(robot)).toEqual(['serial:/dev/ttyACM7', 'simulator'])
    },
  )

  it('give way to newer ones beyond what is kept', async () => {
    const { robot, saved } = house({ saved: Array.from({ length: MAX_ADDED_ROBOTS }, (_, i) => `/dev/tty${i}`) })
    await robot.add('/dev/new')
    expect(saved()).toHaveLength(MAX_ADDED_ROBOTS)
    expect([saved()[0], saved().at(-1)]).toEqual(['/dev/tty1', '/dev/new'])
  })
})

describe('the robot of this run', () => {
  it('is in the list, cannot be forgotten, and is remembered nowhere', async () => {
    const { robot, saved } = house({ wanted: 'serial:/dev/pts/900' })
    const [first] = await robot.list({ fresh: true })
    expect(first).toMatchObject({ id: 'serial:/dev/pts/900', state: 'absent', added: false })
    expect(saved()).toEqual([])
  })

  it('that is no place takes no other down', async () => {
    const { robot } = house({ wanted: 'serial:', saved: ['/dev/ttyACM7'] })
    expect(await ids(robot)).toEqual(['serial:/dev/ttyACM7', 'simulator'])
  })

  it('is in the list while it is driven, though nobody found it', async () => {
    const clock = createVirtualClock()
    const simulated = createSimulatedRobot()
    const robot = createRobot({
      log: createTestLog(),
      movesDir: '/nowhere',
      clock,
      wakeAtStart: false,
      wanted: 'serial:/dev/pts/900',
      finder: {
        listPorts: () => Promise.resolve([]),
        openPort: () => Promise.resolve(openMemoryPort(simulated, clock)),
        listen: () => Promise.resolve([]),
        here: 'http://127.0.0.1:9',
      },
    })
    const started = robot.start()
    await clock.advance(5_000)
    await started
    expect(await robot.list()).toMatchObject([
      { id: 'serial:/dev/pts/900', place: '/dev/pts/900', connected: true },
      { id: 'simulator', connected: false },
    ])
    const ended = robot.dispose()
    await clock.advance(10_000)
    await ended
  })

  it('is told to be in use when it could be opened only later', async () => {
    const clock = createVirtualClock()
    const simulated = createSimulatedRobot()
    let busy = true
    const robot = createRobot({
      log: createTestLog(),
      movesDir: '/nowhere',
      clock,
      wakeAtStart: false,
      wanted: 'serial:/dev/pts/900',
      finder: {
        listPorts: () => Promise.resolve([]),
        openPort: () =>
          busy ? Promise.reject(new CompanionError('robot/busy')) : Promise.resolve(openMemoryPort(simulated, clock)),
        listen: () => Promise.resolve([]),
        here: 'http://127.0.0.1:9',
      },
    })
    const told: string[] = []
    robot.onFound((robots) => told.push(robots.find(({ connected }) => connected)?.id ?? 'none'))
    await expect(robot.start()).rejects.toMatchObject({ code: 'robot/busy' })
    expect(told.at(-1)).toBe('serial:/dev/pts/900')
    const gone = robot.disconnect()
    await clock.advance(1_000)
    await gone
    expect(told.at(-1)).toBe('none')
    await expect(robot.connect('serial:/dev/pts/900')).rejects.toMatchObject({ code: 'robot/busy' })
    busy = false
    await clock.advance(10_000)
    expect(robot.state().connection).toBe('ready')
    expect(told.at(-1)).toBe('serial:/dev/pts/900')
    const ended = robot.dispose()
    await clock.advance(10_000)
    await ended
  })
})

describe('the audio board', () => {
  it('is in the report with its firmware, else with the reason why not', async () => {
    const device = { read: () => Promise.resolve(Uint8Array.of(0, 2, 1, 4)), close: () => undefined }
    const { robot } = house({ openAudio: () => Promise.resolve(device) })
    expect(await robot.diagnostics()).toContain('audio board: firmware 2.1.4\n')
    expect(await house().robot.diagnostics()).toContain('audio board: robot/no-permission\n')
    await expect(house().robot.soundDirection()).rejects.toMatchObject({ code: 'robot/no-permission' })
  })
})
