/** Fastest joint speeds, radians a second: below what the motors can do, so that they follow what they are told. */
export const MAX_SPEED = { body: 6, stewart: 12, antenna: 30, gentle: 4 } as const

/**
 * Moves `joints` (the goals to come, nine angles) back towards `previous` (the goals sent last), so that none moves
 * faster than its limit within `dt` seconds. Body and platform keep their direction: all seven are slowed alike, or the
 * head would tilt on its way. `gentle` holds everything to 4 rad/s, as after torque came on. Answers whether it had to.
 */
export function limitStep(previous: Float64Array, joints: Float64Array, dt: number, gentle: boolean): boolean {
  let factor = 1
  for (let i = 0; i < 7; i++) {
    const limit = (gentle ? MAX_SPEED.gentle : i === 0 ? MAX_SPEED.body : MAX_SPEED.stewart) * dt
    const step = Math.abs((joints[i] as number) - (previous[i] as number))
    if (step * factor > limit) factor = limit / step
  }
  let limited = factor < 1
  if (limited) {
    for (let i = 0; i < 7; i++) {
      const from = previous[i] as number
      joints[i] = from + ((joints[i] as number) - from) * factor
    }
  }
  const antenna = (gentle ? MAX_SPEED.gentle : MAX_SPEED.antenna) * dt
  for (let i = 7; i < 9; i++) {
    const from = previous[i] as number
    const step = (joints[i] as number) - from
    if (Math.abs(step) <= antenna) continue
    joints[i] = from + Math.sign(step) * antenna
    limited = true
  }
  return limited
}
