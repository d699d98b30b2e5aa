import { BROADCAST_ID, encodeStatus, INSTRUCTION, STATUS_ERROR } from '../dynamixel/packet.ts'
import { createParser } from '../dynamixel/parser.ts'
import { MOTORS, radiansToTicks } from '../motors.ts'

import { createSimulatedMotor } from './motor.ts'

import type { Packet } from '../dynamixel/packet.ts'
import type { SimulatedMotor } from './motor.ts'

/** Nine motors on one wire: takes the host's bytes, answers the motors'. */
export interface SimulatedRobot {
  /** `at`: the moment, ms on any monotonic clock. Between calls nothing runs; time is caught up with here. */
  receive(bytes: Uint8Array, at: number): Uint8Array
}

/** The head lies in the body and the antennas are folded: where a robot is found that was put to sleep. Ticks. */
const ASLEEP = [2048, 1936, 2593, 1967, 2105, 1518, 2164, radiansToTicks(-3.05), radiansToTicks(3.05)]

const u16 = (params: Uint8Array, offset: number): number => (params[offset] ?? 0) | ((params[offset + 1] ?? 0) << 8)

/** Torque off, lying in the sleep posture, powered with 7.2 V. */
export function createSimulatedRobot(): SimulatedRobot {
  const parser = createParser()
  const motors = new Map<number, SimulatedMotor>(
    MOTORS.map((spec, i) => {
      const ticks = ASLEEP[i] ?? 2048
      const sinks = spec.name.startsWith('stewart')
      return [spec.id, createSimulatedMotor(spec, ticks, sinks ? ticks : null)]
    }),
  )
  let last: number | null = null

  const status = (motor: SimulatedMotor, number: number, params: Uint8Array = new Uint8Array()): Uint8Array =>
    encodeStatus(motor.id, { alert: motor.alert, number }, params)

  const answerRead = (motor: SimulatedMotor, address: number, length: number): Uint8Array => {
    const data = motor.read(address, length)
    return typeof data === 'number' ? status(motor, data) : status(motor, STATUS_ERROR.none, data)
  }

  const syncRead = (params: Uint8Array): Uint8Array[] => {
    const replies: Uint8Array[] = []
    for (const id of params.subarray(4)) {
      const motor = motors.get(id)
      // Each motor waits for the one before it in the list: behind a missing one there is silence.
      if (motor === undefined) break
      replies.push(answerRead(motor, u16(params, 0), u16(params, 2)))
    }
    return replies
  }

  const syncWrite = (params: Uint8Array): void => {
    const length = u16(params, 2)
    for (let i = 4; i + 1 + length <= params.length; i += 1 + length) {
      // Refusals stay unheard: nobody answers a sync write.
      motors.get(params[i] ?? 0)?.write(u16(params, 0), params.slice(i + 1, i + 1 + length))
    }
  }

  const single = (motor: SimulatedMotor, { instruction, params }: Packet): Uint8Array => {
    switch (instruction) {
      case INSTRUCTION.ping: {
        const model = motor.read(0, 2)
        const firmware = motor.read(6, 1)
        const data = typeof model === 'number' || typeof firmware === 'number' ? [] : [...model, ...firmware]
        return status(motor, STATUS_ERROR.none, Uint8Array.from(data))
      }
      case INSTRUCTION.read:
        return params.length === 4
          ? answerRead(motor, u16(params, 0), u16(params, 2))
          : status(motor, STATUS_ERROR.dataLength)
      case INSTRUCTION.write:
        return status(motor, motor.write(u16(params, 0), params.slice(2)))
      case INSTRUCTION.reboot: {
        const reply = status(motor, STATUS_ERROR.none)
        motor.reboot()
        return reply
      }
      default:
        return status(motor, STATUS_ERROR.instruction)
    }
  }

  const handle = (packet: Packet): Uint8Array[] => {
    if (packet.status !== null) return []
    if (packet.id !== BROADCAST_ID) {
      const motor = motors.get(packet.id)
      return motor === undefined ? [] : [single(motor, packet)]
    }
    if (packet.instruction === INSTRUCTION.syncRead) return syncRead(packet.params)
    if (packet.instruction === INSTRUCTION.syncWrite) syncWrite(packet.params)
    if (packet.instruction === INSTRUCTION.ping) return [...motors.values()].map((motor) => single(motor, packet))
    return []
  }

  return {
    receive(bytes, at) {
      const elapsed = last === null ? 0 : Math.max(0, at - last)
      last = at
      const packets = parser.push(bytes)
      for (const motor of motors.values()) motor.advance(elapsed, packets.length > 0)
      const replies = packets.flatMap(handle)
      const total = new Uint8Array(replies.reduce((sum, reply) => sum + reply.length, 0))
      replies.reduce((offset, reply) => {
        total.set(reply, offset)
        return offset + reply.length
      }, 0)
      return total
    },
  }
}
