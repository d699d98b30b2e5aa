import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { F, newFrame } from '../kinematics/frame.ts'
import { createInverse } from '../kinematics/inverse.ts'
import { identity } from '../kinematics/matrix.ts'
import { headOf, restFrame, sleepFrame } from '../kinematics/poses.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'

import { createBody } from './body.ts'
import { posePath, progress } from './interpolation.ts'
import { limitStep, MAX_GAIN, MAX_SPEED } from './limiter.ts'
import { createControlLoop } from './loop.ts'
import { sleepPlan, sweepPlan, wakePlan } from './plans.ts'
import { createMotionQueue, LONGEST_QUEUE } from './queue.ts'

import type { Frame } from '../kinematics/frame.ts'
import type { Plan } from './plans.ts'

const vectors = JSON.parse(readFileSync(path.join(import.meta.dirname, '../vectors/kinematics.json'), 'utf8')) as {
  time_trajectory: { t: number; linear: number; minjerk: number; ease_in_out: number; cartoon: number }[]
  pose_interpolation: {
    name: string
    t: number
    yaw_as_scalar: boolean
    start: number[]
    end: number[]
    result: number[]
  }[]
  distances: { wake_up_goto_duration_s: number }[]
}

describe('interpolation', () => {
  it.each(vectors.time_trajectory)('share of the way at $t', ({ t, ...expected }) => {
    for (const technique of ['linear', 'minjerk', 'ease_in_out', 'cartoon'] as const) {
      expect(Math.abs(progress(technique, t) - expected[technique])).toBeLessThan(1e-12)
    }
  })

  it.each(vectors.pose_interpolation)(
    '$name at $t, yaw as scalar: $yaw_as_scalar',
    ({ t, yaw_as_scalar, start, end, result }) => {
      const pose = posePath(Float64Array.from(start), Float64Array.from(end), yaw_as_scalar)(t, identity())
      expect(Math.max(...result.map((value, i) => Math.abs(value - (pose[i] ?? NaN))))).toBeLessThan(1e-9)
    },
  )
})

/** Durations of a plan's segments, each taken to its end. */
function durations(plan: Plan, from: Frame): number[] {
  const frame = from.slice()
  const seconds: number[] = []
  for (const segment of plan(() => frame)) {
    seconds.push(Math.round(segment.duration * 1000) / 1000)
    segment.sample(segment.duration, frame)
  }
  return seconds
}

describe('plans', () => {
  it('wakes up like the daemon', () => {
    const glide = Math.round((vectors.distances[0]?.wake_up_goto_duration_s ?? 0) * 1000) / 1000
    const [first, second, ...rest] = durations(wakePlan, sleepFrame())
    expect([first, ...rest]).toEqual([0.1, 0.1, 0.2, 0.2])
    expect(Math.abs((second ?? 0) - glide)).toBeLessThan(0.02)
    expect(durations(wakePlan, restFrame())).toEqual([])
  })

  it('goes to sleep like the daemon, by way of the rest pose when far from it', () => {
    expect(durations(sleepPlan, restFrame())).toEqual([2, 0.3])
    const turned = restFrame()
    turned[F.yaw] = 1
    expect(durations(sleepPlan, turned)).toEqual([expect.any(Number), 0.2, 2, 0.3])
    expect(durations(sleepPlan, sleepFrame())).toEqual([])
  })

  it('sweeps for fourteen seconds', () => {
    expect(durations(sweepPlan, restFrame())).toEqual([3, 1, 3, 3, 1, 3])
  })
})

describe('limits of speed', () => {
  it('keep the direction of body and platform', () => {
    const previous = new Float64Array(9)
    const joints = Float64Array.from([0, 0.48, -0.24, 0, 0, 0, 0, 0.1, 1])
    // Already as fast as may be: only the speed itself is looked at.
    const speeds = Float64Array.from([100, 100, -100, 0, 0, 0, 0, 100, 100])
    expect(limitStep(previous, joints, 0.02, false, speeds)).toBe(true)
    const expected = [0, 0.24, -0.12, 0, 0, 0, 0, 0.1, 0.6]
    expected.forEach((value, i) => expect(joints[i]).toBeCloseTo(value, 12))
    expect(limitStep(previous, joints, 0.02, false, speeds)).toBe(false)
    expect(limitStep(previous, joints, 0.02, true, speeds)).toBe(true)
    expect(Math.max(...joints.map(Math.abs))).toBeLessThanOrEqual(MAX_SPEED.gentle * 0.02 + 1e-12)
  })

  it('let speed grow at a bounded rate, and fall at once', () => {
    const dt = 0.02
    const previous = new Float64Array(9)
    const speeds = new Float64Array(9)
    let body = 0
    for (let step = 0; step < 10; step++) {
      const joints = Float64Array.from([2, 0, 0, 0, 0, 0, 0, 3, 0])
      limitStep(previous, joints, dt, false, speeds)
      expect(speeds[0]).toBeLessThanOrEqual(body + MAX_GAIN.body * dt + 1e-9)
      expect(speeds[0]).toBeLessThanOrEqual(MAX_SPEED.body + 1e-9)
      body = speeds[0] ?? 0
      previous.set(joints)
    }
    expect(body).toBeCloseTo(MAX_SPEED.body, 9)
    const here = previous.slice()
    expect(limitStep(previous, here, dt, false, speeds)).toBe(false)
    expect([...speeds]).toEqual(new Array(9).fill(0))
  })

  it('turn round from a standstill, however fast the joint was', () => {
    const dt = 0.02
    const previous = new Float64Array(9)
    const speeds = Float64Array.from([6, 12, -12, 0, 0, 0, 0, 30, -30])
    const joints = Float64Array.from([-1, -1, 1, 0, 0, 0, 0, -1, 1])
    expect(limitStep(previous, joints, dt, false, speeds)).toBe(true)
    expect(Math.abs(joints[0] ?? 1)).toBeLessThanOrEqual(MAX_GAIN.body * dt * dt + 1e-12)
    for (const i of [1, 2]) expect(Math.abs(joints[i] ?? 1)).toBeLessThanOrEqual(MAX_GAIN.stewart * dt * dt + 1e-12)
    expect(joints[7]).toBeCloseTo(-MAX_GAIN.antenna * dt * dt, 12)
    expect(joints[8]).toBeCloseTo(MAX_GAIN.antenna * dt * dt, 12)
  })
})

describe('the body', () => {
  it('never jumps to a posture that is not where the motors are', () => {
    const joints = new Float64Array(9)
    createInverse().solve(headOf(sleepFrame()), 0, joints)
    joints.set([-3.05, 3.05], 7)
    // A head that sagged beyond what may be commanded.
    joints[1] = (joints[1] ?? 0) - 0.3
    const body = createBody(joints)
    body.blend()
    const before = joints.slice()
    const target = restFrame()
    for (let k = 0; k < 200; k++) {
      body.steer(target, 0.02, true)
      body.goals.forEach((goal, i) =>
        expect(Math.abs(goal - (before[i] ?? 0))).toBeLessThanOrEqual(MAX_SPEED.gentle * 0.02 + 1e-9),
      )
      before.set(body.goals)
    }
    expect(body.commanded[F.pitch]).toBeCloseTo(0, 6)
    const goal = new Float64Array(9)
    createInverse().solve(identity(), 0, goal)
    goal.subarray(0, 7).forEach((angle, i) => expect(body.goals[i]).toBeCloseTo(angle, 6))
  })
})

describe('the queue', () => {
  const plan: Plan = function* () {
    yield { duration: 1, sample: (t, out) => out.fill(t) }
  }
  const request = (activity: 'emotion' | 'dance') => ({ activity, plan })

  it('has one owner, in order, and ends what is stopped', async () => {
    const stops: boolean[] = []
    const queue = createMotionQueue((hadBody) => stops.push(hadBody))
    const [a, b, c] = [queue.add(request('emotion')), queue.add(request('dance')), queue.add(request('emotion'))]
    expect(queue.owner).toBeNull()
    queue.take()?.begin(newFrame)
    expect(queue.peek()).toBeNull()
    await a.started
    c.stop()
    expect(await c.ended).toEqual({ ended: 'stopped', clamped: false, duration: 0 })
    expect(queue.stop(({ activity }) => activity === 'emotion')).toBe(true)
    expect((await a.ended).ended).toBe('stopped')
    expect([queue.owner, queue.length, stops]).toEqual([null, 1, [false]])
    queue.take()?.begin(newFrame)
    b.stop()
    expect(stops).toEqual([false, true])
  })

  it('is never longer than it may be', async () => {
    const queue = createMotionQueue(() => undefined)
    const motions = Array.from({ length: LONGEST_QUEUE + 5 }, () => queue.add(request('dance')))
    expect(queue.length).toBe(LONGEST_QUEUE)
    expect((await motions.at(-1)?.ended)?.ended).toBe('stopped')
  })

  it('gives out the end of every segment exactly', () => {
    const queue = createMotionQueue(() => undefined)
    queue.add(request('emotion'))
    const motion = queue.take()
    motion?.begin(newFrame)
    const out = newFrame()
    const seen: number[] = []
    while (motion?.advance(0.3, out)) seen.push(out[0] ?? NaN)
    expect(seen.at(-1)).toBe(1)
  })
})

describe('the control loop', () => {
  it('does not drift, skips what it missed, and idles slowly', async () => {
    const clock = createVirtualClock()
    const at: number[] = []
    let moving = true
    const loop = createControlLoop(clock, async () => {
      at.push(clock.now())
      // A tick that takes a while, now and then too long.
      await new Promise<void>((resolve) => {
        clock.after(at.length === 10 ? 70 : 7, resolve)
      })
      return moving ? 'moving' : 'idle'
    })
    loop.start()
    await clock.advance(1000)
    expect(at.slice(1, 10).map((time) => time % 20)).toEqual(at.slice(1, 10).map(() => (at[1] ?? 0) % 20))
    expect(at.length).toBeGreaterThan(44)
    expect(at.length).toBeLessThan(51)
    moving = false
    await clock.advance(100)
    at.length = 0
    await clock.advance(5000)
    expect(at.length).toBeLessThan(12)
    at.length = 0
    // Long before the next idle tick; one that is under way is waited for.
    loop.kick()
    await clock.advance(200)
    expect(at).toHaveLength(1)
    await Promise.all([loop.stop(), clock.advance(50)])
    at.length = 0
    await clock.advance(2000)
    expect(at).toEqual([])
  })
})
