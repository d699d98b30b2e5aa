import { CompanionError } from '../../contract/index.ts'
import { delay } from '../clock.ts'
import { MOTORS } from '../motors.ts'

import type { Clock } from '../clock.ts'
import type { Bus } from '../dynamixel/bus.ts'
import type { MotorSpec } from '../motors.ts'

/**
 * Asks who is on the wire by pings alone: other boards have the same adapter, and nothing may be written to them.
 *
 * @param bus looked up at each ping: an emergency stop may have replaced it.
 * @param rounds how often a motor that is silent is asked; `pauseMs` lies between two rounds.
 * @returns the motors that did not answer, at least one did.
 * @throws CompanionError `robot/unknown-device` at the first motor of another model, `robot/no-power` when nothing at all
 * came back, `robot/unreadable` when something did and none of it was an answer in time.
 */
export async function identify(
  bus: () => Bus,
  clock: Clock,
  { rounds, pauseMs }: { rounds: number; pauseMs: number },
): Promise<readonly MotorSpec[]> {
  let silent: readonly MotorSpec[] = MOTORS
  for (let round = 1; round <= rounds && silent.length > 0; round += 1) {
    if (round > 1) await delay(clock, pauseMs)
    const still: MotorSpec[] = []
    for (const motor of silent) if (!(await answers(bus(), motor))) still.push(motor)
    silent = still
  }
  if (silent.length === MOTORS.length) throw new CompanionError(bus().heard ? 'robot/unreadable' : 'robot/no-power')
  return silent
}

async function answers(bus: Bus, { id, model }: MotorSpec): Promise<boolean> {
  try {
    const found = await bus.ping(id)
    if (found.model !== model) throw new CompanionError('robot/unknown-device')
    return true
  } catch (error) {
    if (error instanceof CompanionError && error.code === 'robot/disconnected') return false
    throw error
  }
}

/** For people: in the order of the chain. */
export const namesOf = (motors: readonly MotorSpec[]): string => motors.map(({ name }) => name).join(', ')
