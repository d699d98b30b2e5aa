/** Kinematics and tool calls, in plain Node, bundled as the app is. Its argument is the address of a stand-in Space. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

import { createMcp } from '../electron/mcp/index.ts'
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
  const rows = [...kinematics(), await toolCalls(process.argv[2] ?? '')]
  process.stdout.write(JSON.stringify(rows))
})()
