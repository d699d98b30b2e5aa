import { describe, expect, it } from 'vitest'

import { bodyRadius, drawPuppet, headOutline, project, tipsOf } from './drawing.ts'
import { ASLEEP, NEUTRAL, placePuppet } from './model.ts'

import type { PuppetPose } from './model.ts'

const rad = (degrees: number): number => (degrees * Math.PI) / 180
const posed = (head: Partial<PuppetPose['head']>, rest: Partial<PuppetPose> = {}): PuppetPose => ({
  ...NEUTRAL,
  ...rest,
  head: { ...NEUTRAL.head, ...head },
})

/** Points of the outline: the ends of its quadratics. */
function points(path: string): [number, number][] {
  return [...path.matchAll(/Q\S+ \S+ (-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
}

function extent(path: string): { left: number; right: number; top: number; bottom: number } {
  const [xs, ys] = [points(path).map(([x]) => x), points(path).map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

describe('project', () => {
  it.each([
    // The robot's left is on the right of the screen, up is up, forward comes a little lower.
    [
      [0, 10, 0],
      [10, 0],
    ],
    [
      [0, 0, 10],
      [0, -9.703],
    ],
    [
      [10, 0, 0],
      [0, 2.419],
    ],
  ] as const)('%j lies at %j', (point, [x, y]) => {
    const [px, py] = project(point)
    expect(px).toBeCloseTo(x, 2)
    expect(py).toBeCloseTo(y, 2)
  })
})

describe('head outline', () => {
  it('is as wide as the shell and symmetrical at rest', () => {
    const box = extent(headOutline(placePuppet(NEUTRAL)))
    expect(box.right).toBeCloseTo(77, 0)
    expect(box.left).toBeCloseTo(-77, 0)
  })

  it('moves with the head, millimetre by millimetre', () => {
    const rest = extent(headOutline(placePuppet(NEUTRAL)))
    const aside = extent(headOutline(placePuppet(posed({ y: 0.02, z: 0.01 }))))
    expect(aside.right - rest.right).toBeCloseTo(20, 0)
    expect(rest.top - aside.top).toBeCloseTo(9.7, 0)
  })

  it('is convex in every pose', () => {
    for (const head of [{}, { yaw: rad(60) }, { roll: rad(30), pitch: rad(-25) }, { pitch: rad(40), yaw: rad(-120) }]) {
      const outline = points(headOutline(placePuppet(posed(head))))
      const turns = outline.map(([x, y], i) => {
        const [bx, by] = outline[(i + 1) % outline.length] ?? [0, 0]
        const [cx, cy] = outline[(i + 2) % outline.length] ?? [0, 0]
        return (bx - x) * (cy - by) - (by - y) * (cx - bx)
      })
      expect(Math.min(...turns)).toBeGreaterThan(0)
    }
  })
})

describe('drawPuppet', () => {
  it.each([
    ['ahead', {}, 2],
    ['aside', { yaw: rad(50) }, 2],
    ['away', { yaw: rad(180) }, 0],
  ])('shows the eyes that look at the camera: %s', (_, head, count) => {
    expect(drawPuppet(posed(head)).eyes).toHaveLength(count)
  })

  it('hides the index when the body has turned away', () => {
    expect(drawPuppet(posed({}, { bodyYaw: rad(10) })).index).not.toBeNull()
    expect(drawPuppet(posed({}, { bodyYaw: rad(150) })).index).toBeNull()
  })

  it('points the needle to the robot’s left for a positive body yaw', () => {
    const [, x] = /L(-?[\d.]+)/.exec(drawPuppet(posed({}, { bodyYaw: rad(30) })).needle) ?? []
    expect(Number(x)).toBeGreaterThan(50)
  })

  it('never writes a number that is no number, even out of reach', () => {
    const shapes = drawPuppet(posed({ z: 0.2, x: 0.3, roll: 2 }, { antennas: [9, -9] }))
    expect(JSON.stringify(shapes)).not.toMatch(/NaN|null,null|Infinity/)
  })
})

describe('antennas', () => {
  it('hang down asleep and stand up awake', () => {
    const [right, left] = tipsOf(NEUTRAL)
    const [hangingRight, hangingLeft] = tipsOf(ASLEEP)
    expect(right[1]).toBeLessThan(-350)
    expect(left[1]).toBeLessThan(-350)
    expect(hangingRight[1]).toBeGreaterThan(-230)
    expect(hangingLeft[1]).toBeGreaterThan(-230)
  })

  it.each([
    // Directions of the robot's own URDF at +0.5 rad, times the length of the drawn rod.
    [0, [0.342, -0.416, 0.842]],
    [1, [-0.131, -0.416, 0.9]],
  ] as const)('antenna %i turns about the robot’s own axis', (side, direction) => {
    const antennas: [number, number] = [0.5, 0.5]
    const segment = placePuppet({ ...NEUTRAL, antennas }).antennas[side]
    direction.forEach((d, i) => expect((segment.to[i] ?? 0) - (segment.from[i] ?? 0)).toBeCloseTo(d * 112, 0))
  })
})

describe('rods', () => {
  it('are as long as the robot’s', () => {
    for (const pose of [NEUTRAL, posed({ z: 0.015, pitch: rad(10) }, { bodyYaw: rad(20) })]) {
      for (const { from, to } of placePuppet(pose).rods) {
        expect(Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2])).toBeCloseTo(85, 1)
      }
    }
  })
})

describe('bodyRadius', () => {
  it.each([
    [9, 53],
    [38, 67],
    [53, 70.5],
    [158, 72],
    [200, 72],
    [0, 53],
  ])('at %d mm is %d mm', (z, radius) => {
    expect(bodyRadius(z)).toBeCloseTo(radius, 5)
  })
})
