import { useId } from 'react'

import { cx } from '../cx.ts'

import { drawPuppet, STILL } from './drawing.ts'

import type { Point, PuppetShapes } from './drawing.ts'
import type { PuppetPose } from './model.ts'

/** What of the robot is in the picture: all of it on its dial, or head and antennas. */
export type PuppetView = 'whole' | 'bust' | 'card'

const VIEW_BOXES: Record<PuppetView, string> = {
  whole: '-126 -392 252 424',
  bust: '-140 -392 280 228',
  card: '-150 -400 300 236',
}

export interface Puppet2DProps {
  pose: PuppetPose
  view?: PuppetView | undefined
  /** Torque is off: the lamps go out and the lenses lose their glint. */
  limp?: boolean | undefined
  /** Nothing is connected: an outline that claims nothing. */
  absent?: boolean | undefined
  /** Outline of the head at another moment. */
  ghost?: string | undefined
  /** Where the antenna tips were, oldest first, in three ages. */
  trails?: readonly string[] | undefined
  className?: string | undefined
}

function Eyes({ eyes, limp }: { eyes: PuppetShapes['eyes']; limp: boolean }) {
  return eyes.map(({ matrix, radius }) => (
    <g key={radius} transform={matrix}>
      <circle r={radius + 3.5} fill="var(--color-shell-shade)" />
      <circle r={radius} fill="var(--color-eye)" />
      <circle r={radius * 0.56} fill="var(--color-eye-iris)" />
      <circle
        cx={radius * -0.3}
        cy={radius * -0.34}
        r={radius * 0.17}
        fill="var(--color-eye-glint)"
        opacity={limp ? 0.25 : 1}
      />
    </g>
  ))
}

function Dial({ needle, headMark }: { needle: string; headMark: Point }) {
  return (
    <g fill="none">
      <path d={STILL.dial} stroke="var(--color-line-strong)" strokeWidth={1.2} />
      <path d={STILL.ticks} stroke="var(--color-line-strong)" strokeWidth={1.3} />
      <path d={STILL.longTicks} stroke="var(--color-ink-3)" strokeWidth={1.8} />
      <path d={needle} stroke="var(--color-accent)" strokeWidth={3.6} strokeLinecap="round" />
      <circle cx={headMark[0]} cy={headMark[1]} r={2.6} fill="var(--color-ink-3)" />
    </g>
  )
}

function Absent({ shapes }: { shapes: PuppetShapes }) {
  return (
    <g fill="none" stroke="var(--color-ink-3)" strokeWidth={1.4} strokeDasharray="3 5" strokeLinecap="round">
      {shapes.antennas.map(({ rod, tip }) => (
        <g key={rod}>
          <path d={rod} />
          <circle cx={tip[0]} cy={tip[1]} r={6.5} />
        </g>
      ))}
      <path d={shapes.head} fill="var(--color-case)" />
      {shapes.eyes.map(({ matrix, radius }) => (
        <circle key={radius} r={radius} transform={matrix} />
      ))}
      <path d={STILL.body} fill="var(--color-case)" />
    </g>
  )
}

/** The robot as a drawing; decorative, whoever shows it describes it. Drawn anew only when its pose changes. */
export function Puppet2D({
  pose,
  view = 'whole',
  limp = false,
  absent = false,
  ghost,
  trails,
  className,
}: Puppet2DProps) {
  const id = useId()
  const shapes = drawPuppet(pose)
  const lamp = limp ? 'var(--color-foot)' : 'var(--color-accent)'
  const whole = view === 'whole'
  return (
    <svg
      viewBox={VIEW_BOXES[view]}
      aria-hidden="true"
      className={cx('block size-full', className)}
      preserveAspectRatio="xMidYMid meet"
      overflow={whole ? 'visible' : 'hidden'}
    >
      {absent ? (
        <>
          <path d={STILL.dial} fill="none" stroke="var(--color-line-strong)" strokeWidth={1.2} />
          <Absent shapes={shapes} />
        </>
      ) : (
        <>
          <defs>
            <radialGradient id={`${id}h`} cx="0.4" cy="0.3" r="0.85">
              <stop offset="0.35" stopColor="var(--color-shell)" />
              <stop offset="1" stopColor="var(--color-shell-shade)" />
            </radialGradient>
            <linearGradient id={`${id}b`}>
              <stop offset="0" stopColor="var(--color-shell-shade)" />
              <stop offset="0.3" stopColor="var(--color-shell)" />
              <stop offset="0.55" stopColor="var(--color-shell)" />
              <stop offset="1" stopColor="var(--color-shell-shade)" />
            </linearGradient>
            {whole && (
              <radialGradient id={`${id}s`}>
                <stop offset="0.55" stopColor="var(--color-shadow)" />
                <stop offset="1" stopColor="var(--color-shadow)" stopOpacity="0" />
              </radialGradient>
            )}
            <clipPath id={`${id}c`}>
              <path d={shapes.head} />
            </clipPath>
          </defs>
          {whole && (
            <>
              <ellipse cx="0" cy="-1" rx="86" ry="22" fill={`url(#${id}s)`} />
              <Dial needle={shapes.needle} headMark={shapes.headMark} />
            </>
          )}
          <ellipse cx="0" cy={STILL.foot.y} rx={STILL.foot.rx} ry={STILL.foot.ry} fill="var(--color-foot)" />
          <ellipse cx="0" cy={STILL.rim.y} rx={STILL.rim.rx} ry={STILL.rim.ry} fill="var(--color-joint)" />
          <path d={shapes.rods} fill="none" stroke="var(--color-rod)" strokeWidth={3} strokeLinecap="round" />
          <ellipse
            cx={shapes.platform[0]}
            cy={shapes.platform[1]}
            rx={STILL.platform.rx}
            ry={STILL.platform.ry}
            fill="var(--color-joint)"
          />
          {ghost && <path d={ghost} fill="none" stroke="var(--color-ink-3)" strokeWidth={1.5} opacity={0.28} />}
          {trails?.map((trail, age) => (
            <path
              key={age}
              d={trail}
              fill="none"
              stroke="var(--color-accent)"
              strokeWidth={3}
              strokeLinecap="round"
              opacity={[0.14, 0.3, 0.55][age]}
            />
          ))}
          {shapes.antennas.map(({ rod, tip }, i) => (
            <g key={i}>
              <path d={rod} fill="none" stroke="var(--color-antenna)" strokeWidth={3.4} strokeLinecap="round" />
              <circle cx={tip[0]} cy={tip[1]} r={6.5} fill={lamp} />
            </g>
          ))}
          <path d={shapes.head} fill={`url(#${id}h)`} stroke="var(--color-shell-edge)" strokeWidth={1.3} />
          <g clipPath={`url(#${id}c)`}>
            <Eyes eyes={shapes.eyes} limp={limp} />
          </g>
          <path d={STILL.body} fill={`url(#${id}b)`} stroke="var(--color-shell-edge)" strokeWidth={1.3} />
          {whole && (
            <>
              {shapes.index && (
                <path d={shapes.index} fill="none" stroke={lamp} strokeWidth={2.8} strokeLinecap="round" />
              )}
              {shapes.holes.map((hole, i) => (
                <circle key={i} cx={hole[0]} cy={hole[1]} r={1.7} fill="var(--color-shell-edge)" />
              ))}
            </>
          )}
        </>
      )}
    </svg>
  )
}
