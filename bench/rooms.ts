/** Kinematics and tool calls, in plain Node, bundled as the app is. Its argument is the address of a stand-in Space. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

import { createMcp } from '../electron/mcp/index.ts'
import { encodeStatus } from '../electron/robot/dynamixel/packet.ts'
import { createParser } from '../electron/robot/dynamixel/parser.ts'
import { createForward } from '../electron/robot/kinematics/forward.ts'
import { createInverse } from '../electron/robot/kinematics/inverse.ts'
import { fromEuler, identity } from '../electron/robot/kinematics/matrix.ts'

import { median, ratioRow, valueRow } from './stats.ts'

import type { Log } from '../electron/contract/index.ts'
import type { Row } from './stats.ts'

const POSES = 500
const BATCHES = 40
const CALLS = 400
const WARM_UP = 50

const silent = (): void => undefined
const log: Log = { debug: silent, info: silent, warn: silent, error: silent }

/** Microseconds a call: the median of batches over the same poses, a slow wave through the middle of the workspace. */
function kinematics(): Row[] {
  const heads = Array.from({ length: POSES }, (_, index) => {
    const t = (index / POSES) * 2 * Math.PI
    const head = identity()
    fromEuler(head, 0, 0, 0.005 * Math.sin(t), 0.2 * Math.sin(t), 0.2 * Math.cos(2 * t), 0.4 * Math.sin(3 * t))
    return head
  })
  const inverse = createInverse()
  const forward = createForward()
  const joints = heads.map(() => new Float64Array(9))
  const out = identity()
  const time = (work: () => void): number => {
    work()
    const batches = Array.from({ length: BATCHES }, () => {
      const start = performance.now()
      work()
      return ((performance.now() - start) * 1_000) / POSES
    })
    return median(batches)
  }
  const ik = time(() => heads.forEach((head, index) => inverse.solve(head, 0, joints[index] as Float64Array)))
  const fk = time(() => joints.forEach((angles) => forward.solve(angles, out)))
  return [valueRow('inverse kinematics', ik, 10, 'µs'), valueRow('forward kinematics', fk, 60, 'µs')]
}

/** Bytes that a wire of 1,000,000 baud brings a second: one start bit, eight of data, one stop bit. */
const WIRE_BYTES = 100_000
const PACKETS = 20_000

/** What it costs to take all packets out of a wire that never rests, as a share of one core. */
function parsing(): Row {
  const one = encodeStatus(11, { alert: true, number: 0 }, [0xff, 0xff, 0xfd, 8, 0, 0x10, 0x27, 31])
  const bytes = new Uint8Array(one.length * PACKETS)
  for (let i = 0; i < PACKETS; i += 1) bytes.set(one, i * one.length)
  const seconds = Array.from({ length: 9 }, () => {
    const parser = createParser()
    const start = performance.now()
    let found = 0
    // As a port hands them on.
    for (let at = 0; at < bytes.length; at += 64) found += parser.push(bytes.subarray(at, at + 64)).length
    if (found !== PACKETS) throw new Error(`${found} of ${PACKETS} packets were found`)
    return (performance.now() - start) / 1000
  })
  const perSecond = PACKETS / median(seconds)
  const share = (WIRE_BYTES / one.length / perSecond) * 100
  return {
    ...valueRow('packets parsed, share of a core at a full wire', share, 1, '%'),
    rival: `${Math.round(perSecond / 1000)},000 a second`,
  }
}

/** The same tool called through our room and by the bare SDK in turns, each on its own warm connection. */
async function toolCalls(url: string): Promise<Row> {
  const mcp = createMcp({ fetch, version: '0', log })
  const endpoint = { key: 'bench', url }
  await mcp.list(endpoint)
  const bare = new Client({ name: 'bench', version: '0' })
  // The SDK's own transport class is not written for exactOptionalPropertyTypes.
  await bare.connect(new StreamableHTTPClientTransport(new URL(url)))
  const args = { name: 'bench' }
  const ours: number[] = []
  const theirs: number[] = []
  const turn = async (times: number[], call: () => Promise<unknown>): Promise<void> => {
    const start = performance.now()
    await call()
    times.push(performance.now() - start)
  }
  for (let round = 0; round < CALLS + WARM_UP; round++) {
    if (round === WARM_UP) ours.length = theirs.length = 0
    const both = [
      () => turn(ours, () => mcp.call(endpoint, 'bench_greet', args)),
      () => turn(theirs, () => bare.callTool({ name: 'bench_greet', arguments: args })),
    ]
    for (const one of round % 2 === 0 ? both : both.reverse()) await one()
  }
  await bare.close()
  await mcp.dispose()
  return ratioRow('remote tool call, against the bare SDK', median(ours), median(theirs), 1.15, 'ms')
}

void (async () => {
  const rows = [...kinematics(), parsing(), await toolCalls(process.argv[2] ?? '')]
  process.stdout.write(JSON.stringify(rows))
})()
