import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { checkVectors } from './check.ts'

const load = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, name), 'utf8')) as Record<string, unknown>

describe.each(['kinematics.json', 'dynamixel-packets.json'])('%s', (name) => {
  it('passes whole', () => {
    const counts = checkVectors(load(name))
    expect(counts.flatMap(({ failed }) => failed)).toEqual([])
    expect(counts.every(({ passed, skipped }) => passed > 0 && skipped === 0)).toBe(true)
  })
})

describe('what is not as expected', () => {
  const { ik, fk, conversions, distances, time_trajectory, pose_interpolation, look_at_world } = load('kinematics.json') as Record<
    string,
    Array<Record<string, unknown>>
  >
  const { dynamixel_packets } = load('dynamixel-packets.json') as Record<string, Array<Record<string, unknown>>>
  const nudged = (values: unknown, by: number): number[] => (values as number[]).map((value) => value + by)
  const first = (list: Array<Record<string, unknown>> | undefined): Record<string, unknown> => list?.[0] ?? {}

  it.each([
    ['a joint', { ik: [{ ...first(ik), joints_rad: nudged(first(ik).joints_rad, 1e-6) }] }],
    ['a reachable pose', { ik: [{ ...first(ik), solvable: false }] }],
    ['a matrix of the wrong size', { ik: [{ ...first(ik), head_matrix_row_major_m: [1, 0] }] }],
    [
      'a pose',
      {
        fk: [
          {
            ...first(fk),
            recommended: {
              converged: true,
              pose_matrix_row_major_m: nudged(
                (first(fk).recommended as { pose_matrix_row_major_m: number[] }).pose_matrix_row_major_m,
                1e-6,
              ),
            },
          },
        ],
      },
    ],
    ['a tick', { conversions: [{ ...first(conversions), raw: 7 }] }],
    ['a share of the way', { time_trajectory: [{ ...(time_trajectory?.[2] ?? {}), minjerk: 0.5 }] }],
    [
      'a point of the way',
      { pose_interpolation: [{ ...first(pose_interpolation), result: nudged(first(pose_interpolation).result, 1e-3) }] },
    ],
    ['a distance', { distances: [{ ...first(distances), magic_mm: 1 }] }],
    ['a distance between unknown poses', { distances: [{ ...first(distances), name: 'here vs there' }] }],
    ['a direction', { look_at_world: [{ ...first(look_at_world), point_m: [0, 1, 0] }] }],
    ['a byte', { dynamixel_packets: [{ ...first(dynamixel_packets), id: 3 }] }],
  ])('%s is told', (_, file) => {
    const [count] = checkVectors(file)
    expect(count).toMatchObject({ passed: 0, skipped: 0 })
    expect(count?.failed).toHaveLength(1)
  })

  it('counts lists it does not know, and refuses what is no file of vectors', () => {
    expect(checkVectors({ songs: [1, 2], meta: {} })).toEqual([{ list: 'songs', passed: 0, failed: [], skipped: 2 }])
    expect(() => checkVectors([])).toThrow()
  })
})
