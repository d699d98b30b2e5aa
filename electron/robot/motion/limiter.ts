/** Fastest joint speeds, radians a second: below what the motors can do, so that they follow what they are told. */
export const MAX_SPEED = { body: 6, stewart: 12, antenna: 30, gentle: 4 } as const

/**
 * How fast a joint may gain speed, radians a second squared: twice what the wildest of the recorded moves asks for, far
 * below a step. Losing speed is not limited: who stops, stops, and gains speed the other way from a standstill.
 */
export const MAX_GAIN = { body: 60, stewart: 250, antenna: 1000 } as const

const LEG_JOINTS = 7

/** The longest step a joint may go now in the direction of `step`: by its speed limit, and by the speed it had. */
function longestStep(step: number, limit: number, gain: number, speed: number, dt: number): number {
  return Math.min(limit, Math.max(0, Math.sign(step) * speed) + gain * dt) * dt
}

/**
 * Moves `joints` (the goals to come, nine angles) back towards `previous` (the goals sent last), so that none moves
 * faster than its limit within `dt` seconds, nor gains speed faster. Body and platform keep their direction: all seven
 * are slowed alike, or the head would tilt on its way. `gentle` holds everything to 4 rad/s, as after torque came on.
 *
 * @param speeds of the joints in the step before, radians a second; written anew.
 * @returns whether it had to.
 */
export function limitStep(
  previous: Float64Array,
  joints: Float64Array,
  dt: number,
  gentle: boolean,
  speeds: Float64Array,
): boolean {
  let factor = 1
  for (let i = 0; i < LEG_JOINTS; i++) {
    const top = gentle ? MAX_SPEED.gentle : i === 0 ? MAX_SPEED.body : MAX_SPEED.stewart
    const step = (joints[i] as number) - (previous[i] as number)
    const limit = longestStep(step, top, i === 0 ? MAX_GAIN.body : MAX_GAIN.stewart, speeds[i] as number, dt)
    if (Math.abs(step) * factor > limit) factor = limit / Math.abs(step)
  }
  let limited = factor < 1
  if (limited) {
    for (let i = 0; i < LEG_JOINTS; i++) {
      const from = previous[i] as number
      joints[i] = from + ((joints[i] as number) - from) * factor
    }
  }
  for (let i = LEG_JOINTS; i < 9; i++) {
    const from = previous[i] as number
    const step = (joints[i] as number) - from
    const top = gentle ? MAX_SPEED.gentle : MAX_SPEED.antenna
    const limit = longestStep(step, top, MAX_GAIN.antenna, speeds[i] as number, dt)
    if (Math.abs(step) <= limit) continue
    joints[i] = from + Math.sign(step) * limit
    limited = true
  }
  for (let i = 0; i < 9; i++) speeds[i] = ((joints[i] as number) - (previous[i] as number)) / dt
  return limited
}
