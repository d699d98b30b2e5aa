import { NEUTRAL } from '../components/puppet/model.ts'

import type { RobotActivity, RobotState } from '../../electron/contract/index.ts'
import type { LampTone } from '../components/index.ts'
import type { PuppetPose } from '../components/puppet/model.ts'

/** How the robot's state is drawn. */
export interface RobotView {
  pose: PuppetPose
  /** No angles are known: an outline, dashes instead of numbers. */
  absent: boolean
  limp: boolean
  lamp: LampTone
}

const LAMPS: Record<RobotState['connection'], LampTone> = {
  ready: 'on',
  connecting: 'wait',
  busy: 'wait',
  'no-permission': 'bad',
  'no-power': 'bad',
  'missing-motors': 'bad',
  'unknown-device': 'bad',
  absent: 'off',
}

/** What a state looks like; `null`: it has not been read yet. */
export function viewOf(state: RobotState | null): RobotView {
  if (!state || state.connection !== 'ready') {
    const lamp = state
      ? state.reconnecting && state.connection === 'absent'
        ? 'wait'
        : LAMPS[state.connection]
      : 'off'
    return { pose: NEUTRAL, absent: true, limp: false, lamp }
  }
  const { head, bodyYaw, antennas } = state
  return { pose: { head, bodyYaw, antennas }, absent: false, limp: !state.torque, lamp: LAMPS.ready }
}

/** A head that lies lower than this rests in the body, metres; asleep it is at −44 mm. */
const RESTING_Z = -0.03

/** Whether the robot has to wake up before it can do anything: asleep, limp, or with its head in the body. */
export function isResting(state: RobotState | null): boolean {
  if (!state?.torque) return true
  const { kind } = state.activity
  return kind === 'asleep' || kind === 'going-to-sleep' || (kind !== 'waking' && state.head.z < RESTING_Z)
}

/** Whether the robot moves by itself at the moment. */
export function isMoving(activity: RobotActivity): boolean {
  return ['waking', 'going-to-sleep', 'emotion', 'dance', 'moving', 'by-hand'].includes(activity.kind)
}

/** Whether no robot is driven, nor looked for: the person has let it go. */
export function isLetGo(state: RobotState | null): boolean {
  return state !== null && state.connection === 'absent' && !state.reconnecting
}
