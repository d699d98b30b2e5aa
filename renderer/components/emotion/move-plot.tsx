import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../app/format.ts'
import { cx } from '../cx.ts'

import { plotPaths, timeTicks } from './plot-paths.ts'
import { CURVES } from './trajectory.ts'

import type { Curve } from './trajectory.ts'
import type { RefObject } from 'react'

const STROKES: Record<Curve, { colour: string; width: number; dash?: string }> = {
  yaw: { colour: 'var(--color-plot-yaw)', width: 1.8 },
  pitch: { colour: 'var(--color-plot-pitch)', width: 1.5 },
  roll: { colour: 'var(--color-plot-roll)', width: 1.5, dash: '3 3' },
  right: { colour: 'var(--color-plot-right)', width: 1.5 },
  left: { colour: 'var(--color-plot-left)', width: 1.5, dash: '3 3' },
}
/** The one that is to be seen best is drawn last. */
const DRAWN: readonly Curve[] = ['left', 'right', 'roll', 'pitch', 'yaw']

function Curves({ paths, width = 1 }: { paths: Record<Curve, string>; width?: number }) {
  return DRAWN.map((curve) => (
    <path
      key={curve}
      d={paths[curve]}
      fill="none"
      stroke={STROKES[curve].colour}
      strokeWidth={STROKES[curve].width * width}
      strokeDasharray={STROKES[curve].dash}
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  ))
}

/** The curves of a move without axes, for a card. */
export function SparkLine({ curves }: { curves: Record<Curve, readonly number[]> }) {
  const paths = plotPaths(curves, { x0: 1, x1: 109, head: [10, 9], antennas: [27, 7] })
  return (
    <svg viewBox="0 0 110 36" aria-hidden="true" className="block w-full">
      <Curves paths={paths} width={0.75} />
    </svg>
  )
}

export interface MovePlotProps {
  name: string
  curves: Record<Curve, readonly number[]>
  /** Seconds. */
  duration: number
  /** Where the needle stands; `null`: nowhere. */
  time: number | null
  compact?: boolean | undefined
}

const X0 = 34
const BANDS = { head: [30, 27], antennas: [83, 17] } as const
const COMPACT_BANDS = { head: [21, 18], antennas: [57, 13] } as const
/** Until the plot has been measured, px: its width in the palette. */
const FIRST_WIDTH = 268

/** Width of an element in px, followed: so that text and strokes keep their size in every card. */
function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useLayoutEffect(() => {
    if (!element.current) return
    setWidth(element.current.clientWidth || FIRST_WIDTH)
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}

/** Angles over time, with a needle at the present moment. */
export function MovePlot({ name, curves, duration, time, compact = false }: MovePlotProps) {
  const { t, i18n } = useTranslation('robot')
  const [element, width] = useWidth()
  const axis = compact ? 74 : 104
  const bands = compact ? COMPACT_BANDS : BANDS
  // The needle moves many times a second, the curves do not.
  const paths = useMemo(() => plotPaths(curves, { x0: X0, x1: width, ...bands }), [curves, width, bands])
  const at = (seconds: number): number => X0 + ((width - X0) * seconds) / Math.max(0.01, duration)
  const { tick, label } = timeTicks(duration)
  const ticks = Array.from({ length: Math.floor(duration / tick + 1e-6) + 1 }, (_, i) => i * tick)
  const labels = ticks.filter((second) => Math.abs(second / label - Math.round(second / label)) < 1e-6)
  const number = (n: number): string => formatNumber(i18n.language, n, Number.isInteger(n) ? 0 : 1)
  return (
    <div ref={element}>
      <svg
        width={width}
        height={axis + 14}
        role="img"
        aria-label={t('plot', { name, seconds: `${number(duration)} s` })}
        className="block max-w-full overflow-visible [&_text]:fill-ink-3 [&_text]:text-[10px]"
      >
        <path d={`M${X0} ${bands.head[0]}H${width}M${X0} ${bands.antennas[0]}H${width}`} stroke="var(--color-line)" />
        <path
          d={ticks.map((second) => `M${at(second).toFixed(1)} ${axis}v${labels.includes(second) ? 5 : 3}`).join('')}
          stroke="var(--color-line-strong)"
        />
        <text x={X0 - 6} y={bands.head[0] + 3} textAnchor="end">
          {t('axis.head')}
        </text>
        <text x={X0 - 6} y={bands.antennas[0] + 3} textAnchor="end">
          {t('axis.antennas')}
        </text>
        {labels.map((second) => (
          <text
            key={second}
            x={at(second)}
            y={axis + 13.5}
            textAnchor={second === 0 ? 'start' : second > duration * 0.97 ? 'end' : 'middle'}
          >
            {second === 0 ? '0 s' : number(second)}
          </text>
        ))}
        <Curves paths={paths} />
        {time !== null && <path d={`M${at(Math.max(0, time)).toFixed(1)} 0V${axis + 1}`} stroke="var(--color-ink)" />}
      </svg>
    </div>
  )
}

/** What the strokes of a plot mean. */
export function PlotLegend({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('robot')
  return (
    <ul className={cx('flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-2', className)}>
      {CURVES.map((curve) => (
        <li key={curve} className="inline-flex items-center gap-1.5">
          <svg viewBox="0 0 18 4" aria-hidden="true" className="h-1 w-4.5">
            <path
              d="M0 2h18"
              stroke={STROKES[curve].colour}
              strokeWidth={STROKES[curve].width}
              strokeDasharray={STROKES[curve].dash}
            />
          </svg>
          {t(`legend.${curve}`)}
        </li>
      ))}
    </ul>
  )
}
