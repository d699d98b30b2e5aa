import { CompanionError } from '../../contract/index.ts'
import { identify } from '../driver/identify.ts'
import { createBus } from '../dynamixel/bus.ts'

import type { RobotSummary } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'

export interface Probed {
  readonly state: RobotSummary['state']
  /** Names of silent motors. */
  readonly missing?: readonly string[]
}

/** Each motor is asked again, after a moment: answers that a busy computer was too late for are no missing motors. */
const ROUNDS = { rounds: 3, pauseMs: 60 }

/**
 * Asks the motors behind a port who they are, and nothing else: other boards have the same adapter.
 * @param open opens the port; closed again at the end.
 */
export async function probePort(open: () => Promise<BytePort>, clock: Clock): Promise<Probed> {
  let port: BytePort
  try {
    port = await open()
  } catch (error) {
    return { state: stateOf(error) }
  }
  const bus = createBus(port, clock)
  try {
    const missing = await identify(() => bus, clock, ROUNDS)
    return missing.length > 0
      ? { state: 'missing-motors', missing: missing.map(({ name }) => name) }
      : { state: 'ready' }
  } catch (error) {
    return { state: stateOf(error) }
  } finally {
    bus.dispose()
    await port.close()
  }
}

/** What a failure means for a list of robots. */
export function stateOf(error: unknown): RobotSummary['state'] {
  const code = error instanceof CompanionError ? error.code : ''
  if (code === 'robot/not-found') return 'absent'
  if (code === 'robot/busy') return 'busy'
  if (code === 'robot/no-permission') return 'no-permission'
  if (code === 'robot/no-power') return 'no-power'
  if (code === 'robot/missing-motors') return 'missing-motors'
  return 'unknown-device'
}
