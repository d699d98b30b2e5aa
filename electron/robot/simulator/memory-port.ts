import { CompanionError } from '../../contract/index.ts'

import type { Clock } from '../clock.ts'
import type { BytePort } from '../dynamixel/byte-port.ts'
import type { SimulatedRobot } from './device.ts'

/** A port to a simulated robot in this process. Answers arrive right after the write, as on a very fast wire. */
export function openMemoryPort(robot: SimulatedRobot, clock: Clock): BytePort {
  const listeners = new Set<(bytes: Uint8Array) => void>()
  let open = true
  return {
    write(bytes) {
      if (!open) return Promise.reject(new CompanionError('robot/disconnected'))
      const reply = robot.receive(bytes, clock.now())
      if (reply.length > 0) {
        queueMicrotask(() => {
          if (open) for (const listener of listeners) listener(reply)
        })
      }
      return Promise.resolve()
    },
    onData(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onClose() {
      return () => undefined
    },
    async close() {
      open = false
      listeners.clear()
    },
  }
}
