import { crc16 } from '../dynamixel/crc.ts'
import { BROADCAST_ID, encodeStatus, INSTRUCTION, STATUS_ERROR } from '../dynamixel/packet.ts'
import { createParser } from '../dynamixel/parser.ts'
import { MOTORS, radiansToTicks } from '../motors.ts'

import { answers, createChance, NO_FAULTS, overTheWire } from './faults.ts'
import { createSimulatedMotor } from './motor.ts'

import type { Unsubscribe } from '../../contract/index.ts'
import type { Packet } from '../dynamixel/packet.ts'
import type { Faults } from './faults.ts'
import type { SimulatedMotor } from './motor.ts'

/** Nine motors on one wire: takes the host's bytes, answers the motors'. */
export interface SimulatedRobot {
  /**
   * What the motors answer, one after the other. `at`: the moment, ms on any monotonic clock. Between calls nothing runs;
   * time is caught up with here.
   */
  receive(bytes: Uint8Array, at: number): Uint8Array[]
  readonly faults: Faults
  /** Switches faults on or off; the others stay. */
  setFaults(change: Partial<Faults>): void
  motor(id: number): SimulatedMotor | undefined
  /** Pulls the USB cable, or puts it back. */
  setPlugged(plugged: boolean): void
  readonly plugged: boolean
  onUnplug(listener: () => void): Unsubscribe
  /** How many wait for the cable to be pulled: one for each open port. */
  readonly listeners: number
}

/** The head lies in the body and the antennas are folded: where a robot is found that was put to sleep. Ticks. */
const ASLEEP = [2048, 1936, 2593, 1967, 2105, 1518, 2164, radiansToTicks(-3.05), radiansToTicks(3.05)]
const ORDER: readonly number[] = MOTORS.map(({ id }) => id)
/** Parameters of `clear` that put a position back into its first turn (ROBOTIS e-manual, "Clear"). */
const CLEAR_TURNS = [0x01, 0x44, 0x58, 0x4c, 0x22]
/** Motors of a robot arm that is no Reachy Mini: XL430. */
const FOREIGN_MODEL = 1060

const u16 = (params: Uint8Array, offset: number): number => (params[offset] ?? 0) | ((params[offset + 1] ?? 0) << 8)

interface Wanted {
  readonly id: number
  readonly address: number
  readonly length: number
}

/** Torque off, lying in the sleep posture, powered with 7.2 V. @param seed of the chance that faults follow. */
export function createSimulatedRobot(seed = 1): SimulatedRobot {
  const parser = createParser()
  const chance = createChance(seed)
  const motors = new Map<number, SimulatedMotor>(
    MOTORS.map((spec, i) => {
      const ticks = ASLEEP[i] ?? 2048
      const sinks = spec.name.startsWith('stewart')
      return [spec.id, createSimulatedMotor(spec, ticks, sinks ? ticks : null)]
    }),
  )
  const unplugListeners = new Set<() => void>()
  let faults = NO_FAULTS
  let plugged = true
  let last: number | null = null

  const heard = (id: number): SimulatedMotor | undefined => {
    const motor = motors.get(id)
    return motor !== undefined && motor.listens && answers(faults, id, ORDER) ? motor : undefined
  }
  const present = (): SimulatedMotor[] => ORDER.flatMap((id) => heard(id) ?? [])

  const status = (motor: SimulatedMotor, number: number, params: Uint8Array = new Uint8Array()): Uint8Array =>
    encodeStatus(motor.id, { alert: motor.alert, number }, params)

  const answerRead = (motor: SimulatedMotor, address: number, length: number): Uint8Array => {
    const data = motor.read(address, length)
    return typeof data === 'number' ? status(motor, data) : status(motor, STATUS_ERROR.none, data)
  }

  /** Each motor waits for the one before it in the list: behind a missing one there is silence. */
  const inTurn = (wanted: readonly Wanted[]): Array<{ motor: SimulatedMotor; address: number; length: number }> => {
    const found: Array<{ motor: SimulatedMotor; address: number; length: number }> = []
    for (const { id, address, length } of wanted) {
      const motor = heard(id)
      if (motor === undefined) break
      found.push({ motor, address, length })
    }
    return found
  }

  const readAll = (wanted: readonly Wanted[]): Uint8Array[] =>
    inTurn(wanted).map(({ motor, address, length }) => answerRead(motor, address, length))

  /**
   * One packet of all motors; the CRC between two blocks covers the packet up to it (DynamixelSDK, "Fast Sync Read").
   * It is not stuffed.
   */
  const readFast = (wanted: readonly Wanted[]): Uint8Array[] => {
    const found = inTurn(wanted)
    if (found.length === 0 || found.length < wanted.length) return []
    const packet: number[] = [0xff, 0xff, 0xfd, 0x00, BROADCAST_ID, 0, 0, INSTRUCTION.status]
    const length = 1 + found.reduce((sum, block) => sum + 4 + block.length, 0)
    packet[5] = length & 0xff
    packet[6] = length >> 8
    for (const { motor, address, length: size } of found) {
      const data = motor.read(address, size)
      const number = typeof data === 'number' ? data : STATUS_ERROR.none
      packet.push((motor.alert ? 0x80 : 0) | number, motor.id)
      packet.push(...(typeof data === 'number' ? new Uint8Array(size) : data))
      const crc = crc16(Uint8Array.from(packet))
      packet.push(crc & 0xff, crc >> 8)
    }
    return [Uint8Array.from(packet)]
  }

  const syncWrite = (params: Uint8Array): void => {
    const length = u16(params, 2)
    for (let i = 4; i + 1 + length <= params.length; i += 1 + length) {
      // Refusals stay unheard: nobody answers a sync write.
      heard(params[i] ?? 0)?.write(u16(params, 0), params.slice(i + 1, i + 1 + length))
    }
  }

  const bulkWrite = (params: Uint8Array): void => {
    for (let i = 0; i + 5 <= params.length;) {
      const length = u16(params, i + 3)
      heard(params[i] ?? 0)?.write(u16(params, i + 1), params.slice(i + 5, i + 5 + length))
      i += 5 + length
    }
  }

  const syncList = (params: Uint8Array): Wanted[] =>
    Array.from(params.subarray(4), (id) => ({ id, address: u16(params, 0), length: u16(params, 2) }))
  const bulkList = (params: Uint8Array): Wanted[] =>
    Array.from({ length: Math.floor(params.length / 5) }, (_, i) => ({
      id: params[5 * i] ?? 0,
      address: u16(params, 5 * i + 1),
      length: u16(params, 5 * i + 3),
    }))

  const identify = (motor: SimulatedMotor): Uint8Array => {
    const firmware = motor.read(6, 1)
    const model = faults.foreign ? Uint8Array.from([FOREIGN_MODEL & 0xff, FOREIGN_MODEL >> 8]) : motor.read(0, 2)
    const data = typeof model === 'number' || typeof firmware === 'number' ? [] : [...model, ...firmware]
    return status(motor, STATUS_ERROR.none, Uint8Array.from(data))
  }

  /** The answer of one motor to a packet of its own, and how much it must be allowed to say for it. */
  const single = (motor: SimulatedMotor, { instruction, params }: Packet): { level: number; reply: Uint8Array } => {
    const told = (number: number): { level: number; reply: Uint8Array } => ({ level: 2, reply: status(motor, number) })
    switch (instruction) {
      case INSTRUCTION.ping:
        return { level: 0, reply: identify(motor) }
      case INSTRUCTION.read:
        if (params.length !== 4) return { level: 1, reply: status(motor, STATUS_ERROR.dataLength) }
        return { level: 1, reply: answerRead(motor, u16(params, 0), u16(params, 2)) }
      case INSTRUCTION.write:
        return told(motor.write(u16(params, 0), params.slice(2)))
      case INSTRUCTION.regWrite:
        return told(motor.register(u16(params, 0), params.slice(2)))
      case INSTRUCTION.action:
        return told(motor.action())
      case INSTRUCTION.clear:
        return told(CLEAR_TURNS.every((byte, i) => params[i] === byte) ? STATUS_ERROR.none : STATUS_ERROR.dataRange)
      case INSTRUCTION.factoryReset: {
        const answer = told(STATUS_ERROR.none)
        const refused = motor.factoryReset(params[0] ?? 0)
        return refused === STATUS_ERROR.none ? answer : told(refused)
      }
      case INSTRUCTION.reboot: {
        const answer = told(STATUS_ERROR.none)
        motor.reboot()
        return answer
      }
      default:
        return told(STATUS_ERROR.instruction)
    }
  }

  const broadcast = (packet: Packet): Uint8Array[] => {
    switch (packet.instruction) {
      case INSTRUCTION.syncRead:
        return readAll(syncList(packet.params))
      case INSTRUCTION.bulkRead:
        return readAll(bulkList(packet.params))
      case INSTRUCTION.fastSyncRead:
        return readFast(syncList(packet.params))
      case INSTRUCTION.fastBulkRead:
        return readFast(bulkList(packet.params))
      case INSTRUCTION.ping:
        return present().map(identify)
      case INSTRUCTION.syncWrite:
        syncWrite(packet.params)
        return []
      case INSTRUCTION.bulkWrite:
        bulkWrite(packet.params)
        return []
      case INSTRUCTION.write:
      case INSTRUCTION.regWrite:
      case INSTRUCTION.action:
      case INSTRUCTION.reboot:
        for (const motor of present()) single(motor, packet)
        return []
      default:
        return []
    }
  }

  const handle = (packet: Packet): Uint8Array[] => {
    if (packet.status !== null) return []
    if (packet.id === BROADCAST_ID) return broadcast(packet)
    const motor = heard(packet.id)
    if (motor === undefined) return []
    const { level, reply } = single(motor, packet)
    return motor.returnLevel >= level ? [reply] : []
  }

  return {
    receive(bytes, at) {
      const elapsed = last === null ? 0 : Math.max(0, at - last)
      last = at
      const packets = parser.push(bytes)
      for (const motor of motors.values()) {
        motor.advance(elapsed, {
          voltage: faults.voltage,
          blocked: faults.blocked.includes(motor.id),
          hot: faults.hot.includes(motor.id),
          heard: packets.length > 0,
        })
      }
      return packets.flatMap(handle).flatMap((reply) => overTheWire(reply, faults, chance) ?? [])
    },
    get faults() {
      return faults
    },
    setFaults(change) {
      const off = faults.power && change.power === false
      faults = { ...faults, ...change }
      // Without power nothing is remembered but the EEPROM.
      if (off) for (const motor of motors.values()) motor.reboot()
    },
    motor: (id) => motors.get(id),
    setPlugged(now) {
      const pulled = plugged && !now
      plugged = now
      parser.reset()
      if (pulled) for (const listener of unplugListeners) listener()
    },
    get plugged() {
      return plugged
    },
    get listeners() {
      return unplugListeners.size
    },
    onUnplug(listener) {
      unplugListeners.add(listener)
      return () => unplugListeners.delete(listener)
    },
  }
}
