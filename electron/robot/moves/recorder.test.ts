import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createStorage } from '../../storage/index.ts'
import { F } from '../kinematics/frame.ts'
import { restFrame } from '../kinematics/poses.ts'
import { radiansToTicks } from '../motors.ts'
import { createRobot } from '../robot.ts'
import { createTestLog } from '../testing/quiet-log.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { createWatchedWire } from '../testing/watched-wire.ts'

import { LONGEST_RECORDING } from './recorder.ts'
import { writeRecording } from './recording.ts'

import type { VirtualClock } from '../testing/virtual-clock.ts'
import type { WatchedWire } from '../testing/watched-wire.ts'
import type { Robot } from '../types.ts'

const movesDir = path.join(import.meta.dirname, '../../../resources/moves')

interface Bench {
  robot: Robot
  clock: VirtualClock
  wire: WatchedWire
  folder: string
}

async function bench(): Promise<Bench> {
  const folder = mkdtempSync(path.join(tmpdir(), 'recorder-'))
  const log = createTestLog()
  const storage = await createStorage({ dataDir: path.join(folder, 'data'), log })
  const clock = createVirtualClock()
  const wire = createWatchedWire(clock)
  const robot = createRobot({ log, movesDir, clock, storage, openPort: () => wire.open() })
  onTestFinished(async () => {
    await settled(clock, robot.dispose())
    await storage.dispose()
    rmSync(folder, { recursive: true, force: true })
  })
  await robot.start()
  await clock.advance(3000)
  return { robot, clock, wire, folder }
}

async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let over = false
  const done = (): void => {
    over = true
  }
  work.then(done, done)
  for (let ms = 0; !over && ms < 120_000; ms += 20) await clock.advance(20)
  if (!over) throw new Error('not settled')
  return work
}

/** A hand waves both antennas for `seconds`. */
async function guide({ clock, wire }: Bench, seconds: number): Promise<void> {
  for (let k = 0; k < seconds * 50; k++) {
    const angle = 0.8 * Math.sin((2 * Math.PI * k) / 50)
    const [right = 0, left = 0] = wire.positions().slice(7)
    wire.robot.motor(17)?.turnByHand(radiansToTicks(-0.17 + angle) - radiansToTicks(right))
    wire.robot.motor(18)?.turnByHand(radiansToTicks(0.17 - angle) - radiansToTicks(left))
    await clock.advance(20)
  }
}

describe('recording by hand', () => {
  it('takes down where a person guides the robot, plays it, and keeps it', async () => {
    const all = await bench()
    const { robot, clock, wire } = all
    const changes: string[] = []
    robot.shelf.onChange(() => changes.push(robot.recorder.state().state))
    const dance = robot.play('dance2')
    await clock.advance(500)
    const motion = robot.recorder.start()
    expect((await dance.ended).ended).toBe('stopped')
    await settled(clock, motion.started)
    await clock.advance(40)
    expect(robot.state()).toMatchObject({ torque: false, activity: { kind: 'by-hand' } })
    expect(robot.recorder.state()).toMatchObject({ state: 'recording', limit: LONGEST_RECORDING })
    // The head has sunk by the time a hand takes hold.
    await clock.advance(3000)
    const goals = wire.goalsAt.length
    await guide(all, 2)
    await clock.advance(1000)
    robot.recorder.stop()
    await motion.ended
    expect(wire.goalsAt.length).toBe(goals)
    expect(robot.state()).toMatchObject({ torque: false, activity: { kind: 'asleep' } })
    const { state, seconds } = robot.recorder.state()
    expect(state).toBe('recorded')
    expect(seconds).toBeGreaterThan(2)
    expect(seconds).toBeLessThan(6.1)
    expect(changes).toEqual(expect.arrayContaining(['waiting', 'recording', 'recorded']))

    const trajectory = robot.recorder.trajectory()
    // Before the hand they are where the dance left them.
    const antennas = trajectory.frames.filter((_, i) => i % 9 === F.right).slice(-100)
    expect(Math.max(...antennas)).toBeCloseTo(0.63, 1)
    expect(Math.min(...antennas)).toBeCloseTo(-0.97, 1)
    expect(await settled(clock, robot.recorder.play().ended)).toMatchObject({ ended: 'done' })
    expect(wire.faults).toEqual([])

    const kept = await robot.recorder.keep('Wave', { kind: 'emotion', description: 'Waves its antennas.' })
    expect(kept.name).toBe('mine:wave')
    expect(robot.recorder.state().state).toBe('none')
    expect(robot.moves().find(({ name }) => name === 'mine:wave')).toMatchObject({
      source: 'recorded',
      description: 'Waves its antennas.',
    })
    expect(await settled(clock, robot.play('mine:wave').ended)).toMatchObject({ ended: 'done' })
    expect(wire.faults).toEqual([])
    const { fileName, text } = robot.shelf.export('mine:wave', 'recorded-move')
    expect(fileName).toBe('wave.json')
    expect((JSON.parse(text) as { time: number[] }).time.length).toBeGreaterThan(100)
    expect(robot.shelf.export('mine:wave', 'lerobot').fileName).toBe('wave.lerobot.json')
  })

  it('ends by itself after a minute, at a stop, at an emergency stop, and when torque comes on', async () => {
    const { robot, clock } = await bench()
    const long = robot.recorder.start()
    expect((await settled(clock, long.ended)).duration).toBeCloseTo(LONGEST_RECORDING, 0)
    const ends: (() => unknown)[] = [
      () => robot.stopMotion(),
      () => robot.emergencyStop(),
      () => robot.recorder.discard(),
    ]
    for (const end of ends) {
      await settled(clock, robot.enable())
      const motion = robot.recorder.start()
      await clock.advance(300)
      end()
      expect((await settled(clock, motion.ended)).ended).toBe('stopped')
    }
    await settled(clock, robot.enable())
    const motion = robot.recorder.start()
    await clock.advance(300)
    await settled(clock, robot.enable())
    await settled(clock, motion.ended)
    expect(robot.state()).toMatchObject({ torque: true, activity: { kind: 'awake' } })
  })

  it('of nothing is nothing', async () => {
    const { robot, clock } = await bench()
    await settled(clock, robot.sleep().ended)
    await clock.advance(3000)
    const motion = robot.recorder.start()
    await clock.advance(2000)
    robot.recorder.stop()
    await motion.ended
    expect(robot.recorder.state()).toEqual({ state: 'none', seconds: 0, limit: LONGEST_RECORDING })
    expect(() => robot.recorder.play()).toThrowError(expect.objectContaining({ code: 'move/no-recording' }))
    await expect(robot.recorder.keep('x', { kind: 'emotion', description: '' })).rejects.toMatchObject({
      code: 'move/no-recording',
    })
  })
})

describe('recorded moves on the wire', () => {
  /** Two seconds at 50 Hz of whatever `wild` makes of the rest pose. */
  const file = (wild: (frame: Float64Array, k: number) => void): string =>
    writeRecording(
      'wild',
      Array.from({ length: 101 }, (_, k) => {
        const frame = restFrame()
        wild(frame, k)
        return frame
      }),
      0.02,
    )

  it.each<[string, string, boolean]>([
    ['far out of reach', file((frame, k) => (frame[F.z] = k % 2)), true],
    ['jumping', file((frame, k) => (frame[F.yaw] = k % 10 < 5 ? 1 : -1)), true],
    ['antennas beyond their turn', file((frame, k) => frame.fill(k * 0.3, F.right)), true],
    ['body around itself', file((frame, k) => (frame[F.body] = k * 0.2)), true],
    ['beginning far from rest', file((frame) => frame.set([0, 0, 0, 0.4, 0.4, 1, 1, 2, -2])), false],
    ['cut in the middle of a swing', file((frame, k) => (frame[F.roll] = 0.005 * k)), false],
    [
      'unsorted, with numbers that are none',
      file((frame, k) => (frame[F.pitch] = 0.2 * Math.sin(k / 10)))
        .replace('"time":[0,0.02', '"time":[0.02,0')
        .replace('"antennas":[-0.1745', '"antennas":[Infinity'),
      false,
    ],
  ])('%s: within every limit, cut: %3$s', async (name, text, clamped) => {
    const { robot, clock, wire, folder } = await bench()
    const place = path.join(folder, 'wild.json')
    writeFileSync(place, text)
    expect((await robot.shelf.import(place, 'emotion')).imported, name).toEqual(['mine:wild'])
    expect(robot.moves().find((move) => move.name === 'mine:wild')?.clamped).toBe(clamped)
    const end = await settled(clock, robot.play('mine:wild').ended)
    expect(end).toMatchObject({ ended: 'done', clamped })
    expect(wire.faults).toEqual([])
    const stopped = robot.play('mine:wild')
    await settled(clock, stopped.started)
    await clock.advance(700)
    const goals = wire.goalsAt.length
    robot.stopMotion()
    await clock.advance(1000)
    expect(wire.goalsAt.length).toBe(goals + 1)
    expect(wire.faults).toEqual([])
  })

  it('a move whose file is gone is refused before the body moves; its sound is silence', async () => {
    const { robot, clock, wire, folder } = await bench()
    const place = path.join(folder, 'wave.json')
    writeFileSync(
      place,
      file((frame, k) => (frame[F.yaw] = 0.002 * k)),
    )
    writeFileSync(path.join(folder, 'wave.wav'), 'RIFF')
    await robot.shelf.import(place, 'emotion')
    const heard: (string | null)[] = []
    robot.onSound((move) => heard.push(move))
    expect((await robot.shelf.sound('mine:wave'))?.type).toBe('audio/wav')
    await settled(clock, robot.play('mine:wave').ended)
    expect(heard).toEqual(['mine:wave'])
    const motion = robot.play('mine:wave')
    await settled(clock, motion.started)
    await clock.advance(1000)
    motion.stop()
    expect(heard).toEqual(['mine:wave', 'mine:wave', null])
    rmSync(path.join(folder, 'data', 'moves', 'wave.wav'))
    expect(await robot.shelf.sound('mine:wave')).toBeNull()
    expect(await settled(clock, robot.play('mine:wave').ended)).toMatchObject({ ended: 'done' })
    rmSync(path.join(folder, 'data', 'moves', 'wave.json'))
    await robot.shelf.rename('mine:wave', 'other')
    expect(() => robot.play('mine:other')).toThrowError(expect.objectContaining({ code: 'move/unreadable' }))
    expect(robot.state().activity.kind).toBe('awake')
    expect(wire.faults).toEqual([])
  })
})
