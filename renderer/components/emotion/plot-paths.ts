import { CURVES } from './trajectory.ts'

import type { Curve } from './trajectory.ts'

export interface PlotBox {
  x0: number
  x1: number
  /** Centre line and half height of the head's band, then of the antennas' band. */
  head: readonly [number, number]
  antennas: readonly [number, number]
}

/** A band never magnifies less than this, radians: quiet moves stay quiet. */
const MIN_HEAD = 0.35
const MIN_ANTENNA = 0.6

const fixed = (n: number): string => String(Math.round(n * 10) / 10)

const largest = (lists: readonly (readonly number[])[]): number =>
  lists.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** SVG paths of the five curves. Positive angles go up; the two bands have one scale each. */
export function plotPaths(curves: Record<Curve, readonly number[]>, box: PlotBox): Record<Curve, string> {
  const head = box.head[1] / Math.max(MIN_HEAD, largest([curves.yaw, curves.pitch, curves.roll]))
  const antennas = box.antennas[1] / Math.max(MIN_ANTENNA, largest([curves.right, curves.left]))
  const path = (curve: Curve): string => {
    const isHead = curve === 'yaw' || curve === 'pitch' || curve === 'roll'
    const [centre, scale] = isHead ? [box.head[0], head] : [box.antennas[0], antennas]
    const values = curves[curve]
    const step = (box.x1 - box.x0) / Math.max(1, values.length - 1)
    return values
      .map((value, i) => `${i ? 'L' : 'M'}${fixed(box.x0 + i * step)} ${fixed(centre - value * scale)}`)
      .join('')
  }
  return Object.fromEntries(CURVES.map((curve) => [curve, path(curve)])) as Record<Curve, string>
}

/** Distance of ticks and of labelled ticks on a time axis, seconds: at most 16 ticks and 5 labels. */
export function timeTicks(duration: number): { tick: number; label: number } {
  const [tick, label] = [
    [0.25, 1],
    [0.5, 1],
    [1, 2],
    [1, 4],
    [2, 8],
    [5, 20],
  ].find(([step, long]) => duration / (step ?? 1) <= 16 && duration / (long ?? 1) <= 5) ?? [15, 60]
  return { tick: tick ?? 15, label: label ?? 60 }
}
