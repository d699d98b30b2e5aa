import { describe, expect, it } from 'vitest'

import { NEUTRAL } from '../puppet/model.ts'

import { plotPaths, timeTicks } from './plot-paths.ts'
import { frameCount, glide, keyTime, minimumJerk, poseAt, sampleCurves } from './trajectory.ts'

import type { Trajectory } from '../../../electron/contract/index.ts'

const rest = [0, 0, 0, 0, 0, 0, 0, -0.1745, 0.1745]

/** A move whose frames are rest, except for the given ones. */
function moveOf(count: number, changed: Record<number, Partial<Record<number, number>>>): Trajectory {
  const frames = Array.from({ length: count }, (_, i) => rest.map((value, k) => changed[i]?.[k] ?? value)).flat()
  return { name: 'test', dt: 0.1, frames, duration: (count - 1) * 0.1, clamped: false }
}

describe('poseAt', () => {
  const move = moveOf(3, { 1: { 5: 1 }, 2: { 5: 2, 8: 0.5 } })

  it.each([
    [-1, 0],
    [0, 0],
    [0.05, 0.5],
    [0.1, 1],
    [0.175, 1.75],
    [0.2, 2],
    [9, 2],
  ])('at %d s the head yaw is %d', (time, yaw) => {
    expect(poseAt(move, time).head.yaw).toBeCloseTo(yaw, 9)
  })

  it('keeps right and left antenna apart', () => {
    expect(poseAt(move, 0.2).antennas).toEqual([-0.1745, 0.5])
  })

  it('rests where there are no frames', () => {
    const none = { ...move, frames: [] }
    expect(frameCount(none)).toBe(0)
    expect(poseAt(none, 1)).toEqual(NEUTRAL)
  })
})

describe('keyTime', () => {
  it.each([
    ['the largest turn of the head', { 2: { 4: 0.3 }, 4: { 4: -0.6 } }, 0.4],
    // 20 mm of travel look larger than a turn of 0.1 rad.
    ['travel', { 1: { 3: 0.1 }, 3: { 2: 0.02 } }, 0.3],
    // The head says more than an antenna that moves three times as far.
    ['the head before an antenna', { 1: { 8: 0.9 }, 2: { 5: 0.3 } }, 0.2],
    ['the start of a move that does nothing', {}, 0],
  ])('%s', (_, changed, time) => {
    expect(keyTime(moveOf(6, changed))).toBeCloseTo(time, 9)
  })
})

describe('minimumJerk', () => {
  it.each([
    [-1, 0],
    [0, 0],
    [0.2, 0.05792],
    [0.5, 0.5],
    [1, 1],
    [2, 1],
  ])('of %d is %d', (part, expected) => {
    expect(minimumJerk(part)).toBeCloseTo(expected, 9)
  })

  it('glides between poses', () => {
    const to = poseAt(moveOf(1, { 0: { 5: 1 } }), 0)
    expect(glide(NEUTRAL, to, 0.5).head.yaw).toBeCloseTo(0.5, 9)
    expect(glide(NEUTRAL, to, 1)).toEqual(to)
  })
})

describe('sampleCurves and plotPaths', () => {
  const box = { x0: 0, x1: 100, head: [20, 10], antennas: [50, 8] } as const

  it('draws each curve from edge to edge, the largest angle at the edge of its band', () => {
    const curves = sampleCurves(moveOf(5, { 2: { 5: 1 } }), 5)
    expect(curves.yaw).toEqual([0, 0, 1, 0, 0])
    const paths = plotPaths(curves, box)
    expect(paths.yaw).toBe('M0 20L25 20L50 10L75 20L100 20')
    expect(paths.pitch).toBe('M0 20L25 20L50 20L75 20L100 20')
  })

  it('does not magnify a quiet move to the full height', () => {
    const paths = plotPaths(sampleCurves(moveOf(3, { 1: { 5: 0.035 } }), 3), box)
    expect(paths.yaw).toBe('M0 20L50 19L100 20')
  })
})

describe('timeTicks', () => {
  it.each([
    [1.6, { tick: 0.25, label: 1 }],
    [4.5, { tick: 0.5, label: 1 }],
    [9, { tick: 1, label: 2 }],
    [11.8, { tick: 1, label: 4 }],
    [30, { tick: 2, label: 8 }],
    [200, { tick: 15, label: 60 }],
  ])('%d s', (duration, expected) => {
    expect(timeTicks(duration)).toEqual(expected)
  })
})
