import { snapshotStore } from './snapshot-store.ts'

import type { RobotState } from '../../electron/contract/index.ts'

const store = snapshotStore<'robot.state', 'robot.changed', RobotState>('robot.state', {}, 'robot.changed')

export const useRobot = store.use
export const followRobot = store.follow
