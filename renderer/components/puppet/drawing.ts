import { BODY_PROFILE, HEAD, placePuppet } from './model.ts'
import { add, apply, applyInverse, dot } from './vectors.ts'

import type { PuppetModel, PuppetPose } from './model.ts'
import type { Mat3, Vec3 } from './vectors.ts'

/** The camera looks from the front, 14° above the horizon, without perspective. */
const ELEVATION = (14 * Math.PI) / 180
const SIN = Math.sin(ELEVATION)
const COS = Math.cos(ELEVATION)
const VIEW: Vec3 = [COS, 0, SIN]
/** World directions of the screen's X and Y. */
const SCREEN_X: Vec3 = [0, 1, 0]
const SCREEN_Y: Vec3 = [SIN, 0, -COS]

const OUTLINE_POINTS = 22
/** An eye seen flatter than this is hidden: its disc would be a line. */
const EYE_LIMIT = 0.16
const DIAL = 104
const DIAL_END = 160

export type Point = readonly [number, number]

/** Orthographic projection, millimetres on screen; Y grows downwards. */
export const project = (v: Vec3): Point => [dot(v, SCREEN_X), dot(v, SCREEN_Y)]

const fixed = (n: number): string => String(Math.round(n * 10) / 10 || 0)
const xy = ([x, y]: Point): string => `${fixed(x)} ${fixed(y)}`
const line = (from: Vec3, to: Vec3): string => `M${xy(project(from))}L${xy(project(to))}`

/** The point of the head shell that lies furthest in a direction of the foot frame. */
function support(turned: Mat3, centre: Vec3, direction: Vec3): Vec3 {
  const d = applyInverse(turned, direction)
  const { axes, exponent: n } = HEAD
  const sum = axes.reduce((total, axis, i) => total + Math.abs(axis * (d[i] ?? 0)) ** (n / (n - 1)), 0)
  const norm = sum ** (1 / n)
  const part = (i: 0 | 1 | 2): number => (axes[i] * Math.sign(d[i]) * Math.abs(axes[i] * d[i]) ** (1 / (n - 1))) / norm
  return add(centre, apply(turned, [part(0), part(1), part(2)]))
}

/**
 * Outline of the head on screen: support points of the superellipsoid, joined by quadratics whose control points are
 * the crossings of the tangents. Exact at the support points, convex in between.
 */
export function headOutline(model: PuppetModel): string {
  const points = Array.from({ length: OUTLINE_POINTS }, (_, i) => {
    const angle = (i * 2 * Math.PI) / OUTLINE_POINTS
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const direction: Vec3 = [SCREEN_Y[0] * s, c, SCREEN_Y[2] * s]
    const at = project(support(model.rotation, model.headCentre, direction))
    return { c, s, at, distance: at[0] * c + at[1] * s }
  })
  const segments = points.map((p, i) => {
    const next = points[(i + 1) % points.length] ?? p
    const area = p.c * next.s - p.s * next.c
    const control: Point = [
      (p.distance * next.s - next.distance * p.s) / area,
      (next.distance * p.c - p.distance * next.c) / area,
    ]
    return `Q${xy(control)} ${xy(next.at)}`
  })
  return `M${xy(points[0]?.at ?? [0, 0])}${segments.join('')}Z`
}

/** A smooth line through points (Catmull-Rom as cubics), without its first move. */
function smooth(points: readonly Point[]): string {
  return points
    .slice(0, -1)
    .map((p, i) => {
      const before = points[i - 1] ?? p
      const next = points[i + 1] ?? p
      const after = points[i + 2] ?? next
      const a: Point = [p[0] + (next[0] - before[0]) / 6, p[1] + (next[1] - before[1]) / 6]
      const b: Point = [next[0] - (after[0] - p[0]) / 6, next[1] - (after[1] - p[1]) / 6]
      return `C${xy(a)} ${xy(b)} ${xy(next)}`
    })
    .join('')
}

function bodyOutline(): string {
  const side = BODY_PROFILE.map(([r, z]): Point => [r, -z * COS])
  const mirrored = side.map(([x, y]): Point => [-x, y])
  const foot = side[0] ?? [0, 0]
  const rim = side.at(-1) ?? [0, 0]
  const arc = (r: number): string => `A${fixed(r)} ${fixed(r * SIN)} 0 0`
  return (
    `M${xy([-rim[0], rim[1]])}${arc(rim[0])} 0 ${xy(rim)}${smooth([...side].reverse())}` +
    `${arc(foot[0])} 1 ${xy([-foot[0], foot[1]])}${smooth(mirrored)}Z`
  )
}

const onDial = (angle: number, r: number): Vec3 => [r * Math.cos(angle), r * Math.sin(angle), 0]

function dialTicks(long: boolean): string {
  const degrees = Array.from({ length: (2 * DIAL_END) / 10 + 1 }, (_, i) => i * 10 - DIAL_END)
  return degrees
    .filter((degree) => (degree % 40 === 0) === long)
    .map((degree) => line(onDial((degree * Math.PI) / 180, DIAL), onDial((degree * Math.PI) / 180, long ? 114 : 109)))
    .join('')
}

/** What never changes, drawn once. */
export const STILL = {
  body: bodyOutline(),
  dial: ((): string => {
    const end = (DIAL_END * Math.PI) / 180
    const [from, to] = [project(onDial(-end, DIAL)), project(onDial(end, DIAL))]
    return `M${xy(from)}A${DIAL} ${fixed(DIAL * SIN)} 0 1 0 ${xy(to)}`
  })(),
  ticks: dialTicks(false),
  longTicks: dialTicks(true),
  rim: { y: -158 * COS, rx: 72, ry: 72 * SIN },
  foot: { y: -4 * COS, rx: 56, ry: 56 * SIN + 3 },
  platform: { rx: 44, ry: 14 },
} as const

export interface EyeShape {
  /** Of an SVG matrix: the lens' own plane on screen. */
  matrix: string
  radius: number
}

/** Everything that changes with the pose, ready for SVG. */
export interface PuppetShapes {
  head: string
  eyes: readonly EyeShape[]
  /** [right, left]: rod and tip. */
  antennas: readonly { rod: string; tip: Point }[]
  rods: string
  platform: Point
  index: string | null
  holes: readonly Point[]
  needle: string
  headMark: Point
}

/** Radius of the body at a height, by straight lines between the points of its profile. */
export function bodyRadius(z: number): number {
  const i = BODY_PROFILE.findIndex(([, height]) => height >= z)
  const above = BODY_PROFILE[i] ?? BODY_PROFILE.at(-1)
  const below = BODY_PROFILE[i - 1] ?? above
  if (!above || !below || above === below) return above?.[0] ?? 0
  return below[0] + ((above[0] - below[0]) * (z - below[1])) / (above[1] - below[1])
}

const onBody = (angle: number, z: number): Vec3 => {
  const r = bodyRadius(z)
  return [r * Math.cos(angle), r * Math.sin(angle), z]
}

/** How a mark on the body faces the camera: below 0.1 it is round the corner. */
const inSight = (angle: number): boolean => Math.cos(angle) > 0.1

/** Draws a pose: pure, no state, no DOM. */
export function drawPuppet(pose: PuppetPose): PuppetShapes {
  const model = placePuppet(pose)
  const { bodyYaw, headYaw } = model
  const holes = [-2, -1, 0, 1, 2].map((i) => bodyYaw + (i * 6.2 * Math.PI) / 180)
  return {
    head: headOutline(model),
    eyes: model.eyes
      .filter((eye) => dot(eye.normal, VIEW) >= EYE_LIMIT)
      .map((eye) => {
        const [across, up] = [project(eye.across), project(eye.up)]
        const at = project(eye.centre)
        const numbers = [across[0], across[1], -up[0], -up[1]].map((n) => n.toFixed(3))
        return { matrix: `matrix(${numbers.join(' ')} ${xy(at)})`, radius: eye.radius }
      }),
    antennas: model.antennas.map(({ from, to }) => ({ rod: line(from, to), tip: project(to) })),
    rods: model.rods.map(({ from, to }) => line(from, to)).join(''),
    platform: project(model.platform),
    index: inSight(bodyYaw)
      ? `M${xy(project(onBody(bodyYaw, 10)))}${smooth([10, 14, 24, 36].map((z) => project(onBody(bodyYaw, z))))}`
      : null,
    holes: holes.filter(inSight).map((angle) => project(onBody(angle, 92))),
    needle: line(onDial(bodyYaw, 99), onDial(bodyYaw, 118)),
    headMark: project(onDial(headYaw, 125)),
  }
}

/** Where the antenna tips are on screen: [right, left]. */
export function tipsOf(pose: PuppetPose): readonly [Point, Point] {
  const [right, left] = placePuppet(pose).antennas
  return [project(right.to), project(left.to)]
}

/** Only the outline of the head, for a ghost. */
export const ghostOf = (pose: PuppetPose): string => headOutline(placePuppet(pose))

/** A smooth line through points on screen. */
export function trailPath(points: readonly Point[]): string {
  const first = points[0]
  return first && points.length > 1 ? `M${xy(first)}${smooth(points)}` : ''
}
