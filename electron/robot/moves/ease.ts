/** 3u² − 2u³, u cut to 0 … 1: leaves and arrives at rest. */
export function smoothstep(u: number): number {
  const v = Math.min(1, Math.max(0, u))
  return v * v * (3 - 2 * v)
}

/** 0 at both ends of [from, to], 1 between, with eased slopes `fade` long. */
export function window(t: number, from: number, to: number, fade: number): number {
  return smoothstep((t - from) / fade) * smoothstep((to - t) / fade)
}

/** A curve through points (t rising): cubic pieces that never overshoot a point and stand still at every turning point. */
export function curve(points: readonly (readonly [number, number])[]): (t: number) => number {
  const slopes = points.map((_, i) => slopeAt(points, i))
  return (t) => {
    let i = 0
    while (i < points.length - 2 && t >= (points[i + 1]?.[0] ?? 0)) i++
    const [t0, v0] = points[i] ?? [0, 0]
    const [t1, v1] = points[i + 1] ?? [t0, v0]
    const h = t1 - t0
    if (h <= 0 || t <= t0) return v0
    if (t >= t1) return v1
    const u = (t - t0) / h
    const rest = 1 - u
    return (
      rest * rest * (1 + 2 * u) * v0 +
      u * u * (3 - 2 * u) * v1 +
      rest * rest * u * h * (slopes[i] ?? 0) -
      u * u * rest * h * (slopes[i + 1] ?? 0)
    )
  }
}

/** Fritsch–Carlson: the weighted harmonic mean of the neighbouring slopes, 0 where they differ in sign and at the ends. */
function slopeAt(points: readonly (readonly [number, number])[], i: number): number {
  const before = points[i - 1]
  const here = points[i]
  const after = points[i + 1]
  if (before === undefined || here === undefined || after === undefined) return 0
  const h0 = here[0] - before[0]
  const h1 = after[0] - here[0]
  const d0 = (here[1] - before[1]) / h0
  const d1 = (after[1] - here[1]) / h1
  if (d0 * d1 <= 0) return 0
  const w0 = 2 * h1 + h0
  const w1 = h1 + 2 * h0
  return (w0 + w1) / (w0 / d0 + w1 / d1)
}
