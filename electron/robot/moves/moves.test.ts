import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { FRAME_STRIDE } from '../../contract/index.ts'
import { EMOTION_INTENTS, INTENT_CLIPS, NAMED_CLIPS } from '../feelings/intents.ts'
import { resolveEmotion } from '../feelings/resolve.ts'
import { newFrame } from '../kinematics/frame.ts'
import { restFrame } from '../kinematics/poses.ts'
import { createWorkspace } from '../kinematics/workspace.ts'
import { MOTORS, radiansToTicks } from '../motors.ts'
import { createTestLog } from '../testing/quiet-log.ts'

import { DANCE_NAMES } from './dances.ts'
import { curve, window } from './ease.ts'
import { createMoveLibrary } from './library.ts'
import { computeTrajectory, measureAmplitude } from './trajectory.ts'

import type { Move } from './move.ts'

const starter = path.join(import.meta.dirname, '../../../resources/moves')
const log = createTestLog()
const library = createMoveLibrary(starter, log)
const infos = library.infos()
const degrees = (value: number): number => (value * Math.PI) / 180

describe('starter moves', () => {
  it('are read without a complaint: every named clip and twenty dances', () => {
    expect(log.lines).toEqual([])
    expect(new Set(library.emotionNames())).toEqual(NAMED_CLIPS)
    expect(infos.filter(({ kind }) => kind === 'dance').map(({ name }) => name)).toEqual(DANCE_NAMES)
    expect(DANCE_NAMES).toHaveLength(20)
  })

  it('give every intent its first choice', () => {
    for (const intent of EMOTION_INTENTS) {
      const clip = resolveEmotion(intent, library.emotionNames(), () => 0)
      if (intent === 'random') expect(library.emotionNames()).toContain(clip)
      else expect(clip).toBe(INTENT_CLIPS[intent][0])
    }
  })

  it.each(infos)('$name stays within every limit, smoothly, from rest to rest', ({ name, duration }) => {
    const { frames, clamped, dt } = library.trajectory(name)
    expect(clamped).toBe(false)
    expect(frames).toHaveLength(FRAME_STRIDE * (Math.round(duration / dt) + 1))
    const rest = restFrame()
    for (const start of [0, frames.length - FRAME_STRIDE]) {
      rest.forEach((value, i) => expect(Math.abs((frames[start + i] ?? NaN) - value)).toBeLessThan(1e-4))
    }

    const workspace = createWorkspace()
    const frame = newFrame()
    const joints = new Float64Array(FRAME_STRIDE)
    const before = new Float64Array(FRAME_STRIDE)
    let fastest = 0
    let outside = 0
    for (let k = 0; k * FRAME_STRIDE < frames.length; k++) {
      frame.set(frames.slice(k * FRAME_STRIDE, (k + 1) * FRAME_STRIDE))
      if (workspace.limit(frame, joints)) outside++
      for (let i = 0; i < FRAME_STRIDE; i++) {
        const joint = joints[i] ?? NaN
        const ticks = radiansToTicks(joint)
        if (!(ticks >= (MOTORS[i]?.min ?? NaN) && ticks <= (MOTORS[i]?.max ?? NaN))) outside++
        if (k > 0 && i < 7) fastest = Math.max(fastest, Math.abs(joint - (before[i] ?? 0)) / dt)
      }
      before.set(joints)
    }
    expect(outside).toBe(0)
    // Half of what the limiter would allow: nothing of the choreography is lost in it.
    expect(fastest).toBeLessThan(6)
  })

  it('differ from each other and look like something', () => {
    const shapes = new Set(infos.map(({ name }) => library.trajectory(name).frames.join()))
    expect(shapes.size).toBe(infos.length)
    for (const { amplitude, name } of infos) {
      expect(amplitude.maxAngle, name).toBeGreaterThan(degrees(4))
      expect(amplitude.maxAngle, name).toBeLessThan(degrees(60))
    }
    expect(new Set(infos.map(({ amplitude }) => amplitude.word)).size).toBeGreaterThan(1)
    expect(new Set(infos.map(({ description }) => description)).size).toBe(infos.length)
  })
})

describe('two starter moves', () => {
  /** A move as a direction in the space of all postures over its own time: how long and how large it is falls away. */
  const shapeOf = (name: string): number[] => {
    const { frames } = library.trajectory(name)
    const rest = restFrame()
    const count = frames.length / FRAME_STRIDE
    // Sixty to the metre: 17 mm weigh as much as a radian of the head. Antennas count half.
    const weight = [60, 60, 60, 1, 1, 1, 1, 0.5, 0.5]
    const shape = Array.from({ length: 80 }, (_, k) => {
      const at = Math.round((k / 79) * (count - 1)) * FRAME_STRIDE
      return weight.map((w, i) => w * ((frames[at + i] ?? 0) - (rest[i] ?? 0)))
    }).flat()
    const length = Math.hypot(...shape)
    return shape.map((value) => value / length)
  }

  it('are never the same one, larger or slower', () => {
    const shapes = infos.map(({ name }) => [name, shapeOf(name)] as const)
    const alike = shapes.flatMap(([a, first], i) =>
      shapes.slice(0, i).flatMap(([b, second]) => {
        const likeness = first.reduce((sum, value, k) => sum + value * (second[k] ?? 0), 0)
        return likeness > 0.95 ? [`${a} ${b} ${likeness.toFixed(2)}`] : []
      }),
    )
    expect(alike).toEqual([])
  })
})

describe('amplitude', () => {
  const move = (sample: Move['sample'], duration = 1): Move => ({
    name: 'test',
    kind: 'emotion',
    family: 'other',
    description: '',
    duration,
    sample: (t, out) => {
      out.set(restFrame())
      sample(t, out)
    },
  })
  const measured = (sample: Move['sample']): ReturnType<typeof measureAmplitude> =>
    measureAmplitude(computeTrajectory(move(sample)))

  it('measures the head’s turn and speed', () => {
    const { maxAngle, maxSpeed, word } = measured((t, out) => (out[5] = degrees(30) * t))
    expect(maxAngle).toBeCloseTo(degrees(30), 3)
    expect(maxSpeed).toBeCloseTo(degrees(30), 3)
    expect(word).toBe('lively')
  })

  it('counts antennas half, for the word only', () => {
    const small = measured((t, out) => (out[8] = (out[8] ?? 0) + degrees(38) * t))
    expect(small).toEqual({ word: 'gentle', maxAngle: 0, maxSpeed: 0 })
    expect(measured((t, out) => (out[8] = (out[8] ?? 0) + degrees(90) * t)).word).toBe('large')
  })

  it('cuts a move that leaves the workspace, and says so', () => {
    const far = move((t, out) => {
      out[2] = 0.05 * t
      out[4] = degrees(70) * t
    })
    const trajectory = computeTrajectory(far)
    expect(trajectory.clamped).toBe(true)
    const last = trajectory.frames.slice(-FRAME_STRIDE)
    expect(last[2]).toBeLessThanOrEqual(0.02)
    expect(last[4]).toBeLessThanOrEqual(degrees(40))
  })

  it('slows a jump down, and says so', () => {
    const trajectory = computeTrajectory(move((t, out) => (out[5] = t < 0.5 ? 0 : degrees(60))))
    expect(trajectory.clamped).toBe(true)
    const yaw = (k: number): number => trajectory.frames[k * FRAME_STRIDE + 5] ?? NaN
    expect(yaw(25)).toBeLessThan(degrees(40))
    expect(yaw(50)).toBeCloseTo(degrees(60), 4)
  })

  it('survives numbers that are none', () => {
    const trajectory = computeTrajectory(move((t, out) => (out[3] = t > 0.5 ? NaN : 0)))
    expect(trajectory.clamped).toBe(true)
    expect(trajectory.frames.every(Number.isFinite)).toBe(true)
  })
})

describe('curves', () => {
  it('pass through their points and never beyond them', () => {
    const f = curve([
      [0, 0],
      [1, 10],
      [2, 10],
      [3, -5],
      [4, 0],
    ])
    expect([0, 1, 2, 3, 4, 9].map(f)).toEqual([0, 10, 10, -5, 0, 0])
    const values = Array.from({ length: 400 }, (_, i) => f(i / 100))
    expect(Math.min(...values)).toBeCloseTo(-5, 9)
    expect(Math.max(...values)).toBeCloseTo(10, 9)
    expect([window(0, 0, 2, 0.5), window(1, 0, 2, 0.5), window(2, 0, 2, 0.5)]).toEqual([0, 1, 0])
  })
})

describe('bad files', () => {
  const dirs: string[] = []
  afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true })))

  it.each([
    ['no JSON', '{"family": "joy", "moves": {'],
    [
      'an unknown channel',
      '{"family":"joy","moves":{"a1":{"description":"x","duration":1,"keys":{"tail":[[0.5,3]]}}}}',
    ],
    [
      'times that fall',
      '{"family":"joy","moves":{"a1":{"description":"x","duration":1,"keys":{"yaw":[[0.5,3],[0.4,1]]}}}}',
    ],
    [
      'a point after the end',
      '{"family":"joy","moves":{"a1":{"description":"x","duration":1,"keys":{"yaw":[[1.5,3]]}}}}',
    ],
    ['ten minutes', '{"family":"joy","moves":{"a1":{"description":"x","duration":600,"keys":{}}}}'],
    [
      'a number that is none',
      '{"family":"joy","moves":{"a1":{"description":"x","duration":1,"keys":{"yaw":[[0.5,null]]}}}}',
    ],
  ])('%s: the file is left out and named, the dances stay', (_, text) => {
    const dir = mkdtempSync(path.join(tmpdir(), 'moves-'))
    dirs.push(dir)
    writeFileSync(path.join(dir, 'bad.json'), text)
    writeFileSync(
      path.join(dir, 'good.json'),
      '{"family":"joy","moves":{"ok1":{"description":"x","duration":1,"keys":{"yaw":[[0.5,3]]}}}}',
    )
    const own = createTestLog()
    const mixed = createMoveLibrary(dir, own)
    expect(mixed.emotionNames()).toEqual(['ok1'])
    expect(mixed.infos()).toHaveLength(21)
    expect(own.lines).toHaveLength(1)
    expect(own.lines[0]).toContain('bad.json')
  })

  it('a missing folder leaves the dances', () => {
    const own = createTestLog()
    expect(createMoveLibrary('/nowhere/at/all', own).infos()).toHaveLength(20)
    expect(own.lines).toHaveLength(1)
  })

  it('an unknown move is refused', () => {
    expect(() => library.trajectory('nope1')).toThrowError(
      expect.objectContaining({ code: 'robot/unknown-move', details: { name: 'nope1' } }),
    )
  })
})
