import type { RobotState, RobotSummary } from '../../../electron/contract/index.ts'
import type { LampTone } from '../../components/index.ts'

/** The word for a robot's state in the list: a key below `robot:state`. */
export type RobotWord = RobotSummary['state'] | 'connected' | 'connecting' | 'found' | 'held' | 'heldBy' | 'lookedFor'

export interface RobotRow {
  readonly lamp: LampTone
  readonly word: RobotWord
  /** What its button does: `through` takes the daemon that holds the port. `null`: nothing can be done from here. */
  readonly action: 'connect' | 'disconnect' | 'through' | null
}

const LAMPS: Record<RobotSummary['state'], LampTone> = {
  ready: 'off',
  busy: 'wait',
  'no-permission': 'bad',
  'no-power': 'bad',
  'missing-motors': 'bad',
  'unknown-device': 'bad',
  absent: 'off',
}

/** Why a robot that the app has chosen is not there, where the list has a word for it. */
const REASONS: ReadonlySet<RobotState['connection']> = new Set([
  'busy',
  'no-permission',
  'no-power',
  'missing-motors',
  'unknown-device',
])

/**
 * What the list says of a robot and offers for it.
 * @param current the robot of this app, as it is; @param connecting ID of the one that the person just chose.
 */
export function describeRobot(robot: RobotSummary, current: RobotState | null, connecting: string | null): RobotRow {
  if (connecting === robot.id) return { lamp: 'wait', word: 'connecting', action: 'disconnect' }
  if (current?.id === robot.id && robot.connected) {
    if (current.connection === 'ready') return { lamp: 'on', word: 'connected', action: 'disconnect' }
    if (REASONS.has(current.connection)) {
      return { lamp: 'wait', word: current.connection, action: 'disconnect' }
    }
    const away = current.problem?.code === 'robot/unreachable' ? 'absent' : 'lookedFor'
    return { lamp: 'wait', word: current.reconnecting ? away : 'connecting', action: 'disconnect' }
  }
  if (robot.heldBy !== undefined) return { lamp: 'wait', word: 'held', action: 'through' }
  if (robot.state === 'busy' && robot.holder !== undefined) return { lamp: 'wait', word: 'heldBy', action: 'connect' }
  if (robot.state === 'unknown-device') return { lamp: 'bad', word: 'unknown-device', action: null }
  const word = robot.state === 'ready' && robot.kind !== 'simulator' ? 'found' : robot.state
  return { lamp: LAMPS[robot.state], word, action: 'connect' }
}

/** Whether a robot is driven, looked for, or neither. */
export type Presence = 'here' | 'awaited' | 'none'

export function presenceOf(state: RobotState | null): Presence {
  if (state === null || state.connection === 'connecting') return 'awaited'
  if (state.connection === 'ready') return 'here'
  return state.reconnecting || state.problem !== undefined ? 'awaited' : 'none'
}

/** A long serial number as people compare it: its beginning and its end. */
export function shortSerial(serial: string): string {
  return serial.length <= 12 ? serial : `${serial.slice(0, 6)}…${serial.slice(-4)}`
}
