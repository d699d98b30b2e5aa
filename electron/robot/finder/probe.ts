import { CompanionError } from '../../contract/index.ts'
import { createBus } from '../dynamixel/bus.ts'
import { MOTORS } from '../motors.ts'

import type { RobotSummary } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'

export interface Probed {
  readonly state: RobotSummary['state']
  /** Names of silent motors. */
  readonly missing?: readonly string[]
}

/** Each motor is asked twice: one lost answer is no missing motor. */
const TRIES = 2

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
    const missing: string[] = []
    for (const { id, name, model } of MOTORS) {
      const found = await ask(() => bus.ping(id))
      if (found === null) missing.push(name)
      else if (found.model !== model) return { state: 'unknown-device' }
    }
    if (missing.length === MOTORS.length) return { state: 'no-power' }
    return missing.length > 0 ? { state: 'missing-motors', missing } : { state: 'ready' }
  } finally {
    bus.dispose()
    await port.close()
  }
}

/** `null`: no answer. */
async function ask<T>(question: () => Promise<T>): Promise<T | null> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    try {
      return await question()
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'robot/disconnected') throw error
    }
  }
  return null
}

/** What a failure to open means for a list of robots. */
export function stateOf(error: unknown): RobotSummary['state'] {
  const code = error instanceof CompanionError ? error.code : ''
  if (code === 'robot/busy') return 'busy'
  if (code === 'robot/no-permission') return 'no-permission'
  if (code === 'robot/no-power') return 'no-power'
  if (code === 'robot/missing-motors') return 'missing-motors'
  return 'unknown-device'
}
