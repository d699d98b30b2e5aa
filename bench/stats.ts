/** The value below which the share `p` (0…1) of the sorted values lies; the median is `p` = 0.5. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * p
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** One line of the table. Without a rival `ratio` compares with the budget itself. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly rival: string
  readonly value: number
  readonly budget: number
  /** How value and budget are written. */
  readonly unit: string
}

export function ratioRow(what: string, ours: number, rival: number, budget: number, unit: string): Row {
  const show = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`
  return { what, ours: show(ours), rival: show(rival), value: ours / rival, budget, unit: '×' }
}

export function valueRow(what: string, ours: number, budget: number, unit: string): Row {
  return { what, ours: `${ours.toFixed(2)} ${unit}`, rival: '', value: ours, budget, unit }
}
