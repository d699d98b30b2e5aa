import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { FRAME_STRIDE } from '../../contract/index.ts'
import { F, newFrame } from '../kinematics/frame.ts'
import { restFrame } from '../kinematics/poses.ts'
import { createWorkspace } from '../kinematics/workspace.ts'
import { limitStep, MAX_SPEED } from '../motion/limiter.ts'
import { createTestLog } from '../testing/quiet-log.ts'

import { createMoveLibrary } from './library.ts'
import { framesOf, readRecording, RECORDING_LIMITS, writeEpisode, writeRecording } from './recording.ts'
import { computeTrajectory } from './trajectory.ts'

import type { Trajectory } from '../../contract/index.ts'
import type { Recording } from './recording.ts'

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const radians = (degrees: number): number => (degrees * Math.PI) / 180
const head = (yaw: number): number[][] => [
  [Math.cos(yaw), -Math.sin(yaw), 0, 0],
  [Math.sin(yaw), Math.cos(yaw), 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
]

type File = { description: string; time: unknown[]; set_target_data: Record<string, unknown>[] }

/** A turn of the head to its left and back, `seconds` long at 50 Hz. */
function sample(seconds = 2): File {
  const count = Math.round(seconds * 50) + 1
  const yaw = (i: number): number => radians(20) * Math.sin((Math.PI * i) / (count - 1)) ** 2
  return {
    description: 'Looks to its left.',
    time: Array.from({ length: count }, (_, i) => i * 0.02),
    set_target_data: Array.from({ length: count }, (_, i) => ({
      head: head(yaw(i)),
      antennas: [-0.17, 0.17],
      body_yaw: 0,
      check_collision: false,
    })),
  }
}

const trajectoryOf = (recording: Recording): Trajectory =>
  computeTrajectory({ name: 'test', kind: 'emotion', family: 'other', ...recording })

/** What comes out of a trajectory is what the motors are told: no joint of it is faster than it may be. */
function expectNoJump({ frames, dt }: Trajectory): void {
  expect(frames.every(Number.isFinite)).toBe(true)
  const workspace = createWorkspace()
  const joints = new Float64Array(FRAME_STRIDE)
  const before = new Float64Array(FRAME_STRIDE)
  let worst = 0
  for (let k = 0; k < frames.length; k += FRAME_STRIDE) {
    workspace.limit(Float64Array.from(frames.slice(k, k + FRAME_STRIDE)), joints)
    joints.forEach((joint, i) => {
      const limit = i === 0 ? MAX_SPEED.body : i < 7 ? MAX_SPEED.stewart : MAX_SPEED.antenna
      if (k > 0) worst = Math.max(worst, Math.abs(joint - (before[i] ?? 0)) / dt / limit)
    })
    before.set(joints)
  }
  // Frames are rounded to a micrometre and a microradian.
  expect(worst).toBeLessThan(1.002)
}

describe('a recorded move', () => {
  it('is read with its samples between, held at both ends', () => {
    const recording = readRecording('a', bytes(sample()))
    expect(recording).toMatchObject({ description: 'Looks to its left.', notes: [] })
    expect(recording.duration).toBeCloseTo(2, 9)
    const frame = newFrame()
    recording.sample(1, frame)
    expect(frame[F.yaw]).toBeCloseTo(radians(20), 6)
    for (const t of [-1, 0, 2, 9]) {
      recording.sample(t, frame)
      expect(Math.abs(frame[F.yaw] ?? 1)).toBeLessThan(1e-9)
    }
    expect(trajectoryOf(recording).clamped).toBe(false)
  })

  it('counts time from its first sample, and takes missing or null body yaw for none', () => {
    const file = sample()
    file.time = file.time.map((t) => 1000 + (t as number))
    file.set_target_data.forEach((frame, i) => (i % 2 === 0 ? delete frame.body_yaw : (frame.body_yaw = null)))
    const recording = readRecording('a', bytes(file))
    expect(recording.duration).toBeCloseTo(2, 6)
    const frame = newFrame()
    recording.sample(1, frame)
    expect([frame[F.yaw], frame[F.body]]).toEqual([expect.closeTo(radians(20), 6), 0])
  })

  it('interpolates the head on the shortest way, the rest in a line, also between samples far apart', () => {
    const file = sample(1)
    file.time = [0, 1, 1, 4]
    file.set_target_data = [0, 20, 20, 40].map((yaw, i) => ({
      head: head(radians(yaw)),
      antennas: [i * 0.1, -i * 0.1],
      body_yaw: i * 0.01,
    }))
    const recording = readRecording('a', bytes(file))
    const frame = newFrame()
    recording.sample(0.5, frame)
    expect([frame[F.yaw], frame[F.right], frame[F.body]].map((v) => Number(v?.toFixed(6)))).toEqual([
      Number(radians(10).toFixed(6)),
      0.05,
      0.005,
    ])
    recording.sample(2.5, frame)
    expect(frame[F.yaw]).toBeCloseTo(radians(30), 6)
  })

  it.each<[string, (file: File) => unknown, string[]]>([
    [
      'unsorted times',
      (file) => {
        const order = file.time.map((_, i) => (i % 2 === 0 ? Math.min(i + 1, file.time.length - 1) : i - 1))
        return {
          ...file,
          time: order.map((i) => file.time[i]),
          set_target_data: order.map((i) => file.set_target_data[i]),
        }
      },
      ['times-sorted'],
    ],
    [
      'NaN and Infinity as Python writes them',
      (file) => {
        file.description = 'says NaN and Infinity'
        file.set_target_data[10]!.head = [['x'], 0, 0, 0]
        return JSON.stringify(file).replace('["x"]', '[NaN, -Infinity, Infinity, 0]')
      },
      ['samples-left-out'],
    ],
    [
      'times that are none',
      (file) => ({ ...file, time: file.time.map((t, i) => (i % 7 === 3 ? null : t)) }),
      ['samples-left-out'],
    ],
    [
      'matrices that are not orthonormal',
      (file) => {
        for (const frame of file.set_target_data) {
          frame.head = (frame.head as number[][]).map((row, r) => row.map((v, c) => (c < 3 && r < 3 ? v * 1.2 : v)))
        }
        return file
      },
      ['rotations-repaired'],
    ],
    [
      'a mirror and a matrix of zeros among good ones',
      (file) => {
        file.set_target_data[5]!.head = [
          [1, 0, 0, 0],
          [0, -1, 0, 0],
          [0, 0, 1, 0],
          [0, 0, 0, 1],
        ]
        file.set_target_data[6]!.head = [0, 0, 0, 0].map(() => [0, 0, 0, 0])
        return file
      },
      ['samples-left-out'],
    ],
    ['more times than samples', (file) => ({ ...file, time: [...file.time, 2.02, 2.04] }), ['lengths-differ']],
    ['more samples than times', (file) => ({ ...file, time: file.time.slice(0, 60) }), ['lengths-differ']],
    [
      'antennas of the wrong length',
      (file) => {
        file.set_target_data[20]!.antennas = [1]
        return file
      },
      ['samples-left-out'],
    ],
    ['no description', (file) => ({ time: file.time, set_target_data: file.set_target_data }), []],
  ])('with %s is put right and plays without a jump', (_, spoil, notes) => {
    const recording = readRecording('a', bytes(spoil(sample())))
    expect(recording.notes).toEqual(notes)
    const trajectory = trajectoryOf(recording)
    expectNoJump(trajectory)
    expect(trajectory.clamped).toBe(false)
    expect(Math.max(...trajectory.frames)).toBeGreaterThan(radians(18))
  })

  it.each<[string, (file: File) => File]>([
    [
      'a jump of the head and the antennas',
      (file) => {
        for (const frame of file.set_target_data.slice(30, 60)) {
          frame.head = head(radians(60))
          frame.antennas = [2, -2]
        }
        return file
      },
    ],
    [
      'a head that is far out of reach',
      (file) => {
        for (const frame of file.set_target_data) (frame.head as number[][])[2]![3] = 5
        return file
      },
    ],
    [
      'a body that would turn around itself',
      (file) => {
        file.set_target_data.forEach((frame, i) => (frame.body_yaw = i * 0.2))
        return file
      },
    ],
    [
      'random postures',
      (file) => {
        let seed = 7
        const random = (): number => ((seed = (seed * 16807) % 2147483647) / 2147483647) * 2 - 1
        for (const frame of file.set_target_data) {
          frame.head = head(random() * 3)
          frame.antennas = [random() * 9, random() * 9]
          frame.body_yaw = random() * 4
        }
        return file
      },
    ],
  ])('with %s is cut, says so, and never jumps', (_, spoil) => {
    const trajectory = trajectoryOf(readRecording('a', bytes(spoil(sample()))))
    expect(trajectory.clamped).toBe(true)
    expectNoJump(trajectory)
  })

  it.each<[string, () => Uint8Array, string]>([
    ['no JSON', () => bytes('GIF89a'), 'move/unreadable'],
    ['cut off in the middle', () => bytes(JSON.stringify(sample()).slice(0, 5000)), 'move/unreadable'],
    ['no text', () => Uint8Array.from([0xff, 0xfe, 0x00]), 'move/unreadable'],
    ['nothing', () => bytes(''), 'move/unreadable'],
    ['another JSON', () => bytes({ hello: 1 }), 'move/unreadable'],
    ['a list', () => bytes([1, 2]), 'move/unreadable'],
    ['null', () => bytes('null'), 'move/unreadable'],
    ['no samples', () => bytes({ description: '', time: [], set_target_data: [] }), 'move/empty'],
    ['one sample', () => bytes({ ...sample(), time: [0] }), 'move/empty'],
    ['samples at one moment', () => bytes({ ...sample(), time: sample().time.map(() => 3) }), 'move/empty'],
    [
      'heads that are none',
      () => {
        const file = sample()
        for (const frame of file.set_target_data.slice(20)) frame.head = 'up'
        return bytes(file)
      },
      'move/broken',
    ],
    ['ten minutes', () => bytes(sample(600)), 'move/too-long'],
    ['an end in a thousand years', () => bytes({ ...sample(), time: [0, 3e10] }), 'move/too-long'],
    ['a huge file', () => new Uint8Array(RECORDING_LIMITS.bytes + 1), 'move/too-large'],
    [
      'a million samples',
      () => bytes({ time: new Array(100_000).fill(0), set_target_data: new Array(100_000).fill(null) }),
      'move/too-large',
    ],
  ])('that is %s is refused by name', (_, make, code) => {
    expect(() => readRecording('wave', make())).toThrowError(
      expect.objectContaining({ code, details: expect.objectContaining({ name: 'wave' }) as object }),
    )
  })

  it('takes a stranger’s description as one short line', () => {
    const file = { ...sample(), description: `a\u202Eb\n\u0007c${'x'.repeat(1000)}` }
    const { description } = readRecording('a', bytes(file))
    expect(description).toMatch(/^a b cx+$/)
    expect(description).toHaveLength(300)
    expect(readRecording('a', bytes({ ...file, description: 7 })).description).toBe('')
  })
})

describe('writing a move', () => {
  const library = createMoveLibrary(path.join(import.meta.dirname, '../../../resources/moves'), createTestLog())

  it.each(library.infos().map(({ name }) => name))('%s is the same when it is read again', (name) => {
    const trajectory = library.trajectory(name)
    const text = writeRecording('A test.', framesOf(trajectory), trajectory.dt)
    const again = trajectoryOf(readRecording(name, bytes(text)))
    expect(again.clamped).toBe(false)
    expect(again.duration).toBeCloseTo(trajectory.duration, 6)
    const worst = Math.max(...again.frames.map((value, i) => Math.abs(value - (trajectory.frames[i] ?? NaN))))
    expect(worst).toBeLessThan(2e-5)
  })

  it('as an episode: nine values a frame, one frame a row', () => {
    const trajectory = library.trajectory('yes1')
    const episode = JSON.parse(writeEpisode('Says yes.', trajectory)) as {
      info: { fps: number; total_frames: number; features: { action: { names: string[]; shape: number[] } } }
      frames: { timestamp: number; action: number[]; 'observation.state': number[] }[]
    }
    expect(episode.info).toMatchObject({ fps: 50, total_frames: episode.frames.length })
    expect(episode.info.features.action.names).toHaveLength(9)
    expect(episode.frames[3]?.timestamp).toBe(Math.fround(0.06))
    expect(episode.frames[3]?.action).toEqual(episode.frames[4]?.['observation.state'])
    expect(episode.frames.every((frame) => frame.action.length === 9)).toBe(true)
  })

  it('rest is rest', () => {
    const text = writeRecording('', [restFrame(), restFrame()], 0.02)
    const { set_target_data: data } = JSON.parse(text) as { set_target_data: { antennas: number[] }[] }
    expect(data[0]?.antennas).toEqual([-0.1745, 0.1745])
    expect(limitStep(new Float64Array(9), new Float64Array(9), 0.02, false, new Float64Array(9))).toBe(false)
  })
})
