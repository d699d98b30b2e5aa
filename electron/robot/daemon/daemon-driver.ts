import { CompanionError } from '../../contract/index.ts'
import { delay, within } from '../clock.ts'
import { F, headMatrix } from '../kinematics/frame.ts'
import { identity } from '../kinematics/matrix.ts'
import { MOTORS } from '../motors.ts'

import { socketAddress } from './address.ts'
import { createDaemonClient, meaningOf } from './client.ts'
import { openDaemonSocket } from './socket.ts'

import type { Log } from '../../contract/index.ts'
import type { Clock } from '../clock.ts'
import type { BodyDriver } from '../driver/types.ts'
import type { DaemonSocket } from './socket.ts'

export interface DaemonDriverDeps {
  readonly log: Log
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
  /** See `daemonAddress`. */
  readonly base: string
}

/** Joints older than this say nothing about where the robot is, ms; the daemon tells them 50 times a second. */
const STALE_MS = 1_000
/** A daemon that starts its backend waits up to 30 s for the motors' supply. */
const READY_POLLS = 70
const READY_POLL_MS = 500
const FIRST_JOINTS_MS = 2_000
const JOINTS_POLL_MS = 10
/** Milliseconds for each of the two ways of an emergency stop. */
const STOP_MS = 1_500

/**
 * Drives the robot through its daemon: targets over its socket, torque over its routes. Nothing of the daemon is ever
 * ended. What it does not tell (temperatures, voltages, a motor's own errors) is not made up.
 */
export function createDaemonDriver({ log, clock, fetch, base }: DaemonDriverDeps): BodyDriver {
  const client = createDaemonClient(base, fetch)
  const lostListeners = new Set<() => void>()
  const head = identity()
  let socket: DaemonSocket | null = null
  /** Grows at every emergency stop: what began before it must not switch torque on after it. */
  let generation = 0

  const live = (): DaemonSocket => {
    if (socket === null) throw new CompanionError('robot/disconnected')
    return socket
  }

  const awaitBackend = async (): Promise<string> => {
    let asked = false
    for (let poll = 0; poll < READY_POLLS; poll++) {
      const { state, error, backend_status, version } = await client.status()
      const reason = error ?? backend_status?.error
      if (state === 'error') {
        const { code, details } = meaningOf(reason ?? '')
        throw new CompanionError(code, details, { cause: new Error(reason ?? 'the daemon is in an error') })
      }
      if (state === 'running' && backend_status?.ready !== false) return version?.slice(0, 40) ?? '?'
      if ((state === 'stopped' || state === 'not_initialized') && !asked) {
        asked = true
        await client.startBackend()
      }
      await delay(clock, READY_POLL_MS)
    }
    throw new CompanionError('robot/no-power')
  }

  const connect = async (): Promise<void> => {
    const opened = await openDaemonSocket(socketAddress(base), log, () => clock.now())
    socket = opened
    opened.onClose(() => {
      if (socket !== opened) return
      socket = null
      for (const listener of lostListeners) listener()
    })
    const joints = new Float64Array(MOTORS.length)
    for (let waited = 0; opened.joints(joints) === Infinity; waited += JOINTS_POLL_MS) {
      if (waited >= FIRST_JOINTS_MS) throw new CompanionError('robot/disconnected')
      await delay(clock, JOINTS_POLL_MS)
    }
  }

  const disconnect = async (): Promise<void> => {
    socket?.close()
    socket = null
  }

  return {
    exclusive: false,

    async open() {
      const version = await awaitBackend()
      const holder = await client.holder()
      if (holder !== null) throw new CompanionError('robot/busy', { holder: holder.slice(0, 100) })
      try {
        await connect()
      } catch (error) {
        await disconnect()
        const old = error instanceof CompanionError && error.code === 'robot/old-daemon'
        throw old ? new CompanionError('robot/old-daemon', { version }, { cause: error }) : error
      }
      live().send({ type: 'stop_move' })
      // Body and head are told apart by us; the daemon's own rule would turn the body once more.
      live().send({ type: 'set_automatic_body_yaw', enabled: false })
    },

    async readPositions(out) {
      if (live().joints(out) > STALE_MS) throw new CompanionError('robot/disconnected')
    },

    async writeGoals(_joints, frame) {
      const antennas: [number, number] = [frame[F.right] as number, frame[F.left] as number]
      headMatrix(head, frame)
      live().send({ type: 'set_full_target', head: [...head], antennas, body_yaw: frame[F.body] as number })
    },

    async torqueOn() {
      const mine = generation
      // The daemon itself sets every goal to the present position first.
      await client.setMode('enabled')
      const mode = await client.mode()
      if (mine !== generation) {
        await client.setMode('disabled')
        throw new CompanionError('robot/stopped')
      }
      if (mode !== 'enabled') throw new CompanionError('robot/overload', { names: 'daemon' })
    },

    torqueOff: () => client.setMode('disabled'),

    async emergencyOff() {
      generation++
      // Both ways at once: the socket is open already, the route says whether it was done.
      socket?.send({ type: 'set_torque', on: false })
      socket?.send({ type: 'stop_move' })
      const told = await within(clock, STOP_MS, client.setMode('disabled', STOP_MS))
      if (told !== 'done') log.warn('torque off was not taken by the daemon', { outcome: told })
      try {
        return (await client.mode()) === 'disabled'
      } catch (error) {
        log.warn('torque off was not confirmed by the daemon', { error: String(error) })
        return false
      }
    },

    async readHealth() {
      const torque = (await client.mode()) === 'enabled'
      return MOTORS.map(() => ({ temperature: null, voltage: null, current: null, torque, hardwareError: 0 }))
    },

    // The daemon watches its own bus.
    setWatchdog: () => Promise.resolve(),
    onLost(listener) {
      lostListeners.add(listener)
      return () => lostListeners.delete(listener)
    },
    close: disconnect,
  }
}
