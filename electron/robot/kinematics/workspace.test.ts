import { describe, expect, it } from 'vitest'

import { MOTORS, ticksToRadians } from '../motors.ts'
import { createChance } from '../simulator/faults.ts'

import { MAX_NECK_YAW } from './body-yaw.ts'
import { createForward } from './forward.ts'
import { F, headMatrix, newFrame } from './frame.ts'
import { createInverse } from './inverse.ts'
import { identity } from './matrix.ts'
import { createWorkspace } from './workspace.ts'

import type { Frame } from './frame.ts'

const chance = createChance(20_261)
const between = (low: number, high: number): number => low + (high - low) * chance()

/** A wish anywhere: `reach` 1 is the box that the sliders offer, more is beyond it. */
function anyFrame(reach: number): Frame {
  const frame = newFrame()
  frame[F.x] = reach * between(-0.04, 0.04)
  frame[F.y] = reach * between(-0.04, 0.04)
  frame[F.z] = reach * between(-0.045, 0.02)
  frame[F.roll] = reach * between(-0.7, 0.7)
  frame[F.pitch] = reach * between(-0.7, 0.7)
  frame[F.yaw] = reach * between(-Math.PI, Math.PI)
  frame[F.body] = reach * between(-2.8, 2.8)
  frame[F.right] = reach * between(-Math.PI, Math.PI)
  frame[F.left] = reach * between(-Math.PI, Math.PI)
  return frame
}

const largestDifference = (a: Float64Array, b: Float64Array): number =>
  Math.max(...a.subarray(0, 12).map((value, i) => Math.abs(value - (b[i] as number))))

const apart = (a: number, b: number): number => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)))

describe('the nearest posture', () => {
  const workspace = createWorkspace()
  const joints = new Float64Array(9)
  const again = new Float64Array(9)

  it.each([0.2, 0.5, 1, 3, 100])(
    'of 1,000 wishes at %f of the sliders’ reach is one that the robot can take',
    (reach) => {
      for (let i = 0; i < 1_000; i += 1) {
        const frame = anyFrame(reach)
        workspace.limit(frame, joints)
        for (const [motor, { name, min, max }] of MOTORS.entries()) {
          const angle = joints[motor] as number
          expect(
            angle >= ticksToRadians(min) && angle <= ticksToRadians(max),
            `${name} ${angle} of ${[...frame].join(' ')}`,
          ).toBe(true)
        }
        const neck = apart(frame[F.yaw] as number, frame[F.body] as number)
        expect(neck).toBeLessThanOrEqual(MAX_NECK_YAW + 1e-9)
        // It is what it is asked for itself: asking again moves nothing.
        const kept = frame.slice()
        expect(workspace.limit(frame, again)).toBe(false)
        for (let k = 0; k < frame.length; k += 1)
          expect(Math.abs((frame[k] as number) - (kept[k] as number))).toBeLessThan(1e-9)
        for (let k = 0; k < 9; k += 1) expect(Math.abs((again[k] as number) - (joints[k] as number))).toBeLessThan(1e-9)
      }
    },
  )

  it.each([NaN, Infinity, -Infinity])('of a wish with %d is a real one', (bad) => {
    for (let k = 0; k < 9; k += 1) {
      const frame = anyFrame(0.3)
      frame[k] = bad
      expect(workspace.limit(frame, joints)).toBe(true)
      expect([...frame, ...joints].every(Number.isFinite)).toBe(true)
    }
  })
})

describe('forward after inverse', () => {
  it('gives back each of 6,000 postures from the rest pose to a millionth', () => {
    const workspace = createWorkspace()
    const inverse = createInverse()
    const forward = createForward()
    const joints = new Float64Array(9)
    const head = identity()
    const found = identity()
    for (let i = 0; i < 6_000; i += 1) {
      const frame = anyFrame(0.5)
      frame[F.yaw] = 2 * (frame[F.yaw] as number)
      workspace.limit(frame, joints)
      headMatrix(head, frame)
      expect(inverse.solve(head, frame[F.body] as number, joints)).toBe(true)
      forward.reset()
      expect(forward.solve(joints, found), [...frame].join(' ')).toBe(true)
      expect(largestDifference(found, head), [...frame].join(' ')).toBeLessThan(1e-6)
    }
  })

  it('stays with the robot on the way to 150 places and back', () => {
    const workspace = createWorkspace()
    const forward = createForward()
    const joints = new Float64Array(9)
    const head = identity()
    const found = identity()
    for (let corner = 0; corner < 150; corner += 1) {
      const goal = anyFrame(0.6)
      // Twice a second at most from end to end: slower than any motion.
      for (let step = 0; step <= 100; step += 1) {
        const part = Math.sin((step / 100) * Math.PI)
        const frame = goal.map((value) => value * part)
        workspace.limit(frame, joints)
        headMatrix(head, frame)
        expect(forward.solve(joints, found), [...frame].join(' ')).toBe(true)
        expect(largestDifference(found, head), [...frame].join(' ')).toBeLessThan(1e-6)
      }
    }
  })

  it('follows a path without a leap', () => {
    const workspace = createWorkspace()
    const joints = new Float64Array(9)
    const before = new Float64Array(9)
    for (let step = 0; step <= 2_000; step += 1) {
      const t = (step / 2_000) * 2 * Math.PI
      const frame = newFrame()
      frame[F.roll] = 0.25 * Math.sin(3 * t)
      frame[F.pitch] = 0.25 * Math.cos(2 * t)
      frame[F.yaw] = 0.9 * Math.sin(t)
      frame[F.z] = 0.01 * Math.sin(5 * t)
      workspace.limit(frame, joints)
      if (step > 0) {
        for (let k = 0; k < 9; k += 1)
          expect(Math.abs((joints[k] as number) - (before[k] as number))).toBeLessThan(0.02)
      }
      before.set(joints)
    }
  })
})
