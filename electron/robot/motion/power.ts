import { CompanionError } from '../../contract/index.ts'

import type { BodyDriver } from '../driver/types.ts'
import type { Body } from './body.ts'

/** Torque and what goes with it: pinned goals, the slow beginning, the motors' watchdog. */
export interface Power {
  /** What the motors said last. */
  readonly on: boolean
  /** Grows at every emergency stop; what was awaited across one says nothing about the robot any more. */
  readonly epoch: number
  /** Torque came on a moment ago: joints move slowly at first. */
  readonly gentle: boolean
  /** Pins every goal to where the joint is, then torque on. @throws CompanionError `robot/stopped` when an emergency stop came between. */
  switchOn(): Promise<void>
  switchOff(): Promise<void>
  /** Past everything; whether the motors confirmed. */
  emergencyOff(): Promise<boolean>
  /** The motors say otherwise. */
  correct(on: boolean): void
  /** Motion went on for `dt` seconds. */
  moved(dt: number): void
  setWatchdog(on: boolean): Promise<void>
  /** After a pause of ours that may have run the watchdog down: clears it and begins anew where the robot is. Whether it did. */
  recoverWatchdog(): Promise<boolean>
}

/** Seconds of motion after torque on during which everything keeps to the gentle speed. */
const GENTLE_SECONDS = 2

export function createPower(driver: BodyDriver, body: Body): Power {
  let on = false
  let epoch = 0
  let gentleLeft = GENTLE_SECONDS
  let watchdog = false

  const pin = async (): Promise<void> => {
    await driver.readPositions(body.joints)
    body.measured()
    body.pin()
  }

  return {
    get on() {
      return on
    },
    get epoch() {
      return epoch
    },
    get gentle() {
      return gentleLeft > 0
    },
    async switchOn() {
      const mine = epoch
      await driver.torqueOn()
      if (mine !== epoch) throw new CompanionError('robot/stopped')
      watchdog = false
      gentleLeft = GENTLE_SECONDS
      await pin()
      on = true
    },
    async switchOff() {
      await driver.torqueOff()
      on = false
      watchdog = false
    },
    async emergencyOff() {
      epoch++
      const confirmed = await driver.emergencyOff()
      if (confirmed) {
        on = false
        watchdog = false
      }
      return confirmed
    },
    correct(value) {
      on = value
    },
    moved(dt) {
      gentleLeft -= dt
    },
    async setWatchdog(value) {
      if (watchdog === value) return
      await driver.setWatchdog(value)
      watchdog = value
    },
    async recoverWatchdog() {
      if (!watchdog) return false
      await driver.setWatchdog(false)
      await pin()
      watchdog = false
      return true
    },
  }
}
