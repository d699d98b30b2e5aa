import { CompanionError } from '../../contract/index.ts'

import type { Clock } from '../clock.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'
import type { SimulatedRobot } from './device.ts'

/**
 * A port to a simulated robot in this process. Answers arrive right after the write, as on a very fast wire, or as late as
 * the robot's faults say.
 * @throws CompanionError `robot/disconnected` from a write, when the cable is pulled.
 */
export function openMemoryPort(robot: SimulatedRobot, clock: Clock): BytePort {
  const dataListeners = new Set<(bytes: Uint8Array) => void>()
  const closeListeners = new Set<() => void>()
  let open = robot.plugged

  const deliver = (replies: readonly Uint8Array[]): void => {
    if (!open) return
    for (const reply of replies) for (const listener of dataListeners) listener(reply)
  }
  const stopFollowing = robot.onUnplug(() => {
    if (!open) return
    open = false
    stopFollowing()
    for (const listener of closeListeners) listener()
  })

  return {
    write(bytes) {
      if (!open) return Promise.reject(new CompanionError('robot/disconnected'))
      const { stuck, lateMs } = robot.faults
      if (stuck) return new Promise(() => undefined)
      const replies = robot.receive(bytes, clock.now())
      if (replies.length === 0) return Promise.resolve()
      if (lateMs > 0) clock.after(lateMs, () => deliver(replies))
      else queueMicrotask(() => deliver(replies))
      return Promise.resolve()
    },
    onData(listener) {
      dataListeners.add(listener)
      return () => dataListeners.delete(listener)
    },
    onClose(listener) {
      closeListeners.add(listener)
      return () => closeListeners.delete(listener)
    },
    async close() {
      open = false
      stopFollowing()
      dataListeners.clear()
      closeListeners.clear()
    },
  }
}
