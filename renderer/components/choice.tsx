import { Switch as RadixSwitch, ToggleGroup } from 'radix-ui'

import { cx } from './cx.ts'

import type { ComponentProps, ReactNode } from 'react'

export interface SwitchProps {
  /** The accessible name, when no label element points at the switch. */
  label?: string | undefined
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean | undefined
  id?: string | undefined
  describedBy?: string | undefined
  /** On without effect: a dashed outline in the place of the full track. */
  idle?: boolean | undefined
}

/** On or off, at once; dashed when it cannot be switched or has no effect (give the reason as text beside it). */
export function Switch({ label, checked, onChange, disabled, id, describedBy, idle = false }: SwitchProps) {
  return (
    <RadixSwitch.Root
      id={id}
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      className={cx(
        'group relative h-4.5 w-8 shrink-0 rounded-full border border-control bg-raised transition-colors duration-quick',
        'after:absolute after:-inset-x-1 after:-inset-y-1.5 data-[state=checked]:border-accent',
        idle
          ? 'border-dashed data-[state=checked]:bg-transparent'
          : 'data-[state=checked]:bg-accent disabled:border-dashed disabled:bg-transparent',
      )}
    >
      <RadixSwitch.Thumb
        className={cx(
          'block size-2.5 translate-x-0.75 rounded-full bg-control transition-transform duration-quick ease-minjerk',
          'data-[state=checked]:translate-x-4.25 group-disabled:bg-control',
          idle ? 'data-[state=checked]:bg-accent' : 'data-[state=checked]:bg-on-accent',
        )}
      />
    </RadixSwitch.Root>
  )
}

export interface SegmentedProps<V extends string> {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: ReactNode }[]
}

/** A choice of few, all visible: radio buttons in one track. */
export function Segmented<V extends string>({ label, value, onChange, options }: SegmentedProps<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onChange(option.value)
      }}
      className="inline-flex shrink-0 rounded-[0.625rem] bg-selected p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className={cx(
            'inline-flex min-h-7 items-center gap-1.5 rounded-control px-3 font-medium whitespace-nowrap text-ink-2',
            'hover:text-ink data-[state=on]:bg-raised data-[state=on]:text-ink data-[state=on]:shadow-raised',
          )}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}

export interface ChipProps extends Omit<ComponentProps<'button'>, 'onChange'> {
  pressed: boolean
  onChange: (pressed: boolean) => void
  /** Shown after the label, e.g. how many there are. */
  count?: number | undefined
}

/** A filter that is pressed or not. */
export function Chip({ pressed, onChange, count, className, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-pressed={pressed}
      onClick={() => onChange(!pressed)}
      className={cx(
        'inline-flex min-h-(--size-control-s) shrink-0 items-center gap-1.5 rounded-full border px-3 text-small whitespace-nowrap',
        'transition-colors duration-instant',
        pressed
          ? 'border-accent bg-accent-soft font-medium text-accent-ink'
          : 'border-line-strong text-ink-2 hover:bg-hover hover:text-ink',
        className,
      )}
    >
      {children}
      {count !== undefined && <span className={cx(!pressed && 'text-ink-3')}>{count}</span>}
    </button>
  )
}

type BadgeTone = 'neutral' | 'success' | 'warn' | 'danger' | 'accent'

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-hover text-ink-2',
  success: 'bg-success-soft text-success',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
  accent: 'bg-accent-soft text-accent-ink',
}

/** A word about a thing that cannot be pressed: "Installed", "Changed", a code. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span
      className={cx(
        'inline-flex min-h-5.5 shrink-0 items-center gap-1.25 rounded-full px-2 text-small whitespace-nowrap [&_svg]:size-3.5',
        TONES[tone],
      )}
    >
      {icon}
      {children}
    </span>
  )
}
