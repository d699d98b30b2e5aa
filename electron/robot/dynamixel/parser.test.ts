import { describe, expect, it } from 'vitest'

import { encodeInstruction, encodeStatus, ping, stuff, unstuff } from './packet.ts'
import { createParser } from './parser.ts'

import type { Packet } from './packet.ts'

/** Xorshift32, by bytes: fast enough for ten million of them. */
function generator(seed: number): { byte: () => number; below: (limit: number) => number } {
  let state = seed | 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  return { byte: () => next() >>> 24, below: (limit) => next() % limit }
}

const joined = (...parts: ReadonlyArray<ArrayLike<number>>): Uint8Array => {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

const KINDS: ReadonlyArray<readonly [string, (random: ReturnType<typeof generator>, out: Uint8Array) => void]> = [
  ['any bytes', ({ byte }, out) => out.forEach((_, i) => (out[i] = byte()))],
  [
    'bytes that headers are made of',
    ({ below }, out) =>
      out.forEach((_, i) => (out[i] = [0xff, 0xff, 0xfd, 0x00, 0x0a, 0x55, 0x03, 0x01][below(8)] ?? 0)),
  ],
]

describe('ten million bytes of noise', () => {
  it.each(KINDS)(
    '%s: every packet between them is found, whole and in order',
    (_, fill) => {
      const random = generator(20_261_201)
      const parser = createParser()
      const noise = new Uint8Array(5_000)
      const wanted: string[] = []
      const found: string[] = []
      const tell = ({ id, instruction, params, status }: Packet): string =>
        `${id} ${instruction} ${status?.number ?? '-'} ${status?.alert ?? '-'} ${params.join(',')}`
      // Noise that ends as a header begins would make another packet of what follows: one neutral byte ends it.
      for (let total = 0; total < 10_000_000; total += noise.length) {
        fill(random, noise)
        const id = random.below(253)
        const params = Uint8Array.from(
          { length: random.below(24) },
          () => [0xff, 0xff, 0xfd, random.byte()][random.below(4)] ?? 0,
        )
        const number = random.below(8)
        const alert = random.below(2) === 1
        const packet =
          random.below(2) === 1 ? encodeStatus(id, { alert, number }, params) : encodeInstruction(id, 0x03, params)
        const one = createParser().push(packet)
        expect(one).toHaveLength(1)
        wanted.push(...one.map(tell))
        // In pieces of any size, as a port gives them.
        const bytes = joined(noise, packet)
        for (let at = 0; at < bytes.length;) {
          const next = Math.min(bytes.length, at + 1 + random.below(700))
          for (const got of parser.push(bytes.subarray(at, next))) found.push(tell(got))
          at = next
        }
      }
      for (const got of parser.rescan()) found.push(tell(got))
      // What noise itself happens to say with a right CRC is a packet too: it may stand between, never instead.
      let at = 0
      for (const got of found) if (got === wanted[at]) at += 1
      expect(at).toBe(wanted.length)
      expect(found.length - wanted.length).toBeLessThan(20)
      expect(parser.capacity).toBeLessThan(8_192)
    },
    30_000,
  )
})

describe('a packet', () => {
  const packets: ReadonlyArray<readonly [string, Uint8Array]> = [
    ['a ping', ping(10)],
    ['a status with Alert', encodeStatus(11, { alert: true, number: 0 }, [0x98, 0x09, 0, 0])],
    ['a stuffed pattern', encodeInstruction(1, 0x03, [116, 0, 0xff, 0xff, 0xfd, 0x00])],
    ['a pattern at the very end', encodeInstruction(1, 0x03, [0xff, 0xff, 0xfd])],
    ['two patterns in a row', encodeStatus(12, { alert: false, number: 0 }, [0xff, 0xff, 0xfd, 0xff, 0xff, 0xfd])],
    ['a pattern that looks stuffed', encodeStatus(12, { alert: false, number: 0 }, [0xff, 0xff, 0xfd, 0xfd])],
    ['a pattern across the error byte', encodeStatus(12, { alert: true, number: 0x7f }, [0xff, 0xfd])],
    ['a whole ping inside', encodeStatus(13, { alert: false, number: 0 }, ping(14))],
    ['a -1 beside a -3', encodeStatus(16, { alert: true, number: 0 }, [0xff, 0xff, 0xfd, 0xff, 0xff, 0xff])],
  ]

  it.each(packets)('%s, cut at every byte and in single bytes', (_, packet) => {
    const [whole] = createParser().push(packet)
    expect(whole).toBeDefined()
    for (let cut = 0; cut <= packet.length; cut += 1) {
      const parser = createParser()
      expect([...parser.push(packet.subarray(0, cut)), ...parser.push(packet.subarray(cut))]).toEqual([whole])
    }
    const parser = createParser()
    const found = Array.from(packet, (byte) => parser.push(Uint8Array.of(byte))).flat()
    expect(found).toEqual([whole])
  })

  it.each(packets)('%s, with any one byte damaged, is none, and the next is found', (_, packet) => {
    for (let at = 0; at < packet.length; at += 1) {
      const damaged = packet.slice()
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      const parser = createParser()
      const found = [...parser.push(damaged), ...parser.push(ping(99)), ...parser.rescan()]
      expect(found.map(({ id }) => id).filter((id) => id !== 14)).toEqual([99])
    }
  })

  it.each([
    ['nothing', 0],
    ['too little', 2],
    ['more than there is', 200],
    ['more than any packet has', 0x0fff],
    ['all that can be said', 0xffff],
  ])('whose length says %s does not hide the next', (_, length) => {
    const liar = Uint8Array.from([0xff, 0xff, 0xfd, 0x00, 0x0a, length & 0xff, length >> 8, 0x55, 0x00])
    const parser = createParser()
    const found = [...parser.push(joined(liar, ping(10), ping(11))), ...parser.rescan()]
    expect(found.map(({ id }) => id)).toEqual([10, 11])
  })

  it('behind half of another is found at once when the other cannot be longer, at the latest when asked', () => {
    for (let cut = 1; cut < 15; cut += 1) {
      const half = encodeStatus(10, { alert: true, number: 0 }, [1, 2, 3, 4]).subarray(0, cut)
      const parser = createParser()
      const found = [...parser.push(joined(half, ping(17), ping(18))), ...parser.rescan()]
      expect(found.map(({ id }) => id)).toEqual(cut === 15 ? [10, 17, 18] : [17, 18])
    }
  })

  it('from the ID of nobody, or with a reserved byte that is none, is noise', () => {
    const forged = (at: number, value: number): Uint8Array =>
      Uint8Array.from(ping(10), (byte, i) => (i === at ? value : byte))
    expect(createParser().push(forged(3, 0x01))).toEqual([])
    expect(createParser().push(forged(4, 0xfd))).toEqual([])
    expect(createParser().push(forged(4, 0xff))).toEqual([])
  })
})

describe('stuffing', () => {
  it('comes back as it was, whatever it was', () => {
    const { byte, below } = generator(7)
    for (let round = 0; round < 3_000; round += 1) {
      const plain = Uint8Array.from({ length: below(30) }, () => [0xff, 0xff, 0xfd, 0xfd, byte()][below(5)] ?? 0)
      const wire = stuff(plain)
      expect(Buffer.from(unstuff(wire)).equals(Buffer.from(plain))).toBe(true)
      // No header can appear in it.
      for (let i = 0; i + 3 < wire.length; i += 1) {
        if (wire[i] === 0xff && wire[i + 1] === 0xff && wire[i + 2] === 0xfd) expect(wire[i + 3]).toBe(0xfd)
      }
    }
  })
})
