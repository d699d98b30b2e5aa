import { describe, expect, it, onTestFinished } from 'vitest'

import { MAX_BODY_YAW } from './motors.ts'
import { createBench } from './testing/bench.ts'
import { brokenLimits, goalsOf, torqueOf } from './testing/wire.ts'

import type { Jog } from '../contract/index.ts'
import type { Bench } from './testing/bench.ts'

async function ready(): Promise<Bench> {
  const made = createBench()
  onTestFinished(() => made.settled(made.robot.dispose(), 20_000))
  await made.settled(made.robot.start())
  return made
}

const degrees = (value: number): number => (value * Math.PI) / 180

/** Mulberry32: numbers in [0, 1) that a seed gives again. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Far beyond what can be reached, in each direction by itself and in all corners. */
const FARTHEST: ReadonlyArray<readonly [string, Jog]> = [
  ...(['x', 'y', 'z'] as const).flatMap((axis) =>
    [-1, 1].map((sign): [string, Jog] => [`${axis} ${sign}`, { head: { [axis]: sign } }]),
  ),
  ...(['roll', 'pitch', 'yaw'] as const).flatMap((axis) =>
    [-1, 1].map((sign): [string, Jog] => [`${axis} ${sign}`, { head: { [axis]: sign * Math.PI } }]),
  ),
  ['body left', { bodyYaw: Math.PI }],
  ['body right', { bodyYaw: -Math.PI }],
  ['antennas', { antennas: [Math.PI, -Math.PI] }],
  ['antennas the other way', { antennas: [-4, 4] }],
  ...[-1, 1].flatMap((a) =>
    [-1, 1].flatMap((b) =>
      [-1, 1].map((c): [string, Jog] => [
        `corner ${a} ${b} ${c}`,
        {
          head: { x: 0.1 * a, y: 0.1 * b, z: 0.1 * c, roll: b, pitch: c, yaw: 3 * a },
          bodyYaw: 3 * b,
          antennas: [3.1 * c, 3.1 * a],
        },
      ]),
    ),
  ),
]

describe('from the sleep pose', () => {
  it.each(FARTHEST)('%s: no jump when torque comes on, and never faster than allowed', async (_, wish) => {
    const { robot, clock, wire, settled, motors } = await ready()
    const before = [10, 11, 12, 13, 14, 15, 16, 17, 18].map((id) => motors.motor(id)?.read(132, 4) as Uint8Array)
    await settled(robot.enable())
    const motion = robot.jog(wish)
    for (let k = 0; k < 8; k += 1) {
      robot.jog(wish)
      await clock.advance(250)
    }
    await settled(motion.ended)

    const goals = goalsOf(wire.sent)
    const on = wire.sent.findIndex((sent) => torqueOf([sent]).length > 0 && sent.values.get(10) === 1)
    const pin = goalsOf(wire.sent.slice(0, on)).at(-1)
    expect([...(pin?.values.values() ?? [])]).toEqual(before.map((bytes) => (bytes[0] ?? 0) + 256 * (bytes[1] ?? 0)))
    expect(goals.length).toBeGreaterThan(80)
    expect(brokenLimits(goals, { gentle: true })).toEqual([])
    expect(Math.abs(robot.state().bodyYaw)).toBeLessThanOrEqual(MAX_BODY_YAW + 0.002)
  })
})

describe('whatever is wished', () => {
  it.each([1, 5, 7, 10])('goals on the wire keep every limit, seed %i', { timeout: 60_000 }, async (seed) => {
    const { robot, clock, wire, settled } = await ready()
    const random = generator(seed)
    const between = (low: number, high: number): number => low + (high - low) * random()
    const moves = robot.moves().map(({ name }) => name)
    const ignore = (work: Promise<unknown>): void => void work.catch(() => undefined)
    const jog = (): void => {
      const head = {
        x: between(-0.06, 0.06),
        y: between(-0.06, 0.06),
        z: between(-0.08, 0.06),
        roll: between(-1, 1),
        pitch: between(-1.2, 1.2),
        yaw: between(-3, 3),
      }
      const wish: Jog = {
        ...(random() < 0.7 ? { head } : {}),
        ...(random() < 0.5 ? { bodyYaw: between(-3.5, 3.5) } : {}),
        ...(random() < 0.5 ? { antennas: [between(-3.2, 3.2), between(-3.2, 3.2)] as [number, number] } : {}),
      }
      ignore(robot.jog(wish).ended)
    }
    const wishes: ReadonlyArray<readonly [number, () => void]> = [
      [10, jog],
      [3, () => ignore(robot.play(moves[Math.floor(random() * moves.length)] ?? 'yes1').ended)],
      [2, () => ignore(robot.lookTo(random() < 0.5 ? 'left' : 'up').ended)],
      [1, () => ignore(robot.sweepLook().ended)],
      [1, () => ignore(robot.wake().ended)],
      [1, () => ignore(robot.sleep().ended)],
      [2, () => robot.stopMotion()],
      [1, () => ignore(robot.emergencyStop())],
      [3, () => ignore(robot.enable())],
      [1, () => ignore(robot.setTorque(random() < 0.5))],
    ]
    const total = wishes.reduce((sum, [weight]) => sum + weight, 0)
    for (let k = 0; k < 250; k += 1) {
      let pick = random() * total
      for (const [weight, act] of wishes) {
        pick -= weight
        if (pick < 0) {
          act()
          break
        }
      }
      await clock.advance(Math.floor(between(0, random() < 0.2 ? 2_500 : 200)))
    }
    robot.stopMotion()
    await settled(robot.emergencyStop())
    const goals = goalsOf(wire.sent)
    expect(goals.length).toBeGreaterThan(1_000)
    expect(brokenLimits(goals)).toEqual([])
  })

  it.each([1, 2])('in one jog to and fro, seed %i', async (seed) => {
    const { robot, clock, wire, settled } = await ready()
    await settled(robot.wake().ended)
    await clock.advance(2_500)
    const random = generator(seed)
    wire.sent.length = 0
    for (let k = 0; k < 200; k += 1) {
      const sign = random() < 0.5 ? -1 : 1
      void robot.jog({
        head: { yaw: sign * degrees(60), pitch: sign * degrees(25), z: sign * 0.02 },
        bodyYaw: sign * 2.7,
        antennas: [sign * 3, -sign * 3],
      })
      await clock.advance(Math.floor(random() * 400))
    }
    expect(goalsOf(wire.sent).length).toBeGreaterThan(1_000)
    expect(brokenLimits(goalsOf(wire.sent))).toEqual([])
  })
})
