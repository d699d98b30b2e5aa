/**
 * A value that follows `goal` as a first-order lag (time constant `lag`, seconds) no faster than `top` a second, after
 * `seconds`. In closed form, so that one step of any length costs the same.
 */
export function advanceFirstOrder(value: number, goal: number, seconds: number, lag: number, top: number): number {
  const error = goal - value
  const distance = Math.abs(error)
  const knee = top * lag
  const linear = Math.min(seconds, Math.max(0, distance - knee) / top)
  const rest = distance - (linear > 0 ? linear * top : 0)
  return goal - Math.sign(error) * rest * Math.exp(-(seconds - linear) / lag)
}
