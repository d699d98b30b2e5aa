import { useId } from 'react'

import { cx } from './cx.ts'

import type { KeyboardEvent } from 'react'

export interface ScaleProps {
  min: number
  max: number
  /** Distance between ticks, and between long ticks. */
  step: number
  major?: number | undefined
  value?: number | null | undefined
}

/** A line with ticks and, where there is a value, a needle on it; decorative, the number stands beside it. */
export function Scale({ min, max, step, major, value }: ScaleProps) {
  const at = (v: number): string => `${(((Math.min(max, Math.max(min, v)) - min) / (max - min)) * 100).toFixed(2)}%`
  const count = Math.round((max - min) / step)
  const ticks = Array.from({ length: count + 1 }, (_, i) => min + i * step)
  const zero = Math.min(max, Math.max(min, 0))
  return (
    <svg aria-hidden="true" className="block h-5.5 w-full overflow-visible">
      <line x1="0" x2="100%" y1="9" y2="9" stroke="var(--color-control)" />
      {ticks.map((tick) => {
        const long = major !== undefined && Math.abs(tick / major - Math.round(tick / major)) < 1e-6
        return (
          <line
            key={tick}
            x1={at(tick)}
            x2={at(tick)}
            y1="15"
            y2={long ? 22 : 18.5}
            stroke={long ? 'var(--color-ink-3)' : 'var(--color-line-strong)'}
          />
        )
      })}
      {value !== undefined && value !== null && (
        <>
          <line
            x1={at(zero)}
            x2={at(value)}
            y1="9"
            y2="9"
            stroke="var(--color-accent)"
            strokeWidth="2.5"
            strokeLinecap="round"
          />
          <svg x={at(value)} y="0" overflow="visible">
            <rect
              x="-3.5"
              y="1"
              width="7"
              height="16"
              rx="3.5"
              fill="var(--color-raised)"
              stroke="var(--color-accent)"
              strokeWidth="2"
            />
          </svg>
        </>
      )}
    </svg>
  )
}

export interface SliderProps {
  label: string
  value: number
  onChange: (value: number) => void
  min: number
  max: number
  step?: number | undefined
  /** Distance of the ticks below the track. */
  tick?: number | undefined
  /** The value with its unit, shown and spoken. */
  format: (value: number) => string
  disabled?: boolean | undefined
  /** A double click sets it back. */
  onReset?: (() => void) | undefined
}

/** Steps of the Page keys. */
const PAGE = 10

/** A quantity one can set: a needle on a scale; arrows move by one step, Page keys by ten. */
export function Slider({ label, value, onChange, min, max, step = 1, tick, format, disabled, onReset }: SliderProps) {
  const id = useId()
  const page = (event: KeyboardEvent<HTMLInputElement>): void => {
    const direction = event.key === 'PageUp' ? 1 : event.key === 'PageDown' ? -1 : 0
    if (direction === 0) return
    event.preventDefault()
    onChange(Math.min(max, Math.max(min, value + direction * PAGE * step)))
  }
  return (
    <div className="grid grid-cols-[4.25rem_minmax(0,1fr)_3.5rem] items-center gap-3">
      <label htmlFor={id}>{label}</label>
      <div className="relative">
        <div className="pointer-events-none absolute inset-x-2 top-1.5">
          <Scale min={min} max={max} step={tick ?? (max - min) / 8} value={value} />
        </div>
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          disabled={disabled}
          aria-valuetext={format(value)}
          onChange={(event) => onChange(event.target.valueAsNumber)}
          onKeyDown={page}
          onDoubleClick={disabled ? undefined : onReset}
          className={cx(
            'h-7 w-full appearance-none bg-transparent opacity-0 focus-visible:opacity-100',
            // The needle above is its thumb.
            '[&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:opacity-0',
          )}
        />
      </div>
      <span className="text-right font-medium">{format(value)}</span>
    </div>
  )
}
