import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { crc16 } from './crc.ts'
import {
  decodePacket,
  encodeInstruction,
  encodeStatus,
  hasValidCrc,
  INSTRUCTION,
  ping,
  stuff,
  unstuff,
} from './packet.ts'
import { createParser } from './parser.ts'

interface PacketVector {
  name: string
  hex: string
  id: number
  instruction_byte: number
  params_unstuffed_hex: string
  error_byte?: number
  alert?: boolean
  error_number?: number
  stuffed: boolean
}

const { dynamixel_packets: vectors } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../vectors/dynamixel-packets.json'), 'utf8'),
) as { dynamixel_packets: PacketVector[] }

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.split(' ').filter(Boolean), (byte) => parseInt(byte, 16))

/** A small generator, so that a failure can be repeated. */
function randomBytes(seed: number): (length: number) => Uint8Array {
  let state = seed
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 24
    })
}

describe('packets', () => {
  it.each(vectors)('$name', (vector) => {
    const wire = bytes(vector.hex)
    const params = bytes(vector.params_unstuffed_hex)
    expect(hasValidCrc(wire)).toBe(true)
    const decoded = decodePacket(wire)
    expect(decoded).toMatchObject({ id: vector.id, instruction: vector.instruction_byte })
    expect([...(decoded?.params ?? [])]).toEqual([...params])
    if (vector.instruction_byte === INSTRUCTION.status) {
      expect(decoded?.status).toEqual({ alert: vector.alert, number: vector.error_number })
      expect([
        ...encodeStatus(vector.id, { alert: vector.alert ?? false, number: vector.error_number ?? 0 }, params),
      ]).toEqual([...wire])
    } else {
      expect(decoded?.status).toBeNull()
      expect([...encodeInstruction(vector.id, vector.instruction_byte, params)]).toEqual([...wire])
    }
    expect(wire.length !== 10 + params.length + (vector.error_byte === undefined ? 0 : 1)).toBe(vector.stuffed)
  })

  it('has the CRC of the manual’s pings', () => {
    expect([...ping(1).slice(-2)]).toEqual([0x19, 0x4e])
    expect([...ping(2).slice(-2)]).toEqual([0x19, 0x72])
    expect(crc16(ping(2).subarray(0, 8))).toBe(0x7219)
  })

  it.each([
    ['two patterns in a row', 'FF FF FD FF FF FD', 'FF FF FD FD FF FF FD FD'],
    ['a pattern that is stuffed already', 'FF FF FD FD', 'FF FF FD FD FD'],
    ['more FF before it', 'FF FF FF FD', 'FF FF FF FD FD'],
    ['nothing to do', 'FF FD FF FD', 'FF FD FF FD'],
  ])('stuffs %s and back', (_, plain, wire) => {
    expect([...stuff(bytes(plain))]).toEqual([...bytes(wire)])
    expect([...unstuff(bytes(wire))]).toEqual([...bytes(plain)])
  })
})

describe('parser', () => {
  const all = vectors.map(({ hex }) => bytes(hex))

  it('finds every packet whatever the pieces', () => {
    const stream = Uint8Array.from(all.flatMap((packet) => [...packet]))
    for (const size of [1, 2, 3, 7, 64, 10_000]) {
      const parser = createParser()
      let found = 0
      for (let i = 0; i < stream.length; i += size) found += parser.push(stream.subarray(i, i + size)).length
      expect(found).toBe(all.length)
    }
  })

  it('finds every packet between random bytes', () => {
    const parser = createParser()
    const random = randomBytes(1)
    let found = 0
    const rounds = 2000
    for (let i = 0; i < rounds; i++) {
      const packet = all[i % all.length] ?? new Uint8Array()
      found += parser.push(random(500)).length
      found += parser.push(packet).length
    }
    found += parser.rescan().length
    expect(found).toBe(rounds)
  })

  it('recovers from half a packet, a wrong CRC and a header that promises too much', () => {
    const good = ping(10)
    const broken = Uint8Array.from(good, (byte, i) => (i === 8 ? byte ^ 1 : byte))
    const liar = Uint8Array.from([0xff, 0xff, 0xfd, 0x00, 0x0a, 0x40, 0x00, 0x55])
    const parser = createParser()
    expect(parser.push(good.subarray(0, 6))).toHaveLength(0)
    expect(parser.push(broken)).toHaveLength(0)
    expect(parser.push(good)).toHaveLength(1)
    expect(parser.push(Uint8Array.from([...liar, ...good]))).toHaveLength(0)
    expect(parser.rescan()).toHaveLength(1)
  })
})
