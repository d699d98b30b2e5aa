import { CompanionError } from '../../contract/index.ts'
import { createDaemonClient, meaningOf } from '../daemon/client.ts'

import { stateOf } from './probe.ts'

import type { RobotSummary } from '../../contract/index.ts'

export interface FoundDaemon {
  /** Address without a slash at the end. */
  readonly base: string
  readonly name: string
  readonly version?: string
  readonly state: RobotSummary['state']
  readonly missing?: readonly string[]
  /** The program that has the robot. */
  readonly holder?: string
  /** It has motors on a port of its own computer, so that nobody else may talk on it. */
  readonly holdsPort: boolean
}

/** Milliseconds: on this computer a daemon answers at once, or there is none; over a network it may take longer. */
export const HERE_MS = 400
export const THERE_MS = 2_000

/** Asks a daemon how its robot is; `null` when nobody answers as a daemon does. */
export async function askDaemon(
  base: string,
  fetch: typeof globalThis.fetch,
  limitMs: number,
): Promise<FoundDaemon | null> {
  const client = createDaemonClient(base, fetch)
  try {
    const status = await client.status(limitMs)
    const simulated = status.simulation_enabled === true || status.mockup_sim_enabled === true
    const found = {
      base,
      holdsPort: !simulated && ['starting', 'running', 'stopping'].includes(status.state),
      name: status.robot_name.slice(0, 80),
      ...(status.version ? { version: status.version.slice(0, 40) } : {}),
    }
    if (status.state === 'error') {
      const { code, details } = meaningOf(status.error ?? status.backend_status?.error ?? '')
      const missing = details?.names?.split(/,\s*/)
      return { ...found, state: stateOf(new CompanionError(code)), ...(missing ? { missing } : {}) }
    }
    const holder = await client.holder().catch((error: unknown) => {
      // It answers as a daemon does: that its lock does not is no reason to hide its robot.
      if (error instanceof CompanionError) return null
      throw error
    })
    return holder === null ? { ...found, state: 'ready' } : { ...found, state: 'busy', holder: holder.slice(0, 80) }
  } catch (error) {
    if (error instanceof CompanionError) return null
    throw error
  }
}
