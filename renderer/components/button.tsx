import { cx } from './cx.ts'
import { Spinner } from './feedback.tsx'
import { Tooltip } from './tooltip.tsx'

import type { ComponentProps, ReactNode } from 'react'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
type ButtonSize = 's' | 'm' | 'l'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover',
  secondary: 'border-line-strong bg-raised text-ink enabled:hover:bg-hover',
  quiet: 'border-transparent text-ink-2 enabled:hover:bg-hover enabled:hover:text-ink',
  danger: 'border-line-strong bg-raised text-danger enabled:hover:bg-danger-soft',
}

const SIZES: Record<ButtonSize, string> = {
  s: 'min-h-(--size-control-s) px-2.5 text-small',
  m: 'min-h-(--size-control) px-3 text-ui',
  l: 'min-h-(--size-control-l) px-4.5 text-body',
}

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border font-medium whitespace-nowrap ' +
  'transition-colors duration-instant [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:-ml-0.5 ' +
  'disabled:border-line disabled:bg-transparent disabled:text-ink-3'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** Work started by this button is under way: a spinner, and further presses do nothing. */
  busy?: boolean | undefined
  icon?: ReactNode
}

/** A labelled button; one `primary` per view. */
export function Button(props: ButtonProps) {
  const { variant = 'secondary', size = 'm', busy = false, icon, className, children, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(BASE, VARIANTS[variant], SIZES[size], className)}
    >
      {busy ? <Spinner inherit /> : icon}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The name, also shown as the tooltip. */
  label: string
  size?: 's' | 'm' | undefined
  variant?: 'quiet' | 'secondary' | undefined
  /** Side of the tooltip. */
  side?: 'top' | 'bottom' | 'left' | 'right' | undefined
}

/** A button that is only an icon, with its name as accessible name and tooltip. */
export function IconButton({ label, size = 'm', variant = 'quiet', side, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip content={label} side={side}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(
          'inline-grid shrink-0 place-items-center rounded-control border transition-colors duration-instant',
          '[&_svg]:size-4.5 disabled:text-line-strong',
          VARIANTS[variant],
          size === 's' ? 'size-(--size-control-s)' : 'size-(--size-control)',
          className,
        )}
      />
    </Tooltip>
  )
}
