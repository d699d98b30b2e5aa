import type { Avatar } from '../../../electron/contract/index.ts'

export interface FaceShape {
  /** Degrees that the head is rolled. */
  roll: number
  /** Tips of the antennas at the left and the right of the picture, in its 32 × 32 grid. */
  left: { x: number; y: number }
  right: { x: number; y: number }
  eyeLeft: number
  eyeRight: number
  /** Where the eyes are moved to, in the grid. */
  look: { x: number; y: number }
  tint: Avatar['tint']
}

/** FNV-1a, 32 bit (draft-eastlake-fnv): spreads names that differ in one letter. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const letter of text) {
    value ^= letter.codePointAt(0) ?? 0
    value = Math.imul(value, 0x01000193)
  }
  return value >>> 0
}

const ANTENNA = 9.5
/** How far the eyes go at the end of their way. */
const LOOK = { x: 1.8, y: 1.4 }

function tip(x: number, degrees: number): { x: number; y: number } {
  const angle = (degrees * Math.PI) / 180
  return { x: x + ANTENNA * Math.sin(angle), y: 12 - ANTENNA * Math.cos(angle) }
}

/** The face that was chosen for a profile. The robot's right is at the left of the picture. */
export function faceOfAvatar({ roll, antennas, gaze, tint }: Avatar): FaceShape {
  const [right, left] = antennas
  return {
    // Its own right is the left of the picture, where angles grow clockwise.
    roll: -roll,
    left: tip(11, -right),
    right: tip(21, left),
    eyeLeft: 3.6,
    eyeRight: 2.7,
    look: { x: gaze[0] * LOOK.x, y: gaze[1] * LOOK.y },
    tint,
  }
}

/** The face of a profile that nobody chose one for: always the same for one name, so that it is found again at a glance. */
export function faceOf(name: string): FaceShape {
  const seed = hash(name)
  const pick = (shift: number, span: number): number => (seed >>> shift) % span
  return {
    roll: name === 'default' ? 0 : pick(0, 9) * 2 - 8,
    left: tip(11, name === 'default' ? -10 : pick(4, 9) * 7 - 38),
    right: tip(21, name === 'default' ? 10 : pick(9, 9) * 7 - 18),
    eyeLeft: 3.2 + pick(14, 5) * 0.2,
    eyeRight: 2.2 + pick(18, 4) * 0.2,
    look: { x: 0, y: pick(22, 5) * 0.45 - 0.9 },
    tint: 'accent',
  }
}
