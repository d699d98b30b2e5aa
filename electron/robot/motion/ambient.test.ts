import { describe, expect, it } from 'vitest'

import { F } from '../kinematics/frame.ts'
import { angleBetween } from '../kinematics/matrix.ts'
import { headOf, restFrame } from '../kinematics/poses.ts'

import { createAmbient } from './ambient.ts'
import { createWobble, loudness } from './wobble.ts'

import type { Frame } from '../kinematics/frame.ts'
import type { Ambient, Posture } from './ambient.ts'

const degrees = (value: number): number => (value * Math.PI) / 180

/** Runs for `seconds` at 50 Hz around the rest pose and answers every frame. */
function run(ambient: Ambient, seconds: number, busy = false, from = 0): Frame[] {
  return Array.from({ length: Math.round(seconds * 50) }, (_, k) => {
    const frame = restFrame()
    ambient.compose(frame, 0.02, from + k * 20, busy)
    return frame
  })
}

/** Largest change of a value within a period. */
const fastest = (frames: readonly Frame[], i: number): number =>
  Math.max(...frames.slice(1).map((frame, k) => Math.abs((frame[i] ?? 0) - (frames[k]?.[i] ?? 0))))
const largest = (frames: readonly Frame[], i: number): number =>
  Math.max(...frames.map((frame) => Math.abs((frame[i] ?? 0) - (restFrame()[i] ?? 0))))
const same = (frame: Frame | undefined): boolean =>
  restFrame().every((value, i) => Math.abs(value - (frame?.[i] ?? NaN)) < 1e-9)

describe('small movements', () => {
  it('are nothing until something is switched on', () => {
    const ambient = createAmbient()
    expect(ambient.active).toBe(false)
    expect(run(ambient, 3).every(same)).toBe(true)
  })

  it('breathe: 5 mm up and down, antennas 15° mirrored, from nothing', () => {
    const ambient = createAmbient()
    ambient.set('breathing', 1)
    expect(ambient.active).toBe(true)
    const frames = run(ambient, 12)
    expect(frames.slice(0, 13).every(same)).toBe(true)
    expect(largest(frames, F.z)).toBeCloseTo(0.005, 3)
    expect(largest(frames, F.right)).toBeCloseTo(degrees(15), 2)
    for (const frame of frames) expect((frame[F.right] ?? 0) + (frame[F.left] ?? 0)).toBeCloseTo(0, 9)
    expect(fastest(frames, F.z)).toBeLessThan(0.0002)
    expect(fastest(frames, F.right)).toBeLessThan(degrees(1.2))
    ambient.set('breathing', 0)
    expect(same(run(ambient, 1.1).at(-1))).toBe(true)
    expect(ambient.active).toBe(false)
  })

  it('breathe half as deep with half the weight, not while a motion has the body or the robot listens', () => {
    const half = createAmbient()
    half.set('breathing', 0.5)
    expect(largest(run(half, 12), F.z)).toBeCloseTo(0.0025, 3)
    const ambient = createAmbient()
    ambient.set('breathing', 1)
    expect(run(ambient, 3, true).every(same)).toBe(true)
    run(ambient, 3)
    ambient.posture('listening')
    const frames = run(ambient, 3).slice(100)
    expect(fastest(frames, F.right)).toBeLessThan(1e-6)
    expect(fastest(frames, F.z)).toBeLessThan(1e-6)
  })

  it.each<Posture>(['listening', 'thinking', 'speaking'])('%s is low, smooth and its own', (name) => {
    const ambient = createAmbient()
    ambient.posture(name)
    const frames = run(ambient, 6)
    const angle = Math.max(...frames.map((frame) => angleBetween(headOf(frame), headOf(restFrame()))))
    expect(angle).toBeGreaterThan(degrees(1.5))
    expect(angle).toBeLessThan(degrees(14))
    for (let i = F.roll; i <= F.yaw; i++) expect(fastest(frames, i)).toBeLessThan(degrees(0.8))
    for (let i = F.right; i <= F.left; i++) expect(fastest(frames, i)).toBeLessThan(degrees(1.6))
    ambient.posture(null)
    const back = run(ambient, 1)
    expect(fastest(back, F.pitch)).toBeLessThan(degrees(0.8))
    expect(same(back.at(-1))).toBe(true)
  })

  it('one posture fades into the other without a step', () => {
    const ambient = createAmbient()
    const names: Posture[] = ['thinking', 'speaking', 'listening', 'thinking']
    const frames = names.flatMap((name) => {
      ambient.posture(name)
      return run(ambient, 0.4)
    })
    for (let i = F.roll; i <= F.yaw; i++) expect(fastest(frames, i)).toBeLessThan(degrees(1.2))
  })

  it('stop where they are, and come back with the next motion or switch', () => {
    const ambient = createAmbient()
    ambient.set('breathing', 1)
    ambient.posture('thinking')
    run(ambient, 3)
    ambient.hold()
    expect(ambient.active).toBe(false)
    expect(run(ambient, 2).every(same)).toBe(true)
    ambient.posture('thinking')
    expect(ambient.active).toBe(false)
    ambient.release()
    expect(same(run(ambient, 3).at(-1))).toBe(false)
    ambient.hold()
    ambient.posture('listening')
    expect(ambient.active).toBe(true)
  })

  it('turn to a face, hold through a gap, look ahead again two seconds later', () => {
    const ambient = createAmbient()
    ambient.set('tracking', 1)
    ambient.aim({ yaw: degrees(30), pitch: degrees(10) })
    const frames = run(ambient, 2)
    expect(frames.at(-1)?.[F.yaw]).toBeCloseTo(degrees(30), 3)
    expect(frames.at(-1)?.[F.pitch]).toBeCloseTo(degrees(10), 3)
    expect(fastest(frames, F.yaw)).toBeLessThan(degrees(3))
    ambient.aim(null)
    expect(run(ambient, 1.9, false, 2000).at(-1)?.[F.yaw]).toBeCloseTo(degrees(30), 3)
    expect(run(ambient, 3, false, 3900).at(-1)?.[F.yaw]).toBeCloseTo(0, 3)
    ambient.aim({ yaw: NaN, pitch: 0 })
    expect(run(ambient, 1, false, 7000).every((frame) => frame.every(Number.isFinite))).toBe(true)
  })
})

describe('the sway to speech', () => {
  it('is silent in silence, bounded when loud, at rest soon after', () => {
    const wobble = createWobble()
    const frame = restFrame()
    for (let k = 0; k < 20; k++) wobble.hop(-90)
    wobble.offsets(frame)
    expect(frame.subarray(0, 6).every((value) => Math.abs(value) < 1e-9)).toBe(true)
    let most = 0
    for (let k = 0; k < 200; k++) {
      wobble.hop(-12)
      wobble.offsets(frame)
      most = Math.max(most, Math.abs(frame[F.yaw] ?? 0))
    }
    expect(most).toBeGreaterThan(degrees(9))
    expect(most).toBeLessThanOrEqual(degrees(7.5 * 1.5))
    for (let k = 0; k < 20; k++) wobble.hop(-60)
    wobble.offsets(frame)
    expect(Math.abs(frame[F.yaw] ?? 1)).toBeLessThan(degrees(0.01))
  })

  it('measures the last 20 ms', () => {
    const rate = 16_000
    const hop = Float32Array.from({ length: 800 }, (_, i) => (i < 480 ? 1 : 0.1))
    expect(loudness(hop, rate)).toBeCloseTo(-20, 3)
    expect(loudness(new Float32Array(800), rate)).toBeCloseTo(-120, 1)
    expect(Number.isFinite(loudness([], rate))).toBe(true)
  })

  it('plays at the time of its sound, leaves out what is past, ends when cut off', () => {
    const ambient = createAmbient()
    ambient.set('speech', 1)
    ambient.hear(new Array<number>(40).fill(-12), 1000)
    expect(run(ambient, 0.9).every(same)).toBe(true)
    const spoken = run(ambient, 1.5, true, 900)
    expect(largest(spoken, F.yaw)).toBeGreaterThan(degrees(3))
    ambient.hush()
    expect(same(run(ambient, 0.1, true, 2400).at(-1))).toBe(true)
    ambient.hear(new Array<number>(10).fill(-12), 0)
    expect(run(ambient, 1, false, 5000).every(same)).toBe(true)
  })
})
