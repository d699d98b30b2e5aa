import { describe, expect, it } from 'vitest'

import { describeRobot, presenceOf, shortSerial } from './describe-robot.ts'
import { axesOf, AXES, jogOf, missedAxes, RANGES } from './jog-axes.ts'
import { createJogSender } from './jog-sender.ts'
import { adviceFor, errorsOf, placeOf, troubleOf, wordOf } from './motor-advice.ts'

import type { Jog, MotorState, RobotState, RobotSummary } from '../../../electron/contract/index.ts'

const robot: RobotSummary = {
  id: 'serial:/dev/ttyACM0',
  kind: 'serial',
  name: 'Reachy Mini',
  state: 'ready',
  connected: false,
  added: false,
}
const state: RobotState = {
  version: 1,
  id: robot.id,
  kind: 'serial',
  name: 'Reachy Mini',
  connection: 'ready',
  reconnecting: false,
  rateHz: 50,
  torque: true,
  stopped: false,
  head: { x: 0.01, y: -0.02, z: 0.005, roll: 0.1, pitch: -0.2, yaw: Math.PI / 2 },
  bodyYaw: Math.PI / 4,
  antennas: [-Math.PI / 2, Math.PI / 6],
  stewart: [0, 0, 0, 0, 0, 0],
  activity: { kind: 'awake' },
  motors: [],
}
const problem = { code: 'robot/disconnected' } as const

describe('a robot of the list', () => {
  it.each<[string, Partial<RobotSummary>, Partial<RobotState> | null, string | null, [string, string, string | null]]>([
    ['is connected', { connected: true }, {}, null, ['on', 'connected', 'disconnect']],
    ['was just chosen', {}, null, robot.id, ['wait', 'connecting', 'disconnect']],
    ['is chosen while another is here', {}, { id: 'simulator' }, robot.id, ['wait', 'connecting', 'disconnect']],
    ['is opened', { connected: true }, { connection: 'connecting' }, null, ['wait', 'connecting', 'disconnect']],
    [
      'was lost',
      { connected: true },
      { connection: 'absent', reconnecting: true, problem },
      null,
      ['wait', 'lookedFor', 'disconnect'],
    ],
    [
      'never answered',
      { connected: true },
      { connection: 'absent', reconnecting: true, problem: { code: 'robot/unreachable' } },
      null,
      ['wait', 'absent', 'disconnect'],
    ],
    [
      'is taken by somebody else',
      { connected: true },
      { connection: 'busy', reconnecting: true },
      null,
      ['wait', 'busy', 'disconnect'],
    ],
    [
      'has no power',
      { connected: true },
      { connection: 'no-power', reconnecting: true },
      null,
      ['wait', 'no-power', 'disconnect'],
    ],
    ['is free', {}, { id: 'simulator' }, null, ['off', 'found', 'connect']],
    ['is the simulator', { kind: 'simulator' }, { id: 'x' }, null, ['off', 'ready', 'connect']],
    ['is held by its daemon', { state: 'busy', heldBy: 'daemon:x' }, null, null, ['wait', 'held', 'through']],
    [
      'is held by a program with a name',
      { state: 'busy', holder: 'python3' },
      null,
      null,
      ['wait', 'heldBy', 'connect'],
    ],
    ['is held by nobody knows whom', { state: 'busy' }, null, null, ['wait', 'busy', 'connect']],
    ['may not be opened', { state: 'no-permission' }, null, null, ['bad', 'no-permission', 'connect']],
    [
      'lacks motors',
      { state: 'missing-motors', missing: ['stewart_1'] },
      null,
      null,
      ['bad', 'missing-motors', 'connect'],
    ],
    ['is none', { state: 'unknown-device' }, null, null, ['bad', 'unknown-device', null]],
    ['does not answer', { state: 'absent' }, null, null, ['off', 'absent', 'connect']],
    ['was let go', { connected: false }, { connection: 'absent' }, null, ['off', 'found', 'connect']],
  ])('%s', (_what, summary, current, connecting, [lamp, word, action]) => {
    const now = current === null ? null : { ...state, ...current }
    expect(describeRobot({ ...robot, ...summary }, now, connecting)).toEqual({ lamp, word, action })
  })

  it.each<[Partial<RobotState> | null, string]>([
    [null, 'awaited'],
    [{}, 'here'],
    [{ connection: 'connecting' }, 'awaited'],
    [{ connection: 'absent' }, 'none'],
    [{ connection: 'absent', reconnecting: true }, 'awaited'],
    [{ connection: 'unknown-device', problem: { code: 'robot/unknown-device' } }, 'awaited'],
  ])('of %j is %s', (change, presence) => {
    expect(presenceOf(change && { ...state, ...change })).toBe(presence)
  })

  it.each([
    ['5A46001234562217', '5A4600…2217'],
    ['short', 'short'],
    ['exactly12345', 'exactly12345'],
  ])('has the serial number %s', (serial, short) => {
    expect(shortSerial(serial)).toBe(short)
  })
})

const motor: MotorState = {
  id: 15,
  name: 'stewart_5',
  angle: 0,
  temperature: 40,
  voltage: 7.2,
  load: 0.1,
  torque: true,
  latched: false,
}

describe('a motor', () => {
  it.each<[Partial<MotorState>, string | null, string]>([
    [{}, null, 'holding'],
    [{ torque: false }, null, 'limp'],
    [{ torque: null }, null, 'holding'],
    [{ temperature: 59.9 }, null, 'holding'],
    [{ temperature: 60 }, 'warm', 'warm'],
    [{ temperature: 70 }, 'hot', 'hot'],
    [{ voltage: 7.8 }, null, 'holding'],
    [{ voltage: 7.9 }, 'supplyHigh', 'supplyHigh'],
    [{ voltage: 4.4 }, 'supplyLow', 'supplyLow'],
    [{ voltage: null, temperature: null }, null, 'holding'],
    [{ error: 'encoder' }, 'error', 'error'],
    [{ latched: true, error: 'overload', torque: false, temperature: 72 }, 'latched', 'latched'],
  ])('that is %j', (change, trouble, word) => {
    const one = { ...motor, ...change }
    expect(troubleOf(one)).toBe(trouble)
    expect(wordOf(one, true)).toBe(word)
  })

  it('names its errors and its place', () => {
    expect(errorsOf({ ...motor, error: 'overload, overheating' })).toEqual(['overheating', 'overload'])
    expect(errorsOf(motor)).toEqual([])
    expect(['body_rotation', 'stewart_3', 'left_antenna'].map(placeOf)).toEqual(['body', 'head', 'antenna'])
  })

  it('in the worst trouble is told first, the hottest of them', () => {
    const warm = { ...motor, id: 11, temperature: 61 }
    const warmer = { ...motor, id: 12, temperature: 65 }
    const latched = { ...motor, id: 13, latched: true, error: 'overload' }
    expect(adviceFor([motor])).toBeNull()
    expect(adviceFor([motor, warm, warmer])).toEqual({ trouble: 'warm', motor: warmer, others: 1 })
    expect(adviceFor([warm, latched])).toEqual({ trouble: 'latched', motor: latched, others: 0 })
  })
})

describe('sliders', () => {
  it('show degrees and millimetres, and ask in radians and metres', () => {
    const real = axesOf(state)
    expect(Object.keys(real)).toEqual([...AXES])
    expect(real).toMatchObject({ forward: 10, sideways: -20, height: 5 })
    expect([real.yaw, real.body, real.right, real.left].map(Math.round)).toEqual([90, 45, -90, 30])
    const { head, bodyYaw, antennas } = jogOf(real, real)
    for (const axis of ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] as const)
      expect(head?.[axis]).toBeCloseTo(state.head[axis])
    expect(bodyYaw).toBeCloseTo(state.bodyYaw)
    expect(antennas?.[0]).toBeCloseTo(state.antennas[0])
    expect(antennas?.[1]).toBeCloseTo(state.antennas[1])
  })

  it('ask for nothing that was not moved; the other antenna stays', () => {
    expect(jogOf({}, {})).toEqual({})
    expect(jogOf({ height: 10 }, axesOf(state))).toEqual({ head: { z: 0.01 } })
    expect(jogOf({ left: 0 }, { right: 180 })).toEqual({ antennas: [Math.PI, 0] })
  })

  it('hold zero and whole ticks', () => {
    for (const { min, max, tick } of Object.values(RANGES)) {
      expect(min).toBeLessThan(0)
      expect(max).toBeGreaterThan(0)
      expect((max - min) % tick).toBe(0)
    }
  })

  it('tell what was not reached', () => {
    expect(missedAxes({ yaw: 170, pitch: 10 }, { yaw: 150, pitch: 11 })).toEqual(['yaw'])
    expect(missedAxes({}, { yaw: 150 })).toEqual([])
  })
})

describe('sending wishes', () => {
  function house() {
    const asked: Jog[] = []
    const answers: (() => void)[] = []
    const timers: (() => void)[] = []
    const failures: unknown[] = []
    let fails = false
    const sender = createJogSender({
      ask(jog) {
        asked.push(jog)
        return new Promise((resolve) => {
          const ok = { ok: true, value: null } as const
          const failed = { ok: false, error: { code: 'robot/stopped', message: 'Off.' } } as const
          answers.push(() => resolve(fails ? failed : ok))
        })
      },
      onFailure: (failure) => failures.push(failure),
      after: (_ms, work) => timers.push(work),
    })
    const settle = async (): Promise<void> => {
      answers.shift()?.()
      timers.shift()?.()
      for (let i = 0; i < 10; i++) await Promise.resolve()
    }
    return { sender, asked, failures, settle, fail: () => (fails = true) }
  }

  it('keeps one under way; what comes meanwhile is one wish with the newest of each part', async () => {
    const { sender, asked, settle } = house()
    sender.send({ head: { yaw: 1 } })
    sender.send({ head: { yaw: 2 } })
    sender.send({ head: { pitch: 3 }, bodyYaw: 4 })
    sender.send({ head: { yaw: 5 } })
    expect(asked).toEqual([{ head: { yaw: 1 } }])
    await settle()
    expect(asked).toEqual([{ head: { yaw: 1 } }, { head: { yaw: 5, pitch: 3 }, bodyYaw: 4 }])
    await settle()
    expect(asked).toHaveLength(2)
    sender.send({ bodyYaw: 0 })
    expect(asked).toHaveLength(3)
  })

  it('drops what waits when one is refused, and after its end', async () => {
    const { sender, asked, failures, settle, fail } = house()
    fail()
    sender.send({ bodyYaw: 1 })
    sender.send({ bodyYaw: 2 })
    await settle()
    expect(failures).toMatchObject([{ code: 'robot/stopped' }])
    expect(asked).toHaveLength(1)
    sender.send({ bodyYaw: 3 })
    sender.send({ bodyYaw: 4 })
    sender.stop()
    await settle()
    expect(asked).toEqual([{ bodyYaw: 1 }, { bodyYaw: 3 }])
  })
})
