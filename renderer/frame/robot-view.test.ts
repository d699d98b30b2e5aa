import { describe, expect, it } from 'vitest'

import { isMoving, isResting, viewOf } from './robot-view.ts'

import type { RobotState } from '../../electron/contract/index.ts'

const state = (changed: Partial<RobotState> = {}): RobotState => ({
  version: 1,
  id: 'simulator',
  kind: 'simulator',
  name: 'Simulator',
  connection: 'ready',
  reconnecting: false,
  rateHz: 50,
  torque: true,
  stopped: false,
  head: { x: 0, y: 0, z: 0, roll: 0, pitch: 0.1, yaw: 0 },
  bodyYaw: 0.2,
  antennas: [-0.3, 0.4],
  stewart: [0, 0, 0, 0, 0, 0],
  activity: { kind: 'awake' },
  motors: [],
  ...changed,
})
const low = { x: 0, y: 0, z: -0.044, roll: 0, pitch: 0.4, yaw: 0 }

describe('viewOf', () => {
  it('shows what the motors say', () => {
    expect(viewOf(state())).toEqual({
      pose: { head: state().head, bodyYaw: 0.2, antennas: [-0.3, 0.4] },
      absent: false,
      limp: false,
      lamp: 'on',
    })
  })

  it.each([
    ['absent', 'off'],
    ['connecting', 'wait'],
    ['busy', 'wait'],
    ['no-power', 'bad'],
    ['no-permission', 'bad'],
  ] as const)('claims no angles while the connection is %s', (connection, lamp) => {
    expect(viewOf(state({ connection }))).toMatchObject({ absent: true, lamp })
  })

  it('claims nothing before the state was read', () => {
    expect(viewOf(null)).toMatchObject({ absent: true, lamp: 'off' })
  })

  it('puts the lamps out without torque', () => {
    expect(viewOf(state({ torque: false })).limp).toBe(true)
  })
})

describe('isResting', () => {
  it.each([
    ['not read yet', null, true],
    ['awake', state(), false],
    ['asleep', state({ activity: { kind: 'asleep' } }), true],
    ['going to sleep', state({ activity: { kind: 'going-to-sleep' } }), true],
    ['limp', state({ torque: false }), true],
    ['enabled again with the head in the body', state({ head: low }), true],
    ['rising out of the body', state({ head: low, activity: { kind: 'waking' } }), false],
  ])('%s', (_, given, expected) => {
    expect(isResting(given)).toBe(expected)
  })
})

describe('isMoving', () => {
  it.each([
    ['awake', false],
    ['asleep', false],
    ['stopped', false],
    ['waking', true],
    ['emotion', true],
    ['moving', true],
  ] as const)('%s: %s', (kind, expected) => {
    expect(isMoving({ kind })).toBe(expected)
  })
})
